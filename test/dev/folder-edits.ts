import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as fc from "fast-check";
import { isFolder } from "../../build/base/stat.ts";
import { filesBelow } from "../files.ts";
import { general, page, SITE, write, type Workplace } from "../pipeline/site.ts";

/** An edit of whole folders; `a` and `b` choose the folders. */
export interface FolderEdit {
  kind: FolderKind;
  a: number;
  b: number;
}

/**
 * The folders of a round of edits: the content folder, and a folder elsewhere that receives the folders moved out of
 * it.
 */
export interface Desk extends Workplace {
  aside: string;
  /** Id of the next new page: no two pages ever have the same. */
  nextId: number;
}

type Do = (desk: Desk, a: number, b: number) => void;

const MAX_DEPTH = 8;

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

/** Relative to the content folder, which is "". */
const foldersOf = ({ content }: Desk): string[] => {
  const found: string[] = [""];
  for (const folder of found)
    for (const name of readdirSync(join(content, folder)).sort())
      if (isFolder(join(content, folder, name))) found.push(join(folder, name));
  return found;
};

const sourcesOf = (folder: string): string[] =>
  filesBelow(folder).filter((path) => path.endsWith(".json") && !basename(path).startsWith("_"));

const idsIn = (folder: string): number[] =>
  sourcesOf(folder).map(
    (path) => (JSON.parse(readFileSync(join(folder, path), "utf8")) as { id: number }).id,
  );

/** A name that no folder has; some are grouping folders. */
const newName = (desk: Desk, b: number): string => `${b % 5 === 0 ? "_" : ""}folder-${desk.nextId++}`;

/** Another name of the same kind: a grouping folder has no page of its own. */
const otherName = (desk: Desk, folder: string): string => newName(desk, isGroup(folder) ? 0 : 1);
const isGroup = (folder: string): boolean => basename(folder).startsWith("_");

/** Makes a new folder with a subpage, and with a page of its own unless the name is a grouping folder's. */
function make(desk: Desk, path: string): void {
  if (!isGroup(path)) write(desk.content, `${path}/index.json`, general(desk.nextId++, "Made"));
  write(desk.content, `${path}/page-${desk.nextId}.json`, general(desk.nextId++, "Made"));
}

const onFolder =
  (how: (desk: Desk, folder: string, b: number) => void): Do =>
  (desk, a, b) => {
    const folder = pick(foldersOf(desk).slice(1), a);
    if (folder !== undefined) how(desk, folder, b);
  };

const git = ({ folder }: Desk, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });

const commit = (desk: Desk): void => {
  git(desk, "add", "-A", "content");
  git(desk, "commit", "-q", "--allow-empty", "-m", "State");
};

const FOLDER_EDITS = {
  make: (desk, a, b) => make(desk, join(pick(foldersOf(desk), a) ?? "", newName(desk, b))),
  makeDeep: (desk, _, b) => {
    let path = "";
    for (let depth = 0; depth < 6; depth++)
      make(desk, (path = join(path, newName(desk, depth === 5 ? b : 1))));
  },
  rename: onFolder((desk, folder) =>
    renameSync(join(desk.content, folder), join(desk.content, dirname(folder), otherName(desk, folder))),
  ),
  renameAndBack: onFolder(({ content, folder: place }, folder) => {
    renameSync(join(content, folder), join(place, "away"));
    renameSync(join(place, "away"), join(content, folder));
  }),
  moveElsewhere: (desk, a, b) => {
    const folders = foldersOf(desk);
    const [from, to] = [pick(folders.slice(1), a), pick(folders, b)];
    if (from === undefined || to === undefined || `${to}/`.startsWith(`${from}/`)) return;
    if (to.split("/").length < MAX_DEPTH)
      renameSync(join(desk.content, from), join(desk.content, to, otherName(desk, from)));
  },
  remove: onFolder(({ content }, folder) => rmSync(join(content, folder), { recursive: true })),
  removeOld: onFolder((desk, folder) =>
    renameSync(join(desk.content, folder), join(desk.aside, otherName(desk, folder))),
  ),
  restore: (desk, a, b) => {
    const name = pick(readdirSync(desk.aside).sort(), a);
    if (name === undefined) return;
    const taken = new Set(idsIn(desk.content));
    const to = join(desk.content, pick(foldersOf(desk), b) ?? "", otherName(desk, name));
    if (!idsIn(join(desk.aside, name)).some((id) => taken.has(id))) renameSync(join(desk.aside, name), to);
  },
  swap: (desk, a, b) => {
    const folders = foldersOf(desk).slice(1);
    const [one, two] = [pick(folders, a), pick(folders, b)];
    if (
      one === undefined ||
      two === undefined ||
      `${two}/`.startsWith(`${one}/`) ||
      `${one}/`.startsWith(`${two}/`)
    )
      return;
    if (isGroup(one) !== isGroup(two)) return;
    const aside = join(desk.folder, "swapped");
    renameSync(join(desk.content, one), aside);
    renameSync(join(desk.content, two), join(desk.content, one));
    renameSync(aside, join(desk.content, two));
  },
  checkout: (desk) => {
    commit(desk);
    const [other = ""] = git(desk, "branch", "--format=%(refname:short)", "--no-contains", "HEAD").split(
      "\n",
    );
    if (other === "") git(desk, "checkout", "-q", "-b", "other");
    else git(desk, "checkout", "-q", other);
  },
} satisfies Record<string, Do>;

