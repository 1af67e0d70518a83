// The languages of a site that has several. Loaded only there.
import { json, labelOf, languageOf, record, recordsOf, site } from "./data.js";
import { drafts } from "./drafts.js";
import { h, pageHref } from "./dom.js";
import { canSave, collectedPages, editHref } from "./editing.js";
import { ago, item, itemsOf, MAX_SHORT, shortList } from "./tree.js";

/** @typedef {import("./data.js").PageRecord} PageRecord */
/** @typedef {import("./data-files.ts").ListedTranslations} ListedTranslations */

/** @returns {Promise<ListedTranslations>} */
export const listed = () => json("/browse/translations.json");

/** The rows of the last list by the ids in them. @type {{ of?: ListedTranslations, byId: Map<number, number[]> }} */
const known = { byId: new Map() };

/** The published translations of a page. @param {number} id @returns {Promise<number[]>} */
export async function rowOf(id) {
  const list = await listed();
  if (known.of !== list) {
    known.of = list;
    known.byId = new Map(list.rows.flatMap((row) => row.map((one) => [one, row])));
  }
  return known.byId.get(id) ?? [];
}

/** The languages of pages that only the proposal has, by id. @type {Map<number, string>} */
export const proposed = new Map();

/** The unpublished pages that name a page as their original, by their ids: drafts, and those of the proposal. */
async function unpublished() {
  const found = new Map([...drafts.values()].flatMap(({ id, of }) => (of === undefined ? [] : [[id, of]])));
  const { languages: [main, ...others] = [] } = await site();
  for (const { file, page } of await collectedPages()) {
    const of = page["meta"]?.translation_of;
    if (typeof of !== "number") continue;
    const language = others.find(({ code }) => file.startsWith(`${code.toLowerCase()}/`)) ?? main;
    found.set(page["id"], of);
    proposed.set(page["id"], language?.code ?? "");
  }
  return found;
}

/**
 * The pages that are translations of each other, with the page itself, by the codes of their languages.
 * @param {number} id
 * @param {Record<string, any>} [page] its response, if it is at hand
 * @returns {Promise<Map<string, number>>}
 */
export async function translationsOf(id, page) {
  const drawn = await unpublished();
  const of = drawn.get(id) ?? id;
  const given =
    of === id
      ? /** @type {{ id: number }[] | undefined} */ (page?.["meta"].translations)?.map((one) => one.id)
      : undefined;
  const live = given ?? (await rowOf(of));
  const group = new Set([id, of, ...live].filter((one) => one !== 0));
  for (const [one, original] of drawn) if (group.has(original)) group.add(one);
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const one of group) {
    const code = await codeOf(one);
    if (code !== undefined && !found.has(code)) found.set(code, one);
  }
  return found;
}

/** @param {number} id */
async function codeOf(id) {
  const page = await record(id).catch(() => undefined);
  return proposed.get(id) ?? (page && (await languageOf(page))?.code);
}

/** The languages that a page has no translation in. @param {number} id */
export async function languagesWithout(id) {
  const { languages = [] } = await site();
  const found = await translationsOf(id);
  return languages.filter(({ code, home }) => !found.has(code) && home !== 0);
}

/** @param {number} id @param {string} code */
export const translateHref = (id, code) => `/?${new URLSearchParams({ translate: String(id), into: code })}`;

/**
 * The languages of a page: its own, those that it has a translation in, and those that it may be translated into.
 * @param {number} id
 * @param {string | undefined} own the code of its language
 * @param {(id: number) => string} [hrefOf]
 * @param {Parameters<typeof translationsOf>[1]} [page]
 */
export async function languageLinks(id, own, hrefOf = pageHref, page) {
  const { languages = [] } = await site();
  const [found, isEditable] = await Promise.all([translationsOf(id, page), canSave()]);
  const links = languages.map(({ code, label, home }) => {
    const other = found.get(code);
    if (code === own) return h("span", { lang: code, "aria-current": "true" }, label);
    if (other !== undefined) return h("a", { href: hrefOf(other), lang: code, hreflang: code }, label);
    const name = h("span", { lang: code }, label);
    return isEditable && home !== 0
      ? h("a", { href: translateHref(id, code) }, "Translate into ", name)
      : undefined;
  });
  return h("nav", { class: "languages", "aria-label": "Languages" }, ...links);
}

/** The translations of pages that the proposal changes without them. @param {Set<number>} ids of the pages in the proposal */
async function olderInProposal(ids) {
  const { rows } = await listed();
  return rows.flatMap((row) => {
    const [original, ...others] = row.filter((id) => id !== 0);
    return original !== undefined && ids.has(original) ? others : [];
  });
}

/**
 * What is not translated, and what is older than its original, by languages.
 * @param {[number, string][]} [edited] in a preview: the older ones, with the times of their originals
 */
export async function translationLists(edited) {
  const { languages = [] } = await site();
  const { missing, older: committed } = await listed();
  const dated = edited ?? committed;
  const lists = languages.map(async ({ code, label, home }) => {
    const kinds = home === 0 ? [] : (missing[code] ?? []);
    let count = kinds.reduce((sum, [, pages]) => sum + pages, 0);
    const items = [];
    for (const id of kinds.flatMap(([, , ids]) => ids)) {
      if (items.length === MAX_SHORT) break;
      const [page] = await recordsOf([id]);
      // It is translated in a draft already.
      if (page === undefined || (await translationsOf(id)).has(code)) count--;
      else items.push(item(id, page.title, await labelOf(page.type), translateHref(id, code)));
    }
    return shortList(`Not in ${label}`, items, "Every page is translated.", count);
  });
  const ids = new Set((await collectedPages()).map(({ page }) => page["id"]));
  const older = new Map(dated?.map(([id, time]) => [id, `original edited ${ago(time)}`]));
  for (const id of await olderInProposal(ids)) older.set(id, "original edited in the proposal");
  for (const id of ids) older.delete(id);
  const none =
    dated === undefined
      ? "The proposal changes no original alone."
      : "No translation is older than its original.";
  return [
    ...(await Promise.all(lists)),
    shortList("Older than the original", await itemsOf([...older], editHref), none),
  ];
}
