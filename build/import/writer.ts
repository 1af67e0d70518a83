import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { removeEmpty } from "../base/paths.ts";
import { Locked, takeLock } from "../output/lock.ts";
import { schemaReference } from "../contract/location.ts";
import { formatJson } from "../json/format.ts";
import { SITE } from "../page/files.ts";

/** Where sources are written until all are: a dotfile, which no build looks at. */
const ASIDE = ".importing";

/**
 * Writes sources into a folder that is empty or not there yet, all of them or none: they are written aside, inside it,
 * and put in their places at the end.
 *
 * @throws Failure where something lies in the folder already.
 */
export class SourceWriter {
  readonly folder: string;
  private readonly aside: string;
  private readonly sources: string;
  private readonly madeFolder: string | undefined;
  private readonly unlock: () => void;
  private readonly made = new Set<string>();

  constructor(folder: string) {
    assertEmpty(folder);
    this.folder = resolve(folder);
    this.aside = join(this.folder, ASIDE);
    this.sources = join(this.aside, "sources");
    this.madeFolder = mkdirSync(this.folder, { recursive: true });
    try {
      this.unlock = takeLock(join(this.aside, "lock"));
    } catch (cause) {
      if (!(cause instanceof Locked)) throw cause;
      throw new Failure(`${folder}: another import into this folder is running. Wait until it has ended.`);
    }
    // What a killed import left.
    rmSync(this.sources, { recursive: true, force: true });
    mkdirSync(this.sources);
  }

  /** `path` is relative to the folder, with slashes. */
  write(path: string, source: object): void {
    this.writeText(path, formatJson(source));
  }

  writeText(path: string, text: string): void {
    const file = join(this.sources, path);
    const folder = dirname(file);
    if (!this.made.has(folder)) {
      mkdirSync(folder, { recursive: true });
      this.made.add(folder);
    }
    // Never over another: two sources in one place are a mistake of the reader that named them.
    writeFileSync(file, text, { flag: "wx" });
  }

  /** What `$schema` says in a source, for those who write it. */
  schemaOf(path: string): string {
    return schemaReference(join(this.folder, path), path);
  }

  /** Puts everything in its place. */
  commit(): void {
    // The site is put in its place last: without it no build takes the rest for a whole site.
    const names = readdirSync(this.sources).filter((name) => name !== SITE);
    for (const name of [...names, SITE]) renameSync(join(this.sources, name), join(this.folder, name));
    this.unlock();
    rmSync(this.aside, { recursive: true, force: true });
  }

  /** Leaves the folder as it was. */
  abandon(): void {
    this.unlock();
    rmSync(this.aside, { recursive: true, force: true });
    if (this.madeFolder !== undefined) removeEmpty(this.folder, this.madeFolder);
  }
}

/** @throws Failure where the folder is a file, or holds anything but what a killed import left. */
export function assertEmpty(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) throw new Failure(`${folder}: this is a file; --content needs a folder.`);
  if (readdirSync(folder).some((name) => name !== ASIDE))
    throw new Failure(
      `${folder}: the folder is not empty, and nothing in it is overwritten. Name an empty or a new one.`,
    );
}
