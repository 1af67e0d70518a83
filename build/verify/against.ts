import { join, resolve } from "node:path";
import { API, PAGES, pathOf } from "../base/api.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { Failure } from "../base/failure.ts";
import { childrenPath, furtherChildren } from "../base/website.ts";
import {
  isTemporary,
  pauseAfter,
  requestWithRetry,
  type Client,
  addressOf,
  openClient,
} from "../hosting/http/client.ts";
import {
  decoded,
  excerpt,
  type HttpRequest,
  type HttpResponse,
  type Reply,
  beginning,
  requestLine,
  statusOf,
  tokensOf,
} from "../hosting/http/reply.ts";
import { fieldChanges, orderChanges, type FieldChange } from "../source/json/changes.ts";
import { isObject, objectIn, type JsonObject } from "../source/json/object.ts";
import { isTooDeep, parseJson } from "../source/json/parse.ts";
import type { PageModel } from "../model/page.ts";
import { shownChange } from "../model/shown-change.ts";
import { readBytes, isFolder } from "../base/file.ts";
import { plural, thousands } from "../base/numbers.ts";
import { isError, messageOf } from "../findings/finding.ts";
import { readHeaders } from "../hosting/conformance.ts";
import { respond, type HostResponse } from "../hosting/responder.ts";
import { modelOf } from "../model/types.ts";
import { headerChecks } from "./probe.ts";
import { choosePages, type HostRequests } from "./sample.ts";

/** The same requests to two APIs, and their lists. */

interface NamedChange {
  /** The name by which the difference is accepted: a field, a header or another subject. */
  name: string;
  /** Both values; missing for an API without a value. */
  old?: string;
  new?: string;
}

export type Hosts = readonly [old: Client, now: Client];

/** Maximum number of attempts of a request, if the host asks to wait or fails temporarily. */
const MAX_ATTEMPTS = 4;
/** Milliseconds before the second attempt; each later pause is twice as long. */
const PAUSE_MS = 500;

const sendTo = (host: Client, request: HttpRequest): Promise<Reply> =>
  requestWithRetry(
    { attempts: MAX_ATTEMPTS, firstPauseMs: PAUSE_MS },
    () => host.send(request),
    (reply) => {
      if (reply.kind === "no-reply") return true;
      return isCut(reply) ? pauseAfter(reply) : isTemporary(reply);
    },
  );

const sendToBoth = (hosts: Hosts, request: HttpRequest): Promise<[Reply, Reply]> =>
  Promise.all([sendTo(hosts[0], request), sendTo(hosts[1], request)]);

/** Whether a page's response is no page: cut off, or HTML of a server in front of the API. */
const isCut = (reply: HttpResponse): boolean =>
  reply.status === 200 && (reply.request.method ?? "GET") === "GET" && bodyOf(reply).value === undefined;

export interface Body {
  text: string;
  value?: JsonObject;
}

export function bodyOf(response: HttpResponse): Body {
  const body = decoded(response);
  if (typeof body === "string") return { text: body };
  const text = body.toString("utf8");
  const value = objectIn(text);
  return value === undefined || isTooDeep(value) ? { text } : { text, value };
}

/**
 * The ids of all pages with a type of the API contract, from an API's list endpoint; none if it has none.
 * Requests have no `limit`, so the host decides how many pages a response lists.
 */
async function listedIds(model: PageModel, host: Client): Promise<number[]> {
  const items = (await readAll(host, "")) ?? [];
  return items.flatMap(({ id, meta }) =>
    Number.isSafeInteger(id) && isObject(meta) && model.has(meta["type"]) ? [id as number] : [],
  );
}

/** Requests a list to its end; undefined if the host does not have it. */
async function readAll(host: Client, filter: string): Promise<JsonObject[] | undefined> {
  const all: JsonObject[] = [];
  for (;;) {
    const reply = await sendTo(host, { path: `${API}?${filter}offset=${all.length}` });
    const list = reply.kind === "response" && reply.status === 200 ? bodyOf(reply).value : undefined;
    const total = isObject(list?.["meta"]) ? list["meta"]["total_count"] : undefined;
    const items: unknown = list?.["items"];
    if (typeof total !== "number" || !Array.isArray(items)) {
      if (all.length === 0) return undefined;
      throw new Failure(`The old API's list ended early, after ${all.length} pages. Run the command again.`);
    }
    for (const item of items) if (isObject(item)) all.push(item);
    if (items.length === 0 || all.length >= total) return all;
  }
}

/**
 * Compares the pages below each parent, and their order: the old API's list with the new API's file for websites.
 * @returns the number of compared lists
 */
