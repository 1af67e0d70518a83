import { createHash } from "node:crypto";
import { API, pathOf } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { grouped } from "../../base/grouped.ts";
import {
  addressesPath,
  CHANGED_FILE,
  childrenPath,
  furtherChildren,
  INDEX_FILE,
  MAX_CHILDREN,
} from "../../base/website.ts";
import { beginning, excerpt, header, type HttpResponse } from "../../hosting/http/reply.ts";
import { objectIn, type JsonObject } from "../../source/json/object.ts";
import type { Item } from "../../model/item.ts";
import {
  blockNames,
  headerChecks,
  headerFaults,
  jsonFault,
  messageOf,
  expecting,
  type FaultOf,
  type Probe,
} from "../probe.ts";
import { builtFile, isNeverCached, isServed, openFault, otherThanBuilt, cacheFault } from "./files.ts";

/** The files for websites, compared with the pages, and the lists of a host with a program. */
export async function probeWebsite(probe: Probe): Promise<void> {
  const { client, concurrency, placed } = probe;
  const reply = await client.sendAlone({ path: `/${INDEX_FILE}` });
  const built = builtFile(probe, INDEX_FILE);
  const index = isServed(reply) ? objectIn(reply.body.toString("utf8")) : undefined;
  // Without a build to compare with, another file there is a third-party one.
  if (built === undefined && !Number.isInteger(index?.["digits"])) return;
  const faultOfIndex: FaultOf = (response) =>
    otherThanBuilt(response, built) ?? indexFault(probe, index ?? {});
  probe.checkReply("index-files", reply, expecting(200, faultOfIndex));
  if (!isServed(reply) || index === undefined) return;
  checkHeaders(probe, reply);

  const isWhole = probe.pages.complete && placed.size === probe.pages.ids.length;
  /** Requests a file, and compares it with the build's, then with the pages. */
  const get = async (
    path: string,
    faultOf: (file: JsonObject) => string | undefined,
  ): Promise<JsonObject> => {
    let file: JsonObject = {};
    const response = await probe.get("index-files", `/${path}`, (found) => {
      file = objectIn(found.body.toString("utf8")) ?? {};
      return otherThanBuilt(found, builtFile(probe, path)) ?? faultOf(file);
    });
    if (response !== undefined) checkHeaders(probe, response);
    return file;
  };
  if (builtFile(probe, CHANGED_FILE) !== undefined) await get(CHANGED_FILE, () => undefined);

  const families = grouped(placed.values(), ({ parent }) => parent);
  const below = new Map<number, Item[]>();
  await forEachConcurrent(families, concurrency, async ([parent, family]) => {
    if (parent === undefined) return;
    // The pages of a large section are in several files, which are compared together with the last one.
    let first: JsonObject | undefined;
    await get(childrenPath(parent), (file) => {
      first = file;
      return furtherChildren(file).length > 0 ? undefined : childrenFault(file["children"], family, isWhole);
    });
    if (!Array.isArray(first?.["children"])) return;
    const children = first["children"] as Item[];
    const further = furtherChildren(first);
    for (const path of further)
      await get(path, ({ children: more }) => {
        if (!Array.isArray(more)) return "no list of pages";
        children.push(...(more as Item[]));
        return path === further.at(-1) ? childrenFault(children, family, isWhole) : undefined;
      });
    below.set(parent, children);
  });
  const leaf = Array.from(placed.keys()).find((id) => !families.has(id));
  if (isWhole && leaf !== undefined)
    await probe.send("index-files", { path: `/${childrenPath(leaf)}` }, ({ status }) =>
      status === 404 ? undefined : `${status}, but the page has no subpages`,
    );

  const home = families.get(undefined)?.[0]?.item.meta.html_url;
  if (home !== undefined) {
    const hashed = grouped(placed.values(), ({ item }) =>
      createHash("sha256").update(addressOf(item, home)).digest("hex").slice(0, Number(index["digits"])),
    );
    await forEachConcurrent(hashed, concurrency, async ([digits, own]) => {
      await get(addressesPath(digits), (file) => {
        const wrong = own.find(({ item }) => file[addressOf(item, home)] !== item.id)?.item;
        return wrong && `page ${wrong.id} is not at its address ${addressOf(wrong, home)}`;
      });
    });
    const { limit = 20 } = index as { limit?: number };
    await probeLists(probe, home, below, { limit, isWhole });
  }
}

/** @param home the address of the home page, which ends in a slash. */
const addressOf = ({ meta }: Item, home: string): string => meta.html_url.slice(home.length - 1);

function indexFault({ pages, placed }: Probe, index: JsonObject): string | undefined {
  const { format, root, pages: count } = index;
  if (format !== 1) return `the format ${String(format)}`;
  const found = placed.get(root as number);
  if (!Number.isSafeInteger(root) || (found !== undefined && found.parent !== undefined))
    return `the root ${String(root)}, which is not the home page`;
  return pages.complete && count !== pages.ids.length
    ? `${String(count)} pages instead of ${pages.ids.length}`
    : undefined;
}

function childrenFault(
  children: unknown,
  family: readonly { item: Item }[],
  isWhole: boolean,
): string | undefined {
  if (!Array.isArray(children)) return "no list of pages";
  const listed = new Map(
    (children as Item[]).map(({ shown: _shown, ...item }) => [item.id, JSON.stringify(item)]),
  );
  const wrong = family.find(({ item }) => listed.get(item.id) !== JSON.stringify(item))?.item;
  if (wrong !== undefined)
    return `page ${wrong.id} is ${listed.has(wrong.id) ? "different there" : "missing"}`;
  return isWhole && children.length !== family.length
    ? `${children.length} pages instead of ${family.length}`
    : undefined;
}

