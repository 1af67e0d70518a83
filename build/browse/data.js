import { writeDatesIn } from "./dom.js";
import { drafts, draftsBelow } from "./drafts.js";
import { addressKey, addressName, idFile, idsFrom, wordFile } from "./words.js";

/**
 * @typedef {object} SiteValues
 * @property {number} pages
 * @property {number} home
 * @property {{ code: string, label: string, home: number }[]} [languages] if the site has several, the main one first
 * @property {string} site_url
 * @property {string} [time_zone] in which times are shown
 * @property {string[]} types
 * @property {string[]} labels the readable name of each page type
 * @property {number[][]} below by type: the types that its subpages may have
 * @property {{ entries: import("./own-fields.js").FieldEntry[], types: [name: string, entry: number][][] }} [fields] those that the site declares, by type
 * @property {string[]} searched what the search covers, besides titles, ids and addresses
 * @property {boolean} bulk whether the host offers a bulk download
 * @property {boolean} [hasTypes] whether there is a `_types.json`, if pages are edited here
 * @property {import("../model/site.ts").Site} [editing] `_site.json`, if pages are edited here
 */

/** Without the counts that are 0. @typedef {SiteValues & Partial<import("./data-files.ts").Counts>} BrowseSite */

/**
 * A page in a list.
 * @typedef {object} PageRecord
 * @property {number} id
 * @property {string} type
 * @property {number} parent 0 for the home page
 * @property {string} title
 * @property {string} artists
 * @property {string} acno
 * @property {string} date
 * @property {string} image
 */

/** @typedef {[type: number, parent: number, title: string, artists?: string, acno?: string, date?: string, image?: string]} PageRow */

/** @type {Map<string, Promise<any>>} */
const requested = new Map();

/** The site has no file at this path. */
class MissingFile extends Error {}

/** A JSON file. It is requested only once, unless the request fails. @param {string} path @returns {Promise<any>} */
export function json(path) {
  let parsed = requested.get(path);
  if (parsed === undefined) {
    parsed = fetch(path).then((reply) => {
      if (reply.status === 404) throw new MissingFile(path);
      if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
      return reply.json();
    });
    parsed.catch(() => requested.delete(path));
    requested.set(path, parsed);
  }
  return parsed;
}

/** @type {BrowseSite | undefined} */
let known;

/** When `site.json` was requested. */
let since = 0;

/** Maximum milliseconds that cached data are used: a new release can appear while a tab is open. */
const MAX_AGE_MS = 60_000;

/** Empties the cache. */
export function forget() {
  requested.clear();
  known = undefined;
}

/** Empties the cache if it is too old. */
export function forgetOld() {
  if (Date.now() - since > MAX_AGE_MS) forget();
}

/** Whether `site.json` has not been loaded since the start or the last `forget`. */
export const isNew = () => known === undefined;

/** @returns {Promise<BrowseSite>} */
export async function site() {
  if (known !== undefined) return known;
  since = Date.now();
  known = /** @type {BrowseSite} */ (await json("/browse/site.json"));
  writeDatesIn(known.languages?.[0]?.code, known.time_zone);
  return known;
}

/** The hint about what the search covers. */
export const searchHint = async () =>
  `The search covers ${["titles", ...(await site()).searched, "ids"].join(", ")} and addresses.`;

/** The readable name of a page type. @param {string} type */
export async function labelOf(type) {
  const { types, labels } = await site();
  return labels[types.indexOf(type)] ?? type;
}

/**
 * A data file. Each data file contains the number of files of its kind. If a newer release has another number, the cache
 * is emptied and the file requested again.
 * @param {import("./data-files.ts").DataKind} kind
 * @param {(files: number) => number} fileOf
 * @returns {Promise<Record<string, any>>}
 */
export async function dataFile(kind, fileOf) {
  for (let isSecond = false; ; isSecond = true) {
    const { [kind]: files = 0 } = await site();
    const path = `/browse/${kind}/${fileOf(files)}.json`;
    try {
      const found = await json(path);
      if (found[""] === files) return found;
      throw new MissingFile(path);
    } catch (cause) {
      if (isSecond || !(cause instanceof MissingFile)) throw cause;
      forget();
    }
  }
}

/**
 * The words of the data file that contains a word, each with its lists of pages.
 * @param {string} word
 * @returns {Promise<Record<string, string>>}
 */
export async function wordsNear(word) {
  const { "": _, ...words } = await dataFile("words", (files) => wordFile(word, files));
  return words;
}