async function compareLists(
  [old, now]: Hosts,
  parents: Iterable<number>,
  model: PageModel,
  concurrency: number,
  add: (request: HttpRequest, changes: Iterable<NamedChange>) => void,
): Promise<number> {
  let lists = 0;
  const childrenAt = async (path: string): Promise<[JsonObject, unknown[]] | undefined> => {
    const reply = await sendTo(now, { path: `/${path}` });
    const file = reply.kind === "response" && reply.status === 200 ? bodyOf(reply).value : undefined;
    return Array.isArray(file?.["children"]) ? [file, file["children"]] : undefined;
  };
  await forEachConcurrent(parents, concurrency, async (parent) => {
    const [file, children] = (await childrenAt(childrenPath(parent))) ?? [];
    if (file === undefined || children === undefined) return;
    const all = [...children];
    for (const path of furtherChildren(file)) all.push(...((await childrenAt(path))?.[1] ?? []));
    const listed = await readAll(old, `child_of=${parent}&`);
    if (listed === undefined) return;
    lists++;
    const request = { path: `${API}?child_of=${parent}` };
    add(request, listChanges(model, listed, all.filter(isObject)));
  });
  return lists;
}

function* listChanges(model: PageModel, old: JsonObject[], now: JsonObject[]): Generator<NamedChange> {
  const before = new Map(old.map((item) => [item["id"], item]));
  const after = new Map(now.map((item) => [item["id"], item]));
  const gone = [...before.keys()].filter((id) => !after.has(id));
  const added = [...after.keys()].filter((id) => !before.has(id));
  if (gone.length + added.length > 0)
    yield {
      name: "items[]",
      ...(gone.length > 0 && { old: excerpt(gone.join(", ")) }),
      ...(added.length > 0 && { new: excerpt(added.join(", ")) }),
    };
  const [one, other] = [
    [...before.keys()].filter((id) => after.has(id)).join(", "),
    [...after.keys()].filter((id) => before.has(id)).join(", "),
  ];
  if (one !== other) yield { name: "order of the items", old: excerpt(one), new: excerpt(other) };
  const names = new Set<string>();
  for (const [id, item] of after)
    for (const change of fieldChanges(before.get(id) ?? item, item)) {
      const name = `items[].${change.field}`;
      // Wagtail's lists do not have this field, but its pages have it.
      const isOurs = change.field === "meta.show_in_menus" && !Object.hasOwn(change, "old");
      if (isOurs || names.has(name)) continue;
      names.add(name);
      yield { name, ...shownChange(change, [model]) };
    }
}

export interface AgainstOptions extends HostRequests {
  /** The new API; the verified address is the old one. Each may be a folder of responses. */
  against: URL | string;
  /** Names of known differences, such as `meta.locale` or `Vary`. */
  accept?: readonly string[];
}

/** A difference between two APIs, in any number of responses. */
export interface Difference extends NamedChange {
  count: number;
  accepted: boolean;
  /** The first request with the difference; the values are of its responses. */
  question: string;
}

type AgainstReport = Awaited<ReturnType<typeof compareHosts>>;

export const agree = ({ differences }: AgainstReport): boolean =>
  differences.every(({ accepted }) => accepted);

/**
 * Requests the same pages from two APIs and compares the responses: an old, live API and the new one that
 * will replace it. It sends only GET, HEAD and OPTIONS, which change nothing.
 */
