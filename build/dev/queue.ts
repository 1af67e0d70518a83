/** Quiet for so long, and a storm of changes is over. */
const QUIET_MS = 40;
/** A storm that goes on is not waited for any longer. */
const MOST_MS = 1000;

export interface Queue {
  /** Something changed: run soon. */
  push: (paths: readonly string[]) => void;
  /** Resolves when the first run has ended. */
  first: Promise<void>;
  /** Runs no more; resolves when what runs has ended. */
  close: () => Promise<void>;
}

/**
 * Runs one thing at a time, with all that changed since it last began: after a storm of changes once, and once more
 * where something changed while it ran.
 */
export function queue(run: (paths: ReadonlySet<string>) => Promise<void>): Queue {
  let waiting = new Set<string>();
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
    const paths = waiting;
    waiting = new Set();
    isAsked = false;
    running = run(paths).finally(() => {
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
    timer = setTimeout(start, Math.max(0, Math.min(QUIET_MS, since + MOST_MS - now)));
  };
  return {
    first,
    push: (paths) => {
      for (const path of paths) waiting.add(path);
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
