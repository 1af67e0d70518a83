import { together, type Changed } from "../site/watch-build.ts";

/** Milliseconds without a change after which a burst of changes is over. */
const QUIET_MS = 20;
/** Maximum milliseconds to wait for the end of a burst. */
const MAX_WAIT_MS = 1000;

/**
 * Runs `run` with all changes since its last start: once after a burst of changes, and once more if something changed
 * meanwhile. Only one run is active at a time.
 */
export function queue(run: (changed: Changed) => Promise<void>) {
  let waiting: Changed = new Set();
  let isAsked = false;
  let isClosed = false;
  let running: Promise<void> | undefined;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasRun: (() => void) | undefined;
  const first = new Promise<void>((resolve) => {
    hasRun = resolve;
  });

  const start = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const changed = waiting;
    waiting = new Set();
    isAsked = false;
    running = run(changed).finally(() => {
      running = undefined;
      hasRun?.();
      if (isAsked) schedule();
    });
  };
  const schedule = (): void => {
    if (isClosed || running !== undefined) return;
    const now = performance.now();
    if (timer === undefined) since = now;
    clearTimeout(timer);
    timer = setTimeout(start, Math.max(0, Math.min(QUIET_MS, since + MAX_WAIT_MS - now)));
  };
  return {
    /** Resolves when the first run has ended. */
    first,
    /** Adds a change and schedules a run. */
    push: (changed: Changed): void => {
      waiting = together(waiting, changed);
      isAsked = true;
      schedule();
    },
    /** Runs with “anything” at once, unless changes are waiting or another run is active. @returns whether it did */
    compare: (): boolean => {
      if (isClosed || isAsked || running !== undefined) return false;
      waiting = "anything";
      start();
      return true;
    },
    /** Stops; resolves when the current run has ended. */
    close: async (): Promise<void> => {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
