import { ancestors, record, wordsNear } from "./data.js";
import { draftsWith } from "./drafts.js";
import { fold, idsFrom, isLongEnough, wordsOf } from "./words.js";

/** What a page counts for, by how well a word stands for it: the word itself, or one that only begins so. */
const WEIGHTS = { whole: [16, 9, 7, 4], beginning: [6, 5, 4, 2] };

/** More words than anybody means. */
const MOST_WORDS = 12;

/**
 * @typedef {object} Query
 * @property {string[]} words folded; subjects as `subject:…`
 * @property {number | undefined} id what is asked for where it is a number, or an address of the API
 * @property {string[]} address the parts of an address of the website
 */

/** @param {string} text @returns {Query} */
export function parseQuery(text) {
  const asked = text.trim().slice(0, 500);
  const api = /\/api\/v2\/pages\/(\d+)(?:\/|$)/.exec(asked);
  const id = /^\d{1,16}$/.test(asked) ? Number(asked) : api ? Number(api[1]) : undefined;
  if (api) return { words: [], id, address: [] };
  const isAddress = /^https?:\/\/|^\//i.test(asked);
  const path = isAddress ? asked.replace(/^https?:\/\/[^/]*/i, "").replace(/[?#].*$/, "") : "";
  const address = path.split("/").filter((part) => part !== "");
  const plain = isAddress ? (address.at(-1) ?? "") : asked;
  /** @type {string[]} */
  const words = [];
  for (const piece of plain.split(/\s+/)) {
    if (/^subject:./i.test(piece)) words.push(`subject:${wordsOf(piece.slice(8)).join("-")}`);
    else words.push(...wordsOf(piece));
  }
  return { words: [...new Set(words)].slice(0, MOST_WORDS), id, address };
}

/**
 * Pages that a word finds, with what each counts for.
 * @param {string} word
 * @returns {Promise<Map<number, number> | undefined>} undefined for a word that is still too short to tell
 */
async function pagesOf(word) {
  const near = await wordsNear(word);
  /** @type {Map<number, number>} */
  const scores = new Map();
  const add = (/** @type {number[][]} */ lists, /** @type {number[]} */ weights) => {
    for (const [kind, differences] of lists.entries())
      for (const id of idsFrom(differences))
        scores.set(id, Math.max(scores.get(id) ?? 0, weights[kind] ?? 1));
  };
  if (Object.hasOwn(near, word)) add(/** @type {number[][]} */ (near[word]), WEIGHTS.whole);
  if (word.startsWith("subject:")) return scores;
  if (!isLongEnough(word)) return scores.size === 0 ? undefined : scores;
  for (const [other, lists] of Object.entries(near))
    if (other !== word && other.startsWith(word)) add(lists, WEIGHTS.beginning);
  return scores;
}

/** How many pages are put in order by what is shown of them. */
const LOOKED_AT = 12;

/**
 * The ids of the pages that have all words, best first.
 * @param {string} text
 * @returns {Promise<{ ids: number[], words: string[] }>}
 */
export async function find(text) {
  const { words, id, address } = parseQuery(text);
  const sets = (await Promise.all(words.map(pagesOf))).filter((set) => set !== undefined);
  sets.sort((a, b) => a.size - b.size);
  const [fewest, ...others] = sets;
  /** @type {[id: number, score: number][]} */
  const scored = [];
  if (fewest !== undefined)
    for (const [page, score] of fewest) {
      let sum = score;
      if (others.every((set) => (sum += set.get(page) ?? Number.NaN) >= 0)) scored.push([page, sum]);
    }
  scored.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const ids = scored.map(([page]) => page);
  const first = await inOrder(ids.slice(0, LOOKED_AT), new Map(scored), text, address);
  const found = [...draftsWith(words), ...first, ...ids.slice(LOOKED_AT)];
  const own = id === undefined ? undefined : await record(id);
  if (own !== undefined) return { ids: [own.id, ...found.filter((other) => other !== own.id)], words };
  return { ids: found, words };
}

/**
 * The best candidates by what only a look at them tells: the very title, its beginning, the address.
 * @param {number[]} ids
 * @param {Map<number, number>} scores
 * @param {string} text
 * @param {string[]} address
 */
async function inOrder(ids, scores, text, address) {
  const asked = wordsOf(text).join(" ");
  const above = address.length - 1;
  const ranked = await Promise.all(
    ids.map(async (id) => {
      const page = await record(id);
      if (page === undefined) return { id, score: -1 };
      const title = wordsOf(page.title).join(" ");
      let score = scores.get(id) ?? 0;
      if (title === asked) score += 40;
      else if (title.startsWith(`${asked} `)) score += 8;
      else if (` ${title} `.includes(` ${asked} `)) score += 4;
      if (page.acno !== "" && fold(page.acno) === asked) score += 40;
      if (above >= 0 && (await ancestors(page)).length === address.length) score += 10;
      return { id, score };
    }),
  );
  return ranked.sort((a, b) => b.score - a.score || a.id - b.id).map(({ id }) => id);
}

const WORD = /[\p{L}\p{N}\p{M}'’ʼ]+/gu;

/**
 * A text as nodes, with what matches marked.
 * @param {string} text
 * @param {readonly string[]} words folded
 * @returns {(Node | string)[]}
 */
export function marked(text, words) {
  /** @type {(Node | string)[]} */
  const nodes = [];
  let last = 0;
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const folded = wordsOf(found).join("");
    const word = words.filter((one) => folded.startsWith(one)).sort((a, b) => b.length - a.length)[0];
    if (word === undefined) continue;
    let end = found.length;
    if (folded.length > word.length)
      for (end = 1; end < found.length && wordsOf(found.slice(0, end)).join("").length < word.length;) end++;
    // A letter's marks belong to it.
    while (/^\p{M}/u.test(found.slice(end))) end++;
    const mark = document.createElement("mark");
    mark.textContent = found.slice(0, end);
    nodes.push(text.slice(last, index), mark);
    last = index + end;
  }
  nodes.push(text.slice(last));
  return nodes;
}
