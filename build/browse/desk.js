// The home view for editors. Most of it only a preview has.
import { labelOf, recordsOf, site } from "./data.js";
import { drafts, unbuilt } from "./drafts.js";
import { h, pageHref } from "./dom.js";
import { editHref } from "./editing.js";

/** Maximum number of entries of each list. */
const MAX_LISTED = 8;

/** @param {number} id @param {string} title @param {string} aside @param {string} [href] */
const item = (id, title, aside, href = pageHref(id)) =>
  h("li", {}, h("a", { href, dir: "auto" }, title || "Untitled"), " ", h("span", { class: "aside" }, aside));

/** @param {[id: number, aside: string][]} pages @param {typeof pageHref} [hrefOf] */
async function itemsOf(pages, hrefOf) {
  const records = new Map((await recordsOf(pages.map(([id]) => id))).map((one) => [one.id, one]));
  return pages.flatMap(([id, aside]) => {
    const page = records.get(id);
    return page === undefined ? [] : [item(id, page.title, aside, hrefOf?.(id))];
  });
}

/** @param {string} time */
function ago(time) {
  const minutes = Math.round((Date.now() - Date.parse(time)) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  return new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

/** @param {string} title @param {HTMLElement[]} items @param {string} none @param {number} [count] */
const list = (title, items, none, count = items.length) =>
  h(
    "section",
    { class: "glimpse" },
    h("h2", {}, title),
    items.length === 0
      ? h("p", { class: "hint" }, none)
      : h("ul", { "aria-label": title }, ...items.slice(0, MAX_LISTED)),
    count > MAX_LISTED && h("p", { class: "hint" }, `and ${(count - MAX_LISTED).toLocaleString("en")} more`),
  );

/** What is not translated, and what is older than its original, by languages. @param {[number, string][]} older */
async function translationLists(older) {
  const { languages } = await site();
  if (languages === undefined) return [];
  const { listed, translateHref, translationsOf } = await import("./translations.js");
  const { missing } = await listed();
  const lists = languages.map(async ({ code, label, home }) => {
    const kinds = home === 0 ? [] : (missing[code] ?? []);
    let count = kinds.reduce((sum, [, pages]) => sum + pages, 0);
    const items = [];
    for (const id of kinds.flatMap(([, , ids]) => ids)) {
      if (items.length === MAX_LISTED) break;
      const [page] = await recordsOf([id]);
      // A draft translates it already.
      if (page === undefined || (await translationsOf(id)).has(code)) count--;
      else items.push(item(id, page.title, await labelOf(page.type), translateHref(id, code)));
    }
    return list(`Not in ${label}`, items, "Every page is translated.", count);
  });
  const changed = await itemsOf(
    older.map(([id, time]) => [id, `original edited ${ago(time)}`]),
    editHref,
  );
  return [
    ...(await Promise.all(lists)),
    list("Older than the original", changed, "No translation is older than its original."),
  ];
}

/** The desk of a published site, on which pages are edited. */
export const publishedDesk = async () => h("div", { class: "desk" }, ...(await translationLists([])));

/** @param {import("./live.js").LiveFinding[]} findings */
async function withErrors(findings) {
  const errors = findings.filter(({ severity }) => severity === "error");
  /** @type {Map<number, string>} */
  const messages = new Map();
  for (const { page, unbuilt: id = page, message } of errors)
    if (id !== undefined && !messages.has(id)) messages.set(id, message);
  const records = new Map((await recordsOf([...messages.keys()])).map((one) => [one.id, one]));
  return [...messages].map(([id, message]) =>
    item(id, records.get(id)?.title ?? unbuilt.files.get(id) ?? String(id), message, editHref(id)),
  );
}

/** @param {import("./live.js").LiveFinding[]} findings */
export async function deskView(findings) {
  const reply = await fetch("/browse/desk.json");
  /** @type {{ edited: [number, string][], older: [number, string][], next: [number, string][] }} */
  const { edited, older, next } = reply.ok ? await reply.json() : { edited: [], older: [], next: [] };
  const own = [...drafts.values()].filter(({ live }) => live === undefined);
  return h(
    "div",
    { class: "desk" },
    list(
      "Edited last",
      await itemsOf(edited.map(([id, time]) => [id, ago(time)])),
      "No page has been edited yet.",
    ),
    list("With errors", await withErrors(findings), "No page has errors."),
    list(
      "Drafts",
      own.map(({ id, title, file }) => item(id, title, file)),
      "There are no drafts.",
    ),
    ...(await translationLists(older)),
    list("Next to go live or expire", await itemsOf(next), "No page has a date ahead."),
  );
}
