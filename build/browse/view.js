import { ancestors, labelOf, languageOf, record, response, site } from "./data.js";
import { drafts, preview, unbuilt } from "./drafts.js";
import { besideLink, day, frame, h, notice, pageHref, searchHref } from "./dom.js";
import { canSave, editHref, editLinks, fieldLinks, isPreview } from "./editing.js";
import { declaredFields, ownFacts, ownTexts } from "./own-fields.js";
import { responseRegion } from "./response.js";
import { rich, sanitiser } from "./rich.js";
import { draftMark, pagesBelow } from "./tree.js";
import { subjectWord } from "./words.js";

/** @typedef {import("./data.js").PageRecord} PageRecord */
/** @typedef {import("./response.js").Page} Page */
/**
 * @typedef {object} View
 * @property {string} title
 * @property {HTMLElement[]} nodes
 * @property {boolean} [isMissing] whether the page or the results do not exist
 * @property {() => void} [begin] moves the focus to where one begins, once the view is shown
 */
/** @typedef {(label: string, field: string) => Node | undefined} FieldLink makes the link that edits a value */

/** @typedef {[name: string, value: Node | string | undefined, field?: string]} Fact */

/** @param {string} title @param {string} [lang] */
const heading = (title, lang) => h("h1", { tabindex: "-1", lang, dir: "auto" }, title || "Untitled");

/** @param {PageRecord[]} above */
function breadcrumb(above) {
  if (above.length === 0) return undefined;
  const items = above.map(({ id, title }) =>
    h("li", {}, h("a", { href: pageHref(id), dir: "auto" }, title || "Untitled")),
  );
  return h("nav", { class: "breadcrumb", "aria-label": "Breadcrumb" }, h("ol", {}, ...items));
}

/** @param {number} id @returns {Promise<View>} */
export async function pageView(id) {
  const known = Number.isSafeInteger(id) && id > 0 ? await record(id) : undefined;
  if (known === undefined) return unknown(id);
  const [language, isEditable, above, answer, below, links, live] = await Promise.all([
    languageOf(known),
    canSave(),
    ancestors(known),
    response(id),
    pagesBelow(id),
    editLinks(known),
    preview.liveOf(id),
    known.acno !== "" && sanitiser(),
  ]);
  if (answer === undefined) return unknown(id);
  /** @type {Page} */
  const page = JSON.parse(answer.text);
  const languages =
    language && (await (await import("./translations.js")).languageLinks(id, language.code, pageHref, page));
  const article = await articleOf(page, {
    before: [breadcrumb(above), draftMark(id) || undefined, languages, links],
    after: [below],
    live,
    edit: isEditable ? fieldLinks(id) : undefined,
  });
  return {
    title: page.title,
    nodes: [
      h(
        "div",
        { class: "page-grid" },
        article,
        responseRegion(page, answer, { draft: drafts.get(id), isEditable }),
      ),
    ],
  };
}

/**
 * The content of a response.
 * @param {Page} page
 * @param {{ before?: (Node | undefined)[], after?: (Node | undefined)[], live?: string | undefined, edit?: FieldLink | undefined, fields?: readonly import("./own-fields.js").FieldWords[] }} around
 *   fields: those of its type, by default those that the published site declares
 */
export async function articleOf(page, { before = [], after = [], live, edit = () => undefined, fields }) {
  const { site_url: base, languages } = await site();
  const known = fields ?? (await declaredFields(page.meta.type));
  const own = await ownFacts(page, known);
  const isWork = Boolean(page.acno);
  const text = async (/** @type {string} */ html) => {
    const shown = await rich(html, base);
    if (languages !== undefined) shown.lang = page.meta.locale;
    return shown;
  };
  return h(
    "article",
    { class: isWork ? "page work" : "page" },
    ...before,
    ...(isWork
      ? await work(page, base, own, edit, live)
      : general(page, await labelOf(page.meta.type), own, edit, live)),
    ...(await ownTexts(page, known, text, edit)),
    ...after,
  );
}

/** @param {number} id @returns {View} */
function unknown(id) {
  if (unbuilt.files.has(id)) return withErrors(id);
  const title = `No page has the id ${Number.isNaN(id) ? "in this address" : id}`;
  const box = notice(
    title,
    h(
      "p",
      {},
      "It may have been removed, or was never published. Search for its title above, or begin at the ",
      h("a", { href: "/" }, "home page"),
      ".",
    ),
    unbuilt.isOld && !Number.isNaN(id) && isPreview()
      ? h(
          "p",
          {},
          "The last save could not be built. If you saved the page since then, ",
          h("a", { href: editHref(id) }, "open its form"),
          ".",
        )
      : undefined,
  );
  return { title, nodes: [box], isMissing: true };
}

/** The view of a page that was never built without errors. @param {number} id @returns {View} */
function withErrors(id) {
  const title = `The page with the id ${id} has errors`;
  const box = notice(
    title,
    h("p", {}, "It is shown here once they are fixed: ", h("code", {}, unbuilt.files.get(id))),
    isPreview() && h("p", { class: "edit-links" }, h("a", { href: editHref(id) }, "Edit")),
  );
  return { title, nodes: [box], isMissing: true };
}