export async function compareHosts(url: URL | string, options: AgainstOptions) {
  const { all = false, timeout = 10, concurrency = 4, progress } = options;
  const { model = modelOf(options.content) } = options;
  const pages = choosePages(options);
  const [first = 1] = pages.sample;
  const open = (address: URL | string): Client =>
    typeof address === "string"
      ? openFolder(address)
      : openClient(addressOf(address), { timeout: timeout * 1000, concurrency, secondTry: false });
  const hosts: Hosts = [open(url), open(options.against)];
  const differences = new Map<string, Difference>();
  const add = (request: HttpRequest, changes: Iterable<NamedChange>): void => {
    for (const { name, ...values } of changes) {
      const known = differences.get(name);
      const accepted = options.accept?.includes(name) === true;
      if (known !== undefined) known.count++;
      else differences.set(name, { name, count: 1, accepted, question: requestLine(request), ...values });
    }
  };
  // `same`: pages without any difference, not even an accepted one. `respelt`: pages with the same values in different
  // bytes. `lists`: compared lists of the pages below a page.
  const report = { old: hosts[0].base, new: hosts[1].base, pages: 0, same: 0, respelt: 0, lists: 0 };
  try {
    for (const host of hosts) {
      const reply = await host.send({ path: pathOf(first) });
      if (reply.kind === "no-reply" && (reply.trouble === "unreachable" || reply.trouble === "tls"))
        throw new Failure(`${host.base}: ${reply.message}`);
    }
    // Only the old API's own listing contains pages that were published there in the meantime.
    const comparesAll = all && (options.ids ?? []).length === 0;
    const listed = comparesAll ? await listedIds(model, hosts[0]) : [];
    const ids = all ? [...new Set([...pages.ids, ...listed])] : pages.sample;
    report.pages = ids.length;
    const parents = new Set<number>();
    let done = 0;
    await forEachConcurrent(ids, concurrency, async (id) => {
      const request = { path: pathOf(id) };
      const { changes, isRespelt, parent } = comparePage(model, ...(await sendToBoth(hosts, request)));
      add(request, changes);
      if (parent !== undefined) parents.add(parent);
      if (isRespelt) report.respelt++;
      else if (changes.length === 0) report.same++;
      progress?.(++done, ids.length);
    });
    report.lists = await compareLists(hosts, parents, model, concurrency, add);
    for (const request of otherRequests(first, pages.drafts, new Set(pages.ids)))
      add(request, compareOther(request, ...(await sendToBoth(hosts, request))));
  } finally {
    for (const host of hosts) host.close();
  }
  const sorted = [...differences.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return { ...report, differences: sorted };
}

/** Requests besides pages: for missing pages and drafts, with other methods, and without the last slash. */
function otherRequests(id: number, drafts: readonly number[], ids: ReadonlySet<number>): HttpRequest[] {
  const missing = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1].filter((n) => !ids.has(n));
  return [
    ...[...missing.slice(0, 1), ...drafts.slice(0, 3)].map((draft) => ({ path: pathOf(draft) })),
    { path: pathOf(id), method: "HEAD" },
    { path: pathOf(id), method: "OPTIONS" },
    { path: pathOf(id).slice(0, -1) },
  ];
}

function found(file: string, headers: Record<string, string>): Promise<HostResponse | undefined> {
  const bytes = readBytes(file);
  return Promise.resolve(bytes && { status: 200, headers, body: bytes });
}

const CHILDREN = /^\/index\/pages\/\d+(?:-\d+)?\.json$/;

/**
 * A folder of responses (a mirror or an output) as a host: it responds as the API contract requires.
 * @throws Failure if it has no pages.
 */
function openFolder(folder: string): Client {
  const { rules } = readHeaders();
  const pages = join(resolve(folder), PAGES);
  if (!isFolder(pages)) throw new Failure(`${pages}: there is no such folder.`);
  let requests = 0;
  const send = async (request: HttpRequest): Promise<Reply> => {
    requests++;
    const { method = "GET", path } = request;
    const { status, headers, body } = await respond({ method, target: path }, rules, {
      page: (id, own) => found(join(pages, id, "index.json"), own),
      file: (file, own) => found(CHILDREN.test(file) ? join(resolve(folder), file) : "", own),
    });
    return {
      kind: "response",
      request,
      status,
      headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
      body: method === "HEAD" ? Buffer.alloc(0) : Buffer.from(body ?? ""),
    };
  };
  const all = { send, sendAlone: send, sendBare: send };
  return { base: folder, ...all, requests: () => requests, close: () => undefined };
}

/** The meaning for a client of each header of the API contract. */
const HEADERS: Record<string, (response: HttpResponse) => string> = {
  Allow: (response) => sortedTokens(response, "allow"),
  "Cache-Control": (response) => sortedTokens(response, "cache-control"),
  "Content-Type": (response) =>
    (response.headers.get("content-type") ?? []).join(", ").replace(/\s*;.*$/s, ""),
  Expires: (response) => headerChecks.expires(response) ?? "a date that is not in the future",
  Vary: (response) => headerChecks.vary(response) ?? "Accept",
};

const sortedTokens = ({ headers }: HttpResponse, name: string): string =>
  tokensOf(headers.get(name) ?? [])
    .sort()
    .join(", ");

const outcomeOf = (reply: Reply): string => (reply.kind === "response" ? statusOf(reply) : reply.message);

const statusChange = (old: Reply, now: Reply): NamedChange => ({
  name: "status",
  old: outcomeOf(old),
  new: outcomeOf(now),
});

