import type { CheckName } from "./checks.ts";
import type { Fault } from "./contract.ts";
import type { Client } from "../http/client.ts";
import type { Results } from "./results.ts";
import { requestLine, type Answer, type HttpRequest, type Reply } from "../http/reply.ts";
import type { Pages } from "./sample.ts";

/** What every probe is given. */
export interface ProbeContext {
  client: Client;
  results: Results;
  pages: Pages;
  /** Tells the user what to consider beyond the table. */
  hint: (words: string) => void;
}

/** A page as a plain GET returns it: every other way to request it is compared with this. */
export interface PlainPage {
  id: number;
  answer: Answer;
  body: Buffer;
  /** What is wrong with its headers: not reported again for each variant. */
  faults: readonly Fault[];
}

/** Counts a reply for a check; a request that was not answered fails it. */
export function check(
  { results }: Pick<ProbeContext, "results">,
  name: CheckName,
  reply: Reply,
  fault: (answer: Answer) => string | undefined,
): void {
  results.note(name, requestLine(reply.request), reply.kind === "no-reply" ? reply.words : fault(reply));
}

/** Sends a request and checks the reply. */
export async function probe(
  context: ProbeContext,
  name: CheckName,
  request: HttpRequest,
  fault: (answer: Answer) => string | undefined,
): Promise<void> {
  check(context, name, await context.client.sendAlone(request), fault);
}
