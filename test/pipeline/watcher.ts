import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Changed } from "../../build/pipeline/live.ts";

/** How a watcher tells of a round of edits. */
export interface Telling {
  /** What is inside a folder that comes or goes is told of too. */
  isWhole: boolean;
  /** 1: an event is lost, and the watcher says that some may be. */
  lost: number;
  /** 1: half of the events come later. */
  late: number;
  /** 1: all events come again later. */
  twice: number;
  /** Everything is told of before the next step. */
  isSettled: boolean;
  /** Another build of the same sources runs meanwhile. */
  isBeside: boolean;
}

/** A watcher of a folder that sees what changed by looking, and tells of it as badly as it is told to. */
export class Watcher {
  private readonly folder: string;
  private before: Map<string, string>;
  private waiting = new Set<string>();
  private isInDoubt = false;

  constructor(folder: string) {
    this.folder = folder;
    this.before = statesBelow(folder);
  }

  /** Sees what was done since the last look. */
  look({ isWhole, lost }: Telling): void {
    const now = statesBelow(this.folder);
    const changed = [...new Set([...this.before.keys(), ...now.keys()])].filter(
      (path) => this.before.get(path) !== now.get(path),
    );
    this.before = now;
    const within = (path: string): boolean =>
      changed.some((above) => path !== above && path.startsWith(`${above}/`));
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

  /** What is told at once; the rest is told later. */
  take({ late, twice }: Telling): Changed {
    const all = [...this.waiting];
    const told = all.filter((_, k) => late !== 1 || k % 2 === 0);
    if (twice !== 1) this.waiting = new Set(all.filter((path) => !told.includes(path)));
    return new Set(told);
  }

  /** What is not told yet. */
  takeAll(): Changed {
    const all = this.waiting;
    const { isInDoubt } = this;
    this.waiting = new Set();
    this.isInDoubt = false;
    return isInDoubt ? "anything" : all;
  }
}

/** By path: what changes when a file is written or replaced, or a folder is replaced. */
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
