import type { Site } from "../../build/model/site.ts";
import type { Parent } from "../../build/model/tree.ts";

/** The site of these tests, and the parent page of their pages. */
export const site: Site = {
  base_url: "https://api.example.org",
  site_url: "https://www.example.org",
  media_url: "https://media.example.org",
  append_slash: true,
  owned_paths: [],
};

const type = "artworks.ArtworkIndexPage";
const address = "https://www.example.org/works/";
const meta = { type, detail_url: "https://api.example.org/api/v2/pages/1/", html_url: address } as const;
export const parent: Parent = { type, address, summary: { id: 1, meta, title: "Works" } };
