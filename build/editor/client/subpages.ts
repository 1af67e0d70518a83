import { positionsBelow, recordsOf } from "../../browse/data.js";
import { h, pageHref } from "../../browse/dom.js";
import { isObject } from "../../source/json/object.ts";
import { byPosition, positionOf, positionsFor, type Positioned } from "../../model/position.ts";
import { FormModel, pageOf } from "../form/model.ts";
import { GitHubStore } from "../github/store.ts";
import { failureText, savedText } from "./form-parts.ts";
import type { EditorHost } from "./host.ts";
import { button, div, help } from "./parts.ts";
import { followDragging, moveButtons } from "./rows.ts";

/** Maximum number of pages in the list: the others keep their places behind them. */
const MAX_PAGES_ORDERED = 200;

/** The orders that are not saved yet, as lists of ids, by the id of the parent. They stay while other views are open. */
const unsaved = new Map<number, readonly number[]>();

addEventListener("beforeunload", (event) => {
  if (unsaved.size > 0) event.preventDefault();
});

/** The subpages of a page, in an order that is saved with the page or by a button. */
export function subpagesOf(parent: number, host: EditorHost, onSaved: () => void) {
  /** In the order of the site. */
  let pages: readonly Positioned[] = [];
  const list = h("ol", { class: "elements", "aria-label": "Subpages" });
  const more = help("");
  const saving = button("Save the order", () => save());
  const status = h("p", { class: "form-status", role: "status" });
  const about = help("Menus and lists show the pages in this order. Drag them, or use Alt and an arrow key.");
  saving.hidden = true;
  const shown = () => Array.from(list.children, (item) => Number((item as HTMLElement).dataset["page"]));

  /** Loads the subpages, unless an order of theirs is not saved yet. @returns whether there is something to order */
  const load = async (): Promise<boolean> => {
    const published = await positionsBelow(parent);
    pages = withCollected(host, published);
    const wanted = unsaved.get(parent) ?? [];
    const rank = new Map(wanted.map((id, k) => [id, k]));
    const ids = pages
      .slice(0, MAX_PAGES_ORDERED)
      .map(({ id }) => id)
      .toSorted((a, b) => (rank.get(a) ?? Infinity) - (rank.get(b) ?? Infinity));
    if (String(ids) !== String(shown())) {
      const records = await recordsOf(ids);
      list.replaceChildren(...records.map(({ id, title }) => itemOf(id, title || "Untitled")));
    }
    saving.hidden = wanted.length === 0;
    more.hidden = published.length <= ids.length;
    more.textContent = `These are the first ${ids.length} of ${published.length} pages.`;
    return published.length > 1;
  };

  const itemOf = (id: number, title: string): HTMLElement => {
    const nameId = `edit-subpage-${id}`;
    const name = h("a", { id: nameId, href: pageHref(id), dir: "auto" }, title);
    const index = (): number => [...list.children].indexOf(item);
    const buttons = moveButtons(nameId, (by) => move(index(), index() + by));
    const item = h(
      "li",
      { class: "element", "data-page": String(id) },
      name,
      div("element-buttons", ...buttons),
    );
    return item;
  };

  const move = (from: number, to: number): void => {
    const [item, other] = [list.children[from], list.children[to]];
    if (item === undefined || other === undefined) return;
    const pressed = document.activeElement;
    other[to < from ? "before" : "after"](item);
    if (pressed instanceof HTMLElement && item.contains(pressed)) pressed.focus();
    unsaved.set(parent, shown());
    saving.hidden = false;
    const title = item.querySelector("a")?.textContent ?? "";
    status.textContent = `${title}: place ${to + 1} of ${list.children.length}. Not saved yet.`;
  };

  const discard = (): void => {
    unsaved.delete(parent);
    status.textContent = "";
    void load();
  };

  /** Saves the order, if it was changed. @returns whether it was changed; undefined if it could not be saved */
  const save = async (): Promise<boolean | undefined> => {
    if (!unsaved.has(parent)) return false;
    const ids = shown();
    const byId = new Map(pages.map((page) => [page.id, page]));
    const listed = new Set(ids);
    const wanted = [...ids.flatMap((id) => byId.get(id) ?? []), ...pages.filter(({ id }) => !listed.has(id))];
    try {
      for (const [id, order] of positionsFor(wanted)) {
        const source = await host.store.open(id);
        if (source === undefined) continue;
        const form = new FormModel(host.pages, source.text);
        form.set(["meta", "order"], order);
        await host.store.save({ file: source.file, before: source.text, after: form.text });
        const page = byId.get(id);
        if (page !== undefined) page.position = order || Number.MIN_VALUE;
      }
    } catch (cause) {
      status.textContent = failureText(cause);
      return undefined;
    }
    pages = wanted;
    unsaved.delete(parent);
    saving.hidden = true;
    status.textContent = savedText(host);
    onSaved();
    return true;
  };

  followDragging(list, move);
  return { element: div("group", about, list, more, saving, status), load, discard, save };
}

/** The positions that pages have with the collected changes. */
function withCollected({ store }: EditorHost, pages: readonly Positioned[]): Positioned[] {
  const changes = store instanceof GitHubStore ? store.changes : [];
  const positions = new Map(
    changes.flatMap(({ after }): [unknown, number][] => {
      const page = pageOf(after);
      return isObject(page?.["meta"]) ? [[page["id"], positionOf(page["meta"])]] : [];
    }),
  );
  return pages
    .map(({ id, position }) => ({ id, position: positions.get(id) ?? position }))
    .toSorted(byPosition);
}