/** The id of the page with an address. @param {string} path @returns {Promise<number | undefined>} */
export async function pageAt(path) {
  const key = addressKey(new TextEncoder().encode(path));
  const ids = await dataFile("addresses", (files) => key % files);
  const name = addressName(key);
  return Object.hasOwn(ids, name) ? ids[name] : undefined;
}

/** @param {number} id @returns {Promise<PageRecord | undefined>} */
export async function record(id) {
  const draft = drafts.get(id);
  if (draft !== undefined) return draft;
  const rows = await dataFile("records", (files) => idFile(id, files));
  return Object.hasOwn(rows, String(id)) ? recordIn(id, rows[id]) : undefined;
}

/** @param {number} id @param {PageRow} row @returns {Promise<PageRecord>} */
async function recordIn(id, [type, parent, title, artists = "", acno = "", date = "", image = ""]) {
  const { types } = await site();
  return { id, type: types[type] ?? "", parent, title, artists, acno, date, image };
}

/** The paths of the images in `_media/`, relative to it, if pages are edited here. @returns {Promise<string[]>} */
export const imagePaths = () => json("/browse/images.json");

/** @typedef {[page: PageRecord, published: string | null]} DatedRecord */

/** @param {[number, string | null, PageRow][]} rows @returns {Promise<DatedRecord[]>} */
const datedRecords = (rows) =>
  Promise.all(rows.map(async ([id, date, row]) => [await recordIn(id, row), date]));

/**
 * The data of the home view besides the tree.
 * @returns {Promise<{ types: number[], newest: DatedRecord[], pictures: DatedRecord[] }>}
 */
export async function homeData() {
  const { types, newest, pictures } = await json("/browse/home.json");
  return { types, newest: await datedRecords(newest), pictures: await datedRecords(pictures) };
}

/** @param {readonly number[]} ids @returns {Promise<PageRecord[]>} */
export async function recordsOf(ids) {
  const found = await Promise.all(ids.map(record));
  return found.filter((one) => one !== undefined);
}

/**
 * The published subpages of a page, in their order.
 * @param {number} id
 * @returns {Promise<import("../model/position.ts").Positioned[]>}
 */
export async function positionsBelow(id) {
  const below = await dataFile("trees", (files) => idFile(id, files));
  const tree = below[id] ?? "";
  const [rest, ...placed] = Array.isArray(tree) ? tree : [tree];
  return [
    ...placed.map(([one, position]) => ({ id: one, position })),
    ...idsFrom(rest).map((one) => ({ id: one, position: 0 })),
  ];
}

/** @param {number} id @returns {Promise<number[]>} */
export const idsBelow = async (id) => [
  ...(await positionsBelow(id)).map((one) => one.id),
  ...draftsBelow(id),
];

/** The ancestors of a page, from the home page down. @param {PageRecord} page @returns {Promise<PageRecord[]>} */
export async function ancestors(page) {
  /** @type {PageRecord[]} */
  const above = [];
  for (let id = page.parent; id !== 0 && above.length < 50;) {
    const next = await record(id);
    if (next === undefined) break;
    above.unshift(next);
    id = next.parent;
  }
  return above;
}

/** The language of a page, on a site with several. @param {PageRecord} page */
export async function languageOf(page) {
  const { languages } = await site();
  if (languages === undefined) return undefined;
  const [{ id } = page] = await ancestors(page);
  return languages.find(({ home }) => home === id) ?? languages[0];
}

/**
 * The unchanged response of the API.
 * @param {number} id
 * @returns {Promise<{ text: string, bytes: number } | undefined>} undefined if the page is not published any more
 */
export async function response(id) {
  const reply = await fetch(drafts.get(id)?.address ?? `/api/v2/pages/${id}/`);
  if (reply.status === 404) return undefined;
  if (!reply.ok) throw new Error(`${reply.status}`);
  const bytes = await reply.arrayBuffer();
  return { text: new TextDecoder().decode(bytes), bytes: bytes.byteLength };
}

/**
 * The facts about the bulk download in its index.
 * @returns {Promise<{ files: number, bytes: number, changed: string | null } | undefined>} undefined if there is none
 */
export async function bulkDownload() {
  if (!(await site()).bulk) return undefined;
  const reply = await fetch("/bulk/index.json");
  if (!reply.ok) return undefined;
  /** @type {{ shards: ([name: string, bytes: number] | null)[] }} */
  const { shards } = await reply.json();
  const sizes = shards.flatMap((shard) => (shard === null ? [] : [shard[1]]));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { files: sizes.length, bytes, changed: reply.headers.get("Last-Modified") };
}
