import { pathOf } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { memoized } from "../../base/memoized.ts";
import {
  decoded,
  excerpt,
  header,
  requestLine,
  statusOf,
  type HttpResponse,
  type Reply,
  beginning,
  encodingsOf,
  tokensOf,
  type HttpRequest,
} from "../../hosting/http/reply.ts";
import type { JsonObject } from "../../source/json/object.ts";
import { itemOf, type Item } from "../../model/item.ts";
import type { PageResponse } from "../../model/page.ts";
import { bytesFault, equalsFault, orderFault, parseBody, schemaFault } from "../body.ts";
import {
  headerChecks,
  headerFaults,
  headerNames,
  type Fault,
  expectStatus,
  type CheckName,
  type Probe,
  blockNames,
  jsonFault,
  messageOf,
  NOT_ALLOWED,
  type FaultOf,
} from "../probe.ts";
import { httpDate } from "../../hosting/conformance.ts";

/** A page as a plain GET returns it. The responses to all other requests for it are compared with it. */
export interface PlainPage {
  id: number;
  response: HttpResponse;
  body: Buffer;
  /** The faults of its headers, which are not reported again for each variant. */
  faults: readonly Fault[];
}

/** The response to a GET of a parent. Each is requested once, however many subpages it has. */
type Parents = (id: number) => Promise<Reply>;

/** Requests every chosen page by a plain GET; returns those of the sample. */
export async function probePages(
  probe: Probe,
  ids: readonly number[],
  progress: ((done: number, total: number) => void) | undefined,
): Promise<PlainPage[]> {
  const sample = new Set(probe.pages.sample);
  const parents: Parents = memoized((id) => probe.client.send({ path: pathOf(id) }));
  const kept: PlainPage[] = [];
  let done = 0;
  await forEachConcurrent(ids, probe.concurrency, async (id) => {
    const page = await probePage(probe, id, parents);
    if (page !== undefined && sample.has(id)) kept.push(page);
    progress?.(++done, ids.length);
  });
  return kept.sort((a, b) => a.id - b.id);
}

/** Returns the page if other responses can be compared with it. */
async function probePage(probe: Probe, id: number, parents: Parents): Promise<PlainPage | undefined> {
  const response = await probe.send("page-status", { path: pathOf(id) }, expectStatus(200), "send");
  if (response?.status !== 200) {
    if (response !== undefined) hintAtRedirect(probe, response);
    return undefined;
  }
  for (const name of headerNames) probe.check(`page-${name}`, response, headerChecks[name](response));

  const body = decoded(response);
  if (typeof body === "string") {
    probe.check("page-json", response, body);
    return undefined;
  }
  const built = probe.pages.file?.(id);
  if (built !== undefined) probe.check("page-bytes", response, bytesFault(body, built));
  const page = { id, response, body, faults: headerFaults(response, headerNames) };
  await probeBody(probe, page, parents);
  return page;
}

async function probeBody(probe: Probe, plain: PlainPage, parents: Parents): Promise<void> {
  const { id, response } = plain;
  const json = parseBody(plain.body);
  probe.check("page-json", response, typeof json === "string" ? json : undefined);
  if (typeof json === "string") {
    if (json.includes("an HTML page"))
      probe.hints.add(
        "The host responds with web pages (HTML). Give the URL of the API, the base_url of its site.",
      );
    return;
  }
  const wrongId = json["id"] === id ? undefined : `id ${excerpt(JSON.stringify(json["id"]) ?? "missing")}`;
  probe.check("page-id", response, wrongId);
  const fault = schemaFault(json, probe.model);
  probe.check("page-schema", response, fault);
  probeDetailUrl(probe, plain, json);
  if (fault !== undefined) return;
  const page = json as unknown as PageResponse;
  const { parent, translations = [] } = page.meta;
  probe.placed.set(id, {
    item: itemOf(page as PageResponse & Item),
    parent: parent?.id,
    translations: (translations as readonly { id: number }[]).map((one) => one.id),
  });
  probe.check("page-key-order", response, orderFault(page, probe.model));
  if (probe.model.of(page.meta.type).own.length > 0)
    probe.check("page-equals", response, equalsFault(page, probe.model));
  await probeParent(probe, page, parents);
}

