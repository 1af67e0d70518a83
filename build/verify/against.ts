import { pathOf } from "../base/api.ts";
import { isObject, objectIn } from "../json/object.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { fieldChanges, type FieldChange } from "../json/changes.ts";
import type { PageModel } from "../page/page.ts";
import { programModel } from "../page/program-model.ts";
import { shownChange } from "../page/shown-change.ts";
import { plural, thousands } from "../base/numbers.ts";
import { Failure } from "../base/failure.ts";
import { isError, messageOf } from "../findings/finding.ts";
import { isTooDeep } from "../json/depth.ts";
import { parseJson } from "../json/parse.ts";
import { readHeaders } from "../hosting/read.ts";
import { headerChecks } from "./contract.ts";
import { openFolder } from "./folder-client.ts";
import {
  addressOf,
  isTemporary,
  openClient,
  pauseAfter,
  requestWithRetry,
  type Client,
} from "../http/client.ts";
import {
  beginning,
  decoded,
  requestLine,
  excerpt,
  statusOf,
  tokensOf,
  type HttpResponse,
  type HttpRequest,
  type Reply,
} from "../http/reply.ts";
import { choosePages, type Sources } from "./sample.ts";
import { listedIds } from "./listed.ts";

export interface AgainstOptions extends Sources {
  /** The new API; the verified address is the old one. Each may be a folder of responses, such as a mirror. */
  against: URL | string;
  /** Names of known differences, such as `meta.locale` or `Vary`. */
  accept?: readonly string[];
  /** The page types of the site; the program's own by default. */
  model?: PageModel;
  all?: boolean;
  timeout?: number;
  concurrency?: number;
  progress?: (done: number, total: number) => void;
}

/** A difference between two APIs, in any number of responses. */
export interface Difference {
  /** The name by which the difference is accepted: a field, a header or another subject. */
  name: string;
  count: number;
  accepted: boolean;
  /** The first request with the difference, and its value in both responses; missing for an API without a value. */
  question: string;
  old?: string;
  new?: string;
}

export interface AgainstReport {
  old: string;
  new: string;
  pages: number;
  /** Pages without any difference, not even an accepted one. */
  same: number;
  /** Pages with the same values in different bytes. */
  respelt: number;
  differences: Difference[];
}

export const agree = ({ differences }: AgainstReport): boolean =>
  differences.every(({ accepted }) => accepted);

/**
 * Requests the same pages from two APIs and compares the responses: an old, live API and the new one that will
 * replace it. It sends only GET, HEAD and OPTIONS, which change nothing.
 */
export async function compareHosts(url: URL | string, options: AgainstOptions): Promise<AgainstReport> {
  const {
    against: newUrl,
    model = programModel,
    all = false,
    timeout = 10,
    concurrency = 4,
    progress,
  } = options;
  const pages = choosePages(options);
  const open = (address: URL | string): Client =>
    typeof address === "string"
      ? openFolder(address, readHeaders().rules)
      : openClient(addressOf(address), { timeout: timeout * 1000, concurrency, secondTry: false });
  const hosts: [Client, Client] = [open(url), open(newUrl)];
  const found = new Differences(new Set(options.accept));
  const report = { old: hosts[0].base, new: hosts[1].base, pages: 0, same: 0, respelt: 0 };
  try {
    await assertResponds(hosts, { path: pathOf(pages.sample[0] ?? 1) });
    // Only the old API's own listing contains pages that were published there in the meantime.
    const comparesAll = all && (options.ids ?? []).length === 0;
    const listed = comparesAll ? await listedIds(model, (part) => sendTo(hosts[0], part)) : [];
    const ids = all ? [...new Set([...pages.ids, ...listed])] : pages.sample;
    report.pages = ids.length;
    let done = 0;
    await forEachConcurrent(ids, concurrency, async (id) => {
      const outcome = await comparePage(model, hosts, { path: pathOf(id) }, found);
      if (outcome === "same") report.same++;
      if (outcome === "respelt") report.respelt++;
      progress?.(++done, ids.length);
    });
    for (const request of furtherRequests(pages.sample[0] ?? 1, pages.drafts, new Set(pages.ids)))
      await compareOther(hosts, request, found);
  } finally {
    for (const host of hosts) host.close();
  }
  return { ...report, differences: found.list() };
}

