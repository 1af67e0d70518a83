import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { BULK_INDEX, API, pathOf } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { readBytes } from "../../base/file.ts";
import { FOLDER, INDEX, isOwnIndex } from "../../outputs/browse/files.ts";
import { CONTRACT_FILES } from "../../outputs/contract/names.ts";
import {
  excerpt,
  header,
  statusOf,
  tokensOf,
  type HttpResponse,
  type Reply,
  beginning,
} from "../../hosting/http/reply.ts";
import { isObject, objectIn, type JsonObject } from "../../source/json/object.ts";
import { endingOf, IMAGE_ENDINGS, IMAGE_KINDS, kindOf, MEDIA } from "../../source/image-kinds.ts";
import { Damaged, shardAt, type BulkIndex, type Shard } from "../../outputs/shards/format.ts";
import { parseIndex } from "../../outputs/shards/schema.ts";
import { openShard } from "../../outputs/shards/unzip.ts";
import { parseBody } from "../body.ts";
import {
  headerChecks,
  expecting,
  type FaultOf,
  type Probe,
  blockNames,
  headerFaults,
  jsonFault,
  messageOf,
} from "../probe.ts";
import type { PlainPage } from "./pages.ts";
import { grouped } from "../../base/grouped.ts";
import {
  addressesPath,
  CHANGED_FILE,
  childrenPath,
  furtherChildren,
  INDEX_FILE,
  MAX_CHILDREN,
} from "../../base/website.ts";
import type { Item } from "../../model/item.ts";

/** The files besides the pages: the contract, the browse UI, the bulk download and images, each optional. */

const isServed = (reply: Reply): reply is HttpResponse => reply.kind === "response" && reply.status === 200;

const builtFile = ({ out }: Probe, path: string): Buffer | undefined =>
  out === undefined ? undefined : readBytes(join(out, path));

const otherThanBuilt = (response: HttpResponse, built: Buffer | undefined): string | undefined =>
  built?.equals(response.body) === false ? "other bytes than the build's" : undefined;

/** Whether every website may read the response, and with no other type than its own. */
const openFault: FaultOf = (response) => headerChecks.cors(response) ?? headerChecks.nosniff(response);

export async function probeContractFiles(probe: Probe): Promise<void> {
  for (const file of CONTRACT_FILES) {
    const reply = await probe.client.sendAlone({ path: `/${file}` });
    const built = builtFile(probe, file);
    if (built === undefined && !isServed(reply)) continue;
    const faultOf = expecting(200, (response) => {
      if (built !== undefined) return otherThanBuilt(response, built);
      const body = parseBody(response.body);
      return typeof body === "string" ? body : undefined;
    });
    probe.checkReply("contract-files", reply, faultOf);
    if (!isServed(reply)) continue;
    for (const name of ["content-type", "cors", "nosniff"] as const)
      probe.check("contract-headers", reply, headerChecks[name](reply));
  }
}

/**
 * The policy against third-party scripts and styles, whatever a page has (“Browse UI” in docs/reference.md).
 *
 * @param editing a space and the origin of the API that the editor uses; empty if there is no editor.
 */
