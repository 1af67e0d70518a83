import type { Instant } from "../base/instant.ts";
import { haveSameSources } from "./manifest/page-table.ts";
import { instantFor, type Built } from "./outcome.ts";
import { BuildSession } from "./session.ts";

/** “anything” if the paths are not known. */
export type Changed = ReadonlySet<string> | "anything";

/** Maximum number of paths; with more, events may have been lost, and comparing everything costs no more. */
const MAX_NAMED = 2000;

/** Milliseconds after the last step until the manifest is saved. If it is killed before, the next build compares more. */
const IDLE_MS = 5000;

/**
 * A build that stays open. Its first step brings everything up to date, each later step the paths that a watcher reports; in
 * doubt, a step compares everything.
 */
export class WatchBuild extends BuildSession {
  /** The changes since the last step that was published. */
  private changed: Changed = "anything";
  private idle: NodeJS.Timeout | undefined;
  /** Undefined if the last step failed. */
  private last: { built: Built; at: Instant | undefined } | undefined;

  /**
   * Brings the output up to date. Calls must not overlap.
   *
   * @param at the instant that decides which pages are live; the current time by default.
   * @throws the errors of a build. The next step then compares everything.
   */
  async update(changed: Changed = "anything", at?: Instant): Promise<Built> {
    clearTimeout(this.idle);
    try {
      return await this.advance(changed, at);
    } finally {
      this.idle = setTimeout(() => this.save(), IDLE_MS).unref();
    }
  }

  /**
   * Compares everything, in case a change was not reported.
   *
   * @returns undefined if the result is the same as that of the last step.
   */
  async compare(at?: Instant): Promise<Built | undefined> {
    const { changed, last, manifest } = this;
    const built = await this.advance("anything", at);
    // A racy source is read again, and usually is as before.
    const { written = 0, removed = 0 } = built.published ?? {};
    const isSame =
      last?.at === at &&
      isAlike(built, last?.built) &&
      (this.manifest === manifest ||
        (written + removed === 0 &&
          this.manifest !== undefined &&
          manifest !== undefined &&
          haveSameSources(this.manifest.table, manifest.table)));
    if (!isSame) return built;
    // Otherwise each step would compare everything until the errors are corrected.
    this.changed = changed;
    return undefined;
  }

  private async advance(changed: Changed, at: Instant | undefined): Promise<Built> {
    this.changed = together(this.changed, changed);
    try {
      if (this.hasLostLock()) {
        super.close();
        this.changed = "anything";
      }
      const built = await this.step(this.changed === "anything" ? undefined : this.changed, at);
      // Sources with errors are read again in each step, until they are published.
      if (built.published !== undefined) this.changed = this.isCoarse() ? "anything" : new Set();
      this.last = { built, at };
      return built;
    } catch (cause) {
      // The output may be changed in part, and a source that no longer exists may be one that the watcher did not report.
      this.changed = "anything";
      this.last = undefined;
      throw cause;
    }
  }

  /** The instant at which the next page goes live or expires; undefined if none will. */
  nextChange(): Instant | undefined {
    return this.changesAfter(instantFor(this.options))[0];
  }

  /** Saves the manifest and releases the output's lock. */
  override close(): void {
    clearTimeout(this.idle);
    this.save();
    super.close();
  }
}

const isAlike = (one: Built, other: Built | undefined): boolean =>
  (one.published === undefined) === (other?.published === undefined) &&
  JSON.stringify(one.findings) === JSON.stringify(other?.findings);

export function together(one: Changed, other: Changed): Changed {
  if (one === "anything" || other === "anything") return "anything";
  const all = new Set([...one, ...other]);
  return all.size > MAX_NAMED ? "anything" : all;
}
