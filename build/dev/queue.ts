import { together, type Changed } from "../pipeline/live.ts";

/** Quiet for so long, and a storm of changes is over. */
const QUIET_MS = 20;
/** A storm that goes on is not waited for any longer. */
const MAX_MS = 1000;

export interface Queue {
  /** Something changed: run soon. */
  push: (changed: Changed) => void;
  /** Resolves when the first run has ended. */
  first: Promise<void>;
  /** Runs no more; resolves when what runs has ended. */
  close: () => Promise<void>;
}

/**
 * Runs one thing at a time, with all that changed since it last began: after a storm of changes once, and once more
 * where something changed while it ran.
 */
export function queue(run: (changed: Changed) => Promise<void>): Queue {
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
    timer = setTimeout(start, Math.max(0, Math.min(QUIET_MS, since + MAX_MS - now)));
  };
  return {
    first,
    push: (changed) => {
      waiting = together(waiting, changed);
      isAsked = true;
      schedule();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
