import { idsBelow, positionsBelow, recordsOf, site } from "./data.js";
import { h, icon } from "./dom.js";

/** @typedef {import("./data.js").PageRecord} PageRecord */
/** @typedef {import("./view.js").View} View */

/** The editor, which is loaded when it is first opened. @type {typeof import("./edit.js") | undefined} */
let editor;

/** Loads the editor and the modules that it imports at the same time: a browser finds them one after another. */
export const loadEditor = () =>
  Promise.all(
    ["edit", "edit-shared", "view", "own-fields", "response"].map((name) => import(`./${name}.js`)),
  );

/** Whether an address is one of the editor's. @param {URLSearchParams} query */
export const isOfEditor = (query) =>
  ["edit", "new", "translate", "changes", "images"].some((name) => query.has(name));

/** @param {URLSearchParams} query @returns {Promise<View>} */
export async function editorView(query) {
  const [loaded] = await loadEditor();
  editor = loaded;
  return loaded.editorView(query);
}

/** Closes the open form and keeps its edits. */
export const closeEditor = () => editor?.closeForm();

/** Whether this is a preview, which saves in the content folder. */
export const isPreview = () => document.querySelector('meta[name="edit-token"]') !== null;

/** Whether pages can be saved, in a preview or in the published UI. */
export const canSave = async () => isPreview() || (await site()).editing !== undefined;

/** @param {number} id @param {string} [field] the path of the field to begin with */
export const editHref = (id, field) =>
  `/?${new URLSearchParams({ edit: String(id), ...(field === undefined ? {} : { field }) })}`;

/** Makes the link beside a value of a page: to the value's field in the form. @param {number} id */
export const fieldLinks = (id) => (/** @type {string} */ label, /** @type {string} */ field) => {
  const name = `Edit ${label}`;
  const at = { class: "edit-field", href: editHref(id, field), "aria-label": name, title: name };
  return h("a", at, icon("M2 14l1-4 8-8 3 3-8 8zM9 4l3 3"));
};

/** Maximum number of subpages whose types are counted. They are shown with the page, so their records are loaded anyway. */
const MAX_COUNTED = 24;

/**
 * The types that a new page below a page may have: first the one that most of its subpages have, or else the one that may
 * be below most types.
 * @param {Pick<PageRecord, "id" | "type">} page
 */
export async function typesBelow({ id, type }) {
  const { types, below } = await site();
  const subpages = await recordsOf((await idsBelow(id)).slice(0, MAX_COUNTED));
  const count = (/** @type {number} */ one) => subpages.filter((page) => page.type === types[one]).length;
  const uses = (/** @type {number} */ one) => below.filter((possible) => possible.includes(one)).length;
  return (below[types.indexOf(type)] ?? [])
    .toSorted((a, b) => count(b) - count(a) || uses(b) - uses(a))
    .map((one) => types[one] ?? "");
}

/** Links from a page to its form, and to the form of a new subpage. @param {PageRecord} page */
export async function editLinks({ id, type }) {
  if (!(await canSave())) return undefined;
  const [[kind], below] = await Promise.all([typesBelow({ id, type }), positionsBelow(id)]);
  return h(
    "p",
    { class: "edit-links" },
    h("a", { href: editHref(id) }, "Edit"),
    kind === undefined
      ? undefined
      : h("a", { href: `/?${new URLSearchParams({ new: kind, below: String(id) })}` }, "New page"),
    below.length > 1 && h("a", { href: editHref(id, "subpages") }, "Order subpages"),
  );
}

/**
 * The pages of the proposal that the editor of a published site has collected, once for each change; none in a preview.
 * @returns {Promise<{ file: string, before: string | null, page: Record<string, any> }[]>}
 */
export async function collectedPages() {
  const { editing } = await site();
  if (editing === undefined || isPreview()) return [];
  try {
    /** @type {{ files: { file: string, before: string | null, after: string | null }[], pages: string[] }[]} */
    const changes = JSON.parse(localStorage.getItem(`page-editor:${editing.site_url}:proposal`) ?? "[]");
    return changes.flatMap(({ files, pages }) =>
      files
        .filter(({ file }) => pages.includes(file))
        .map(({ file, before, after }) => ({ file, before, page: pageIn(after ?? before ?? "") })),
    );
  } catch {
    // Without storage, nothing is collected.
    return [];
  }
}

/** A page, or nothing of a file that is no JSON. @param {string} text @returns {Record<string, any>} */
function pageIn(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

const toProposal = h("a", { class: "to-proposal", href: "/?changes", hidden: true });
document.querySelector(".top")?.append(toProposal);

/** Shows the number of changes that the editor of a published site has collected, with a link to them. */
export async function showProposal() {
  // The move of a page changes two files.
  const { size } = new Set((await collectedPages()).map(({ file, page }) => page["id"] ?? file));
  toProposal.hidden = size === 0;
  toProposal.textContent = `Proposal (${size})`;
}
