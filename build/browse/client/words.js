// What the build and the browse UI must agree on: how texts become words, which data file has a word, a page or a tree,
// and how a list of ids is written.

/** Letters that are no others with a mark, as people type them without a keyboard that has them. */
/** @type {Readonly<Record<string, string>>} */
const LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
const SPECIAL = /[ßæœøłđðþı]/g;
// oxlint-disable-next-line no-control-regex -- this is what ASCII is
const ASCII = /^[\x00-\x7f]*$/;

/** Apostrophes, and the letters that are written like one. */
const APOSTROPHE = /['’ʻʼʾʿ]/;
const APOSTROPHES = /['’ʻʼʾʿ]+/g;
const WORDS = /[\p{L}\p{N}]+/gu;
const WORDS_OF_ASCII = /[a-z0-9]+/g;
const WORDS_WITH_APOSTROPHES = /[\p{L}\p{N}]+(?:['’ʻʼʾʿ]+[\p{L}\p{N}]+)+/gu;
const WORDS_OF_ASCII_WITH_APOSTROPHES = /[a-z0-9]+(?:'+[a-z0-9]+)+/g;

/** Dashes, quotation marks and dots as printed texts have them: many texts have no other character outside ASCII. */
const PUNCTUATION = /[\u2010-\u2027]/g;

/**
 * A text without accents and in lower case.
 * @param {string} text
 * @returns {string}
 */
export function fold(text) {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const plain = lower.replace(PUNCTUATION, (sign) => (sign === "’" ? "'" : " "));
  if (ASCII.test(plain)) return plain;
  return plain
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
}

/** Maximum words of a title that are counted. */
export const MAX_COUNTED = 8;

/** @param {string} folded @returns {string[]} */
function wordsIn(folded) {
  const text = APOSTROPHE.test(folded) ? folded.replace(APOSTROPHES, "") : folded;
  return text.match(ASCII.test(text) ? WORDS_OF_ASCII : WORDS) ?? [];
}

/**
 * The words of a text, folded; an apostrophe is part of its word: “dorso” for “d'Orso”.
 * @param {string} text
 * @returns {string[]}
 */
export const wordsOf = (text) => wordsIn(fold(text));

/**
 * The words of a text, and the parts of its words behind an apostrophe: “dorso” and “orso” for “d'Orso”.
 * @param {string} text
 * @returns {string[]}
 */
export function wordsThatFind(text) {
  const folded = fold(text);
  return [...wordsIn(folded), ...partsIn(folded)];
}

/** @param {string} folded @returns {string[]} */
function partsIn(folded) {
  /** @type {string[]} */
  const parts = [];
  if (!APOSTROPHE.test(folded)) return parts;
  const words = ASCII.test(folded) ? WORDS_OF_ASCII_WITH_APOSTROPHES : WORDS_WITH_APOSTROPHES;
  for (const [word] of folded.matchAll(words)) {
    const pieces = word.split(APOSTROPHES);
    for (let k = 1; k < pieces.length; k++) parts.push(pieces.slice(k).join(""));
  }
  return parts;
}

/**
 * The words of a title; and all that find it.
 * @param {string} title
 * @returns {{ words: string[], finding: string[] }}
 */
export function wordsOfTitle(title) {
  const folded = fold(title);
  const words = wordsIn(folded);
  const parts = partsIn(folded);
  return { words, finding: parts.length === 0 ? words : [...words, ...parts] };
}

/**
 * A subject as one word. No word of a text has a colon.
 * @param {string} name
 * @returns {string}
 */
export const subjectWord = (name) => `subject:${wordsOf(name).join("-")}`;

/** @param {string} word */
export const isSubject = (word) => word.startsWith("subject:");

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
 * The number by which a page is found if its address is known. Of 53 bits: two addresses with the same number are not to
 * be expected in one site.
 * @param {string} path of the address, with or without its last slash
 * @returns {number}
 */
export function addressKey(path) {
  const text = path.toLowerCase();
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x2f) end--;
  let [high, low] = [0x9747b28c, 0x811c9dc5];
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x01000193);
  }
  return ((high ^ (high >>> 15)) & 0x1fffff) * 2 ** 32 + ((low ^ (low >>> 15)) >>> 0);
}

/**
 * How many letters of a word tell its data file: words that begin alike are in one file, so that their beginning finds
 * them. Numbers, accession numbers among them, begin alike too often for three.
 * @param {string} word
 */
const lettersThatTell = (word) => (isNumber(word) ? 4 : 3);

/**
 * Whether the first or the second letter of a word is a digit.
 * @param {string} word
 */
function isNumber(word) {
  const [first, second] = [word.charCodeAt(0), word.charCodeAt(1)];
  if (first >= 0x80 || second >= 0x80) return /^.?\p{N}/u.test(word);
  return first < 0x3a || second < 0x3a;
}

/**
 * Whether the words that begin so are all in one data file.
 * @param {string} word
 * @returns {boolean}
 */
export const isLongEnough = (word) => word.length >= lettersThatTell(word);

/**
 * The beginnings of a word that are not long enough. Each has a list of its own, of the pages with a word that begins so.
 * @param {string} word
 * @returns {string[]}
 */
export function shortBeginnings(word) {
  /** @type {string[]} */
  const found = [];
  if (isSubject(word)) return found;
  const most = Math.min(word.length, lettersThatTell(word) - 1);
  for (let end = 1; end <= most; end++) {
    const last = word.charCodeAt(end - 1);
    // The first half of a letter of four bytes is no text.
    if (last < 0xd800 || last > 0xdbff) found.push(word.slice(0, end));
  }
  return found;
}

/**
 * The key of such a list.
 * @param {string} beginning
 */
export const beginningKey = (beginning) => `${beginning}*`;

/**
 * The beginning of a word that tells its data file; a subject as a whole.
 * @param {string} word
 */
export const beginningThatTells = (word) => (isSubject(word) ? word : word.slice(0, lettersThatTell(word)));

/**
 * Short words, and the lists of short beginnings, are in one file for each first letter: so a changed title changes few files.
 * @param {string} word
 * @param {number} files
 * @returns {number}
 */
export const wordFile = (word, files) =>
  hash(isLongEnough(word) ? beginningThatTells(word) : word.slice(0, 1)) % files;

/**
 * Pages with neighbouring ids are in one file: those that are shown together often have such.
 * @param {number} id
 * @param {number} files
 * @returns {number}
 */
export const idFile = (id, files) => Math.floor(id / 64) % files;

/**
 * Such a number as data files have it: in base 64, the lowest digit first.
 * @param {number} key
 * @returns {string}
 */
export function addressName(key) {
  let name = "";
  for (let rest = key; rest > 0; rest = Math.floor(rest / 64)) name += DIGITS[rest % 64];
  return name;
}

/** Each stands for five bits of a number, the lowest first, and from the 33rd on says that more follow. */
export const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
const VALUES = new Map(Array.from(DIGITS, (digit, value) => [digit.charCodeAt(0), value]));

/**
 * Ids, ascending, from a list as data files have it: the difference of each id to the one before; and in place of many
 * that follow one by one a 0 and how many they are.
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

/**
 * The lists of a word, by how well it stands for their pages.
 * @param {string} lists
 * @returns {number[][]}
 */
export const listsFrom = (lists) => lists.split(",").map(idsFrom);
