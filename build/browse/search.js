import { pageAt, record, recordsOf, site, wordsNear } from "./data.js";
import { draftsWith } from "./drafts.js";
import {
  beginningKey,
  fold,
  isKeyword,
  isLongEnough,
  isUnspaced,
  languageWord,
  listsFrom,
  MAX_COUNTED,
  PART_LENGTH,
  partsOfNumber,
  partWord,
  similarWords,
  subjectWord,
  typeWord,
  wordsOf,
  wordsThatFind,
  withoutUnseen,
} from "./words.js";

/**
 * The score of a page for a word of the query, by the class of the word on the page: outside the title, in the title, or
 * at the beginning of a title of one word, two words, and so on. `beginning` is for longer words that begin with the word.
 */
const WEIGHTS = { whole: [4, 7, 16, 9, 9, 9, 8, 8, 8, 8], beginning: [2, 4, 6, 5, 5, 5, 4, 4, 4, 4] };
const FIRST = 2;

/** More than the scores of all words together. */
const EXACT = 1e6;

/**
 * @typedef {object} Query
 * @property {string[]} words folded; subjects, types and languages as keywords
 * @property {number | undefined} id the number in the query, or the id in an address of the API or of the browse UI
 * @property {boolean} isAddress whether the query means only the page with this id
 * @property {string[]} paths the possible paths of an address of the website
 */