function probeDetailUrl(probe: Probe, { id, response }: PlainPage, page: JsonObject): void {
  const { detail_url: url, parent } = (page["meta"] ?? {}) as {
    detail_url?: unknown;
    parent?: { id?: unknown; meta?: { detail_url?: unknown } } | null;
  };
  if (typeof url !== "string") return;
  const { base } = probe.client;
  const parentUrl = parent?.meta?.detail_url;
  const isOther = typeof parentUrl === "string" && parentUrl !== base + pathOf(String(parent?.id));
  if (url !== base + pathOf(id)) probe.check("detail-url", response, `detail_url ${excerpt(url)}`);
  else
    probe.check(
      "detail-url",
      response,
      isOther ? `the parent's detail_url ${excerpt(parentUrl)}` : undefined,
    );
  const elsewhere = url.endsWith(pathOf(id)) ? url.slice(0, -pathOf(id).length) : base;
  if (elsewhere !== base)
    probe.hints.add(
      `The pages give ${excerpt(elsewhere)} as their address, for which they were built (--base-url). ` +
        "If that is intended, add --accept detail-url.",
    );
}

const summaryOf = ({ id, title, meta }: Pick<PageResponse, "id" | "title"> & { meta: Summary }): string =>
  JSON.stringify([id, title, meta.type, meta.detail_url, meta.html_url]);

type Summary = Pick<PageResponse["meta"], "type" | "detail_url" | "html_url">;

async function probeParent(probe: Probe, page: PageResponse, parents: Parents): Promise<void> {
  const { parent } = page.meta;
  if (parent === null) return;
  const reply = await parents(parent.id);
  const fault = (): string | undefined => {
    if (reply.kind === "no-reply") return reply.message;
    if (reply.status !== 200) return `${requestLine(reply.request)}: ${statusOf(reply)}`;
    const body = decoded(reply);
    const json = typeof body === "string" ? body : parseBody(body);
    if (typeof json === "string" || schemaFault(json, probe.model) !== undefined)
      return "its own page is not readable";
    const [expected, found] = [summaryOf(json as unknown as PageResponse), summaryOf(parent)];
    return found === expected
      ? undefined
      : `expected ${excerpt(expected)}, as on its own page, found ${excerpt(found)}`;
  };
  probe.note("parent-summary", `the parent ${parent.id} of page ${page.id}`, fault());
}

function hintAtRedirect({ client, hints }: Probe, response: HttpResponse): void {
  const location = header(response, "Location");
  if (location === undefined || response.status < 300 || response.status > 399) return;
  const target = URL.canParse(location, client.base) ? new URL(location, client.base).origin : undefined;
  if (target !== undefined && target !== new URL(client.base).origin)
    hints.add(`The host redirects to ${excerpt(target)}. If that is the host to verify, give its URL.`);
}

/* Other ways to request a page: a GET must return the same as the plain GET. */

const QUERIES = [
  "?",
  "?format=api",
  "?format=json",
  "?fields=*&locale=en",
  "?a=%2e%2e%2f&b[]=1&c",
  "?x=<>\"'`{}|^",
  "?next=https://example.org/",
  "??/../&&==",
  `?long=${"x".repeat(1500)}`,
];

const ACCEPTS = [
  "application/json",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "text/html",
  "image/avif,image/webp",
  "application/json;q=0, text/plain",
  "*/*;q=0",
  "nonsense",
  ";;,,//",
  "",
  Array.from({ length: 60 }, (_, i) => `application/vnd.example-${i}+json`).join(", "),
];

const ENCODINGS = [
  "gzip",
  "br",
  "deflate",
  "identity",
  "gzip, deflate, br",
  "gzip;q=0, br;q=0",
  "identity;q=1, *;q=0",
  "nonsense",
  "",
];

type Variant = readonly [name: CheckName, request: HttpRequest];

export const variantsOf = (path: string): Variant[] => [
  ...QUERIES.map((query): Variant => ["query-string", { path: path + query }]),
  ...ACCEPTS.map((Accept): Variant => ["accept", { path, headers: { Accept } }]),
  ...ENCODINGS.map((encoding): Variant => [
    "compression",
    { path, headers: { "Accept-Encoding": encoding } },
  ]),
];

/** The headers of every response, besides `Allow`, which has a check of its own. */
const otherNames = blockNames.filter((name) => name !== "allow");

