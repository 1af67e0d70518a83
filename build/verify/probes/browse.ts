import { existsSync } from "node:fs";
import { join } from "node:path";
import { readBytes } from "../../base/file.ts";
import { FOLDER, INDEX, isOwnIndex } from "../../browse/files.ts";
import { header, excerpt, statusOf, type HttpResponse } from "../../http/reply.ts";
import { check, probe, type ProbeContext } from "../context.ts";

/** The browse UI, which a build may have left out. */

/**
 * The policy that blocks third-party scripts and styles, whatever a page contains (“Browse UI” in docs/design.md).
 *
 * @param editing a space and the origin of the API that the editor uses; empty if there is no editor.
 */
const policyFor = (editing: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'${editing}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const SITE_PATH = `/${FOLDER}/site.json`;
const SCRIPT = /^(?:text|application)\/javascript\b/;
const STYLE = /^text\/css\b/;

/** One file of each kind. */
const PARTS: [path: string, type: RegExp][] = [
  [`/${FOLDER}/app.js`, SCRIPT],
  [`/${FOLDER}/page.css`, STYLE],
  [SITE_PATH, /^application\/json\b/],
];

/** The files of the editor. */
const EDITOR_PARTS: [path: string, type: RegExp][] = [
  [`/${FOLDER}/edit.js`, SCRIPT],
  [`/${FOLDER}/edit.css`, STYLE],
];

export async function probeBrowse(context: ProbeContext, out: string | undefined): Promise<void> {
  const isBuilt = out !== undefined && existsSync(join(out, INDEX));
  const reply = await context.client.sendAlone({ path: "/" });
  const isServed =
    reply.kind === "response" && reply.status === 200 && isOwnIndex(reply.body.toString("utf8"));
  // Without a build to compare with, another page there is a third-party website.
  if (!isBuilt && !isServed) return;
  check(context, "browse-page", reply, (response) => {
    if (response.status !== 200) return statusOf(response);
    if (!isServed) return "another page";
    return wrongType(response, /^text\/html\b/);
  });
  if (!isServed) return;
  const origin = await editorOrigin(context, out);
  const wrongPolicy = (response: HttpResponse): string | undefined => {
    const found = header(response, "Content-Security-Policy") ?? "";
    const expected = policyFor(origin === undefined ? "" : ` ${origin}`);
    return found === expected ? undefined : `Content-Security-Policy: ${excerpt(found)}`;
  };
  check(context, "browse-policy", reply, wrongPolicy);
  await probe(context, "browse-page", { path: "/?page=1&q=a%20b" }, (response) =>
    response.status === 200 && isOwnIndex(response.body.toString("utf8")) ? undefined : statusOf(response),
  );
  for (const [path, type] of origin === undefined ? PARTS : [...PARTS, ...EDITOR_PARTS]) {
    const part = await context.client.sendAlone({ path });
    check(context, "browse-assets", part, (response) =>
      response.status === 200 ? wrongType(response, type) : statusOf(response),
    );
    if (part.kind === "response" && part.status === 200) check(context, "browse-policy", part, wrongPolicy);
  }
}

function wrongType(response: HttpResponse, type: RegExp): string | undefined {
  const found = header(response, "Content-Type") ?? "";
  if (!type.test(found)) return `Content-Type: ${excerpt(found)}`;
  const sniffing = header(response, "X-Content-Type-Options");
  return sniffing === "nosniff" ? undefined : `X-Content-Type-Options: ${excerpt(sniffing ?? "")}`;
}

/** The origin of the API that the editor uses: from the build's files, or else from the host's; undefined if there is no editor. */
async function editorOrigin({ client }: ProbeContext, out: string | undefined): Promise<string | undefined> {
  const built = out === undefined ? undefined : readBytes(join(out, SITE_PATH));
  const reply = built === undefined ? await client.sendAlone({ path: SITE_PATH }) : undefined;
  const text = built ?? (reply?.kind === "response" ? reply.body : "");
  try {
    const { editing } = JSON.parse(text.toString("utf8")) as {
      editing?: { repository?: { api_url?: string } };
    };
    return new URL(editing?.repository?.api_url ?? "").origin;
  } catch {
    return undefined;
  }
}
