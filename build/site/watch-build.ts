import type { Instant } from "../base/instant.ts";
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
      if (this.hasLostLock()) {
        super.close();
        this.changed = "anything";
      }
      const built = await this.step(this.changed === "anything" ? undefined : this.changed, at);
      // Sources with errors are read again in each step, until they are published.
      if (built.published !== undefined) this.changed = this.isCoarse() ? "anything" : new Set();
      return built;
    } catch (cause) {
      // The output may be changed in part, and a source that no longer exists may be one that the watcher did not report.
      this.changed = "anything";
      throw cause;
    } finally {
      this.idle = setTimeout(() => this.save(), IDLE_MS).unref();
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

export function together(one: Changed, other: Changed): Changed {
  if (one === "anything" || other === "anything") return "anything";
  const all = new Set([...one, ...other]);
  return all.size > MAX_NAMED ? "anything" : all;
}
