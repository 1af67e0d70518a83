import { API, pathOf } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { FOLDER, INDEX, isOwnIndex } from "../../outputs/browse/files.ts";
import { objectIn, type JsonObject } from "../../source/json/object.ts";
import { NOT_FOUND_FILE } from "../../hosting/paths.ts";
import { beginning, decoded, header, statusOf, type HttpResponse } from "../../hosting/http/reply.ts";
import {
  jsonFault,
  messageOf,
  MISSING,
  missingFaults,
  type Fault,
  expectStatus,
  type FaultOf,
  type Probe,
} from "../probe.ts";
import { isSuccess, noBody, variantsOf } from "./pages.ts";

/**
 * Requests for ids that are not published, from likely mistakes to attempts to leave the folder, for the
 * folders themselves, and for files by odd spellings of their paths.
 */

/** Maximum id of a page. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

function unpublished({ ids, complete }: Probe["pages"]): number[] {
  const known = new Set(ids);
  // A host that stores its error pages beside the pages may serve them for the ids 404 and 500.
  const candidates = complete ? [ids.reduce((a, b) => Math.max(a, b), 0) + 1, 404, 500, MAX_ID] : [MAX_ID];
  return candidates.filter((id) => Number.isSafeInteger(id) && !known.has(id));
}

/** Texts that are not the spelling of an id: never a page, even if the number in them is an id. */
const malformed = (id: number): string[] =>
  `0 -1 007 00${id} abc 1e3 ${id}.0 +${id} ${id}%20 %20${id} ${id},${id} ${id}abc 0x10 9007199254740993 99999999999999999999999999 null index * %D9%A1%D9%A2 %3Cscript%3E`.split(
    " ",
  );

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

/** Checks the plain 404 once; other requests with that response must have no further faults. */
export async function probeMissing(probe: Probe): Promise<void> {
  let plain: readonly Fault[] | undefined;
  for (const id of unpublished(probe.pages)) {
    const response = await probe.send("not-found", { path: pathOf(id) }, expectStatus(404));
    if (response?.status !== 404) continue;
    const faults = missingFaults(response);
    plain ??= faults;
    const other = faults.filter(({ aspect }) => aspect !== "body" && aspect !== "content-type");
    for (const aspect of ["body", "content-type"] as const)
      probe.check(
        `not-found-${aspect}`,
        response,
        messageOf(faults.filter((fault) => fault.aspect === aspect)),
      );
    probe.check("not-found-headers", response, messageOf(other));
  }
  for (const id of probe.pages.drafts) await probe.send("draft", { path: pathOf(id) }, expectStatus(404));
  if (plain !== undefined) await probeMissingVariants(probe, plain, probe.pages.sample[0] ?? 1);
  await probeFolders(probe, plain ?? []);
}

async function probeMissingVariants(probe: Probe, plain: readonly Fault[], published: number): Promise<void> {
  const path = pathOf(MAX_ID);
  const same: FaultOf = (response) => {
    const body = decoded(response);
    return typeof body === "string" ? body : messageOf(missingFaults({ ...response, body }), plain);
  };
  const withoutBody: FaultOf = (response) => noBody(response) ?? same(response);
  await probe.send("not-found-head", { method: "HEAD", path }, withoutBody, "sendBare");
  await probe.send("not-found-accept-json", { path, headers: { Accept: "application/json" } }, same);

  for (const [, request] of variantsOf(path))
    if (request.headers?.["Accept"]?.includes("application/json") !== true)
      await probe.send("not-found-variants", request, same);
  await probe.send("not-found-variants", { path, headers: { "If-None-Match": "*" } }, same);
  for (const id of malformed(published)) await probe.send("malformed-id", { path: pathOf(id) }, same);
  for (const id of hostile(published))
    await probe.send("hostile-id", { path: pathOf(id) }, (response) => {
      if (header(response, "X-Injected") !== undefined) return "the id injected a header";
      // A program gets “%2e” as “.”, which is the address of the list.
      const isOfList = id === "%2e" && isList(response);
      return (response.status >= 400 && response.status <= 499) || staysHere(probe, response) || isOfList
        ? undefined
        : statusOf(response);
    });
}

/** Whether a response redirects within the host: some redirect a path with dots to the path without them. */
function staysHere({ client }: Probe, response: HttpResponse): boolean {
  const location = header(response, "Location");
  const isRedirect = [301, 302, 307, 308].includes(response.status) && location !== undefined;
  if (!isRedirect || !URL.canParse(location, client.base)) return false;
  const to = new URL(location, client.base + response.request.path);
  return to.origin === new URL(client.base).origin && !to.pathname.endsWith("_headers");
}

async function probeFolders(probe: Probe, missing: readonly Fault[]): Promise<void> {
  await probe.send("pages-root", { path: API }, (response) => {
    if (response.status === 403 || isList(response)) return undefined;
    if (response.status !== 404) return statusOf(response);
    return messageOf(missingFaults(response), missing);
  });
  // Servers that list folders may also list them in JSON.
  const json = { Accept: "application/json" };
  await probe.send("pages-root", { path: API, headers: json }, (response) =>
    isList(response) ? undefined : expectStatus(403, 404)(response),
  );
  for (const path of ["/", "/api/", "/api/v2/"])
    for (const Accept of ["text/html", "application/json"])
      await probe.send("listing", { path, headers: { Accept } }, (response) => listingIn(response, path));
  const unpublishedFiles = ["/_headers", "/_redirects", "/%5Fheaders", "/_headers/", "/.assetsignore"];
  for (const path of [...unpublishedFiles, "/.building/lock"])
    await probe.send("leaks", { path }, (response) =>
      isSuccess(response) ? `${response.status}, ${beginning(response.body.toString("utf8"))}` : undefined,
    );
}

