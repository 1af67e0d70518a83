import { existsSync } from "node:fs";
import { join } from "node:path";
import { FOLDER, INDEX, isOwnIndex } from "../../browse/files.ts";
import { header, shown, statusOf, type HttpResponse } from "../../http/reply.ts";
import { check, probe, type ProbeContext } from "../context.ts";

/** The browse UI, which a build may have left out. */

/** The policy that blocks third-party scripts and styles, whatever a page contains (DESIGN, section 11). */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** One file of each kind. */
const PARTS: [path: string, type: RegExp][] = [
  [`/${FOLDER}/app.js`, /^(?:text|application)\/javascript\b/],
  [`/${FOLDER}/page.css`, /^text\/css\b/],
  [`/${FOLDER}/site.json`, /^application\/json\b/],
];

export async function probeBrowse(context: ProbeContext, out: string | undefined): Promise<void> {
  const isBuilt = out !== undefined && existsSync(join(out, INDEX));
  const reply = await context.client.sendAlone({ path: "/" });
  const isServed = reply.kind === "answer" && reply.status === 200 && isOwnIndex(reply.body.toString("utf8"));
  // Without a build to compare with, another page there is a third-party website.
  if (!isBuilt && !isServed) return;
  check(context, "browse-page", reply, (answer) => {
    if (answer.status !== 200) return statusOf(answer);
    if (!isServed) return "another page";
    return wrongType(answer, /^text\/html\b/);
  });
  if (!isServed) return;
  check(context, "browse-policy", reply, wrongPolicy);
  await probe(context, "browse-page", { path: "/?page=1&q=a%20b" }, (answer) =>
    answer.status === 200 && isOwnIndex(answer.body.toString("utf8")) ? undefined : statusOf(answer),
  );
  for (const [path, type] of PARTS) {
    const part = await context.client.sendAlone({ path });
    check(context, "browse-assets", part, (answer) =>
      answer.status === 200 ? wrongType(answer, type) : statusOf(answer),
    );
    if (part.kind === "answer" && part.status === 200) check(context, "browse-policy", part, wrongPolicy);
  }
}

function wrongType(answer: HttpResponse, type: RegExp): string | undefined {
  const found = header(answer, "Content-Type") ?? "";
  if (!type.test(found)) return `Content-Type: ${shown(found)}`;
  const sniffing = header(answer, "X-Content-Type-Options");
  return sniffing === "nosniff" ? undefined : `X-Content-Type-Options: ${shown(sniffing ?? "")}`;
}

function wrongPolicy(answer: HttpResponse): string | undefined {
  const found = header(answer, "Content-Security-Policy") ?? "";
  return found === POLICY ? undefined : `Content-Security-Policy: ${shown(found)}`;
}
