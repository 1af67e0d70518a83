import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { formatJson } from "../../build/source/json/format.ts";

/** Sources: the paths in the content folder, and the texts. */
type BenchSources = Iterable<readonly [path: string, text: string]>;

const FRAME: Record<string, unknown> = {
  "_site.json": {
    base_url: "https://api.example.org",
    site_url: "https://www.example.org",
    media_url: "https://media.example.org",
    append_slash: false,
  },
  "index.json": { id: 1, meta: { type: "home.HomePage" }, title: "Home" },
  "art/index.json": { id: 2, meta: { type: "standardpages.GeneralPage" }, title: "Art and artists" },
  "art/artworks/index.json": { id: 3, meta: { type: "artworks.ArtworkIndexPage" }, title: "Artworks" },
};
const FRAME_PAGES = 3;

/** A work with 11 subjects, as Tate's have. Every name belongs to one id, so that a site has no conflicts of its own. */
function work(index: number): [path: string, text: string] {
  const [artist, year] = [index % 3, 1830 + (index % 97)];
  // 2.6 million different accession numbers.
  const acno = `${String.fromCharCode(65 + Math.floor(index / 100_000))}${String(index % 100_000).padStart(5, "0")}`;
  const subjects = Array.from({ length: 11 }, (_, k) => {
    const id = 100 * (k + 1) + (index % 53);
    return { id, name: `subject ${id}`, level: 1, parent_id: 1 };
  });
  const source = {
    id: 1_000 + index,
    meta: { type: "artworks.ArtworkPage" },
    title: `View ${index % 19} of the Castle`,
    acno,
    allArtists: `Artist ${artist}`,
    dimensions: `support: ${80 + (index % 901)} x ${80 + (index % 701)} mm`,
    dateText: `${year}`,
    medium: "Graphite on paper",
    creditLine: `Presented by the Friends of the Gallery ${year + 80}`,
    mltArtists: `${artist}`,
    mltSubjects: subjects.map(({ id }) => id).join(" "),
    acquisitionYear: year + 80,
    start_year: year,
    end_year: year,
    mltYear: year,
    classification: { id: 1 + (index % 4), meta: { type: "artworks.Classification" } },
    contributors: [{ role_display: "artist", fc: `Artist ${artist}` }],
    subjects,
  };
  // A grouping folder for each thousand numbers.
  const path = `art/artworks/_${acno.slice(0, 3).toLowerCase()}/view-${acno.toLowerCase()}.json`;
  return [path, formatJson(source)];
}

/** A generated site of `pages` pages: home, a general page, the artwork index, and works below it. */
export function* generatedSite(pages: number): BenchSources {
  for (const [path, source] of Object.entries(FRAME)) yield [path, formatJson(source)];
  for (let index = 0; index < pages - FRAME_PAGES; index++) yield work(index);
}

/** Writes sources below `folder`, in which none of them exists yet. */
export function writeSources(folder: string, sources: BenchSources): void {
  for (const [path, text] of sources) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
  }
}

/** The paths of all JSON files below `folder`, sorted. */
export const sourcePaths = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .sort();

export const isPage = (path: string): boolean => !basename(path).startsWith("_");

/** Whether a file is a page without subpages, which may be left out. */
const isLeaf = (path: string): boolean => isPage(path) && basename(path) !== "index.json";

export interface MeasuredSite {
  content: string;
  pages: number;
  /** Pages without subpages. */
  leaves: string[];
}

export function siteIn(content: string): MeasuredSite {
  const paths = sourcePaths(content);
  return { content, pages: paths.filter(isPage).length, leaves: paths.filter(isLeaf) };
}

/** The sources of `content`, of which works are left out evenly. */
export function* reduced(content: string, pages: number): BenchSources {
  const paths = sourcePaths(content);
  const inner = paths.filter((path) => !isLeaf(path));
  const left = evenly(paths.filter(isLeaf), pages - inner.filter(isPage).length);
  for (const path of [...inner, ...left]) yield [path, readFileSync(join(content, path), "utf8")];
}

/** `count` members at equal distances; all members if there are fewer. */
export function evenly<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / Math.max(1, count));
  return list.filter((_, i) => count > 0 && Math.floor(i / step) > Math.floor((i - 1) / step));
}