/** Requests besides those for pages: for missing pages and drafts, with other methods, and without the last slash. */
function furtherRequests(id: number, drafts: readonly number[], ids: ReadonlySet<number>): HttpRequest[] {
  const missing = Array.from({ length: 2 }, (_, i) => Number.MAX_SAFE_INTEGER - i).filter((n) => !ids.has(n));
  return [
    ...[...missing.slice(0, 1), ...drafts.slice(0, 3)].map((draft) => ({ path: pathOf(draft) })),
    { path: pathOf(id), method: "HEAD" },
    { path: pathOf(id), method: "OPTIONS" },
    { path: pathOf(id).slice(0, -1) },
  ];
}

async function assertResponds(hosts: readonly Client[], request: HttpRequest): Promise<void> {
  for (const host of hosts) {
    const reply = await host.send(request);
    if (reply.kind === "no-reply" && (reply.trouble === "unreachable" || reply.trouble === "tls"))
      throw new Failure(`${host.base}: ${reply.message}`);
  }
}

/** Collects differences under their names. */
class Differences {
  private readonly byName = new Map<string, Difference>();
  private readonly accept: ReadonlySet<string>;

  constructor(accept: ReadonlySet<string>) {
    this.accept = accept;
  }

  add(name: string, request: HttpRequest, values: { old?: string; new?: string }): void {
    const known = this.byName.get(name);
    if (known !== undefined) known.count++;
    else
      this.byName.set(name, {
        name,
        count: 1,
        accepted: this.accept.has(name),
        question: requestLine(request),
        ...values,
      });
  }

