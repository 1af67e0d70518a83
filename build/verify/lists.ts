import { API } from "../base/api.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { Failure } from "../base/failure.ts";
import { childrenPath } from "../base/website.ts";
import type { Client } from "../http/client.ts";
import { excerpt, type HttpRequest } from "../http/reply.ts";
import { fieldChanges } from "../json/changes.ts";
import { isObject, type JsonObject } from "../json/object.ts";
import type { PageModel } from "../page/page.ts";
import { shownChange } from "../page/shown-change.ts";
import { bodyOf, sendTo, type Hosts, type NamedChange } from "./both.ts";

/** The lists of two APIs. */

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
    all.push(...items.filter(isObject));
    if (items.length === 0 || all.length >= total) return all;
  }
}

/**
 * Compares the pages below each parent: the old API's list with the new API's file for websites. Their order is not
 * compared, because Wagtail's lists are sorted by id. @returns the number of compared lists
 */
export async function compareLists(
  [old, now]: Hosts,
  parents: Iterable<number>,
  model: PageModel,
  concurrency: number,
  add: (request: HttpRequest, changes: Iterable<NamedChange>) => void,
): Promise<number> {
  let lists = 0;
  await forEachConcurrent(parents, concurrency, async (parent) => {
    const reply = await sendTo(now, { path: `/${childrenPath(parent)}` });
    const file = reply.kind === "response" && reply.status === 200 ? bodyOf(reply).value : undefined;
    const children: unknown = file?.["children"];
    if (!Array.isArray(children)) return;
    const listed = await readAll(old, `child_of=${parent}&`);
    if (listed === undefined) return;
    lists++;
    const request = { path: `${API}?child_of=${parent}` };
    add(request, listChanges(model, listed, children.filter(isObject)));
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