/** @returns the changes; `isRespelt` if there are none, but other bytes. */
function comparePage(
  model: PageModel,
  old: Reply,
  now: Reply,
): { changes: NamedChange[]; isRespelt: boolean; parent?: number | undefined } {
  if (old.kind === "no-reply" || now.kind === "no-reply" || old.status !== now.status)
    return { changes: [statusChange(old, now)], isRespelt: false };
  const [before, after] = [bodyOf(old), bodyOf(now)];
  const isOther = before.text !== after.text;
  const changes = [...headerChanges(old, now), ...(isOther ? bodyChanges(model, before, after) : [])];
  return { changes, isRespelt: isOther && changes.length === 0, parent: parentIn(after.value) };
}

function parentIn(page: JsonObject | undefined): number | undefined {
  const { parent } = isObject(page?.["meta"]) ? page["meta"] : {};
  return isObject(parent) && Number.isSafeInteger(parent["id"]) ? (parent["id"] as number) : undefined;
}

function* bodyChanges(model: PageModel, before: Body, after: Body): Generator<NamedChange> {
  if (before.value === undefined || after.value === undefined) {
    yield { name: "body", old: beginning(before.text), new: beginning(after.text) };
    return;
  }
  const byField = new Map<string, FieldChange>();
  for (const change of fieldChanges(before.value, after.value)) {
    const name = change.field.replace(/\[\d+\]/g, "[]");
    if (!byField.has(name)) byField.set(name, change);
  }
  for (const [name, change] of byField)
    yield { name: excerpt(name) || "body", ...shownChange(change, [model]) };
  const [order] = orderChanges(before.value, after.value);
  if (order !== undefined)
    yield { name: "order of the fields", old: excerpt(order.old), new: excerpt(order.new) };
  // Equal values may differ in the text: a parser rounds numbers, and keeps the last of two equal keys.
  const [lost, kept] = [lossOf(before.text), lossOf(after.text)];
  if (lost !== kept) yield { name: "strict JSON", old: lost, new: kept };
}

function* compareOther(request: HttpRequest, old: Reply, now: Reply): Generator<NamedChange> {
  const isOptions = request.method === "OPTIONS";
  if (old.kind === "no-reply" || now.kind === "no-reply") yield statusChange(old, now);
  // Only the class of the status matters: one host redirects with 301, another with 308, and OPTIONS may have a body
  // or none.
  else if (
    (isOptions || !request.path.endsWith("/")) &&
    Math.floor(old.status / 100) === Math.floor(now.status / 100)
  ) {
    if (isOptions) yield* headerChanges(old, now, ["Allow"]);
  } else if (old.status !== now.status) yield statusChange(old, now);
  else {
    yield* headerChanges(old, now, ["Content-Type"]);
    const [before, after] = [bodyOf(old), bodyOf(now)];
    if (JSON.stringify(before.value) !== JSON.stringify(after.value))
      yield { name: "body of a 404", old: beginning(before.text), new: beginning(after.text) };
  }
}

function* headerChanges(
  old: HttpResponse,
  now: HttpResponse,
  names: readonly string[] = Object.keys(HEADERS),
): Generator<NamedChange> {
  for (const name of names) {
    const [before, after] = [HEADERS[name]?.(old) ?? "", HEADERS[name]?.(now) ?? ""];
    if (before !== after) yield { name, old: excerpt(before) || "missing", new: excerpt(after) || "missing" };
  }
}

/** The data that is lost when a text is parsed, in words. */
function lossOf(text: string): string {
  const fault = parseJson("", Buffer.from(text)).findings.find(isError);
  return fault === undefined ? "JSON that can be read without loss" : messageOf(fault);
}

/** The report for people: the differences, the most frequent first. */
export function against(report: AgainstReport): string {
  const { pages, same, respelt, lists, differences } = report;
  const rest = pages - same - respelt;
  return [
    `old: ${report.old}`,
    `new: ${report.new}`,
    "",
    ...differences.flatMap(lines),
    `${plural(pages, "page")} requested from both: ${thousands(same)} with the same bytes and headers, ${
      respelt > 0 ? `${thousands(respelt)} with the same values, spelt differently, ` : ""
    }${thousands(rest)} that differ.${lists > 0 ? ` ${plural(lists, "list")} of subpages compared.` : ""}`,
  ].join("\n");
}

function lines({ name, count, accepted, question, old, new: now }: Difference): string[] {
  const first = `${name}: ${accepted ? "differs, as accepted" : "differs"} (${plural(count, "response")})`;
  const only =
    old === undefined ? "; only the new API has it" : now === undefined ? "; only the old API has it" : "";
  return [
    `${first}${only}. ${question}`,
    ...(old === undefined ? [] : [`  old: ${old}`]),
    ...(old !== undefined && now === undefined ? [] : [`  new: ${now}`]),
    "",
  ];
}