/** A list of pages, which hosts with a program send if there are files for websites. */
function isList({ status, body }: HttpResponse): boolean {
  const { meta, items } = objectIn(body.toString("utf8")) ?? {};
  return status === 200 && Array.isArray(items) && typeof (meta as JsonObject)["total_count"] === "number";
}

/** A listing in a response, by texts that no website contains: the root may be one with links to the API. */
function listingIn(response: HttpResponse, path: string): string | undefined {
  if (!isSuccess(response)) return undefined;
  const text = response.body.toString("utf8");
  const child = path === "/" ? /_headers|_redirects/ : /["'/>](v2|pages)\/?["'<]/;
  return child.test(text) || /\bindex of\b|directory listing/i.test(text)
    ? `a listing, ${beginning(text)}`
    : undefined;
}

const withLastSlash = (path: string, slash: string): string => path.replace(/\/(?=[^/]*\/?$)/, slash);

/** Odd spellings of a published file's path, which some hosts resolve after they have chosen the headers. */
const spellingsOf = (path: string): string[] =>
  [
    `/${path}`,
    ...["//", "/%2f", "%2F", "%5c", "/./", "/%2e%2e%2f"].map((slash) => withLastSlash(path, slash)),
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    `/%2e${path}`,
    `/%2f${path.slice(1)}`,
    `/${FOLDER}/..${path}`,
    path.replace(/[a-z](?=[^a-z]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    path.toUpperCase(),
    ...["/", "/x", "//x", "%2fx", "%00", "%3Fx", ";x", ".", "%20", "%0d%0aX-Injected:%20yes"].map(
      (end) => path + end,
    ),
    `${path}/${"a".repeat(300)}`,
    `${path}${"/a".repeat(4000)}`,
    `${path}?${"a".repeat(4000)}`,
  ].filter((spelling) => spelling.startsWith("/"));

/** The headers that a file must have at each address that leads to it. */
const NAMES =
  "Content-Type Cache-Control Expires Vary Allow Access-Control-Allow-Origin X-Content-Type-Options Content-Security-Policy Referrer-Policy".split(
    " ",
  );

/** @param id a published page. */
export async function probeSpellings(probe: Probe, id: number): Promise<void> {
  const paths = [pathOf(id), `${pathOf(id)}index.json`];
  const browse = ["/", `/${INDEX}`, `/${FOLDER}/app.js`, "/openapi.json", "/bulk/index.json"];
  const plain: HttpResponse[] = [];
  for (const path of [...paths, ...browse]) {
    const reply = await probe.client.sendAlone({ path });
    if (reply.kind === "response" && reply.status === 200) plain.push(reply);
  }
  const isOwn = plain.some(({ request, body }) => request.path === "/" && isOwnIndex(body.toString("utf8")));
  const known = isOwn ? plain : plain.filter(({ request }) => paths.includes(request.path));
  const odd = new Set(known.flatMap(({ request }) => spellingsOf(request.path)));
  if (isOwn) odd.add(`/${NOT_FOUND_FILE}`);
  await forEachConcurrent([...odd], probe.concurrency, async (path) => {
    await probe.send("spellings", { path }, (response) => spellingFault(probe, response, known, isOwn));
  });
  if (!isOwn) return;
  await probe.send("not-found-elsewhere", { path: `/${FOLDER}-none` }, (response) => {
    if (response.status !== 404) return statusOf(response);
    const type = header(response, "Content-Type") ?? "";
    return jsonFault(response, MISSING) !== undefined || type === "application/json"
      ? undefined
      : `Content-Type: ${type}`;
  });
}

/** @param isOwn whether the whole host has only files of the build, so that it may send nothing else. */
function spellingFault(
  probe: Probe,
  response: HttpResponse,
  known: readonly HttpResponse[],
  isOwn: boolean,
): string | undefined {
  const { status, headers, body } = response;
  if (headers.has("x-injected")) return "the address injected a header";
  const file = known.find((one) => body.equals(one.body));
  if (status >= 400 && status <= 499)
    return file === undefined ? undefined : `${status} with the file of ${file.request.path}`;
  if (staysHere(probe, response)) return undefined;
  if (status !== 200) return statusOf(response);
  if (file === undefined) return isOwn ? beginning(body.toString("utf8")) : undefined;
  const differs = NAMES.find((name) => valuesOf(response, name) !== valuesOf(file, name));
  return differs === undefined
    ? undefined
    : `the file of ${file.request.path} with the ${differs} “${valuesOf(response, differs)}”`;
}

const valuesOf = ({ headers }: HttpResponse, name: string): string =>
  (headers.get(name.toLowerCase()) ?? []).join(" | ");
