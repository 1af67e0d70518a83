import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatJson } from "../../../build/json/format.ts";
import { artwork } from "./artwork.ts";

/** A source: its path in the content folder, and its text. */
export interface GeneratedSource {
  path: string;
  text: string;
}

const SITE = {
  base_url: "https://api.example.org",
  site_url: "https://www.example.org",
  media_url: "https://media.example.org",
  append_slash: false,
};

const FRAME: readonly (readonly [path: string, source: unknown])[] = [
  ["index.json", { id: 1, meta: { type: "home.HomePage" }, title: "Home" }],
  ["art/index.json", { id: 2, meta: { type: "standardpages.GeneralPage" }, title: "Art and artists" }],
  ["art/artworks/index.json", { id: 3, meta: { type: "artworks.ArtworkIndexPage" }, title: "Artworks" }],
];

/** The grouping folder of a work, named for the first three characters of its accession number. */
export const groupOf = (acno: string): string => `_${acno.slice(0, 3).toLowerCase()}`;

/** A generated site of `pages` pages: home, a general page, the artwork index, and works below it. */
export function* generatedSite(pages: number): Generator<GeneratedSource> {
  yield { path: "_site.json", text: formatJson(SITE) };
  for (const [path, source] of FRAME) yield { path, text: formatJson(source) };
  for (let index = 0; index < pages - FRAME.length; index++) {
    const { slug, acno, source } = artwork(index);
    yield { path: `art/artworks/${groupOf(acno)}/${slug}.json`, text: formatJson(source) };
  }
}

/** Writes sources below `folder`, in which none of them exists yet. */
export function writeSources(folder: string, sources: Iterable<GeneratedSource>): void {
  const made = new Set<string>();
  for (const { path, text } of sources) {
    const file = join(folder, path);
    const parent = dirname(file);
    if (!made.has(parent)) {
      mkdirSync(parent, { recursive: true });
      made.add(parent);
    }
    writeFileSync(file, text, { flag: "wx" });
  }
}
