import { join } from "node:path";
import { printableJson } from "../../findings/printable.ts";
import type { Header } from "../headers.ts";
import { API, PAGE_ID } from "../paths.ts";
import { apiHeaders, isContentType, type Site } from "./site.ts";

/**
 * `serve` takes its page of a 404 from the root that it serves, so its root is the folder of the pages: rewrites put
 * their addresses below that root, and everything else is unknown. What is sent with a file goes by the file's path.
 */
export const serve = (site: Site): string => {
  const pages = API.slice(1);
  const configuration = {
    public: join(site.root, pages),
    rewrites: [
      { source: `${pages}:id(${PAGE_ID})/:file(index.json)?`, destination: "/:id/index.json" },
      { source: `${pages}:unknown(.+)`, destination: "/" },
    ],
    headers: [{ source: "**", headers: [...apiHeaders(site).map(keyed), noTag] }],
    cleanUrls: false,
    directoryListing: false,
  };
  return `${printableJson(configuration, 2)}\n`;
};

/** A header of `serve`'s own is replaced only where the letters are the same. */
const keyed = (header: Header): { key: string; value: string } => ({
  key: isContentType(header) ? "Content-Type" : header.name,
  value: header.value,
});

/** With an ETag of its own `serve` answers 304 without the headers of the page; an empty one is equal to none. */
const noTag = { key: "ETag", value: " " };
