import { formatJson } from "../../../build/json/format.ts";
import { ARTWORK } from "./artwork.ts";
import type { GeneratedSource } from "./site.ts";

interface ArtworkSource {
  meta: { type: string };
  title: string;
  allArtists?: string;
  medium?: string;
  acno?: string;
  [field: string]: unknown;
}

interface SiteSettings {
  media_url: string;
  append_slash?: boolean;
  owned_paths?: string[];
}

/**
 * Pages like those of a museum: each work has an HTML description that links to the work before it, and an image. The
 * site owns the paths of its works, so every link is checked.
 */
export function* museumLike(sources: Iterable<GeneratedSource>): Generator<GeneratedSource> {
  let slash = "/";
  let before: string | undefined;
  for (const { path, text } of sources) {
    if (path === "_site.json") {
      const site = JSON.parse(text) as SiteSettings;
      slash = site.append_slash === false ? "" : "/";
      yield { path, text: formatJson({ ...site, owned_paths: ["/art/"] }) };
      continue;
    }
    const work = path.endsWith("index.json") ? undefined : (JSON.parse(text) as ArtworkSource);
    if (work?.meta.type !== ARTWORK) {
      yield { path, text };
      continue;
    }
    const address = addressOf(path, slash);
    yield { path, text: formatJson({ ...work, ...described(work, before ?? address), ...pictured(work) }) };
    before = address;
  }
}

/** The address of a source on the website, without grouping folders. */
const addressOf = (path: string, slash: string): string =>
  `/${path
    .replace(/\.json$/, "")
    .split("/")
    .filter((part) => !part.startsWith("_"))
    .join("/")}${slash}`;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const described = ({ title, allArtists = "", medium = "" }: ArtworkSource, address: string): object => ({
  description:
    `<p><em>${escaped(title)}</em> by ${escaped(allArtists)} is shown with works of the same years. ` +
    `It is made in <span class="medium">${escaped(medium)}</span>.</p>\n` +
    `<p>See also <a href="${address}">the work beside it</a>, and the notes in the catalogue.</p>`,
});

const pictured = ({ title, acno = "" }: ArtworkSource): object => {
  const url = (width: number): string => `/art/images/${acno.slice(0, 3)}/${acno}_${width}.jpg`;
  return {
    master_images: [
      {
        sizes: [
          [320, "0-599", url(320)],
          [1024, "600-1199", url(1024)],
        ],
        default_url: url(1024),
        current_size: "600-1199",
        alt_text: title.trim(),
        height_ratio: 0.75,
        max_width: 1024,
        status: "CLEARED",
      },
    ],
  };
};
