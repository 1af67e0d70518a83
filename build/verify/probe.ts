import type { Client } from "../hosting/http/client.ts";
import {
  requestLine,
  statusOf,
  type HttpRequest,
  type HttpResponse,
  type Reply,
} from "../hosting/http/reply.ts";
import type { Item } from "../model/item.ts";
import type { PageModel } from "../model/page.ts";
import { checkNames, checks, type CheckName } from "./checks.ts";
import type { PageSample } from "./sample.ts";

export type Status = "passed" | "failed" | "accepted" | "unexpectedly-passed" | "not-applicable";

/** The names of the fields are published: the JSON report has them. */
export interface CheckResult {
  name: CheckName;
  asks: string;
  expected: string;
  got: string;
  status: Status;
  /** Number of checked responses, and of those that failed. */
  judged: number;
  failed: number;
}

/** Maximum number of faults listed per check: enough to see a pattern, but not 60,000 lines. */
const MAX_EXAMPLES = 3;

type CheckCount = Pick<CheckResult, "judged" | "failed"> & { examples: string[] };

/** Explains the fault of a response; undefined if it has none. */
export type FaultOf = (response: HttpResponse) => string | undefined;

export interface ProbeOptions {
  client: Client;
  /** The page types of the site. */
  model: PageModel;
  pages: PageSample;
  /** The folder of the build's output, if there is one. */
  out: string | undefined;
  concurrency: number;
}

/** Sends requests to a host, and counts the faults of the responses: many responses, one result per check. */
export function openProbe(options: ProbeOptions) {
  const counts = new Map<CheckName, CheckCount>();

  const note = (name: CheckName, about: string, fault: string | undefined): void => {
    const count = counts.get(name) ?? { judged: 0, failed: 0, examples: [] };
    counts.set(name, count);
    count.judged++;
    if (fault === undefined) return;
    count.failed++;
    if (count.examples.length < MAX_EXAMPLES) count.examples.push(`${about}: ${fault}`);
  };

  /** Checks the reply to a request; a missing response is a fault. Returns the response. */
  const checkReply = (name: CheckName, reply: Reply, faultOf: FaultOf): HttpResponse | undefined => {
    note(name, requestLine(reply.request), reply.kind === "no-reply" ? reply.message : faultOf(reply));
    return reply.kind === "no-reply" ? undefined : reply;
  };

  const send = async (
    name: CheckName,
    request: HttpRequest,
    faultOf: FaultOf,
    how: "send" | "sendAlone" | "sendBare" = "sendAlone",
  ): Promise<HttpResponse | undefined> => checkReply(name, await options.client[how](request), faultOf);

  return {
    ...options,
    hints: new Set<string>(),
    /** The requested pages by id, as lists have them, with the id of the parent. */
    placed: new Map<number, { item: Item; parent: number | undefined }>(),
    note,
    checkReply,
    check: (name: CheckName, response: HttpResponse, fault: string | undefined): void =>
      note(name, requestLine(response.request), fault),
    send,
    /** Requests a file that has to be there. Returns the response if it has status 200. */
    get: async (name: CheckName, path: string, faultOf: FaultOf): Promise<HttpResponse | undefined> => {
      const response = await send(name, { path }, expecting(200, faultOf));
      return response?.status === 200 ? response : undefined;
    },
    results: (accepted: ReadonlySet<CheckName>): CheckResult[] =>
      checkNames.map((name) => resultOf(name, counts.get(name), accepted.has(name))),
  };
}

export type Probe = ReturnType<typeof openProbe>;

function resultOf(name: CheckName, count: CheckCount | undefined, isAccepted: boolean): CheckResult {
  const { judged, failed, examples } = count ?? { judged: 0, failed: 0, examples: [] };
  const [asks, expected, unless] = checks[name];
  const result = { name, asks, expected, judged, failed };
  if (judged === 0) return { ...result, status: "not-applicable", got: unless };
  if (failed === 0)
    return { ...result, status: isAccepted ? "unexpectedly-passed" : "passed", got: "as expected" };
  const more = failed > examples.length ? `\nand ${failed - examples.length} more of ${judged}` : "";
  return { ...result, status: isAccepted ? "accepted" : "failed", got: examples.join("\n") + more };
}

/** Expects a status, and then no other fault. */
export const expecting =
  (status: number, faultOf: FaultOf): FaultOf =>
  (response) =>
    response.status === status ? faultOf(response) : statusOf(response);

export const expectStatus =
  (...statuses: number[]): FaultOf =>
  (response) =>
    statuses.includes(response.status) ? undefined : statusOf(response);