/** Edits of the content folder itself, which a watch of it does not report. */
const ROOT_EDITS = {
  contentAway: (desk) => {
    renameSync(desk.content, join(desk.folder, "away"));
    pause(30);
    renameSync(join(desk.folder, "away"), desk.content);
  },
  contentChangedAway: (desk, _, b) => {
    const away = join(desk.folder, "away");
    renameSync(desk.content, away);
    make({ ...desk, content: away, nextId: (desk.nextId += 10) }, newName(desk, b));
    renameSync(away, desk.content);
  },
  contentExchanged: (desk) => {
    cpSync(desk.content, join(desk.folder, "new"), { recursive: true });
    rmSync(desk.content, { recursive: true });
    renameSync(join(desk.folder, "new"), desk.content);
  },
} satisfies Record<string, Do>;

const EDITS: Record<string, Do> = { ...FOLDER_EDITS, ...ROOT_EDITS };

type FolderKind = keyof typeof FOLDER_EDITS | keyof typeof ROOT_EDITS;
const FOLDER_KINDS = Object.keys(FOLDER_EDITS) as FolderKind[];
const ROOT_KINDS = Object.keys(ROOT_EDITS) as FolderKind[];

const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** A small site of pages that may all be subpages of each other. */
export function prepare(desk: Desk): void {
  write(desk.content, "_site.json", { ...SITE, owned_paths: [] });
  write(desk.content, "index.json", page(1, "home.HomePage", "Home"));
  for (const path of [
    "visit",
    "visit/rooms",
    "visit/_more",
    "about",
    "about/history",
    "about/history/people",
  ])
    make(desk, path);
  mkdirSync(desk.aside);
  git(desk, "init", "-q", "-b", "main");
  commit(desk);
}

export function edit(desk: Desk, { kind, a, b }: FolderEdit): void {
  EDITS[kind]?.(desk, a, b);
  // It lists pages as published, and a later edit removes them without retiring them.
  rmSync(join(desk.content, "_history.json"), { force: true });
}

/** Saves each page in place. */
export function saveAll({ content }: Desk, title: string): void {
  for (const path of sourcesOf(content)) {
    const source = JSON.parse(readFileSync(join(content, path), "utf8")) as object;
    writeFileSync(join(content, path), JSON.stringify({ ...source, title }));
  }
}

const kinds = (withRoot: boolean): FolderKind[] => [...FOLDER_KINDS, ...(withRoot ? ROOT_KINDS : [])];

/** Rounds of edits; between two rounds every page is saved. */
export const roundsOf = (withRoot: boolean, maxLength: number): fc.Arbitrary<FolderEdit[][]> => {
  const edits = fc.record({ kind: fc.constantFrom(...kinds(withRoot)), a: fc.nat(1000), b: fc.nat(1000) });
  return fc.array(fc.array(edits, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength });
};

/** Every kind of edit, two in a round. */
export const eachKind = (withRoot: boolean): FolderEdit[][] => {
  const edits = kinds(withRoot).map((kind, n) => ({ kind, a: n + 1, b: n + 2 }));
  return edits.flatMap((one, n) => (n % 2 === 0 ? [[one, ...edits.slice(n + 1, n + 2)]] : []));
};
