import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readJson, treeOf } from "../files.ts";
import { scratch } from "../scratch.ts";

/** The folders of a test: sources, output and manifest. */
export interface Workplace {
  folder: string;
  content: string;
  out: string;
  cache: string;
  /** Writes a source, a text or a value. */
  put: (path: string, value: unknown) => void;
  /** Writes several sources, those of the small site by default. */
  putAll: (sources?: Record<string, unknown>) => void;
  /** Removes a source, or a folder of sources. */
  drop: (path: string) => void;
  /** The absolute path of a source. */
  file: (path: string) => string;
  /** The text of a source. */
  source: (path: string) => string;
  /** The value of a source. */
  json: (path: string) => any;
  /** The text of a published file. */
  published: (path: string) => string;
  /** The value of a published file. */
  publishedJson: (path: string) => any;
  /** The response of a published page. */
  response: (id: number) => any;
  /** The published files, or those of them whose path matches. */
  tree: (pattern?: RegExp) => Record<string, string>;
  /** Removes the folders early, for tests with many workplaces. */
  remove: () => void;
}

export function workplace(name: string, below?: string): Workplace {
  const folder = scratch(name, below);
  const [content, out] = [join(folder, "content"), join(folder, "public")];
  const file = (path: string): string => join(content, path);
  return {
    folder,
    content,
    out,
    cache: join(folder, "cache"),
    put: (path, value) => write(content, path, value),
    putAll: (sources) => writeSite(content, sources),
    drop: (path) => rmSync(file(path), { recursive: true }),
    file,
    source: (path) => readFileSync(file(path), "utf8"),
    json: (path) => readJson(content, path),
    published: (path) => readFileSync(join(out, path), "utf8"),
    publishedJson: (path) => readJson(out, path),
    response: (id) => readJson(out, `api/v2/pages/${id}/index.json`),
    tree: (pattern) => treeOf(out, pattern),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function write(folder: string, path: string, value: unknown): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : `${JSON.stringify(value, undefined, 2)}\n`);
}

/** The signature of a PNG image. */
export const PNG = "\x89PNG\r\n\x1a\n";

/** The header of a PNG image with a size in pixels. */
export function pngOf(width: number, height: number): Buffer {
  const head = Buffer.from(`${PNG}\0\0\0\rIHDR${"\0".repeat(13)}`, "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

/** Writes a file with the signature of an image, which is all that a build checks. */
export function writeImage(content: string, path: string, text = path): void {
  const file = join(content, "_media", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.from(PNG + text, "latin1"));
  // Old enough for a later build to recognise a change.
  const before = new Date(Date.now() - 60_000);
  utimesSync(file, before, before);
}

export const SITE = {
  base_url: "https://api.example.org",
  site_url: "https://www.example.org",
  media_url: "https://media.example.org",
  owned_paths: ["/visit"],
};

export const page = (id: number, type: string, title: string) => ({ id, meta: { type }, title });
export const general = (id: number, title: string) => page(id, "standardpages.GeneralPage", title);
/** A page that goes live or expires. */
export const dated = (id: number, title: string, dates: object, type = "standardpages.GeneralPage") => ({
  ...page(id, type, title),
  meta: { type, ...dates },
});
export const work = (id: number, title: string, more: object = {}) => ({
  ...page(id, "artworks.ArtworkPage", title),
  acno: `N${String(id).padStart(5, "0")}`,
  acquisitionYear: 1900,
  start_year: 1850,
  end_year: 1851,
  mltYear: 1850,
  classification: { id: 5 },
  ...more,
});

export const masterImage = (url: string) => ({
  sizes: [[1, "0-1", url]],
  default_url: url,
  current_size: "0-1",
  height_ratio: 1,
  max_width: 1,
  alt_text: "A",
});

const subject = (name: string) => ({ subjects: [{ id: 1, name, level: 1, parent_id: 9 }] });

/** A small site with pages of every type, drafts, grouping folders, and warnings of every kind. */
export const SMALL_SITE: Record<string, unknown> = {
  "_site.json": SITE,
  "index.json": page(1, "home.HomePage", "Home"),
  "about.json": general(2, "About"),
  "_news.json": general(3, "A draft"),
  "visit/index.json": general(10, "Visit"),
  "visit/cafe.json": general(11, "Café"),
  "visit/_more/shop.json": general(12, "Shop"),
  "visit/rooms/index.json": general(13, "Rooms"),
  "visit/rooms/one.json": general(14, "Room one"),
  "visit/rooms/two.json": general(15, "Room two"),
  "projects/index.json": page(20, "projects.ProjectIndexPage", "Projects"),
  "projects/wet/index.json": page(21, "projects.ProjectPage", "Wet"),
  "projects/wet/notes.json": general(22, "Notes"),
  "works/index.json": page(30, "artworks.ArtworkIndexPage", "Works"),
  "works/_a/marsh.json": work(31, "Marsh", subject("reed")),
  "works/_a/pool.json": work(32, "Pool", subject("reed")),
  "works/_b/bog.json": work(33, "Bog", subject("rush")),
  "works/_b/fen.json": work(34, "Fen", {
    iiif_id: "x",
    description: '<a href="/visit/cafe/">a</a><a href="/visit/x/">b</a>',
  }),
};

/** The same without contradictions between pages. */
export const FITTING_SITE = { ...SMALL_SITE, "works/_b/bog.json": work(33, "Bog", subject("reed")) };

/** Pages of another language: some are translations, one with another slug, and one is of this language only. */
export const WELSH_PAGES = {
  "cy/index.json": page(501, "home.HomePage", "Hafan"),
  "cy/about.json": general(502, "Amdanom ni"),
  "cy/visit/index.json": general(510, "Ymweld"),
  "cy/visit/caffi.json": dated(511, "Caffi", { translation_of: 11 }),
  "cy/visit/rooms/index.json": general(513, "Ystafelloedd"),
  "cy/visit/rooms/one.json": general(514, "Ystafell un"),
  "cy/hanes.json": general(520, "Hanes"),
};

/** The same with a bulk download. */
export const BULK_SITE = { ...FITTING_SITE, "_site.json": { ...SITE, bulk: true } };

export function writeSite(content: string, sources: Record<string, unknown> = SMALL_SITE): void {
  for (const [path, value] of Object.entries(sources)) write(content, path, value);
}

/** A workplace with the sources of a site. */
export function placeWith(name: string, sources?: Record<string, unknown>, below?: string): Workplace {
  const place = workplace(name, below);
  place.putAll(sources);
  return place;
}

/** Writes a site that has only its home page. */
export function writeEmptySite(content: string): void {
  write(content, "_site.json", {
    base_url: "https://api.example.org",
    site_url: "https://www.example.org",
    media_url: "https://media.example.org",
  });
  write(content, "index.json", { id: 1, meta: { type: "home.HomePage" }, title: "Home" });
}