function differenceFrom(plain: PlainPage, response: HttpResponse): string | undefined {
  if (response.status !== 200) return statusOf(response);
  const body = decoded(response);
  if (typeof body === "string") return body;
  if (!body.equals(plain.body)) return `a different body: ${beginning(body.toString("utf8"))}`;
  return messageOf(headerFaults(response, headerNames), plain.faults);
}

export async function probeVariants(probe: Probe, plain: PlainPage): Promise<void> {
  const path = pathOf(plain.id);
  for (const [name, request] of variantsOf(path))
    await probe.send(name, request, (response) => encodingFault(response) ?? differenceFrom(plain, response));
  await probeHead(probe, plain);
  await probeConditions(probe, plain);
  await probeSlash(probe, plain);
  await probeOptions(probe, path);
}

function encodingFault(response: HttpResponse): string | undefined {
  const accepted = response.request.headers?.["Accept-Encoding"];
  if (accepted === undefined) return undefined;
  const readable = new Set(
    accepted
      .split(",")
      .map((part) => part.trim())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(";")[0] ?? ""),
  );
  const wrong = encodingsOf(response).find((encoding) => encoding !== "identity" && !readable.has(encoding));
  return wrong === undefined ? undefined : `Content-Encoding: ${excerpt(wrong)}`;
}

async function probeHead(probe: Probe, plain: PlainPage): Promise<void> {
  const request = { method: "HEAD", path: pathOf(plain.id) };
  const faultOf: FaultOf = (response) => {
    if (response.status !== 200) return statusOf(response);
    const length = header(response, "Content-Length");
    if (length !== undefined && encodingsOf(response).length === 0 && Number(length) !== plain.body.length)
      return `Content-Length: expected ${plain.body.length}, as for GET, found ${excerpt(length)}`;
    return messageOf(headerFaults(response, headerNames), plain.faults);
  };
  const response = await probe.send("head", request, faultOf, "sendBare");
  if (response !== undefined) probe.check("head-no-body", response, noBody(response));
}

export const noBody: FaultOf = (response) =>
  response.body.length === 0 ? undefined : `${response.body.length} bytes after its head`;

const DAY_MS = 86_400_000;

/** Conditional requests. `may`: whether the condition allows a 304. */
function conditionsFor({ response }: PlainPage): { headers: Record<string, string>; may: boolean }[] {
  const tag = header(response, "ETag");
  const modified = header(response, "Last-Modified");
  const since = modified === undefined ? undefined : httpDate(modified);
  const before = new Date((since ?? DAY_MS) - DAY_MS).toUTCString();
  return [
    { headers: { "If-None-Match": '"no-such-tag"' }, may: false },
    { headers: { "If-None-Match": 'W/"no-such-tag", "nor-this"' }, may: false },
    { headers: { "If-None-Match": "*" }, may: true },
    // If both are given, the tag decides.
    {
      headers: {
        "If-None-Match": '"no-such-tag"',
        "If-Modified-Since": modified ?? "Fri, 01 Jan 2038 00:00:00 GMT",
      },
      may: false,
    },
    { headers: { "If-Modified-Since": before }, may: false },
    { headers: { "If-Modified-Since": "yesterday" }, may: false },
    ...(tag === undefined ? [] : [{ headers: { "If-None-Match": tag }, may: true }]),
    ...(modified === undefined ? [] : [{ headers: { "If-Modified-Since": modified }, may: true }]),
  ];
}

async function probeConditions(probe: Probe, plain: PlainPage): Promise<void> {
  for (const { headers, may } of conditionsFor(plain)) {
    const request = { path: pathOf(plain.id), headers };
    const expected = may ? expectStatus(200, 304) : expectStatus(200);
    const response = await probe.send("conditional", request, expected, "sendBare");
    if (response?.status !== 304) continue;
    probe.check("not-modified-no-body", response, noBody(response));
    const faults = headerFaults(response, ["cache-control", "expires", "vary"]);
    probe.check("not-modified-headers", response, messageOf(faults, plain.faults));
  }
}

const QUERY = "?format=api&q=a%20b%26c";

