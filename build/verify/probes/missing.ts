import { API, pathOf } from "../../base/api.ts";
import { check, probe, type ProbeContext } from "../context.ts";
import { beyond, inWords, missingFaults, type Fault } from "../contract.ts";
import {
  beginning,
  decoded,
  header,
  statusOf,
  type HttpRequest,
  type HttpResponse,
} from "../../http/reply.ts";
import { ACCEPTS, ENCODINGS, noBody, QUERIES } from "./variants.ts";

/**
 * Requests for ids that are not published, from likely mistakes to attempts to leave the folder, and for the folders
 * themselves.
 */

/** Maximum id of a page. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

function unpublished({ ids, complete }: ProbeContext["pages"]): number[] {
  const known = new Set(ids);
  // A host that stores its error pages beside the pages may serve them for the ids 404 and 500.
  const candidates = complete ? [ids.reduce((a, b) => Math.max(a, b), 0) + 1, 404, 500, MAX_ID] : [MAX_ID];
  return candidates.filter((id) => Number.isSafeInteger(id) && !known.has(id));
}

/** Texts that are not the spelling of an id: never a page, even if the number in them is an id. */
const malformed = (id: number): string[] => [
  "0",
  "-1",
  "007",
  `00${id}`,
  "abc",
  "1e3",
  `${id}.0`,
  `+${id}`,
  `${id}%20`,
  `%20${id}`,
  `${id},${id}`,
  `${id}abc`,
  "0x10",
  "9007199254740993",
  "99999999999999999999999999",
  "null",
  "index",
  "*",
  "%D9%A1%D9%A2",
  "%3Cscript%3E",
];

const hostile = (id: number): string[] => [
  "%2e%2e",
  "%2e",
  "..",
  "..%2f..%2f..%2f_headers",
  "%2e%2e%2f%2e%2e%2f%2e%2e%2f_redirects",
  "..%5c..%5c..%5c_headers",
  "%c0%ae%c0%ae",
  "%252e%252e",
  "%00",
  `${id}%00`,
  `${id}%0d%0aX-Injected:%20yes`,
  "%zz",
  "%",
  "a".repeat(300),
  "9".repeat(10_000),
];

/**
 * Checks the plain 404 once; other requests with that response must have no further faults. Returns the faults of the
 * plain 404; undefined if there is no 404.
 */
export async function probeMissing(
  context: ProbeContext,
  published: number,
): Promise<readonly Fault[] | undefined> {
  const { client, pages } = context;
  let plain: readonly Fault[] | undefined;
  for (const id of unpublished(pages)) {
    const reply = await client.sendAlone({ path: pathOf(id) });
    check(context, "not-found", reply, (response) =>
      response.status === 404 ? undefined : statusOf(response),
    );
    if (reply.kind === "no-reply" || reply.status !== 404) continue;
    const faults = missingFaults(reply);
    plain ??= faults;
    const of = (...aspects: string[]) => inWords(faults.filter(({ aspect }) => aspects.includes(aspect)));
    check(context, "not-found-body", reply, () => of("body"));
    check(context, "not-found-content-type", reply, () => of("content-type"));
    check(context, "not-found-headers", reply, () =>
      of("allow", "cache-control", "expires", "vary", "cors", "nosniff"),
    );
  }
  for (const id of pages.drafts)
    await probe(context, "draft", { path: pathOf(id) }, (response) =>
      response.status === 404 ? undefined : statusOf(response),
    );
  if (plain !== undefined) await probeMissingVariants(context, plain, published);
  return plain;
}

async function probeMissingVariants(
  context: ProbeContext,
  plain: readonly Fault[],
  published: number,
): Promise<void> {
  const path = pathOf(MAX_ID);
  const same = (response: HttpResponse): string | undefined => {
    const body = decoded(response);
    return typeof body === "string" ? body : inWords(beyond(plain, missingFaults({ ...response, body })));
  };

  const head = await context.client.sendBare({ method: "HEAD", path });
  check(context, "not-found-head", head, (response) => noBody(response) ?? same(response));

  await probe(context, "not-found-accept-json", { path, headers: { Accept: "application/json" } }, same);

  const variants: HttpRequest[] = [
    ...QUERIES.map((query) => ({ path: path + query })),
    ...ACCEPTS.filter((accept) => !accept.includes("application/json")).map((Accept) => ({
      path,
      headers: { Accept },
    })),
    ...ENCODINGS.map((encoding) => ({ path, headers: { "Accept-Encoding": encoding } })),
    { path, headers: { "If-None-Match": "*" } },
  ];
  for (const request of variants) await probe(context, "not-found-variants", request, same);

  for (const id of malformed(published)) await probe(context, "malformed-id", { path: pathOf(id) }, same);

  for (const id of hostile(published))
    await probe(context, "hostile-id", { path: pathOf(id) }, (response) => {
      if (header(response, "X-Injected") !== undefined) return "the id injected a header";
      return (response.status >= 400 && response.status <= 499) || staysHere(context, response)
        ? undefined
        : statusOf(response);
    });
}

/** Whether a response redirects within the host: some hosts redirect a path with dots to the path without them. */
export function staysHere({ client }: ProbeContext, response: HttpResponse): boolean {
  const location = header(response, "Location");
  const redirect = [301, 302, 307, 308].includes(response.status) && location !== undefined;
  if (!redirect || !URL.canParse(location, client.base)) return false;
  const to = new URL(location, client.base + response.request.path);
  return to.origin === new URL(client.base).origin && !to.pathname.endsWith("_headers");
}

export async function probeFolders(
  context: ProbeContext,
  missing: readonly Fault[] | undefined,
): Promise<void> {
  await probe(context, "pages-root", { path: API }, (response) => {
    if (response.status === 403) return undefined;
    if (response.status !== 404) return statusOf(response);
    return inWords(beyond(missing ?? [], missingFaults(response)));
  });
  // Servers that list folders may also list them in JSON.
  await probe(context, "pages-root", { path: API, headers: { Accept: "application/json" } }, (response) =>
    response.status === 403 || response.status === 404 ? undefined : statusOf(response),
  );
  for (const path of ["/", "/api/", "/api/v2/"])
    for (const Accept of ["text/html", "application/json"])
      await probe(context, "listing", { path, headers: { Accept } }, (response) => listingIn(response, path));
  const unpublishedFiles = ["/_headers", "/_redirects", "/%5Fheaders", "/_headers/", "/.assetsignore"];
  for (const path of [...unpublishedFiles, "/.building/lock"])
    await probe(context, "leaks", { path }, (response) =>
      response.status >= 200 && response.status <= 299
        ? `${response.status}, ${beginning(response.body.toString("utf8"))}`
        : undefined,
    );
}

/**
 * A listing in a response. The root may be a website with links to the API, so only texts that no website contains
 * count.
 */
function listingIn(response: HttpResponse, path: string): string | undefined {
  if (response.status < 200 || response.status > 299) return undefined;
  const text = response.body.toString("utf8");
  const child = path === "/" ? /_headers|_redirects/ : /["'/>](v2|pages)\/?["'<]/;
  return child.test(text) || /\bindex of\b|directory listing/i.test(text)
    ? `a listing, ${beginning(text)}`
    : undefined;
}
