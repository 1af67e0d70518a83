import { drafts, draftsBelow } from "./drafts.js";
import { idPart, idsFrom, wordPart } from "./words.js";

/**
 * @typedef {object} Site
 * @property {number} pages
 * @property {number} words
 * @property {number} records
 * @property {number} trees
 * @property {number} home
 * @property {string} site_url
 * @property {string[]} types
 */

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

/** @typedef {[type: number, parent: number, title: string, artists?: string, acno?: string, date?: string, image?: string]} Row */

/** @type {Map<string, Promise<any>>} */
const asked = new Map();

/**
 * What is asked for once is kept; what failed is asked for again.
 * @param {string} path
 * @returns {Promise<any>}
 */
function json(path) {
  let answer = asked.get(path);
  if (answer === undefined) {
    answer = fetch(path).then((got) => {
      if (!got.ok) throw new Error(`${path}: ${got.status}`);
      return got.json();
    });
    answer.catch(() => asked.delete(path));
    asked.set(path, answer);
  }
  return answer;
}

/** @type {Site | undefined} */
let known;

/** What is asked for next is asked for anew. */
export function forget() {
  asked.clear();
  known = undefined;
}

/** @returns {Promise<Site>} */
export const site = async () => (known ??= /** @type {Site} */ (await json("/browse/site.json")));

/**
 * @param {"words" | "records" | "trees"} kind
 * @param {number} number
 * @returns {Promise<Record<string, any>>}
 */
const part = (kind, number) => json(`/browse/${kind}/${number}.json`);

/**
 * The words of the part in which a word lies, each with its pages by how well it stands for them.
 * @param {string} word
 * @returns {Promise<Record<string, number[][]>>}
 */
export async function wordsNear(word) {
  const { words } = await site();
  return part("words", wordPart(word, words));
}

/** @param {number} id @returns {Promise<PageRecord | undefined>} */
export async function record(id) {
  const draft = drafts.get(id);
  if (draft !== undefined) return draft;
  const { records, types } = await site();
  const rows = await part("records", idPart(id, records));
  if (!Object.hasOwn(rows, String(id))) return undefined;
  const [type, parent, title, artists = "", acno = "", date = "", image = ""] = /** @type {Row} */ (rows[id]);
  return { id, type: types[type] ?? "", parent, title, artists, acno, date, image };
}

/** @param {readonly number[]} ids @returns {Promise<PageRecord[]>} */
export async function recordsOf(ids) {
  const found = await Promise.all(ids.map(record));
  return found.filter((one) => one !== undefined);
}

/** @param {number} id @returns {Promise<number[]>} */
export async function idsBelow(id) {
  const { trees } = await site();
  const below = await part("trees", idPart(id, trees));
  return [...(Object.hasOwn(below, String(id)) ? idsFrom(below[id]) : []), ...draftsBelow(id)];
}

/** The pages above one, from the home page down. @param {PageRecord} page @returns {Promise<PageRecord[]>} */
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

/** The answer of the API, as it came. @param {number} id @returns {Promise<{ text: string, bytes: number }>} */
export async function response(id) {
  const answer = await fetch(drafts.get(id)?.address ?? `/api/v2/pages/${id}/`);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const bytes = await answer.arrayBuffer();
  return { text: new TextDecoder().decode(bytes), bytes: bytes.byteLength };
}
