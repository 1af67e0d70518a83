const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const LOOK_MS = 500;

/**
 * Resolves at the first Ctrl-C or request to end; a second one ends the process at once. Ending npm counts too: it
 * tells only the shell between, so whoever started a preview by npm would leave it running.
 */
export function untilInterrupted(): Promise<undefined> {
  const parent = process.ppid;
  const isBelowNpm = process.env["npm_lifecycle_event"] !== undefined;
  return new Promise((resolve) => {
    const end = (): void => {
      for (const signal of SIGNALS) process.off(signal, end);
      clearInterval(look);
      resolve(undefined);
    };
    for (const signal of SIGNALS) process.on(signal, end);
    const look = setInterval(() => {
      if (isBelowNpm && process.ppid !== parent) end();
    }, LOOK_MS);
  });
}
