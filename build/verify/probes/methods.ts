import { pathOf } from "../../base/api.ts";
import { check, type ProbeContext } from "../context.ts";
import { blockNames, headerFaults, inWords, jsonFault, NOT_ALLOWED } from "../contract.ts";
import { statusOf, type HttpRequest } from "../../http/reply.ts";

const KNOWN = ["POST", "PUT", "PATCH", "DELETE"];

/**
 * Methods that some servers refuse while they parse a request, before their configuration applies: by RFC 9110, the
 * status for an unknown method is 501, and a parser that stops at its name responds with 400.
 */
const RARE = ["TRACE", "PROPFIND", "MKCOL", "PURGE", "QUERY", "BREW"];

export async function probeMethods(context: ProbeContext, id: number): Promise<void> {
  const path = pathOf(id);
  const questions: (HttpRequest & { rare: boolean })[] = [
    ...KNOWN.map((method) => ({ method, path, rare: false })),
    {
      method: "POST",
      path,
      headers: { "Content-Type": "application/json" },
      body: '{"title":"x"}',
      rare: false,
    },
    ...RARE.map((method) => ({ method, path, rare: true })),
  ];
  for (const { rare, ...request } of questions) {
    const reply = await context.client.sendAlone(request);
    check(context, "method-not-allowed", reply, (response) =>
      response.status === 405 || (rare && (response.status === 400 || response.status === 501))
        ? undefined
        : statusOf(response),
    );
    if (reply.kind === "no-reply" || reply.status !== 405) continue;
    check(context, "method-not-allowed-allow", reply, (response) =>
      inWords(headerFaults(response, ["allow"])),
    );
    check(context, "method-not-allowed-headers", reply, (response) =>
      inWords(
        headerFaults(
          response,
          blockNames.filter((name) => name !== "allow"),
        ),
      ),
    );
    check(context, "method-not-allowed-body", reply, (response) =>
      response.body.length === 0
        ? undefined
        : (jsonFault(response, NOT_ALLOWED) ?? inWords(headerFaults(response, ["content-type"]))),
    );
  }
}