/** @param {FieldLink} edit @param {Fact[]} rows field: the one to edit */
function facts(edit, rows) {
  const list = h("dl", { class: "facts" });
  for (const [name, value, field] of rows)
    if (value !== undefined && value !== "") {
      const link = field === undefined ? undefined : edit(name, field);
      const shown = link === undefined ? value : besideLink(h("div", { dir: "auto" }, value), link);
      list.append(h("div", {}, h("dt", {}, name), h("dd", { dir: "auto" }, shown)));
    }
  return list;
}

/** @param {string} address */
const outward = (address) =>
  h("a", { href: address, rel: "noreferrer" }, address.replace(/^https?:\/\//, ""));

/** @param {Page} page @param {string} label @param {Fact[]} own @param {FieldLink} edit @param {string} [live] */
function general(page, label, own, edit, live) {
  const { meta } = page;
  return [
    h("p", { class: "kind" }, label),
    besideLink(heading(page.title, meta.locale), edit("Title", "title")),
    meta.search_description === ""
      ? undefined
      : besideLink(
          h("p", { class: "lead", lang: meta.locale, dir: "auto" }, meta.search_description),
          edit("Search description", "meta.search_description"),
        ),
    facts(edit, [
      ...own,
      ["Address", outward(meta.html_url)],
      [
        "Published",
        meta.first_published_at === null ? undefined : day(meta.first_published_at),
        "meta.first_published_at",
      ],
      ["Live", live, "meta.go_live_at"],
      ["In menus", meta.show_in_menus ? "Yes" : undefined, "meta.show_in_menus"],
      ["Id", String(page.id)],
    ]),
  ];
}

/** @param {Page} page @param {string} base @param {Fact[]} own @param {FieldLink} edit @param {string} [live] */
async function work(page, base, own, edit, live) {
  const { meta } = page;
  const artists = page.contributors?.length > 0 ? "contributors" : "allArtists";
  const caption = (page.resources ?? []).filter((/** @type {any} */ one) => one.content !== "");
  return [
    figure(page, edit),
    h(
      "div",
      { class: "label" },
      page.allArtists
        ? besideLink(
            h("p", { class: "artists" }, h("a", { href: searchHref(page.allArtists) }, page.allArtists)),
            edit("Artists", artists),
          )
        : undefined,
      besideLink(heading(page.title, meta.locale), edit("Title", "title")),
      page.dateText
        ? besideLink(h("p", { class: "date" }, page.dateText), edit("Date", "dateText"))
        : undefined,
    ),
    facts(edit, [
      ["Medium", page.medium, "medium"],
      ["Dimensions", page.dimensions, "dimensions"],
      ["Credit line", page.creditLine, "creditLine"],
      page.acquisition_text
        ? ["Acquired", await rich(page.acquisition_text, base), "acquisition_text"]
        : ["Acquired", page.acquisitionYear?.toString(), "acquisitionYear"],
      ["Accession number", page.acno, "acno"],
      ...own,
      [
        "On display",
        page.onDisplayAtInstitution ? page.display_gallery_name || "Yes" : undefined,
        page.display_gallery_name ? "display_gallery_name" : "onDisplayAtInstitution",
      ],
      ["Address", outward(meta.html_url)],
      ["Live", live, "meta.go_live_at"],
      ["Id", String(page.id)],
    ]),
    page.description
      ? section("Description", await rich(page.description, base), edit("Description", "description"))
      : undefined,
    ...(await Promise.all(
      caption.map(async (/** @type {any} */ one) => {
        const field = `resources.${page.resources.indexOf(one)}.content`;
        return section(one.display_name, await rich(one.content, base), edit(one.display_name, field));
      }),
    )),
    subjects(page.subjects, edit),
  ];
}

/** @param {string} title @param {HTMLElement} content @param {Node} [link] */
const section = (title, content, link) =>
  h("section", { class: "text" }, besideLink(h("h2", {}, title), link), content);

/** @param {Page} page @param {FieldLink} edit */
function figure({ master_images: images = [], title, allArtists, acno }, edit) {
  const [first] = images;
  if (first === undefined) return undefined;
  const middle =
    first.sizes.find((/** @type {[number, string, string]} */ [width]) => width >= 640) ?? first.sizes.at(-1);
  const picture = frame({
    src: middle?.[2] ?? first.default_url,
    alt: first.alt_text || [title, allArtists].filter(Boolean).join(", "),
    ratio: first.height_ratio,
    className: "picture",
    fallback: acno,
    tint: allArtists,
  });
  const caption = first.copyright === "" ? undefined : h("figcaption", {}, first.copyright);
  return h("figure", {}, picture, caption, edit("Images", "master_images"));
}

/** @param {{ id: number, name: string, level: number, parent_id: number }[] | undefined} list @param {FieldLink} edit */
function subjects(list = [], edit) {
  const names = new Set(list.map(({ name }) => name).filter(Boolean));
  if (names.size === 0) return undefined;
  const items = [...names].map((name) => {
    const level = list.find((one) => one.name === name)?.level ?? 3;
    return h("li", {}, h("a", { class: `level-${level}`, href: searchHref(subjectWord(name)) }, name));
  });
  const shown = h("ul", { class: "subjects", "aria-label": "Subjects" }, ...items);
  return section("Subjects", shown, edit("Subjects", "subjects"));
}
