// Shared by the build and the browse UI: how to split texts into words, which data file contains a word, a page or a tree,
// and how to write a list of ids.

import { editDistance, withoutAccents } from "../base/letters.js";

/** Characters without a shape of their own, such as soft hyphens: a text is the same without them. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

/** A text without invisible characters. @param {string} text */
export const withoutUnseen = (text) => text.replace(UNSEEN, "");

const ASCII = /^[^\x80-\uffff]*$/;
/** Most texts: none of their words has parts. */
const PLAIN = /^[^'\x80-\uffff]*$/;

/** Apostrophes, and the letters that are written like one. */
const APOSTROPHE = /['’ʻʼʾʿ]/;
const APOSTROPHES = /['’ʻʼʾʿ]+/g;
const WORDS = /[\p{L}\p{N}]+/gu;
const WORDS_OF_ASCII = /[a-z0-9]+/g;
const WORDS_WITH_APOSTROPHES = /[\p{L}\p{N}'’ʻʼʾʿ]+/gu;
const WORDS_OF_ASCII_WITH_APOSTROPHES = /[a-z0-9']+/g;

/** Typographic dashes, quotation marks and dots: many texts have no other characters outside ASCII. */
const PUNCTUATION = /[\u2010-\u2027]/g;

/** A text in lowercase and without accents. @param {string} text */
export function fold(text) {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const plain = withoutUnseen(lower).replace(PUNCTUATION, (sign) => (sign === "’" ? "'" : " "));
  if (ASCII.test(plain)) return plain;
  return withoutAccents(plain);
}

/** Letters of scripts without spaces between words. */
const UNSPACED =
  "\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}";
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");
const RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, "gu");
const UNSPACED_RUNS = new RegExp(`(?:(?=[\\p{L}\\p{N}])[${UNSPACED}]){2,}`, "gu");

/** Whether a text has letters of a script without spaces between words. @param {string} text */
export const isUnspaced = (text) => HAS_UNSPACED.test(text);

/** Maximum number of words of a title that has a class of its own. */
export const MAX_COUNTED = 8;

/**
 * The words of a text. In a script without spaces between words, each pair of neighbouring letters is a word, so that any
 * part of a text finds it.
 * @param {string} folded
 * @returns {string[]}
 */
function wordsIn(folded) {
  if (PLAIN.test(folded)) return folded.match(WORDS_OF_ASCII) ?? [];
  const text = folded.replace(APOSTROPHES, "");
  if (ASCII.test(text)) return text.match(WORDS_OF_ASCII) ?? [];
  const words = text.match(WORDS) ?? [];
  return isUnspaced(text) ? words.flatMap(pairsIn) : words;
}

/** @param {string} word @returns {string[]} */
const pairsIn = (word) =>
  (word.match(RUNS) ?? []).flatMap((run) => {
    if (!isUnspaced(run)) return run;
    const letters = Array.from(run);
    return letters.length === 1 ? run : letters.slice(1).map((letter, k) => `${letters[k]}${letter}`);
  });

/** The words of a text, folded; an apostrophe is part of its word: “dorso” for “d'Orso”. @param {string} text */
export const wordsOf = (text) => wordsIn(fold(text));

/**
 * The words of a text, and the parts of its words after an apostrophe: “dorso” and “orso” for “d'Orso”.
 * @param {string} text
 */
export const wordsThatFind = (text) => wordsOfTitle(text).finding;

/**
 * The parts of words after an apostrophe, and the last letters of texts without spaces, which begin no pair.
 * @param {string} folded
 */
function partsIn(folded) {
  /** @type {string[]} */
  const parts = [];
  if (PLAIN.test(folded)) return parts;
  if (isUnspaced(folded))
    for (const [run] of folded.replace(APOSTROPHES, "").matchAll(UNSPACED_RUNS))
      parts.push(Array.from(run).at(-1) ?? "");
  if (!APOSTROPHE.test(folded)) return parts;
  const words = ASCII.test(folded) ? WORDS_OF_ASCII_WITH_APOSTROPHES : WORDS_WITH_APOSTROPHES;
  for (const word of folded.match(words) ?? []) {
    if (!APOSTROPHE.test(word)) continue;
    const pieces = word.split(APOSTROPHES).filter((piece) => piece !== "");
    for (let k = 1; k < pieces.length; k++) parts.push(...wordsIn(pieces.slice(k).join("")));
  }
  return parts;
}

/** The words of a title, and all words that find it. @param {string} title */
export function wordsOfTitle(title) {
  if (PLAIN.test(title)) {
    const words = title.toLowerCase().match(WORDS_OF_ASCII) ?? [];
    return { words, finding: words };
  }
  const folded = fold(title);
  const words = wordsIn(folded);
  const parts = partsIn(folded);
  return { words, finding: parts.length === 0 ? words : [...words, ...parts] };
}

/** A subject as one word. Its colon distinguishes it from the words of texts. @param {string} name */
export const subjectWord = (name) => `subject:${wordsOf(name).join("-")}`;

/** A page type as one word. @param {string} type */
export const typeWord = (type) => `type:${type.toLowerCase()}`;

/** A language as one word. @param {string} code */
export const languageWord = (code) => `language:${code.toLowerCase()}`;

/** The number of digits of a part of a number. */
export const PART_LENGTH = 3;
export const PARTS = 10 ** PART_LENGTH;

/** The parts of a number: 0 and 3 for “t0003”. So any part of a number finds it. @param {string} number */
export function partsOfNumber(number) {
  /** @type {number[]} */
  const parts = [];
  let part = 0;
  for (let at = 0, digits = 0; at < number.length; at++) {
    const digit = number.charCodeAt(at) - 0x30;
    const isDigit = digit >= 0 && digit < 10;
    digits = isDigit ? digits + 1 : 0;
    part = isDigit ? (10 * part + digit) % PARTS : 0;
    if (digits >= PART_LENGTH) parts.push(part);
  }
  return parts;
}

/** A part of a number as one word, such as `part:003`. @param {number} part */
export const partWord = (part) => `part:${String(part).padStart(PART_LENGTH, "0")}`;

/**
 * Whether a word stands for a subject, a type or a part of a number: it finds only what equals it.
 * @param {string} word
 */
export const isKeyword = (word) => word.includes(":");

/** Maximum number of edits from a word to a similar one, by the number of letters. */
const MAX_EDITS = [0, 0, 0, 1, 1, 2];

/**
 * The words that are most similar to a word, which may be misspelt; the most frequent first.
 * @param {string} word
 * @param {Readonly<Record<string, string>>} known the lists of each word
 * @returns {string[]} at most three
 */
export function similarWords(word, known) {
  const most = MAX_EDITS[word.length] ?? 2;
  /** @type {{ word: string, edits: number, size: number }[]} */
  const found = [];
  for (const [other, { length: size }] of Object.entries(known)) {
    if (isKeyword(other) || other.endsWith("*")) continue;
    const edits = editDistance(word, other, most + 1);
    if (edits <= most) found.push({ word: other, edits, size });
  }
  found.sort((a, b) => a.edits - b.edits || b.size - a.size || (a.word < b.word ? -1 : 1));
  return found.slice(0, 3).map((one) => one.word);
}

/** FNV-1a. @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}

/**
 * A hash of 53 bits that finds a page by its address. Two addresses of one site are very unlikely to have the same hash.
 * @param {ArrayLike<number>} bytes that contain the path of the address, with or without its last slash, in UTF-8
 * @returns {number}
 */
export function addressKey(bytes, length = bytes.length) {
  let end = length;
  while (end > 0 && bytes[end - 1] === 0x2f) end--;
  let [high, low] = [0x9747b28c, 0x811c9dc5];
  for (let at = 0; at < end; at++) {
    let code = bytes[at] ?? 0;
    if (code >= 0x41 && code <= 0x5a) code |= 0x20;
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x01000193);
  }
  return ((high ^ (high >>> 15)) & 0x1fffff) * 2 ** 32 + ((low ^ (low >>> 15)) >>> 0);
}

/**
 * The number of letters of a word that determine its data file: words with the same beginning are in one file, so that
 * the beginning finds all of them. Too many numbers, such as accession numbers, have the same first three digits.
 * @param {string} word
 */
const distinctiveLength = (word) =>
  word.charCodeAt(0) >= 0xe00 && isUnspaced(word) ? 2 : isNumber(word) ? 4 : 3;

/** Whether the first or the second letter of a word is a digit. @param {string} word */
function isNumber(word) {
  const first = word.charCodeAt(0);
  const second = word.length > 1 ? word.charCodeAt(1) : first;
  if (first >= 0x80 || second >= 0x80) return /^.?\p{N}/u.test(word);
  return first < 0x3a || second < 0x3a;
}

/** Whether all words with this beginning are in one data file. @param {string} word */
export const isLongEnough = (word) => word.length >= distinctiveLength(word);

/**
 * The beginnings of a word that are not long enough. Each has its own list of the pages with a word that begins with it.
 * @param {string} word
 * @returns {string[]}
 */
export function shortBeginnings(word) {
  /** @type {string[]} */
  const found = [];
  if (isKeyword(word)) return found;
  const most = Math.min(word.length, distinctiveLength(word) - 1);
  for (let end = 1; end <= most; end++) {
    const last = word.charCodeAt(end - 1);
    // The first half of a surrogate pair is not a character.
    if (last < 0xd800 || last > 0xdbff) found.push(word.slice(0, end));
  }
  return found;
}

/** The key of the list of a short beginning. @param {string} beginning */
export const beginningKey = (beginning) => `${beginning}*`;

/**
 * The beginning of a word that determines its data file; for a keyword and a short word, the whole word.
 * @param {string} word
 */
export const distinctiveBeginning = (word) =>
  isKeyword(word) ? word : word.slice(0, distinctiveLength(word));

/** The data file of a word or a short beginning. @param {string} word @param {number} files */
export const wordFile = (word, files) => hash(distinctiveBeginning(word)) % files;

/**
 * The data file of an id. Neighbouring ids are in one file, because pages that are shown together often have them.
 * @param {number} id
 * @param {number} files
 * @returns {number}
 */
export const idFile = (id, files) => Math.floor(id / 64) % files;

/** The hash of an address as the data files contain it: in base 64, the lowest digit first. @param {number} key */
export function addressName(key) {
  let name = "";
  for (let rest = key; rest > 0; rest = Math.floor(rest / 64)) name += DIGITS[rest & 63];
  return name;
}

/** In a list, each digit is five bits of a number, the lowest first. One of the upper 32 means that another digit follows. */
export const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
const VALUES = new Map(Array.from(DIGITS, (digit, value) => [digit.charCodeAt(0), value]));

/**
 * The ascending ids of a list in a data file. The list has the difference of each id to the previous id; a run of
 * consecutive ids is a 0 and their number.
 * @param {string} list
 * @returns {number[]}
 */
export function idsFrom(list) {
  /** @type {number[]} */
  const ids = [];
  let id = 0;
  let isRun = false;
  for (let at = 0; at < list.length;) {
    let number = 0;
    let digit = 32;
    for (let scale = 1; digit >= 32; scale *= 32) {
      digit = VALUES.get(list.charCodeAt(at++)) ?? 0;
      number += (digit & 31) * scale;
    }
    if (isRun) for (; number > 0; number--) ids.push(++id);
    else if (number > 0) ids.push((id += number));
    isRun = !isRun && number === 0;
  }
  return ids;
}

/** The lists of a word, by the class of the word on their pages. @param {string} lists */
export const listsFrom = (lists) => lists.split(",").map(idsFrom);
