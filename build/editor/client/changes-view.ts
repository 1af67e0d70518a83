import { draftsBelow } from "../../browse/client/drafts.js";
import { idsBelow } from "../../browse/client/data.js";
import { h, plural } from "../../browse/client/dom.js";
import { editHref } from "../../browse/client/editing.js";
import { pageChanges, summaryOfChanges, type ShownChange, type ShownField } from "../changes.ts";
import type { FileChange } from "../store.ts";
import type { EditorHost } from "./host.ts";
import { button, div } from "./parts.ts";

/* Changes as people read them, wherever the editor shows them. */

/** The changes of pages, and their effect in a sentence. */
export function readChanges(
  { pages, site }: EditorHost,
  files: readonly FileChange[],
): { changes: ShownChange[]; summary: Promise<string> } {
  const changes = pageChanges(files, { pages, site, at: new Date().toISOString() });
  const counts = changes.map(async ({ id = 0, isOfParent }) => {
    const below = isOfParent ? await idsBelow(id).catch(() => []) : [];
    return below.length - (isOfParent ? draftsBelow(id).length : 0);
  });
  const summary = Promise.all(counts).then((all) =>
    summaryOfChanges(
      changes,
      all.reduce((sum, one) => sum + one, 0),
    ),
  );
  return { changes, summary };
}

/** One change, with its fields. @param more elements beside the title */
export const changeView = (change: ShownChange, ...more: (Node | undefined)[]): HTMLElement => {
  const { kind, file, files, id, title, errors, dates, fields } = change;
  const from = files.length > 1 ? files[0]?.file : undefined;
  return h(
    "li",
    { class: "change", "data-file": file },
    div(
      "change-head",
      h(
        "strong",
        { dir: "auto" },
        id === undefined || kind === "removed" ? title : h("a", { href: editHref(id) }, title),
      ),
      h("span", { class: "aside" }, kind + (errors === 0 ? "" : `, ${plural(errors, "error")}`)),
      ...more,
    ),
    from !== undefined && h("p", { class: "aside" }, `${from} is now ${file}`),
    ...dates.map((text) => h("p", {}, `The page ${text}.`)),
    h("dl", { class: "change-fields" }, ...fields.map(fieldView)),
  );
};

const fieldView = ({ label, old, new: now }: ShownField): HTMLElement =>
  h(
    "div",
    {},
    h("dt", {}, label),
    old !== undefined && h("dd", { dir: "auto" }, h("del", {}, plain(old))),
    now !== undefined && h("dd", { dir: "auto" }, h("ins", {}, plain(now))),
  );

/** A printed text without its quotation marks and escapes; any other value as it is. */
function plain(printed: string): string {
  if (!/^".*"$/.test(printed)) return printed;
  try {
    return String(JSON.parse(printed)) || "(empty)";
  } catch {
    return printed;
  }
}

/** Shows the changes of a form before they are saved. */
export async function review(
  host: EditorHost,
  change: FileChange,
  label: string,
  save: () => unknown,
): Promise<void> {
  const { changes, summary } = readChanges(host, change.before === change.after ? [] : [change]);
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "confirmation review", "aria-label": "Review changes", close: (): void => dialog.remove() },
    h("h2", { tabindex: "-1", autofocus: true }, "Review changes"),
    h("p", {}, changes.length === 0 ? "There are no changes." : await summary),
    h("ul", { class: "changes", "aria-label": "Changes" }, ...changes.map((one) => changeView(one))),
    div(
      "element-buttons",
      changes.length > 0 &&
        button(
          label,
          () => {
            dialog.close();
            save();
          },
          { class: "primary" },
        ),
      button("Close", () => dialog.close()),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
