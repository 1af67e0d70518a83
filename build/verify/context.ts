import type { CheckName } from "./checks.ts";
import type { Fault } from "./contract.ts";
import type { Host } from "./client.ts";
import type { Ledger } from "./results.ts";
import { asked, type Answer, type Question, type Reply } from "./reply.ts";
import type { Pages } from "./sample.ts";

/** What every probe is given. */
export interface Asking {
  host: Host;
  ledger: Ledger;
  pages: Pages;
  /** What the person who verifies should think of, beyond the table. */
  hint: (words: string) => void;
}

/** A page as a plain GET gives it: what all other ways to ask for it are held against. */
export interface PlainPage {
  id: number;
  answer: Answer;
  body: Buffer;
  /** What is wrong with its headers already, and not told again of each variant. */
  faults: readonly Fault[];
}

export const PAGES = "/api/v2/pages/";

export const pathOf = (id: number | string): string => `${PAGES}${id}/`;

/** Notes one answer under a check; a question without an answer fails it. Gives the answer, where there is one. */
export function judge(
  { ledger }: Pick<Asking, "ledger">,
  name: CheckName,
  reply: Reply,
  fault: (answer: Answer) => string | undefined,
): void {
  ledger.note(name, asked(reply.question), reply.kind === "silence" ? reply.words : fault(reply));
}

/** Asks and judges in one. */
export async function judged(
  asking: Asking,
  name: CheckName,
  question: Question,
  fault: (answer: Answer) => string | undefined,
): Promise<void> {
  judge(asking, name, await asking.host.askAlone(question), fault);
}

/** Runs `work` for every item, at most `limit` at a time. */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
