import { idsBelow, labelOf, languageOf, recordsOf, site } from "./data.js";
import { drafts } from "./drafts.js";
import { frame, h, pageHref, plural, dateInWords } from "./dom.js";
import { marked } from "./search.js";

/** @typedef {import("./data.js").PageRecord} PageRecord */

/** Number of pages of a list that are shown at a time. */
const BATCH_SIZE = 60;

/** The action of each button of a tree or a list. @type {WeakMap<Element, () => Promise<unknown>>} */
export const growing = new WeakMap();

/** @param {number} id */
export function draftMark(id) {
  const draft = drafts.get(id);
  if (draft === undefined) return false;
  const text = draft.isExpired ? "Expired" : draft.live === undefined ? "Draft" : "Not live";
  return h("span", { class: "draft" }, text);
}

/**
 * A page in a list, as one link.
 * @param {PageRecord} page
 * @param {readonly string[]} words to be marked
 */
export async function entry(page, words = []) {
  const { id, title, artists, acno, date, image, type } = page;
  const isWork = acno !== "";
  const hasThumb = isWork || image !== "";
  const facts = isWork ? [acno, artists, date] : [artists, dateInWords(date), await labelOf(type)];
  const language = await languageOf(page);
  const about = h("span", { class: "entry-facts" });
  for (const fact of facts.filter((one) => one !== "")) about.append(h("span", {}, ...marked(fact, words)));
  if (language !== undefined) about.append(h("span", { lang: language.code }, language.label));
  return h(
    "li",
    { class: hasThumb ? "entry is-work" : "entry" },
    h(
      "a",
      { href: pageHref(id) },
      hasThumb &&
        frame({
          src: image,
          alt: "",
          className: "thumb",
          fallback: acno.slice(0, 1),
          tint: artists || title,
        }),
      h(
        "span",
        { class: "entry-text" },
        h(
          "span",
          { class: "entry-title", lang: language?.code, dir: "auto" },
          ...marked(title || "Untitled", words),
        ),
        draftMark(id),
        about,
      ),
    ),
  );
}

/**
 * Fills a list in batches.
 * @param {HTMLElement} list
 * @param {readonly number[]} ids
 * @param {(page: PageRecord) => Promise<HTMLElement>} show
 * @param {number} [first]
 * @returns {Promise<HTMLElement>} the list, and below it the button that shows more
 */
export async function inParts(list, ids, show, first = BATCH_SIZE) {
  const box = h("div", { class: "in-parts" }, list);
  const more = h("button", { type: "button", class: "more" });
  let shown = 0;
  const add = async (/** @type {number} */ count) => {
    const pages = await recordsOf(ids.slice(shown, shown + count));
    const items = await Promise.all(pages.map(show));
    shown = Math.min(shown + count, ids.length);
    list.append(...items);
    const left = ids.length - shown;
    if (left === 0) more.remove();
    else {
      more.textContent = `Show ${Math.min(left, BATCH_SIZE).toLocaleString("en")} more of ${left.toLocaleString("en")}`;
      box.append(more);
    }
    return items[0];
  };
  const onMore = async () => {
    more.disabled = true;
    try {
      const next = await add(BATCH_SIZE);
      next?.querySelector(/** @type {"a"} */ ("a, .choose"))?.focus();
    } catch {
      // The next press requests the pages again.
    } finally {
      more.disabled = false;
    }
  };
  growing.set(more, () => add(BATCH_SIZE));
  more.addEventListener("click", () => void onMore());
  await add(first);
  return box;
}

/** The section with the subpages of a page. @param {number} id */
export async function pagesBelow(id) {
  const ids = await idsBelow(id);
  if (ids.length === 0) return undefined;
  const list = h("ul", { class: "entries", "aria-label": "Subpages" });
  return h(
    "section",
    { class: "below" },
    h("h2", {}, "Subpages ", h("span", { class: "count" }, ids.length.toLocaleString("en"))),
    await inParts(list, ids, (page) => entry(page)),
  );
}

