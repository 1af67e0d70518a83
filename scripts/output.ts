import { estimate, type Progress } from "../build/exchange/report.ts";
import { printableLines } from "../build/findings/printable.ts";

/** Prints a result. Only this file writes to the terminal: see `printableLines`. */
export const print = (text: string): void => void process.stdout.write(printableLines(text));

/** Prints errors, warnings or progress. `commands`: the text contains commands to GitHub's runner. */
export const complain = (text: string, options?: { commands: boolean }): void =>
  void process.stderr.write(printableLines(text, options));

/** Shows the progress of some work until it ends, or until it calls `clear` before it prints. */
export async function withProgress<T>(
  what: string,
  things: string,
  work: (show: Progress | undefined, clear: () => void) => Promise<T>,
): Promise<T> {
  const { show, clear } = progressOn(what, things);
  return work(show, clear).finally(clear);
}

/** Shows the progress of a long run, with an estimate of the remaining time; only on a terminal. */
export function progressOn(what: string, things = "pages") {
  const stream = process.stderr;
  if (!stream.isTTY || process.env["CI"] !== undefined) return { show: undefined, clear: () => undefined };
  const start = performance.now();
  let last = start;
  let isShown = false;
  return {
    show: (done: number, of: number): void => {
      const now = performance.now();
      if (now - start < 1000 || now - last < 100) return;
      last = now;
      isShown = true;
      stream.write(`\r\u001b[K${what}: ${estimate(done, of, now - start, things)}`);
    },
    clear: (): void => {
      if (isShown) stream.write("\r\u001b[K");
    },
  };
}
