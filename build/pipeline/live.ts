import { statIfThere } from "../base/stat.ts";
import type { Draft } from "./drafts.ts";
import { OpenBuild } from "./open.ts";
import { instantFor, type BuildOptions, type Built } from "./outcome.ts";

/** What changed, as far as it is known: these paths and nothing else, or anything. */
export type Changed = ReadonlySet<string> | "anything";

/** More paths at once are no edit by hand: events may have been lost among them, and comparing everything costs no more. */
// tuning: a comparison of everything finds the same changes
const MAX_NAMED = 2000;

/** So long after the last step what is known is saved. Who is killed before that has to compare what was done since. */
// tuning: an older manifest only costs the next build time
const IDLE_MS = 5000;

/**
 * A build that stays open: its first step brings everything up to date, each later one what a watcher names. Whatever
 * makes that doubtful costs a comparison of everything. It holds the output's lock while it is open.
 */
export class LiveBuild {
  private readonly options: BuildOptions;
  private open: { build: OpenBuild; lock: number | undefined } | undefined;
  /** What changed since the last step that was published. */
  private changed: Changed = "anything";
  private idle: NodeJS.Timeout | undefined;

  constructor(options: BuildOptions) {
    this.options = options;
  }

  /**
   * Brings the output up to date; one step at a time.
   *
   * @param at the instant at which pages are live or not; the current time by default.
   * @throws what a build throws; nothing of what changed is forgotten by that.
   */
  async update(changed: Changed = "anything", at?: number): Promise<Built> {
    clearTimeout(this.idle);
    this.changed = together(this.changed, changed);
    try {
      const build = this.opened();
      const built = await build.step(this.changed === "anything" ? undefined : this.changed, at);
      // What has errors stays to be read, until it is published.
      if (built.published !== undefined) this.changed = build.isCoarse() ? "anything" : new Set();
      return built;
    } catch (cause) {
      // The output may be changed in part. A source that vanished may be one that came and went without being named.
      this.changed = "anything";
      throw cause;
    } finally {
      this.idle = setTimeout(() => this.open?.build.save(), IDLE_MS).unref();
    }
  }

  /** When the next page goes live or expires; undefined if none will. */
  nextChange(): number | undefined {
    return this.open?.build.changesAfter(instantFor(this.options))[0];
  }

  /** The drafts, as they are now. */
  drafts(): Promise<Draft[]> {
    return this.open?.build.drafts() ?? Promise.resolve([]);
  }

  /** The id of a file's page, as it was last published. */
  idOf(file: string): number | undefined {
    return this.open?.build.idOf(file);
  }

  /** The file of a page or draft, as it was when the site was last published. */
  fileOf(id: number): string | undefined {
    return this.open?.build.fileOf(id);
  }

  isPublished(id: number): boolean {
    return this.open?.build.isPublished(id) === true;
  }

  /** Saves what is known, and lets others build the output. */
  close(): void {
    clearTimeout(this.idle);
    this.open?.build.save();
    this.open?.build.close();
    this.open = undefined;
  }

  /** The open build, while its lock stands; where that was removed with the output, another may have built meanwhile. */
  private opened(): OpenBuild {
    if (this.open !== undefined && this.open.lock === lockOf(this.open.build)) return this.open.build;
    this.open?.build.close();
    this.open = undefined;
    this.changed = "anything";
    const build = new OpenBuild(this.options);
    this.open = { build, lock: lockOf(build) };
    return build;
  }
}

const lockOf = ({ folders }: OpenBuild): number | undefined => statIfThere(folders.layout.lock)?.inode;

/** What either says; a storm of paths is not told one by one. */
export function together(one: Changed, other: Changed): Changed {
  if (one === "anything" || other === "anything") return "anything";
  const all = new Set([...one, ...other]);
  return all.size > MAX_NAMED ? "anything" : all;
}
