import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PAGES } from "../../build/base/api.ts";
import { PROGRAM_HEADERS } from "../../build/base/folders.ts";
import { evenly, leavesOf, sourcePaths } from "./input/resize.ts";
import { writeSources, type GeneratedSource } from "./input/site.ts";

export type MeasuredSite = ReturnType<typeof makeSite>;

const readPage = (file: string) => JSON.parse(readFileSync(file, "utf8")) as { id: number; title: string };

/** A content folder to build from, and one work in it that is inspected and edited. */
export function makeSite(content: string, sources: Iterable<GeneratedSource>) {
  mkdirSync(dirname(content), { recursive: true });
  writeSources(content, sources);
  const pages = sourcePaths(content).filter((path) => !path.split("/").at(-1)?.startsWith("_"));
  const last = pages.findLast((path) => path.split("/").at(-1) !== "index.json");
  if (last === undefined) throw new Error(`${content} has no page below another`);
  const file = join(content, last);
  return {
    content,
    pages: pages.length,
    sample: { file, id: readPage(file).id, parent: parentOf(content, last) },
  };
}

function parentOf(content: string, path: string): number {
  const folders = path
    .split("/")
    .slice(0, -1)
    .filter((folder) => !folder.startsWith("_"));
  return readPage(join(content, ...folders, "index.json")).id;
}

export const editSample = ({ sample }: MeasuredSite): (() => void) => editTitle(sample.file, ", edited").undo;

/** `undo` restores the file. */
export function editTitle(file: string, more: string) {
  const text = readFileSync(file, "utf8");
  const { id, title } = readPage(file);
  writeFileSync(file, text.replace(JSON.stringify(title), JSON.stringify(title + more)));
  return { id, title: title + more, undo: () => writeFileSync(file, text) };
}

export const offerBulk = (site: MeasuredSite): (() => void) => configure(site, { bulk: true });

export const offerIndex = (site: MeasuredSite): (() => void) => configure(site, { index: true });

export const offerEditor = (site: MeasuredSite): (() => void) =>
  configure(site, { repository: { name: "a/b" } });

/** Returns a function that restores the settings. */
export function configure({ content }: { content: string }, change: Record<string, unknown>): () => void {
  const file = join(content, "_site.json");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(text) as object), ...change }));
  return () => writeFileSync(file, text);
}

/** The project's `_headers` for a site whose editor sends requests to an API. */
export const headersFor = (origin: string): string =>
  readFileSync(PROGRAM_HEADERS, "utf8").replaceAll("connect-src 'self'", `$& ${origin}`);

/** Writes a copy of the pages in which each title ends in a space, which is a warning. */
export function warnOfEveryTitle(content: string, to: string): void {
  cpSync(content, to, { recursive: true });
  for (const path of sourcePaths(to)) {
    const file = join(to, path);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/("title": *"(?:[^"\\]|\\.)*)"/, '$1 "'));
  }
}

/** Changes the titles of five pages, and returns a function that restores them. */
export function editFive({ content }: MeasuredSite): () => void {
  const edits = evenly(leavesOf(content), 5).map((path) => editTitle(join(content, path), ", edited"));
  return () => edits.forEach(({ undo }) => undo());
}

/** Renames every top-level folder, so that all its pages move. Returns a function that moves them back. */
export function moveAll({ content }: MeasuredSite): () => void {
  const folders = readdirSync(content, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^[._]/.test(entry.name))
    .map(({ name }) => join(content, name));
  for (const folder of folders) renameSync(folder, `${folder}-moved`);
  return () => folders.forEach((folder) => renameSync(`${folder}-moved`, folder));
}

const pageFile = (output: string, id: number | string): string => join(output, PAGES, `${id}`, "index.json");

const isId = (name: string): boolean => /^\d+$/.test(name);

/** The error in an output, if there is one: every page must exist, and the sample must name its parent. */
export function faultOf(output: string, { pages, sample }: MeasuredSite): string | undefined {
  let written = 0;
  for (const name of readdirSync(join(output, PAGES))) {
    if (isId(name) && lstatSync(pageFile(output, name), { throwIfNoEntry: false })?.isFile()) written++;
  }
  if (written !== pages) return `wrote ${written} of ${pages} pages`;
  const page = JSON.parse(readFileSync(pageFile(output, sample.id), "utf8")) as {
    id: number;
    meta: { parent: { id: number; title: string } | null };
  };
  if (page.id !== sample.id || page.meta.parent?.id !== sample.parent) return `page ${sample.id} is wrong`;
  return undefined;
}