/** The address without its last slash: the page itself, or a permanent redirect to it. */
async function probeSlash(probe: Probe, plain: PlainPage): Promise<void> {
  const path = pathOf(plain.id).slice(0, -1);
  const { base } = probe.client;
  const targetOf = (response: HttpResponse): URL | undefined => {
    const location = header(response, "Location");
    const isRedirect = response.status === 301 || response.status === 308;
    return isRedirect && location !== undefined && URL.canParse(location, base + path)
      ? new URL(location, base + path)
      : undefined;
  };
  const faultOf =
    (isRight: (target: URL) => boolean): FaultOf =>
    (response) => {
      if (response.status === 200) return differenceFrom(plain, response);
      const target = targetOf(response);
      return target !== undefined && isRight(target) ? undefined : statusOf(response);
    };

  const response = await probe.send(
    "slash-redirect",
    { path },
    faultOf(({ href }) => href === `${base}${path}/`),
  );
  const isRedirect = response !== undefined && targetOf(response) !== undefined;
  if (isRedirect)
    probe.check("slash-redirect-headers", response, messageOf(headerFaults(response, blockNames)));
  // If the address without the slash has no valid response, that is reported once.
  if (isRedirect || response?.status === 200)
    await probe.send(
      "slash-redirect-query",
      { path: path + QUERY },
      faultOf(({ search }) => search === QUERY),
    );
}

/** The headers that a browser sends before it lets a page of another site read a response. */
const preflightFrom = (origin = "https://client.example"): Record<string, string> => ({
  Origin: origin,
  "Access-Control-Request-Method": "GET",
  "Access-Control-Request-Headers": "content-type",
});

export const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

async function probeOptions(probe: Probe, path: string): Promise<void> {
  const response = await probe.send("options", { method: "OPTIONS", path }, (found) =>
    isSuccess(found) ? messageOf(headerFaults(found, ["allow"])) : statusOf(found),
  );
  if (response !== undefined && isSuccess(response))
    probe.check("options-headers", response, messageOf(headerFaults(response, otherNames)));

  const headers = preflightFrom(probe.client.origin);
  const preflight = await probe.client.sendAlone({ method: "OPTIONS", path, headers });
  const isReported = response !== undefined && !isSuccess(response);
  if (isReported && preflight.kind === "response" && !isSuccess(preflight)) return;
  probe.checkReply("preflight", preflight, preflightFault);
}

function preflightFault(response: HttpResponse): string | undefined {
  if (!isSuccess(response)) return statusOf(response);
  const allows = (name: string, token: string): string | undefined => {
    const tokens = tokensOf(response.headers.get(name.toLowerCase()) ?? []);
    return tokens.includes(token) || tokens.includes("*") ? undefined : `${name} does not allow ${token}`;
  };
  return (
    messageOf(headerFaults(response, ["cors"])) ??
    allows("Access-Control-Allow-Methods", "get") ??
    allows("Access-Control-Allow-Headers", "content-type")
  );
}

const KNOWN = ["POST", "PUT", "PATCH", "DELETE"];

/**
 * Methods that some servers refuse while they parse a request, before their configuration applies: by RFC
 * 9110, the status for an unknown method is 501, and a parser that stops at its name responds with 400.
 */
const RARE = ["TRACE", "PROPFIND", "MKCOL", "PURGE", "QUERY", "BREW"];

export async function probeMethods(probe: Probe, { id }: PlainPage): Promise<void> {
  const path = pathOf(id);
  const json = { headers: { "Content-Type": "application/json" }, body: '{"title":"x"}' };
  const requests: HttpRequest[] = [
    ...KNOWN.map((method) => ({ method, path })),
    { method: "POST", path, ...json },
    ...RARE.map((method) => ({ method, path })),
  ];
  for (const request of requests) {
    const isRare = RARE.includes(request.method ?? "");
    const expected = isRare ? expectStatus(405, 400, 501) : expectStatus(405);
    const response = await probe.send("method-not-allowed", request, expected);
    if (response?.status !== 405) continue;
    probe.check("method-not-allowed-allow", response, messageOf(headerFaults(response, ["allow"])));
    probe.check("method-not-allowed-headers", response, messageOf(headerFaults(response, otherNames)));
    const body =
      response.body.length === 0
        ? undefined
        : (jsonFault(response, NOT_ALLOWED) ?? messageOf(headerFaults(response, ["content-type"])));
    probe.check("method-not-allowed-body", response, body);
  }
}
