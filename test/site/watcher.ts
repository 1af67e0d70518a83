import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import type { Changed } from "../../build/site/watch-build.ts";

/** The way in which a watcher reports a round of edits. */
export const telling = fc.record({
  /** Entries of an added or removed folder are reported, too. */
  isWhole: fc.boolean(),
  /** 1: an event is lost, and the watcher reports that events may be lost. */
  lost: fc.nat(4),
  /** 1: half of the events are late. */
  late: fc.nat(2),
  /** 1: all events are repeated later. */
  twice: fc.nat(2),
  /** Everything is reported before the next step. */
  isSettled: fc.boolean(),
  /** Another build of the same sources runs at the same time. */
  isBeside: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});
export type Telling = typeof telling extends fc.Arbitrary<infer T> ? T : never;

/** A watcher that finds changes by comparison, and reports them in an unreliable way. */
export class Watcher {
  private readonly folder: string;
  private before: Map<string, string>;
  private waiting = new Set<string>();
  private isInDoubt = false;

  constructor(folder: string) {
    this.folder = folder;
    this.before = statesBelow(folder);
  }

  /** Finds the changes since the last comparison. */
  look({ isWhole, lost }: Telling): void {
    const now = statesBelow(this.folder);
    const changed = [...new Set([...this.before.keys(), ...now.keys()])].filter(
      (path) => this.before.get(path) !== now.get(path),
    );
    this.before = now;
    const within = (path: string) => changed.some((above) => path !== above && path.startsWith(`${above}/`));
    const told = changed.filter((path) => isWhole || !within(path));
    if (lost === 1 && told.length > 0) {
      told.pop();
      this.isInDoubt = true;
    }
    for (const path of told) this.waiting.add(path);
  }

  doubt(): void {
    this.isInDoubt = true;
  }

  /** The changes that are reported now; the others follow later. */
  take({ late, twice }: Telling): Changed {
    const all = [...this.waiting];
    const told = all.filter((_, k) => late !== 1 || k % 2 === 0);
    if (twice !== 1) this.waiting = new Set(all.filter((path) => !told.includes(path)));
    return new Set(told);
  }

  /** The changes not reported yet. */
  takeAll(): Changed {
    const all = this.waiting;
    const { isInDoubt } = this;
    this.waiting = new Set();
    this.isInDoubt = false;
    return isInDoubt ? "anything" : all;
  }
}

/** By path, a value that changes when a file is written or replaced, or a folder is replaced. */
function statesBelow(folder: string): Map<string, string> {
  const states = new Map<string, string>();
  const visit = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const below = join(path, entry.name);
      const { ino, size, mtimeMs, ctimeMs } = lstatSync(below);
      states.set(below, entry.isDirectory() ? `folder ${ino}` : [ino, size, mtimeMs, ctimeMs].join(" "));
      if (entry.isDirectory()) visit(below);
    }
  };
  visit(folder);
  return states;
}