const API = /(?:^|\/)api\/v2\/pages\/(\d{1,16})(?:[/?#]|$)/i;
const BROWSE_UI = /^(?:https?:\/\/[^/]+)?\/(?:index\.html)?\?(?:[^#]*&)?page=(\d{1,16})(?:[&#]|$)/i;

/** @param {string} text @param {string} siteUrl @returns {Query} */
export function parseQuery(text, siteUrl) {
  const query = withoutUnseen(text).trim();
  const isOneWord = !/\s/.test(query);
  const [, page] = (isOneWord && (API.exec(query) ?? BROWSE_UI.exec(query))) || [];
  if (page !== undefined) return { words: [], id: Number(page), isAddress: true, paths: [] };
  const paths = isOneWord && query.includes("/") ? pathsOf(query, siteUrl) : [];
  const isUrl = /^(?:https?:\/)?\//i.test(query);
  const plain = isUrl && isOneWord ? (paths[0]?.split("/").findLast((part) => part !== "") ?? "") : query;
  /** @type {string[]} */
  const words = [];
  for (const piece of plain.split(/\s+/)) {
    if (/^subject:./i.test(piece)) words.push(subjectWord(piece.slice("subject:".length)));
    else if (/^type:./i.test(piece)) words.push(typeWord(piece.slice("type:".length)));
    else if (/^language:./i.test(piece)) words.push(languageWord(piece.slice("language:".length)));
    else words.push(...wordsOf(piece));
  }
  const id = /^\d{1,16}$/.test(query) ? Number(query) : undefined;
  return { words: [...new Set(words)], id, isAddress: false, paths };
}

/**
 * The possible paths of an address, which can lack the protocol and the host. Without a host, the path can be relative to
 * the host or to the site's own path.
 * @param {string} address
 * @param {string} siteUrl
 */
function pathsOf(address, siteUrl) {
  const { host, pathname } = new URL(siteUrl);
  const ofSite = pathname.replace(/\/$/, "");
  let path = address.replace(/[?#].*$/, "");
  const hasHost = /^(?:https?:)?\/\//i.test(path) || path.toLowerCase().startsWith(`${host}/`);
  if (hasHost) path = path.replace(/^(?:(?:https?:)?\/\/)?[^/]*/i, "");
  path = `/${path
    .split("/")
    .filter((part) => part !== "")
    .join("/")}`;
  return hasHost ? [path] : [`${ofSite}${path}`, path];
}

/**
 * The pages that a word finds, with their scores.
 * @param {string} word
 * @param {number} [count] if the word is the first of the query: the number of words in the query. A title of as many
 * words that begins with the word may be the title in the query
 * @returns {Promise<Map<number, number>>}
 */
async function pagesOf(word, count) {
  const near = await wordsNear(word);
  /** @type {Map<number, number>} */
  const scores = new Map();
  const add = (/** @type {string} */ key, /** @type {number[]} */ weights) => {
    if (!Object.hasOwn(near, key)) return;
    for (const [kind, ids] of listsFrom(near[key] ?? "").entries())
      for (const id of ids) scores.set(id, Math.max(scores.get(id) ?? 0, weights[kind] ?? 1));
  };
  add(word, count === undefined ? WEIGHTS.whole : WEIGHTS.whole.with(FIRST + count - 1, EXACT));
  if (isKeyword(word)) return scores;
  if (!isLongEnough(word)) add(beginningKey(word), WEIGHTS.beginning);
  else
    for (const other of Object.keys(near))
      if (other !== word && other.startsWith(word) && !isKeyword(other)) add(other, WEIGHTS.beginning);
  if (word.length >= PART_LENGTH && /^[0-9]+$/.test(word)) {
    const parts = await Promise.all(partsOfNumber(word).map((part) => pagesOf(partWord(part))));
    for (const id of inAll(parts).keys()) if (!scores.has(id)) scores.set(id, 1);
  }
  return scores;
}

/**
 * The words that may be meant by a word that no page has: those in the data files of its beginning, and of beginnings in
 * which two letters are exchanged; if there are none, of those in which one letter is left out.
 * @param {string} word
 */
async function similarTo(word) {
  if (isKeyword(word) || /\d/.test(word) || !isLongEnough(word)) return [];
  const letters = Array.from(word);
  const similarIn = async (/** @type {string[]} */ words) =>
    similarWords(word, Object.assign({}, ...(await Promise.all(words.filter(isLongEnough).map(wordsNear)))));
  const [first = "", second = "", third = "", fourth = ""] = letters;
  const exchanged = [
    letters.toSpliced(0, 2, second, first),
    letters.toSpliced(1, 2, third, second),
    letters.toSpliced(2, 2, fourth, third),
  ];
  const similar = await similarIn([word, ...exchanged.map((one) => one.join(""))]);
  if (similar.length > 0) return similar;
  return similarIn([0, 1, 2].map((k) => letters.toSpliced(k, 1).join("")));
}

/** Maximum number of pages that are ordered by their records, and that are shown first. */
export const MAX_RANKED = 10;

/**
 * Maximum number of words that are looked up first. A long title finds few pages, whose records show whether they have the
 * other words.
 */
const MAX_LOOKUPS = 10;

/**
 * The pages that have all words, with their scores.
 * @param {readonly string[]} words
 * @param {number} count the number of words in the query, including duplicates
 */
async function pagesWithAll(words, count) {
  const longest = words.length > MAX_LOOKUPS ? words.toSorted((a, b) => b.length - a.length) : words;
  const first = count <= MAX_COUNTED ? count : undefined;
  const some = longest.slice(0, MAX_LOOKUPS).map((word, k) => pagesOf(word, k === 0 ? first : undefined));
  const found = inAll(await Promise.all(some));
  const others = longest.slice(MAX_LOOKUPS);
  if (others.length === 0 || (found.size <= MAX_RANKED && (await showAll(found.keys(), others))))
    return found;
  return inAll([found, ...(await Promise.all(others.map((word) => pagesOf(word))))]);
}

/** @param {Map<number, number>[]} sets */
function inAll(sets) {
  const [fewest, ...others] = sets.toSorted((a, b) => a.size - b.size);
  /** @type {Map<number, number>} */
  const all = new Map();
  for (const [page, score] of fewest ?? []) {
    let sum = score;
    if (others.every((set) => (sum += set.get(page) ?? Number.NaN) >= 0)) all.set(page, sum);
  }
  return all;
}

/**
 * Whether the record of each page contains all words.
 * @param {Iterable<number>} ids
 * @param {readonly string[]} words
 */
async function showAll(ids, words) {
  const pages = await recordsOf([...ids]);
  return pages.every(({ title, artists, acno }) => {
    const shown = wordsThatFind(`${title} ${artists} ${acno}`);
    return words.every((word) => shown.some((one) => one.startsWith(word)));
  });
}

/**
 * The pages that have the most of the words, if none has all.
 * @param {readonly string[]} words those that some pages have
 */
async function pagesWithMost(words) {
  /** @type {Map<number, { count: number, score: number }>} */
  const found = new Map();
  for (const scores of await Promise.all(words.map((word) => pagesOf(word)))) {
    // A rare word tells more than a frequent one.
    const rarity = 10 / Math.log2(2 + scores.size);
    for (const [page, score] of scores) {
      const { count = 0, score: sum = 0 } = found.get(page) ?? {};
      found.set(page, { count: count + 1, score: sum + score + rarity });
    }
  }
  const most = Math.max(...[...found.values()].map(({ count }) => count));
  return new Map([...found].flatMap(([page, { count, score }]) => (count === most ? [[page, score]] : [])));
}

/**
 * @typedef {object} Found
 * @property {number[]} ids the pages with all words, best first. If the text is an address, only its page
 * @property {string[]} words
 * @property {{ word: string, similar: string[] }[]} unknown words that no page has, which are left out
 * @property {boolean} isPartial whether no page has all of the other words; these have the most of them
 */

/** @type {Found} */
const NOTHING = { ids: [], words: [], unknown: [], isPartial: false };

/** @param {string} text @returns {Promise<Found>} */
export async function find(text) {
  const { site_url: siteUrl } = await site();
  const { words, id, isAddress, paths } = parseQuery(text, siteUrl);
  const own = id === undefined ? undefined : await record(id);
  if (isAddress) return { ...NOTHING, ids: own === undefined ? [] : [own.id] };
  for (const path of paths) {
    const page = await pageAt(path);
    if (page !== undefined) return { ...NOTHING, ids: [page] };
  }
  const first = own === undefined ? [] : [own.id];
  const found = await pagesFor(words, text, wordsOf(text).length);
  if (found.length + first.length > 0 || words.length === 0)
    return { ...NOTHING, ids: [...new Set([...first, ...found])], words };

  const has = await Promise.all(
    words.map(async (word) => draftsWith([word]).length > 0 || (await pagesOf(word)).size > 0),
  );
  const known = words.filter((_, k) => has[k]);
  const unknown = await Promise.all(
    words.filter((_, k) => !has[k]).map(async (word) => ({ word, similar: await similarTo(word) })),
  );
  const others = unknown.length === 0 ? [] : await pagesFor(known, text, known.length);
  if (others.length > 0 || known.length === 0)
    return { ids: others, words: known, unknown, isPartial: false };
  const some = await pagesWithMost(known);
  return { ids: await ordered(some, text), words: known, unknown, isPartial: true };
}

/**
 * The pages and drafts that have all words, best first.
 * @param {readonly string[]} words
 * @param {string} text
 * @param {number} count the number of words in the query, including duplicates
 */
const pagesFor = async (words, text, count) => [
  ...draftsWith(words),
  ...(await ordered(await pagesWithAll(words, count), text)),
];

/** @param {Map<number, number>} scores @param {string} text */
async function ordered(scores, text) {
  const ids = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([page]) => page);
  const best = await inOrder(ids.slice(0, MAX_RANKED), scores, text);
  return [...best, ...ids.slice(MAX_RANKED)];
}

/**
 * Orders the best candidates by their records: the exact title, its beginning, its length, and the accession number.
 * @param {number[]} ids
 * @param {Map<number, number>} scores
 * @param {string} text
 */
async function inOrder(ids, scores, text) {
  const searched = wordsOf(text).join(" ");
  const ranked = await Promise.all(
    ids.map(async (id) => {
      const page = await record(id);
      if (page === undefined) return { id, score: -1 };
      const title = wordsOf(page.title).join(" ");
      let score = scores.get(id) ?? 0;
      if (title === searched) score += 40;
      else if (title.startsWith(`${searched} `)) score += 8;
      else if (` ${title} `.includes(` ${searched} `)) score += 4;
      if (page.acno !== "" && fold(page.acno) === searched) score += 40;
      return { id, score: score + 1 / (1 + title.length) };
    }),
  );
  return ranked.sort((a, b) => b.score - a.score || a.id - b.id).map(({ id }) => id);
}

/**
 * A query with one of its words replaced.
 * @param {string} text
 * @param {string} word folded
 * @param {string} other
 */
export const withWord = (text, word, other) =>
  text.replace(WORD, (written) => (wordsOf(written).includes(word) ? other : written));

const WORD = /[\p{L}\p{N}\p{M}\p{Cf}'’ʻʼʾʿ]+/gu;
const PIECE = /[^'’ʻʼʾʿ]+/g;

/**
 * A text as nodes, with its matches marked.
 * @param {string} text
 * @param {readonly string[]} words folded
 * @returns {(Node | string)[]}
 */
export function marked(text, words) {
  /** @type {(Node | string)[]} */
  const nodes = [];
  let last = 0;
  for (const { 0: found, index } of text.matchAll(WORD))
    for (const [start, end] of matchesIn(found, words)) {
      const mark = document.createElement("mark");
      mark.textContent = found.slice(start, end);
      nodes.push(text.slice(last, index + start), mark);
      last = index + end;
    }
  nodes.push(text.slice(last));
  return nodes;
}

/**
 * The parts of a written word to be marked. A word is found by its beginning, or by the beginning of its part after an
 * apostrophe; in a script without spaces, by any part.
 * @param {string} written
 * @param {readonly string[]} words
 * @returns {[start: number, end: number][]}
 */
function matchesIn(written, words) {
  /** @type {[number, number][]} */
  const matches = [];
  for (const { index: start } of written.matchAll(isUnspaced(written) ? /./gsu : PIECE)) {
    const length = markedLength(written.slice(start), words);
    if (length === 0) continue;
    const before = matches.at(-1);
    // Pairs of letters overlap.
    if (before !== undefined && start <= before[1]) before[1] = Math.max(before[1], start + length);
    else matches.push([start, start + length]);
    if (!isUnspaced(written)) break;
  }
  return matches;
}

/** @param {string} text */
const lettersOf = (text) => fold(text).replace(/[^\p{L}\p{N}]+/gu, "");

/**
 * The number of characters of a written word to be marked: those that match the longest folded word that it begins with.
 * @param {string} written
 * @param {readonly string[]} words
 */
function markedLength(written, words) {
  const folded = lettersOf(written);
  const word = words.filter((one) => folded.startsWith(one)).sort((a, b) => b.length - a.length)[0];
  if (word === undefined) return 0;
  let end = written.length;
  if (folded.length > word.length)
    for (end = 1; end < written.length && lettersOf(written.slice(0, end)).length < word.length;) end++;
  // Includes the combining marks of the last letter.
  while (/^\p{M}/u.test(written.slice(end))) end++;
  return end;
}
