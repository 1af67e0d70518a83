import { judge, pathOf, type Asking } from "../context.ts";
import { blockNames, headerFaults, inWords, jsonFault, NOT_ALLOWED } from "../contract.ts";
import { statusOf, type Question } from "../reply.ts";

const KNOWN = ["POST", "PUT", "PATCH", "DELETE"];

/**
 * Methods that some servers refuse while they read the request, before any configuration of theirs can say how:
 * RFC 9110 has 501 for a method that a server does not know, and a parser that stops at its name says 400.
 */
const RARE = ["TRACE", "PROPFIND", "MKCOL", "PURGE", "QUERY", "BREW"];

export async function probeMethods(asking: Asking, id: number): Promise<void> {
  const path = pathOf(id);
  const questions: (Question & { rare: boolean })[] = [
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
  for (const { rare, ...question } of questions) {
    const reply = await asking.host.askAlone(question);
    judge(asking, "method-not-allowed", reply, (answer) =>
      answer.status === 405 || (rare && (answer.status === 400 || answer.status === 501))
        ? undefined
        : statusOf(answer),
    );
    if (reply.kind === "silence" || reply.status !== 405) continue;
    judge(asking, "method-not-allowed-allow", reply, (answer) => inWords(headerFaults(answer, ["allow"])));
    judge(asking, "method-not-allowed-headers", reply, (answer) =>
      inWords(
        headerFaults(
          answer,
          blockNames.filter((name) => name !== "allow"),
        ),
      ),
    );
    judge(asking, "method-not-allowed-body", reply, (answer) =>
      answer.body.length === 0
        ? undefined
        : (jsonFault(answer, NOT_ALLOWED) ?? inWords(headerFaults(answer, ["content-type"]))),
    );
  }
}
