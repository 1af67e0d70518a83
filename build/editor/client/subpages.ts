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

export class Subpages {
  readonly element: HTMLElement;
  private readonly parent: number;
  private readonly host: EditorHost;
  private readonly onSaved: () => void;
  /** In the order of the site. */
  private pages: readonly Positioned[] = [];
  private readonly list = h("ol", { class: "elements", "aria-label": "Subpages" });
  private readonly more = help("");
  private readonly button = button("Save the order", () => this.save());
  private readonly status = h("p", { class: "form-status", role: "status" });

  constructor(parent: number, host: EditorHost, onSaved: () => void) {
    this.parent = parent;
    this.host = host;
    this.onSaved = onSaved;
    this.button.hidden = true;
    const about = help(
      "Menus and lists show the pages in this order. Drag them, or use Alt and an arrow key.",
    );
    this.element = div("group", about, this.list, this.more, this.button, this.status);
    followDragging(this.list, (from, to) => this.move(from, to));
  }

  /** Loads the subpages, unless an order of theirs is not saved yet. @returns whether there is something to order */
  async load(): Promise<boolean> {
    const pages = await positionsBelow(this.parent);
    this.pages = this.withCollected(pages);
    const wanted = unsaved.get(this.parent) ?? [];
    const rank = new Map(wanted.map((id, k) => [id, k]));
    const ids = this.pages
      .slice(0, MAX_PAGES_ORDERED)
      .map(({ id }) => id)
      .toSorted((a, b) => (rank.get(a) ?? Infinity) - (rank.get(b) ?? Infinity));
    if (String(ids) !== String(this.shown)) {
      const records = await recordsOf(ids);
      this.list.replaceChildren(...records.map(({ id, title }) => this.item(id, title || "Untitled")));
    }
    this.button.hidden = wanted.length === 0;
    this.more.hidden = pages.length <= ids.length;
    this.more.textContent = `These are the first ${ids.length} of ${pages.length} pages.`;
    return pages.length > 1;
  }

  /** The positions that the pages have with the collected changes. */
  private withCollected(pages: readonly Positioned[]): Positioned[] {
    const { store } = this.host;
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

  private get shown(): number[] {
    return Array.from(this.list.children, (item) => Number((item as HTMLElement).dataset["page"]));
  }

  private item(id: number, title: string): HTMLElement {
    const nameId = `edit-subpage-${id}`;
    const name = h("a", { id: nameId, href: pageHref(id), dir: "auto" }, title);
    const index = (): number => [...this.list.children].indexOf(item);
    const buttons = moveButtons(nameId, (by) => this.move(index(), index() + by));
    const item = h(
      "li",
      { class: "element", "data-page": String(id) },
      name,
      div("element-buttons", ...buttons),
    );
    return item;
  }

  private move(from: number, to: number): void {
    const [item, other] = [this.list.children[from], this.list.children[to]];
    if (item === undefined || other === undefined) return;
    const pressed = document.activeElement;
    other[to < from ? "before" : "after"](item);
    if (pressed instanceof HTMLElement && item.contains(pressed)) pressed.focus();
    unsaved.set(this.parent, this.shown);
    this.button.hidden = false;
    const title = item.querySelector("a")?.textContent ?? "";
    this.status.textContent = `${title}: place ${to + 1} of ${this.list.children.length}. Not saved yet.`;
  }

  discard(): void {
    unsaved.delete(this.parent);
    this.status.textContent = "";
    void this.load();
  }

  /** Saves the order, if it was changed. @returns whether it was changed; undefined if it could not be saved */
  async save(): Promise<boolean | undefined> {
    if (!unsaved.has(this.parent)) return false;
    const { host, shown } = this;
    const byId = new Map(this.pages.map((page) => [page.id, page]));
    const listed = new Set(shown);
    const wanted = [
      ...shown.flatMap((id) => byId.get(id) ?? []),
      ...this.pages.filter(({ id }) => !listed.has(id)),
    ];
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
      this.status.textContent = failureText(cause);
      return undefined;
    }
    this.pages = wanted;
    unsaved.delete(this.parent);
    this.button.hidden = true;
    this.status.textContent = savedText(host);
    this.onSaved();
    return true;
  }
}
