import {
  type Dir,
  accessSync,
  constants,
  mkdirSync,
  opendirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "../failure.ts";
import { isFolder, statAt } from "../source/stat.ts";
import { makeFolder, obstacle, otherSpelling, type Layout } from "./layout.ts";
import { Stager, writeNew } from "./stage.ts";

/** A folder of the output is a link or a file; the build goes no further. */
export class Obstructed extends Failure {
  constructor(path: string) {
    super(
      `${path} is a link or a file where the build needs a folder of its own; it does not follow or replace it.`,
    );
  }
}

/** The files beside the pages, by their path in the output. */
export type Fixtures = ReadonlyMap<string, Uint8Array>;

/**
 * A change of the output, made in two steps: everything new is written aside, then it is renamed into place. Between
 * `open` and `commit` the published files are only read; after `abandon` nothing of the change is left.
 */
export class Publication {
  readonly layout: Layout;
  /** There are no published pages: those written aside are renamed into place as one folder. */
  readonly fresh: boolean;
  /** The topmost folder that had to be made; forgotten once something is published in it. */
  private made: string | undefined;
  private readonly changedFixtures: string[] = [];

  /**
   * @throws Obstructed
   * @throws the system's error where the output cannot be written.
   */
  constructor(layout: Layout) {
    this.layout = layout;
    const path = obstacle(layout);
    if (path !== undefined) throw new Obstructed(path);
    this.made = makeFolder(layout.root);
    this.fresh = isEmptyOrAbsent(layout.pages);
    if (!this.fresh) accessSync(layout.pages, WRITABLE);
    try {
      rmSync(layout.staging, { recursive: true, force: true });
      mkdirSync(join(layout.staging, "pages"), { recursive: true });
      mkdirSync(join(layout.staging, "changed"));
    } catch (cause) {
      this.abandon();
      throw cause;
    }
  }

  /** Writes aside the fixtures that are not published as they should be; gives the stats of the others. */
  stageFixtures(fixtures: Fixtures): void {
    const stager = new Stager(this.layout, false);
    for (const [path, bytes] of fixtures) {
      if (stager.compare(join(this.layout.root, path), bytes) !== undefined) continue;
      writeNew(join(this.layout.staging, path.replaceAll("/", "!")), bytes);
      this.changedFixtures.push(path);
    }
  }

  /** Refuses before anything is changed what could only fail halfway. */
  assertWritable(changed: Iterable<number>, removed: Iterable<string>): void {
    const { pages } = this.layout;
    for (const id of changed) accessSync(`${pages}/${id}`, WRITABLE);
    for (const name of removed) {
      accessSync(dirname(join(pages, name)), WRITABLE);
      assertRemovable(join(pages, name));
    }
  }

  /** Renames everything into place: new and changed files, then removals. */
  commit(added: Iterable<number>, changed: Iterable<number>, removed: Iterable<string>): void {
    const { pages, staging, root } = this.layout;
    makeFolder(join(pages, ".."));
    if (this.fresh) renameSync(join(staging, "pages"), pages);
    else {
      for (const id of added) this.place(`${staging}/pages/${id}`, `${pages}/${id}`);
      for (const id of changed) this.place(`${staging}/changed/${id}.json`, `${pages}/${id}/index.json`);
    }
    for (const path of this.changedFixtures)
      this.place(join(staging, path.replaceAll("/", "!")), join(root, path));
    for (const name of removed) this.remove(join(pages, name));
    this.made = undefined;
  }

  private remove(path: string): void {
    const own = basename(path).toLowerCase();
    // Where case makes no difference this may be a file of the build, in another spelling.
    if (OWN_NAMES.has(own) && otherSpelling(dirname(path), own) !== undefined)
      renameSync(path, join(dirname(path), own));
    else rmSync(path, { recursive: true, force: true });
  }

  private place(from: string, to: string): void {
    try {
      renameSync(from, to);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "EISDIR" && code !== "ENOTDIR") throw cause;
      // Something that the build did not make stands there: a folder for a file, or the reverse.
      rmSync(to, { recursive: true, force: true });
      renameSync(from, to);
    }
  }

  /** Tidies up after `commit`. The stat is one second thought: nothing that the build did is later than it. */
  close(): number {
    const stamp = join(this.layout.staging, "stamp");
    writeFileSync(stamp, "");
    const { ctime } = statAt(stamp);
    rmSync(this.layout.staging, { recursive: true, force: true });
    return ctime;
  }

  /** Takes back everything that is not published: the output is as it was, also where it was not there. */
  abandon(): void {
    rmSync(this.layout.staging, { recursive: true, force: true });
    if (this.made !== undefined) rmSync(this.made, { recursive: true, force: true });
  }
}

/** The file in a page's folder, and the one beside the pages' folders. */
const OF_A_PAGE = "index.json";
const AMONG_PAGES = "404.html";
const OWN_NAMES: ReadonlySet<string> = new Set([OF_A_PAGE, AMONG_PAGES]);

const WRITABLE = constants.W_OK | constants.X_OK;

/** A folder's entries are removed by who may write the folder. */
function assertRemovable(path: string): void {
  if (!isFolder(path)) return;
  accessSync(path, WRITABLE | constants.R_OK);
  for (const name of readdirSync(path)) assertRemovable(join(path, name));
}

/** Whether all fixtures are published as they should be. */
export function areSame(layout: Layout, fixtures: Fixtures): boolean {
  const stager = new Stager(layout, false);
  return [...fixtures].every(([path, bytes]) => stager.compare(join(layout.root, path), bytes) !== undefined);
}

function isEmptyOrAbsent(folder: string): boolean {
  let entries: Dir;
  try {
    entries = opendirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw cause;
  }
  // One entry tells; there may be a million.
  const isEmpty = entries.readSync() === null;
  entries.closeSync();
  return isEmpty;
}

/**
 * What lies among the pages and belongs to no page and is not the page of errors. What lies in the place of one, though it is no
 * folder or no file, is replaced by it and not removed. Names are relative to the pages.
 */
export const foreignEntries = (pages: string, isPublished: (name: string) => boolean): string[] =>
  readdirSync(pages).filter((name) => name !== AMONG_PAGES && !isPublished(name));

/** What stands in a page's folder beside its file. */
export function foreignInPage(pages: string, id: number): string[] {
  const folder = `${pages}/${id}`;
  if (!isFolder(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name !== OF_A_PAGE)
    .map((name) => `${id}/${name}`);
}
