const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Milliseconds between two looks at the parent process. */
const LOOK_MS = 500;

/** Maximum milliseconds between signals that count as one: the terminal and npm both send a Ctrl-C, `timeout` sends two. */
const SAME_MS = 500;

/** Read at the start of the program, because npm may end during the first build. */
const PARENT = process.ppid;

/**
 * Resolves at the first signal to end; a later one ends the process at once. The end of npm counts as a signal, because npm
 * signals only the shell in between, and the preview would keep running.
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
    // The handlers stay: by default, a second signal would end the process before it has cleaned up.
    for (const signal of SIGNALS) process.on(signal, end);
    const look = setInterval(() => {
      if (isBelowNpm && process.ppid !== PARENT) end();
    }, LOOK_MS).unref();
  });
}

/**
 * Waits for work that cannot be interrupted, such as a build. If the command is interrupted meanwhile, the process cleans up
 * and ends.
 */
export function unlessInterrupted<T>(
  work: Promise<T>,
  interrupted: Promise<undefined>,
  cleanUp: () => void,
): Promise<T> {
  let isDone = false;
  const end = async (): Promise<void> => {
    await interrupted;
    if (isDone) return;
    try {
      cleanUp();
    } finally {
      // Windows does not remove files that are in use; the next preview removes them.
      process.exit(0);
    }
  };
  void end();
  return work.finally(() => {
    isDone = true;
  });
}
