import { estimate } from "../build/import/progress.ts";
import { printableLines } from "../build/findings/printable.ts";

/** Prints a result. Nothing else in this project writes to the terminal: see `printableLines`. */
export const print = (text: string): void => void process.stdout.write(printableLines(text));

/** Prints what is wrong, or how the work goes on. `commands` are a reporter's own, for GitHub's runner. */
export const complain = (text: string, options?: { commands: boolean }): void =>
  void process.stderr.write(printableLines(text, options));

/** Shows on a terminal how far a long run has come, and how long it will take; elsewhere nothing. */
export function progressOn(stream: NodeJS.WriteStream, what: string, things = "pages") {
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