/** @param {PageRecord} page @returns {HTMLElement} */
const linkTo = ({ id, title }) => h("a", { href: pageHref(id), dir: "auto" }, title || "Untitled");

/**
 * The tree below a page. Its branches are loaded when they are opened.
 * @param {number} id
 * @param {string} label
 * @param {typeof linkTo} [nameOf] shows the name of a page
 * @returns {Promise<HTMLElement | undefined>}
 */
export async function branch(id, label, nameOf = linkTo) {
  const ids = await idsBelow(id);
  if (ids.length === 0) return undefined;
  const list = h("ul", { class: "branch", "aria-label": label });
  return inParts(list, ids, (page) => node(page, nameOf));
}

/** A page in a tree, with the button that opens its branch. @param {PageRecord} page @param {typeof linkTo} nameOf */
export async function node(page, nameOf) {
  const { id, title, acno, type } = page;
  const name = nameOf(page);
  const item = h("li", {}, name, draftMark(id));
  if (acno !== "") {
    item.append(h("span", { class: "aside" }, acno));
    const { types, below: possible } = await site();
    // Of thousands of works, none is asked for its subpages if it can have none.
    if (possible[types.indexOf(type)]?.length === 0) return item;
  }
  const below = await idsBelow(id);
  if (below.length === 0) return item;
  const button = h("button", {
    type: "button",
    class: "twist",
    "aria-expanded": "false",
    "aria-label": `${title || "Untitled"}: ${plural(below.length, "subpage")}`,
    "data-page": String(id),
  });
  /** @type {Promise<HTMLElement | undefined> | undefined} */
  let open;
  const toggle = async () => {
    const isOpen = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(isOpen));
    try {
      const found = await (open ??= branch(id, `Below ${title || "Untitled"}`, nameOf));
      if (button.getAttribute("aria-expanded") === "true") item.append(found ?? "");
      else found?.remove();
    } catch {
      // The next press requests the branch again.
      open = undefined;
      button.setAttribute("aria-expanded", "false");
    }
  };
  growing.set(button, toggle);
  button.addEventListener("click", () => void toggle());
  item.prepend(button);
  name.after(h("span", { class: "aside" }, plural(below.length, "subpage")));
  return item;
}

/** Maximum number of entries of a short list. */
export const MAX_SHORT = 8;

/** @param {number} id @param {string} title @param {string} aside @param {string} [href] */
export const item = (id, title, aside, href = pageHref(id)) =>
  h("li", {}, h("a", { href, dir: "auto" }, title || "Untitled"), " ", h("span", { class: "aside" }, aside));

/** @param {[id: number, aside: string][]} pages @param {typeof pageHref} [hrefOf] */
export async function itemsOf(pages, hrefOf) {
  const records = new Map((await recordsOf(pages.map(([id]) => id))).map((one) => [one.id, one]));
  return pages.flatMap(([id, aside]) => {
    const page = records.get(id);
    return page === undefined ? [] : [item(id, page.title, aside, hrefOf?.(id))];
  });
}

/** @param {string} time */
export function ago(time) {
  const minutes = Math.round((Date.now() - Date.parse(time)) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  return new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

/** A short section of a view. @param {string} title @param {...import("./dom.js").Child} children */
export const glimpse = (title, ...children) =>
  h("section", { class: "glimpse" }, h("h2", {}, title), ...children);

/** @param {string} title @param {HTMLElement[]} items @param {string} none @param {number} [count] */
export const shortList = (title, items, none, count = items.length) =>
  glimpse(
    title,
    items.length === 0
      ? h("p", { class: "hint" }, none)
      : h("ul", { "aria-label": title }, ...items.slice(0, MAX_SHORT)),
    count > MAX_SHORT && h("p", { class: "hint" }, `and ${(count - MAX_SHORT).toLocaleString("en")} more`),
  );