function checkHeaders(probe: Probe, response: HttpResponse): void {
  for (const fault of [
    headerChecks["content-type"](response),
    openFault(response),
    cacheFault(response, isNeverCached),
  ])
    probe.check("index-headers", response, fault);
}

const NOWHERE = { message: "not found" };
const FIND = `${API}find/`;

/** The 404 of a host that only has files, which has no program that could respond. */
const isFileHost = ({ status }: HttpResponse, fault: string | undefined): boolean =>
  status === 403 || (status === 404 && fault !== undefined);

const nowhere: FaultOf = (response) => jsonFault(response, NOWHERE);
const says =
  (message: string): FaultOf =>
  (response) =>
    jsonFault(response, { message });

const leadsTo =
  (id: number, base: string): FaultOf =>
  (response) => {
    const location = header(response, "Location") ?? "";
    const isPage = URL.canParse(location, base) && new URL(location, base).pathname.endsWith(pathOf(id));
    return isPage ? undefined : `Location: ${excerpt(location)}`;
  };

/** @param total the number of pages in the list, of which the response has `items`. */
const lists =
  (total: number, items: readonly object[]): FaultOf =>
  ({ body }) => {
    const text = body.toString("utf8");
    const expected = { meta: { total_count: total }, items };
    return JSON.stringify(objectIn(text)) === JSON.stringify(expected) ? undefined : beginning(text);
  };

/** The fields of a page in the order of lists. */
const shown = ({ id, title, meta }: Item): object => ({ id, meta, title });

/** @param families the pages below each requested page, as in the files. */
async function probeLists(
  probe: Probe,
  home: string,
  families: ReadonlyMap<number, Item[]>,
  { limit, isWhole }: { limit: number; isWhole: boolean },
): Promise<void> {
  const first = await probe.client.sendAlone({ path: `${FIND}?html_path=/` });
  if (first.kind === "response" && isFileHost(first, nowhere(first))) return;
  const expect = async (path: string, status: number, faultOf: FaultOf): Promise<void> => {
    const withHeaders: FaultOf = (response) =>
      messageOf(headerFaults(response, blockNames)) ?? faultOf(response);
    await probe.send("lists", { path }, expecting(status, withHeaders));
  };
  const placed = [...probe.placed.values()];
  const inOtherScripts = placed.find(({ item }) => item.meta.html_url.includes("%", home.length));
  for (const { item } of [...placed.slice(0, 3), ...(inOtherScripts === undefined ? [] : [inOtherScripts])]) {
    const leads = leadsTo(item.id, probe.client.base + FIND);
    const address = addressOf(item, home);
    await expect(`${FIND}?html_path=${address}`, 302, leads);
    await expect(`${FIND}?html_path=${encodeURIComponent(address)}`, 302, leads);
    await expect(`${FIND}?id=${item.id}&format=json`, 302, leads);
  }
  await expect(`${FIND}?html_path=/none/at/all/`, 404, nowhere);

  const [largest] = [...families].sort(([, a], [, b]) => b.length - a.length);
  if (largest === undefined) return;
  const [parent, children] = largest;
  const of = (query: string, pages: readonly Item[], from = 0, to = 20): Promise<void> =>
    expect(
      `${API}?${query}`,
      200,
      lists(pages.length, pages.slice(from, Math.min(to, from + limit)).map(shown)),
    );
  const list = `child_of=${parent}`;
  await of(`${list}&format=json&_=1`, children);
  await of(`${list}&offset=1&limit=1`, children, 1, 2);
  // A host filters and orders a section of that many pages only if the site has few others.
  if (children.length <= MAX_CHILDREN) {
    const inMenus = children.filter(({ meta }) => meta.show_in_menus);
    await of(`${list}&show_in_menus=true`, inMenus);
    const byTitle = children.toSorted((a, b) =>
      a.title === b.title ? a.id - b.id : a.title < b.title ? 1 : -1,
    );
    await of(`${list}&order=-title`, byTitle);
    const [child] = children;
    if (child !== undefined) {
      await of(
        `${list}&slug=${child.meta.slug}&type=${child.meta.type}&locale=${child.meta.locale ?? "en"}`,
        [child],
      );
      const titles = byTitle.slice(0, 3).map(({ title }) => ({ title }));
      await expect(`${API}?${list}&order=-title&limit=3&fields=_,title`, 200, lists(children.length, titles));
      await of(`ancestor_of=${child.id}&child_of=${child.id}`, []);
      await of(`translation_of=${child.id}`, []);
    }
  }
  const all = [...probe.placed.values()].map(({ item }) => item).sort((a, b) => a.id - b.id);
  if (isWhole) {
    await of("", all);
    await of("order=-id&limit=2", all.toReversed(), 0, 2);
  }
  for (const [query, message] of [
    [`${list}&limit=${limit + 1}`, `limit cannot be higher than ${limit}`],
    ["unknown=1", "query parameter is not an operation or a recognised field: unknown"],
    ["order=unknown", "cannot order by 'unknown' (unknown field)"],
    ["fields=unknown", "unknown fields: unknown"],
    ["type=Unknown", "type doesn't exist"],
    ["search=x", "search is disabled: this API has no search"],
  ])
    await expect(`${API}?${query}`, 400, says(message ?? ""));
}
