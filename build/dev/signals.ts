const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
// tuning: it only spaces the looks
const LOOK_MS = 500;

/** A terminal tells everybody of a Ctrl-C, and npm passes it on; `timeout` tells its command twice. That is one request. */
const SAME_MS = 500;

/** From the start of the program on: npm may be ended while the pages are built. */
const PARENT = process.ppid;

/**
 * Resolves at the first Ctrl-C or request to end; a later one ends the process at once. Ending npm counts too: it
 * tells only the shell between, so whoever started a preview by npm would leave it running.
 */
export function untilInterrupted(): Promise<undefined> {
  const isBelowNpm = process.env["npm_lifecycle_event"] !== undefined;
  return new Promise((resolve) => {
    let first: number | undefined;
    const end = (): void => {
      first ??= performance.now();
      if (performance.now() - first > SAME_MS) process.exit(130);
      clearInterval(look);
      resolve(undefined);
    };
    // They stay: by default a signal would end the process before it has ended what it started.
    for (const signal of SIGNALS) process.on(signal, end);
    const look = setInterval(() => {
      if (isBelowNpm && process.ppid !== PARENT) end();
    }, LOOK_MS).unref();
  });
}
