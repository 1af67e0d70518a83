import { createInterface } from "node:readline";
import { CommandError } from "./command.ts";

export interface Question {
  text: string;
  /** The answer if the line is empty. */
  default: string;
  /** The reason why an answer is not valid; undefined if it is. */
  problem: (answer: string) => string | undefined;
}

/**
 * @param effect a sentence.
 * @throws CommandError if the change is not confirmed, or there is no terminal.
 */
export async function confirm(effect: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandError(
      `${effect} Nothing was done, because there is no terminal to confirm it. List the pages with --dry-run, then give --yes.`,
    );
  const { ask, close } = askOn(process.stdin, process.stderr);
  try {
    const answer = await ask({ text: `${effect} Continue?`, default: "no", problem: problemOfAnswer });
    if (/^n/i.test(answer)) throw new CommandError("Nothing was done.");
  } finally {
    close();
  }
}

const problemOfAnswer = (answer: string): string | undefined =>
  /^(?:y|yes|n|no)$/i.test(answer) ? undefined : "Write yes or no.";

/** Asks questions on a terminal, and repeats each until its answer is valid. */
export function askOn(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  const terminal = createInterface({ input, output });
  // The iterator keeps lines that are typed or pasted before their question.
  const lines = terminal[Symbol.asyncIterator]();
  let isClosed = false;
  terminal.once("close", () => (isClosed = true));
  /** @throws CommandError if the input ends first. */
  const ask = async (question: Question): Promise<string> => {
    for (;;) {
      terminal.setPrompt(`${question.text} [${question.default}]: `);
      // Newer versions of Node refuse to prompt after the input has ended, although lines of it are left.
      if (!isClosed) terminal.prompt();
      const { done, value: line = "" } = await lines.next();
      if (done === true) throw new CommandError("The input ended too early, so nothing was written.");
      const answer = line.trim() === "" ? question.default : line.trim();
      const problem = question.problem(answer);
      if (problem === undefined) return answer;
      output.write(`${problem}\n`);
    }
  };
  return { ask, close: () => terminal.close() };
}
