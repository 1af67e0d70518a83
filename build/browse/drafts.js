import { isKeyword } from "./words.js";

/** @typedef {import("./data.js").PageRecord & { file: string, address: string, words: string[], of?: number, locale?: string, live?: string, isExpired?: true }} DraftRecord */

/**
 * Unpublished pages by id: drafts, and pages that are not live, which have `live`. Empty except in a preview.
 * @type {Map<number, DraftRecord>}
 */
export const drafts = new Map();

/**
 * Pages that a preview cannot show yet.
 * @type {{ files: Map<number, string>, isOld: boolean }} files: the files of sources with errors, by the id in each;
 * isOld: whether the last save could not be built
 */
export const unbuilt = { files: new Map(), isOld: false };

/** Facts about published pages that only a preview has. */
export const preview = {
  /**
   * When a page is live; undefined if it is always live, or if this is unknown.
   * @type {(id: number) => Promise<string | undefined>}
   */
  liveOf: () => Promise.resolve(undefined),
  /** The sections of the home view for editors. @type {() => Promise<HTMLElement | undefined>} */
  desk: () => Promise.resolve(undefined),
};

/** @param {number} parent */
export const draftsBelow = (parent) =>
  [...drafts.values()].filter((draft) => draft.parent === parent).map(({ id }) => id);

/** @param {string} one @param {string} word */
const isFoundBy = (one, word) => one === word || (one.startsWith(word) && !isKeyword(one));

/** @param {readonly string[]} words folded */
export const draftsWith = (words) =>
  words.length === 0
    ? []
    : [...drafts.values()]
        .filter((draft) => words.every((word) => draft.words.some((one) => isFoundBy(one, word))))
        .map(({ id }) => id);
