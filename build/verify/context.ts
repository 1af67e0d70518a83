import type { CheckName } from "./checks.ts";
import type { Fault } from "./contract.ts";
import type { Client } from "../http/client.ts";
import type { Results } from "./results.ts";
import { requestLine, type HttpResponse, type HttpRequest, type Reply } from "../http/reply.ts";
import type { PageSample } from "./sample.ts";
import type { PageModel } from "../page/page.ts";

/** The common input of all probes. */
export interface ProbeContext {
  model: PageModel;
  client: Client;
  results: Results;
  pages: PageSample;
  /** Adds advice for the user to the report. */
  hint: (words: string) => void;
}

/** A page as a plain GET returns it. The responses to all other requests for the page are compared with it. */
export interface PlainPage {
  id: number;
  response: HttpResponse;
  body: Buffer;
  /** The faults of its headers, which are not reported again for each variant. */
  faults: readonly Fault[];
}

/** Counts a reply for a check; a request without a response fails the check. */
export function check(
  { results }: Pick<ProbeContext, "results">,
  name: CheckName,
  reply: Reply,
  fault: (response: HttpResponse) => string | undefined,
): void {
  results.note(name, requestLine(reply.request), reply.kind === "no-reply" ? reply.message : fault(reply));
}

/** Sends a request and checks the reply. */
export async function probe(
  context: ProbeContext,
  name: CheckName,
  request: HttpRequest,
  fault: (response: HttpResponse) => string | undefined,
): Promise<void> {
  check(context, name, await context.client.sendAlone(request), fault);
}
