import { bulkDownload, homeData, record, searchHint, site } from "./data.js";
import { allPages, day, frame, h, pageHref, plural, searchHref } from "./dom.js";
import { preview } from "./drafts.js";
import { canSave, editLinks } from "./editing.js";
import { branch, entry, glimpse } from "./tree.js";
import { typeWord } from "./words.js";

/** @typedef {import("./view.js").View} View */

/** The overview of the site in the home view; empty if its data cannot be loaded. */
async function glance() {
  const { types = [], newest = [], pictures = [] } = (await homeData().catch(() => undefined)) ?? {};
  const { labels, types: names } = await site();
  const counts = types.flatMap((count, type) => {
    const text = [`${labels[type] ?? ""} `, h("strong", {}, count.toLocaleString("en"))];
    return count === 0
      ? []
      : [h("li", {}, h("a", { href: searchHref(typeWord(names[type] ?? "")) }, ...text))];
  });
  const items = newest.map(async ([page, published]) => {
    const item = await entry(page);
    if (published !== null)
      item
        .querySelector(".entry-facts")
        ?.append(h("span", {}, h("time", { datetime: published }, day(published))));
    return item;
  });
  return {
    count: types.reduce((sum, count) => sum + count, 0),
    types: h("ul", { class: "types", "aria-label": "Pages by type" }, ...counts),
    works: pictures.length > 0 && listed("Works", "tiles", pictures.map(tile)),
    newest: items.length > 0 && listed("Newest pages", "entries", await Promise.all(items)),
  };
}

/** @param {string} title @param {string} className @param {HTMLElement[]} items */
const listed = (title, className, items) =>
  glimpse(title, h("ul", { class: className, "aria-label": title }, ...items));

/** @param {import("./data.js").DatedRecord} record */
const tile = ([{ id, title, artists, acno, image }]) =>
  h(
    "li",
    {},
    h(
      "a",
      { href: pageHref(id) },
      frame({ src: image, alt: "", className: "tile", fallback: acno, tint: artists }),
      h("span", { class: "tile-title", dir: "auto" }, title || "Untitled"),
      h("span", { class: "tile-artists", dir: "auto" }, artists),
    ),
  );

/** The sentence about the bulk download. It is left out if the index cannot be loaded. */
async function download() {
  const found = await bulkDownload().catch(() => undefined);
  if (found === undefined) return undefined;
  const { files, bytes, changed } = found;
  const size = `${(bytes / 1e6).toLocaleString("en", { maximumSignificantDigits: 2 })} MB`;
  return h(
    "p",
    { class: "hint" },
    `To copy all pages, download ${plural(files, "ZIP file")} with ${size} of JSON`,
    changed === null ? "" : `, last changed on ${day(changed)}`,
    ". The ",
    h("a", { href: "/bulk/index.json" }, "index"),
    " lists them.",
  );
}

/** @param {number} id @param {string} title */
const rootOf = (id, title) => h("p", { class: "tree-root" }, h("a", { href: pageHref(id) }, title));

/** @returns {Promise<View>} */
export async function homeView() {
  const { home, languages, pages, site_url: address } = await site();
  const top = await record(home);
  const [links, tree, bulk, shown, desk] = await Promise.all([
    top && editLinks(top),
    branch(home, "Pages of the site"),
    download(),
    glance(),
    preview.desk(),
  ]);
  const name = top?.title ?? address.replace(/^https?:\/\//, "");
  const example = h("code", {}, `GET ${location.origin}/api/v2/pages/${home || "ID"}/`);
  const hero = h("section", { class: "hero" }, h("h1", { tabindex: "-1" }, name), shown.types, links);
  const root = top && rootOf(home, name);
  const others = (languages ?? []).filter((one) => one.home !== home && one.home !== 0);
  const trees = others.map(async ({ home: id, label }) => [
    rootOf(id, label),
    await branch(id, `Pages in ${label}`),
  ]);
  const all =
    (root !== undefined || tree !== undefined) &&
    h(
      "section",
      { class: "tree", "aria-label": "The tree of pages" },
      h("h2", {}, "All pages"),
      root,
      tree,
      ...(await Promise.all(trees)).flat(),
    );
  const columns = h("div", { class: "home-columns" }, all, shown.newest);
  const api = h(
    "section",
    { class: "glimpse", "aria-label": "API" },
    h("h2", {}, "API"),
    h(
      "p",
      { class: "hint" },
      `${allPages(shown.count || pages)} of this website: as JSON for programs, and here for people to browse. `,
      "Request any page by its id: ",
      example,
      ".",
    ),
    h("p", { class: "hint" }, await searchHint()),
    bulk,
  );
  const isEdited = desk === undefined && languages !== undefined && (await canSave());
  const todo =
    isEdited &&
    h("div", { class: "desk" }, ...(await (await import("./translations.js")).translationLists()));
  const parts = [hero, desk, shown.works, columns, todo, api];
  return { title: name, nodes: parts.filter((one) => one instanceof HTMLElement) };
}