  list(): Difference[] {
    return [...this.byName.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  }
}

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

/** Whether a page's response is no page: cut off, or HTML of a server in front of the API. */
const isCut = (reply: HttpResponse): boolean =>
  reply.status === 200 && (reply.request.method ?? "GET") === "GET" && bodyOf(reply).value === undefined;

const sendToBoth = (hosts: readonly [Client, Client], request: HttpRequest): Promise<[Reply, Reply]> =>
  Promise.all([sendTo(hosts[0], request), sendTo(hosts[1], request)]);

async function comparePage(
  model: PageModel,
  hosts: readonly [Client, Client],
  request: HttpRequest,
  found: Differences,
): Promise<"same" | "respelt" | "different"> {
  const [old, now] = await sendToBoth(hosts, request);
  if (!compareStatus(old, now, request, found)) return "different";
  let isSame = true;
  for (const { name, ...values } of headerChanges(old as HttpResponse, now as HttpResponse)) {
    found.add(name, request, values);
    isSame = false;
  }
  const [before, after] = [bodyOf(old as HttpResponse), bodyOf(now as HttpResponse)];
  if (before.value === undefined || after.value === undefined) {
    if (before.text === after.text) return isSame ? "same" : "different";
    found.add("body", request, { old: beginning(before.text), new: beginning(after.text) });
    return "different";
  }
  const names = new Map<string, FieldChange>();
  for (const change of fieldChanges(before.value, after.value)) {
    const name = change.field.replace(/\[\d+\]/g, "[]");
    if (!names.has(name)) names.set(name, change);
  }
  for (const [name, change] of names) found.add(excerpt(name) || "body", request, shownChange(change, model));
  const order = orderChange(before.value, after.value);
  if (order !== undefined) found.add("order of the fields", request, order);
  if (before.text === after.text) return isSame ? "same" : "different";
  // Equal parsed values may be different in the text: a parser rounds numbers, and keeps the last of two equal keys.
  const [lost, kept] = [lossOf(before.text), lossOf(after.text)];
  if (lost !== kept) found.add("strict JSON", request, { old: lost, new: kept });
  return names.size > 0 || order !== undefined || !isSame || lost !== kept ? "different" : "respelt";
}

const inWords = (reply: Reply): string => (reply.kind === "response" ? statusOf(reply) : reply.message);

/** Whether both respond with the same status; reports the difference otherwise. */
function compareStatus(old: Reply, now: Reply, request: HttpRequest, found: Differences): boolean {
  if (old.kind === "response" && now.kind === "response" && old.status === now.status) return true;
  found.add("status", request, { old: inWords(old), new: inWords(now) });
  return false;
}

async function compareOther(
  hosts: readonly [Client, Client],
  request: HttpRequest,
  found: Differences,
): Promise<void> {
  const [old, now] = await sendToBoth(hosts, request);
  const isSameKind = (status: number): boolean =>
    old.kind === "response" && Math.floor(old.status / 100) === Math.floor(status / 100);
  // Only the class of the status matters: one host redirects with 301, another with 308, and OPTIONS may have a body
  // or none.
  const isLoose = request.method === "OPTIONS" || !request.path.endsWith("/");
  if (isLoose && now.kind === "response" && isSameKind(now.status)) {
    if (request.method === "OPTIONS")
      for (const change of headerChanges(old as HttpResponse, now, ["Allow"]))
        found.add(change.name, request, change);
    return;
  }
  if (!compareStatus(old, now, request, found)) return;
  for (const { name, ...values } of headerChanges(old as HttpResponse, now as HttpResponse, ["Content-Type"]))
    found.add(name, request, values);
  const [before, after] = [bodyOf(old as HttpResponse), bodyOf(now as HttpResponse)];
  if (JSON.stringify(before.value) !== JSON.stringify(after.value))
    found.add("body of a 404", request, { old: beginning(before.text), new: beginning(after.text) });
}

/** The meaning for a client of each header of the API contract. */
const HEADERS: Record<string, (response: HttpResponse) => string> = {
  Allow: (response) =>
    tokensOf(response.headers.get("allow") ?? [])
      .sort()
      .join(", "),
  "Cache-Control": (response) =>
    tokensOf(response.headers.get("cache-control") ?? [])
      .sort()
      .join(", "),
  "Content-Type": (response) =>
    (response.headers.get("content-type") ?? []).join(", ").replace(/\s*;.*$/s, ""),
  Expires: (response) => headerChecks.expires(response) ?? "a date that is not in the future",
  Vary: (response) => headerChecks.vary(response) ?? "Accept",
};

function* headerChanges(
  old: HttpResponse,
  now: HttpResponse,
  names: readonly string[] = Object.keys(HEADERS),
): Generator<{ name: string; old: string; new: string }> {
  for (const name of names) {
    const valueOf = HEADERS[name];
    const [before, after] = [valueOf?.(old) ?? "", valueOf?.(now) ?? ""];
    if (before !== after) yield { name, old: excerpt(before) || "missing", new: excerpt(after) || "missing" };
  }
}

/** The data that is lost when a text is parsed, in words. */
function lossOf(text: string): string {
  const fault = parseJson("", Buffer.from(text)).findings.find(isError);
  return fault === undefined ? "JSON that can be read without loss" : messageOf(fault);
}

function bodyOf(response: HttpResponse): { text: string; value?: unknown } {
  const body = decoded(response);
  if (typeof body === "string") return { text: body };
  const text = body.toString("utf8");
  const value = objectIn(text);
  return value === undefined || isTooDeep(value) ? { text } : { text, value };
}

/** The first object whose common fields have another order in the other response. */
function orderChange(old: unknown, now: unknown): { old: string; new: string } | undefined {
  if (Array.isArray(old) && Array.isArray(now)) {
    for (const [i, item] of old.entries()) {
      const change = orderChange(item, now[i]);
      if (change !== undefined) return change;
    }
    return undefined;
  }
  if (!isObject(old) || !isObject(now)) return undefined;
  const before = Object.keys(old).filter((key) => Object.hasOwn(now, key));
  const after = Object.keys(now).filter((key) => Object.hasOwn(old, key));
  if (before.join("\n") !== after.join("\n"))
    return { old: excerpt(before.join(", ")), new: excerpt(after.join(", ")) };
  for (const key of before) {
    const change = orderChange(old[key], now[key]);
    if (change !== undefined) return change;
  }
  return undefined;
}

/** The report for people: the differences, the most frequent first. */
export function against(report: AgainstReport): string {
  const { pages, same, respelt, differences } = report;
  const rest = pages - same - respelt;
  return [
    `old: ${report.old}`,
    `new: ${report.new}`,
    "",
    ...differences.flatMap(lines),
    `${plural(pages, "page")} requested from both: ${thousands(same)} with the same bytes and headers, ${
      respelt > 0 ? `${thousands(respelt)} with the same values, spelt differently, ` : ""
    }${thousands(rest)} that differ.`,
  ].join("\n");
}

function lines(difference: Difference): string[] {
  const { name, count, accepted, question, old, new: now } = difference;
  const first = `${name}: ${accepted ? "differs, as accepted" : "differs"} (${plural(count, "response")})`;
  if (old === undefined) return [`${first}; only the new API has it. ${question}`, `  new: ${now}`, ""];
  if (now === undefined) return [`${first}; only the old API has it. ${question}`, `  old: ${old}`, ""];
  return [`${first}. ${question}`, `  old: ${old}`, `  new: ${now}`, ""];
}
