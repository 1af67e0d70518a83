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
    check(context, "method-not-allowed", reply, (answer) =>
      answer.status === 405 || (rare && (answer.status === 400 || answer.status === 501))
        ? undefined
        : statusOf(answer),
    );
    if (reply.kind === "no-reply" || reply.status !== 405) continue;
    check(context, "method-not-allowed-allow", reply, (answer) => inWords(headerFaults(answer, ["allow"])));
    check(context, "method-not-allowed-headers", reply, (answer) =>
      inWords(
        headerFaults(
          answer,
          blockNames.filter((name) => name !== "allow"),
        ),
      ),
    );
    check(context, "method-not-allowed-body", reply, (answer) =>
      answer.body.length === 0
        ? undefined
        : (jsonFault(answer, NOT_ALLOWED) ?? inWords(headerFaults(answer, ["content-type"]))),
    );
  }
}
