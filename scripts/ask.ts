import { createInterface } from "node:readline";
import { CommandError } from "./command.ts";

export interface Question {
  text: string;
  /** The answer if the line is empty. */
  default: string;
  /** The reason why an answer is not valid; undefined if it is. */
  problem: (answer: string) => string | undefined;
}

/** Asks questions on a terminal, and repeats each until its answer is valid. */
export function askOn(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  const terminal = createInterface({ input, output });
  // The iterator keeps lines that are typed or pasted before their question.
  const lines = terminal[Symbol.asyncIterator]();
  /** @throws CommandError if the input ends first. */
  const ask = async (question: Question): Promise<string> => {
    for (;;) {
      terminal.setPrompt(`${question.text} [${question.default}]: `);
      terminal.prompt();
      const { done, value: line = "" } = await lines.next();
      if (done === true) throw new CommandError("A value is missing, so nothing was written.");
      const answer = line.trim() === "" ? question.default : line.trim();
      const problem = question.problem(answer);
      if (problem === undefined) return answer;
      output.write(`${problem}\n`);
    }
  };
  return { ask, close: () => terminal.close() };
}
