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
