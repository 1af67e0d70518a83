import { site } from "./data.js";
import { h } from "./dom.js";

/** @typedef {import("./data.js").PageRecord} PageRecord */
/** @typedef {import("./view.js").View} View */

/**
 * The editor, which is loaded when it is first opened.
 * @type {typeof import("./edit.js") | undefined}
 */
let editor;

/** Whether an address is one of the editor's. @param {URLSearchParams} asked */
export const isOfEditor = (asked) => asked.has("edit") || asked.has("new");

/** @param {URLSearchParams} asked @returns {Promise<View>} */
export async function editorView(asked) {
  editor ??= await import("./edit.js");
  return editor.editorView(asked);
}

/** Closes the open form and keeps its edits. */
export const closeEditor = () => editor?.closeForm();

/** Whether this is a preview, which saves in the content folder. */
export const isPreview = () => document.querySelector('meta[name="edit-token"]') !== null;

/** Whether pages can be saved, in a preview or in the published UI. */
const canSave = async () => isPreview() || (await site()).editing !== undefined;

/** @param {number} id */
export const editHref = (id) => `/?edit=${id}`;

/** Links from a page to its form, and to the form of a new subpage. @param {PageRecord} page */
export async function editLinks({ id, type }) {
  if (!(await canSave())) return undefined;
  const { types, below } = await site();
  const possible = (below[types.indexOf(type)] ?? []).map((one) => types[one] ?? "");
  const kind = possible.includes(type) ? type : possible[0];
  return h(
    "p",
    { class: "edit-links" },
    h("a", { href: editHref(id) }, "Edit"),
    kind === undefined
      ? undefined
      : h("a", { href: `/?${new URLSearchParams({ new: kind, below: String(id) })}` }, "New page"),
  );
}
