import type { Instant, Period } from "../base/instant.ts";
import { statIfThere } from "../base/stat.ts";
import type { SourceClaims } from "./claims.ts";
import type { Draft } from "./drafts.ts";
import { BuildSession } from "./session.ts";
import { instantFor, type BuildOptions, type Built } from "./outcome.ts";

/** The changed paths, or “anything” if they are not known. */
export type Changed = ReadonlySet<string> | "anything";

/** Maximum number of paths; with more, events may have been lost, and comparing everything costs no more. */
const MAX_NAMED = 2000;

/** Milliseconds after the last step until the manifest is saved. If it is killed before, the next build compares more. */
const IDLE_MS = 5000;

/**
 * A build that stays open. Its first step brings everything up to date, each later step the paths that a watcher reports; in
 * doubt, a step compares everything. It has the output's lock while it is open.
 */
export class WatchBuild {
  private readonly options: BuildOptions;
  private open: { build: BuildSession; lock: number | undefined } | undefined;
  /** The changes since the last step that was published. */
  private changed: Changed = "anything";
  private idle: NodeJS.Timeout | undefined;

  constructor(options: BuildOptions) {
    this.options = options;
  }

  /**
   * Brings the output up to date. Calls must not overlap.
   *
   * @param at the instant that decides which pages are live; the current time by default.
   * @throws the errors of a build. The next step then compares everything.
   */
  async update(changed: Changed = "anything", at?: Instant): Promise<Built> {
    clearTimeout(this.idle);
    this.changed = together(this.changed, changed);
    try {
      const build = this.opened();
      const built = await build.step(this.changed === "anything" ? undefined : this.changed, at);
      // Sources with errors are read again in each step, until they are published.
      if (built.published !== undefined) this.changed = build.isCoarse() ? "anything" : new Set();
      return built;
    } catch (cause) {
      // The output may be changed in part, and a source that no longer exists may be one that the watcher did not report.
      this.changed = "anything";
      throw cause;
    } finally {
      this.idle = setTimeout(() => this.open?.build.save(), IDLE_MS).unref();
    }
  }

  /** The instant at which the next page goes live or expires; undefined if none will. */
  nextChange(): Instant | undefined {
    return this.open?.build.changesAfter(instantFor(this.options))[0];
  }

  /** Reads the current drafts. */
  drafts(): Promise<Draft[]> {
    return this.open?.build.drafts() ?? Promise.resolve([]);
  }

  /** The claims of all sources, drafts included, in the last step; undefined before the first one. */
  claims(): Promise<SourceClaims | undefined> {
    return this.open?.build.claims() ?? Promise.resolve(undefined);
  }

  /** The id of a file's page when it was last published. */
  idOf(file: string): number | undefined {
    return this.open?.build.idOf(file);
  }

  /** The file of a page or draft when the site was last published. */
  fileOf(id: number): string | undefined {
    return this.open?.build.fileOf(id);
  }

  /** The time in which a page and all its ancestors are live; undefined if that is always. */
  liveOf(id: number): Period | undefined {
    return this.open?.build.liveOf(id);
  }

  isPublished(id: number): boolean {
    return this.open?.build.isPublished(id) === true;
  }

  /** Saves the manifest and releases the output's lock. */
  close(): void {
    clearTimeout(this.idle);
    this.open?.build.save();
    this.open?.build.close();
    this.open = undefined;
  }

  /** The open build; a new one if the lock was removed with the output, because another process may then have built it. */
  private opened(): BuildSession {
    if (this.open !== undefined && this.open.lock === lockOf(this.open.build)) return this.open.build;
    this.open?.build.close();
    this.open = undefined;
    this.changed = "anything";
    const build = new BuildSession(this.options);
    this.open = { build, lock: lockOf(build) };
    return build;
  }
}

const lockOf = ({ folders }: BuildSession): number | undefined => statIfThere(folders.layout.lock)?.inode;

/** The union of two changes. */
export function together(one: Changed, other: Changed): Changed {
  if (one === "anything" || other === "anything") return "anything";
  const all = new Set([...one, ...other]);
  return all.size > MAX_NAMED ? "anything" : all;
}