const policyFor = (editing: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'${editing}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const SITE_PATH = `/${FOLDER}/site.json`;
const SCRIPT = /^(?:text|application)\/javascript\b/;
const STYLE = /^text\/css\b/;

/** One file of each kind. */
const BROWSE_FILES: [path: string, type: RegExp][] = [
  [`/${FOLDER}/app.js`, SCRIPT],
  [`/${FOLDER}/page.css`, STYLE],
  [SITE_PATH, /^application\/json\b/],
];
const EDITOR_FILES: [path: string, type: RegExp][] = [
  [`/${FOLDER}/edit.js`, SCRIPT],
  [`/${FOLDER}/edit.css`, STYLE],
];

export async function probeBrowse(probe: Probe): Promise<void> {
  const home = await probe.client.sendAlone({ path: "/" });
  const isBrowse = isServed(home) && isOwnIndex(home.body.toString("utf8"));
  // Without a build to compare with, another page there is a third-party website.
  if (builtFile(probe, INDEX) === undefined && !isBrowse) return;
  const faultOf: FaultOf = (response) => (isBrowse ? typeFault(response, /^text\/html\b/) : "another page");
  probe.checkReply("browse-page", home, expecting(200, faultOf));
  if (!isBrowse) return;
  const origin = await editorOrigin(probe);
  const policy = policyFor(origin === undefined ? "" : ` ${origin}`);
  const checkPolicy = (response: HttpResponse): void => {
    const found = header(response, "Content-Security-Policy") ?? "";
    const fault = found === policy ? undefined : `Content-Security-Policy: ${excerpt(found)}`;
    probe.check("browse-policy", response, fault);
  };
  checkPolicy(home);
  await probe.send("browse-page", { path: "/?page=1&q=a%20b" }, (response) =>
    isServed(response) && isOwnIndex(response.body.toString("utf8")) ? undefined : statusOf(response),
  );
  for (const [path, type] of [...BROWSE_FILES, ...(origin === undefined ? [] : EDITOR_FILES)]) {
    const response = await probe.get("browse-assets", path, (found) => typeFault(found, type));
    if (response !== undefined) checkPolicy(response);
  }
}

function typeFault(response: HttpResponse, type: RegExp): string | undefined {
  const found = header(response, "Content-Type") ?? "";
  if (!type.test(found)) return `Content-Type: ${excerpt(found)}`;
  const sniffing = header(response, "X-Content-Type-Options");
  return sniffing === "nosniff" ? undefined : `X-Content-Type-Options: ${excerpt(sniffing ?? "")}`;
}

/** The origin of the editor's API, from the build's files or else the host's; undefined without editor. */
async function editorOrigin(probe: Probe): Promise<string | undefined> {
  const built = builtFile(probe, SITE_PATH);
  const reply = built === undefined ? await probe.client.sendAlone({ path: SITE_PATH }) : undefined;
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

/** No shard has this name. */
const MISSING_SHARD = `/bulk/shards/${"0".repeat(64)}.zip`;

const cacheControl = (response: HttpResponse): string[] =>
  tokensOf(response.headers.get("cache-control") ?? []);

/** Whether the directives of `Cache-Control` are right. */
type IsCaching = (tokens: string[]) => boolean;

const cacheFault = (response: HttpResponse, isRight: IsCaching): string | undefined =>
  isRight(cacheControl(response)) ? undefined : `Cache-Control: ${cacheControl(response).join(", ")}`;

const isNeverCached: IsCaching = (tokens) => tokens.includes("no-store");
/** A year is the usual maximum. */
const isCached: IsCaching = (tokens) => tokens.includes("immutable") && tokens.includes("max-age=31536000");
/** A missing shard may be published later, so its 404 must have no cache time. */
const mayAppear: FaultOf = (response) =>
  cacheFault(
    response,
    (tokens) => !tokens.some((token) => token === "immutable" || /^(?:s-)?max(?:-)?age=[1-9]/.test(token)),
  );

export async function probeBulk(probe: Probe): Promise<void> {
  const built = builtFile(probe, BULK_INDEX);
  const reply = await probe.client.sendAlone({ path: `/${BULK_INDEX}` });
  const found = isServed(reply) ? parseIndex(reply.body) : undefined;
  // Without a build to compare with, another file there is a third-party one.
  const isOther = !isServed(reply) || (typeof found === "string" && !reply.body.includes('"shards"'));
  if (built === undefined && isOther) return;
  const faultOf: FaultOf = (response) =>
    otherThanBuilt(response, built) ?? (typeof found === "string" ? found : undefined);
  probe.checkReply("bulk-index", reply, expecting(200, faultOf));
  if (!isServed(reply) || typeof found !== "object") return;
  checkBulkHeaders(probe, reply, "application/json", isNeverCached);
  for (const shard of shardsOf(found)) {
    const response = await probe.get("bulk-shards", `/bulk/${shard.key}`, (zip) => shardFault(zip, shard));
    if (response !== undefined) checkBulkHeaders(probe, response, "application/zip", isCached);
  }
  await probe.send("bulk-missing", { path: MISSING_SHARD }, expecting(404, mayAppear));
}

/** The first, a middle and the last shard. */
function shardsOf(index: BulkIndex): Shard[] {
  const shards = index.shards.flatMap((_, remainder) => shardAt(index, remainder) ?? []);
  const chosen = new Set([shards[0], shards[shards.length >> 1], shards.at(-1)]);
  return [...chosen].filter((shard) => shard !== undefined);
}

function shardFault({ body }: HttpResponse, shard: Shard): string | undefined {
  try {
    openShard(body, shard);
    return undefined;
  } catch (cause) {
    if (cause instanceof Damaged) return cause.message;
    throw cause;
  }
}

function checkBulkHeaders(probe: Probe, response: HttpResponse, type: string, isRight: IsCaching): void {
  const found = response.headers.get("content-type") ?? [];
  const isType = found.length === 1 && found[0]?.split(";")[0]?.trim() === type;
  const wrongType = isType ? undefined : `Content-Type: ${found.join(", ")}`;
  probe.check("bulk-headers", response, openFault(response) ?? wrongType ?? cacheFault(response, isRight));
}

export async function probeMedia(probe: Probe, pages: readonly PlainPage[]): Promise<void> {
  const folder = probe.out === undefined ? undefined : join(probe.out, MEDIA);
  const built = folder !== undefined && existsSync(folder) ? oneOfEachKind(folder) : [];
  const paths = new Set([...pages.flatMap(imagesOf), ...built]);
  await forEachConcurrent([...paths], probe.concurrency, (path) => probeImage(probe, path));
}

async function probeImage(probe: Probe, path: string): Promise<void> {
  const ending = endingOf(path);
  const response = await probe.get("media-images", `/${MEDIA}/${path}`, (found) => {
    const kind = kindOf(found.body.subarray(0, 256));
    if (kind.ending !== ending) return `a body that is ${kind.name}`;
    return otherThanBuilt(found, builtFile(probe, `${MEDIA}/${decodeURIComponent(path)}`));
  });
  if (response === undefined) return;
  const type = (response.headers.get("content-type") ?? []).join(", ");
  const wrongType = type === IMAGE_KINDS[ending]?.contentType ? undefined : `Content-Type: ${type}`;
  probe.check("media-headers", response, wrongType ?? openFault(response));
}

/** The paths of a page's images that are published below its own host's address. */
function imagesOf({ body }: PlainPage): string[] {
  const page = parseBody(body);
  const meta = typeof page === "string" ? undefined : page["meta"];
  const detail = isObject(meta) ? meta["detail_url"] : undefined;
  if (typeof detail !== "string" || !URL.canParse(detail)) return [];
  const base = new URL(`${detail.replace(/\/api\/v2\/pages\/\d+\/$/, "")}/${MEDIA}/`).href;
  return textsIn(page)
    .flatMap((url) => (URL.canParse(url) ? new URL(url).href : []))
    .flatMap((url) => (url.startsWith(base) ? url.slice(base.length) : []))
    .map((path) => path.replace(/[?#].*$/s, ""))
    .filter((path) => IMAGE_ENDINGS.includes(endingOf(path)));
}

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** The first image of each kind, as an address spells its path. */
function oneOfEachKind(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return IMAGE_ENDINGS.flatMap((ending) => files.find((file) => endingOf(file) === ending) ?? []).map(
    (file) => file.split(/[\\/]/).map(encodeURIComponent).join("/"),
  );
}

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

  const home = families.get(undefined)?.[0]?.item;
  if (home !== undefined) {
    const pathOfAddress = (address: string): string =>
      addressesPath(createHash("sha256").update(address).digest("hex").slice(0, Number(index["digits"])));
    const siteUrl = await siteUrlOf(
      home,
      async (address) => (await get(pathOfAddress(address), () => undefined))[address] === home.id,
    );
    const addressOf = ({ meta }: Item): string => meta.html_url.slice(siteUrl.length);
    const hashed = grouped(placed.values(), ({ item }) => pathOfAddress(addressOf(item)));
    await forEachConcurrent(hashed, concurrency, async ([path, own]) => {
      await get(path, (file) => {
        const wrong = own.find(({ item }) => file[addressOf(item)] !== item.id)?.item;
        return wrong && `page ${wrong.id} is not at its address ${addressOf(wrong)}`;
      });
    });
    const { limit = 20 } = index as { limit?: number };
    await probeLists(probe, addressOf, below, { limit, isWhole });
  }
}

/** The beginning of all addresses: a language may put its home page below it, and the website may be in a folder. */
async function siteUrlOf(
  { meta: { html_url: home } }: Item,
  isAddress: (address: string) => Promise<boolean>,
): Promise<string> {
  const [origin = home] = /^\w+:\/\/[^/]*/.exec(home) ?? [];
  const slashes = [...home.matchAll(/\//g)].map(({ index }) => index).filter((at) => at >= origin.length);
  for (const at of slashes.slice(1).reverse()) if (await isAddress(home.slice(at))) return home.slice(0, at);
  return origin;
}

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
  addressOf: (page: Item) => string,
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
  const inOtherScripts = placed.find(({ item }) => addressOf(item).includes("%"));
  for (const { item } of [...placed.slice(0, 3), ...(inOtherScripts === undefined ? [] : [inOtherScripts])]) {
    const leads = leadsTo(item.id, probe.client.base + FIND);
    const address = addressOf(item);
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
      const translations = probe.placed.get(child.id)?.translations.map((id) => probe.placed.get(id)?.item);
      if (translations?.every((item) => item !== undefined))
        await of(
          `translation_of=${child.id}`,
          translations.sort((a, b) => a.id - b.id),
        );
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
