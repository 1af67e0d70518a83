import { pathOf } from "../../base/api.ts";
import { check, probe, type ProbeContext, type PlainPage } from "../context.ts";
import { beyond, blockNames, bytesSame, headerFaults, headerNames, httpDate, inWords } from "../contract.ts";
import {
  decoded,
  encodingsOf,
  excerpt,
  header,
  statusOf,
  tokensOf,
  type HttpResponse,
} from "../../http/reply.ts";

/** Other ways to request a page: each must return the same as the plain GET. */

export const QUERIES = [
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

export const ACCEPTS = [
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

export const ENCODINGS = [
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

/** The difference from the plain response; undefined if there is none. */
export function otherThan(plain: PlainPage, response: HttpResponse): string | undefined {
  if (response.status !== 200) return statusOf(response);
  const body = decoded(response);
  if (typeof body === "string") return body;
  return bytesSame(body, plain.body) ?? inWords(beyond(plain.faults, headerFaults(response, headerNames)));
}

export async function probeVariants(context: ProbeContext, plain: PlainPage): Promise<void> {
  const path = pathOf(plain.id);
  const same = (response: HttpResponse): string | undefined => otherThan(plain, response);
  for (const query of QUERIES) await probe(context, "query-string", { path: path + query }, same);
  for (const accept of ACCEPTS) await probe(context, "accept", { path, headers: { Accept: accept } }, same);
  for (const encoding of ENCODINGS)
    await probe(
      context,
      "compression",
      { path, headers: { "Accept-Encoding": encoding } },
      (response) => unasked(response, encoding) ?? same(response),
    );
  await probeHead(context, plain);
  await probeConditional(context, plain);
}

/** Reports an encoding that the client did not accept. */
function unasked(response: HttpResponse, accepted: string): string | undefined {
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

async function probeHead(context: ProbeContext, plain: PlainPage): Promise<void> {
  const reply = await context.client.sendBare({ method: "HEAD", path: pathOf(plain.id) });
  check(context, "head", reply, (response) => {
    if (response.status !== 200) return statusOf(response);
    const length = header(response, "Content-Length");
    if (length !== undefined && encodingsOf(response).length === 0 && Number(length) !== plain.body.length)
      return `Content-Length: expected ${plain.body.length}, as for GET, found ${excerpt(length)}`;
    return inWords(beyond(plain.faults, headerFaults(response, headerNames)));
  });
  if (reply.kind === "response") check(context, "head-no-body", reply, noBody);
}

export const noBody = (response: HttpResponse): string | undefined =>
  response.body.length === 0 ? undefined : `${response.body.length} bytes after its head`;

/** A day, in milliseconds. */
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

async function probeConditional(context: ProbeContext, plain: PlainPage): Promise<void> {
  for (const { headers, may } of conditionsFor(plain)) {
    const reply = await context.client.sendBare({ path: pathOf(plain.id), headers });
    check(context, "conditional", reply, (response) =>
      response.status === 200 || (response.status === 304 && may) ? undefined : statusOf(response),
    );
    if (reply.kind === "no-reply" || reply.status !== 304) continue;
    check(context, "not-modified-no-body", reply, noBody);
    check(context, "not-modified-headers", reply, (response) =>
      inWords(beyond(plain.faults, headerFaults(response, ["cache-control", "expires", "vary"]))),
    );
  }
}

const QUERY = "?format=api&q=a%20b%26c";

/** The address without its last slash: the page itself, or a permanent redirect to it. */
export async function probeSlash(context: ProbeContext, plain: PlainPage): Promise<void> {
  const path = pathOf(plain.id).slice(0, -1);
  const { base } = context.client;
  const target = (response: HttpResponse): URL | undefined => {
    const location = header(response, "Location");
    const redirect = response.status === 301 || response.status === 308;
    return redirect && location !== undefined && URL.canParse(location, base + path)
      ? new URL(location, base + path)
      : undefined;
  };

  const reply = await context.client.sendAlone({ path });
  check(context, "slash-redirect", reply, (response) => {
    if (response.status === 200) return otherThan(plain, response);
    return target(response)?.href === `${base}${path}/` ? undefined : statusOf(response);
  });
  if (reply.kind === "response" && target(reply) !== undefined)
    check(context, "slash-redirect-headers", reply, (response) =>
      inWords(headerFaults(response, blockNames)),
    );

  // If the address without the slash has no valid response, that is reported once.
  if (reply.kind === "no-reply" || (reply.status !== 200 && target(reply) === undefined)) return;
  await probe(context, "slash-redirect-query", { path: path + QUERY }, (response) => {
    const to = target(response);
    if (to === undefined) return response.status === 200 ? otherThan(plain, response) : statusOf(response);
    return to.search === QUERY ? undefined : statusOf(response);
  });
}

/** The headers that a browser sends before it lets a page of another site read a response. */
const preflightFrom = (origin = "https://client.example"): Record<string, string> => ({
  Origin: origin,
  "Access-Control-Request-Method": "GET",
  "Access-Control-Request-Headers": "content-type",
});

const well = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

export async function probeOptions(context: ProbeContext, plain: PlainPage): Promise<void> {
  const path = pathOf(plain.id);
  const reply = await context.client.sendAlone({ method: "OPTIONS", path });
  check(context, "options", reply, (response) =>
    well(response) ? inWords(headerFaults(response, ["allow"])) : statusOf(response),
  );
  if (reply.kind === "response" && well(reply))
    check(context, "options-headers", reply, (response) =>
      inWords(
        headerFaults(
          response,
          blockNames.filter((name) => name !== "allow"),
        ),
      ),
    );

  const { origin } = context.client;
  const headers = preflightFrom(origin);
  const preflight = await context.client.sendAlone({ method: "OPTIONS", path, headers });
  if (reply.kind === "response" && !well(reply) && preflight.kind === "response" && !well(preflight)) return;
  check(context, "preflight", preflight, (response) => {
    if (!well(response)) return statusOf(response);
    const allows = (name: string, token: string): string | undefined => {
      const tokens = tokensOf(response.headers.get(name.toLowerCase()) ?? []);
      return tokens.includes(token) || tokens.includes("*") ? undefined : `${name} does not allow ${token}`;
    };
    return (
      inWords(headerFaults(response, ["cors"])) ??
      allows("Access-Control-Allow-Methods", "get") ??
      allows("Access-Control-Allow-Headers", "content-type")
    );
  });
}
