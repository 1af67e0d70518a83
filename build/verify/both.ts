import { API } from "../base/api.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { Failure } from "../base/failure.ts";
import { childrenPath, furtherChildren } from "../base/website.ts";
import { isTemporary, pauseAfter, requestWithRetry, type Client } from "../hosting/http/client.ts";
import { decoded, excerpt, type HttpRequest, type HttpResponse, type Reply } from "../hosting/http/reply.ts";
import { fieldChanges } from "../source/json/changes.ts";
import { isObject, objectIn, type JsonObject } from "../source/json/object.ts";
import { isTooDeep } from "../source/json/parse.ts";
import type { PageModel } from "../model/page.ts";
import { shownChange } from "../model/shown-change.ts";

/** The same requests to two APIs, and their lists. */

export interface NamedChange {
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

export const sendToBoth = (hosts: Hosts, request: HttpRequest): Promise<[Reply, Reply]> =>
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
export async function listedIds(model: PageModel, host: Client): Promise<number[]> {
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
export async function compareLists(
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
