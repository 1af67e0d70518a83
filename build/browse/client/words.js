// What the build and the page must agree on: how texts become words, and in which part a word, a page or a tree lies.

/** Letters that are no others with a mark, as people type them without a keyboard that has them. */
/** @type {Readonly<Record<string, string>>} */
const LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
const SPECIAL = /[ßæœøłđðþı]/g;
// oxlint-disable-next-line no-control-regex -- this is what ASCII is
const ASCII = /^[\x00-\x7f]*$/;

/**
 * A text with accents and case put aside.
 * @param {string} text
 * @returns {string}
 */
export function fold(text) {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
}

/**
 * The words of a text, folded; an apostrophe is part of its word.
 * @param {string} text
 * @returns {string[]}
 */
export const wordsOf = (text) =>
  fold(text)
    .replace(/['’ʼ]/g, "")
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * A subject as one word, which no word of a text is.
 * @param {string} name
 * @returns {string}
 */
export const subjectWord = (name) => `subject:${wordsOf(name).join("-")}`;

/**
 * FNV-1a.
 * @param {string} text
 * @returns {number}
 */
function hash(text) {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}

/**
 * By which letters a word finds its part: words that begin alike lie together, so that the beginning of a word finds it.
 * Numbers, accession numbers among them, begin alike too often for two letters.
 * @param {string} word
 * @returns {string}
 */
export const beginning = (word) =>
  word.startsWith("subject:")
    ? word
    : /^.?\p{N}/u.test(word)
      ? word.slice(0, MOST_OF_BEGINNING)
      : word.slice(0, 2);

/** No word but a subject is told by more letters. */
export const MOST_OF_BEGINNING = 4;

/**
 * Whether all words that begin so lie in one part.
 * @param {string} word
 * @returns {boolean}
 */
export const isLongEnough = (word) => word.length >= (/^.?\p{N}/u.test(word) ? MOST_OF_BEGINNING : 2);

/**
 * @param {string} word
 * @param {number} parts
 * @returns {number}
 */
export const wordPart = (word, parts) => hash(beginning(word)) % parts;

/**
 * Pages with neighbouring ids lie together: those that are shown together often have such.
 * @param {number} id
 * @param {number} parts
 * @returns {number}
 */
export const idPart = (id, parts) => Math.floor(id / 64) % parts;

/**
 * Ids, ascending, from their differences.
 * @param {readonly number[]} differences
 * @returns {number[]}
 */
export function idsFrom(differences) {
  let id = 0;
  return differences.map((difference) => (id += difference));
}
