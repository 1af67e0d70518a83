// Shared by the browse UI, which publishes it as a part of words.js, and by hints.

/**
 * Lowercase letters that do not decompose into a letter and a mark, each followed by its spelling on a keyboard without
 * it: of European, African and American languages, and of Azerbaijani.
 */
const SPELLINGS =
  "ßss æae œoe øo łl đd ðd þth ıi ȷj ħh ŧt ŋn əe ĸq ƒf ƀb ɓb ƃb ƈc ȼc ɖd ɗd ƌd ǝe ɛe ɇe ǥg ɠg ɣg ƕhv ɨi ɩi ɉj ƙk ⱪk ƚl ⱡl ɫl ɱm ɲn ƞn ɔo ɵo ƣoi ȣou ƥp ɋq ɍr ʀr ɽr ƨs ȿs ʃs ƫt ƭt ʈt ⱦt ʉu ʊu ʋv ʌv ⱱv ⱳw ƿw ƴy ɏy ȝy ƶz ȥz ɀz ⱬz ʒz ⱥa ɑa ɐa ⱨh ɦh";
const LETTERS = new Map(SPELLINGS.split(" ").map((pair) => [pair.slice(0, 1), pair.slice(1)]));
const SPECIAL = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "g");

/**
 * A lowercase text without accents, in the letters of a keyboard.
 * @param {string} text
 * @returns {string}
 */
export const withoutAccents = (text) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(SPECIAL, (letter) => LETTERS.get(letter) ?? letter);

/**
 * The number of letters to insert, delete, change or exchange with their neighbour between two texts.
 * @param {string} a
 * @param {string} b
 * @param {number} limit a larger distance is not computed exactly, if the lengths show it
 * @returns {number}
 */
export function editDistance(a, b, limit) {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  /** @type {number[]} */
  let before = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchange = isExchanged ? (before[j - 2] ?? 0) + 1 : change;
      next.push(Math.min(change, exchange, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? limit;
}
