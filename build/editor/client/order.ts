import { positionsBelow, record, recordsOf } from "../../browse/client/data.js";
import { h, pageHref } from "../../browse/client/dom.js";
import type { View } from "../../browse/client/view.js";
import { positionsFor } from "../../page/position.ts";
import { FormModel } from "../form/model.ts";
import { failureText } from "./form-parts.ts";
import type { EditorHost } from "./host.ts";
import { button, div, help } from "./parts.ts";

/** Maximum number of pages in the list: the others keep their places behind them. */
const MAX_PAGES_ORDERED = 200;

/** The list in which the subpages of a page are dragged, or moved by buttons, into an order. */
export async function orderView(parent: number, host: EditorHost): Promise<View> {
  const [above, pages] = await Promise.all([record(parent), positionsBelow(parent)]);
  const shown = new Map(
    (await recordsOf(pages.slice(0, MAX_PAGES_ORDERED).map(({ id }) => id))).map((one) => [one.id, one]),
  );
  const title = `Order: ${above?.title ?? "no page"}`;
  const status = h("p", { class: "form-status", role: "status" });
  const list = h("ol", { class: "order", "aria-label": "Subpages" });
  let dragged: HTMLElement | undefined;

  const moved = (item: HTMLElement, place: () => void): void => {
    place();
    const at = [...list.children].indexOf(item) + 1;
    status.textContent = `${item.dataset["title"]}: place ${at} of ${list.children.length}. Not saved yet.`;
  };
  const step = (
    item: HTMLElement,
    other: Element | null,
    place: "before" | "after",
    pressed: HTMLElement,
  ): void => {
    if (other !== null) moved(item, () => other[place](item));
    pressed.focus();
  };
  for (const { id, title: own } of shown.values()) {
    const name = own || "Untitled";
    const item = h("li", { draggable: "true", "data-page": String(id), "data-title": name });
    const up = button("↑", () => step(item, item.previousElementSibling, "before", up), {
      "aria-label": `Move ${name} up`,
    });
    const down = button("↓", () => step(item, item.nextElementSibling, "after", down), {
      "aria-label": `Move ${name} down`,
    });
    item.append(
      h("span", { class: "grip", "aria-hidden": "true" }, "⠿"),
      h("span", { dir: "auto" }, name),
      up,
      down,
    );
    item.addEventListener("dragstart", () => (dragged = item));
    item.addEventListener("dragend", () => (dragged = undefined));
    item.addEventListener("dragover", (event) => {
      if (dragged === undefined) return;
      event.preventDefault();
      if (dragged === item) return;
      const { top, height } = item.getBoundingClientRect();
      const place = event.clientY < top + height / 2 ? "before" : "after";
      const one = dragged;
      if ((place === "before" ? item.previousElementSibling : item.nextElementSibling) !== one)
        moved(one, () => item[place](one));
    });
    list.append(item);
  }

  const wanted = () => {
    const byId = new Map(pages.map((page) => [page.id, page]));
    const ids = [...list.children].map((item) => Number((item as HTMLElement).dataset["page"]));
    return [...ids.flatMap((id) => byId.get(id) ?? []), ...pages.filter(({ id }) => !shown.has(id))];
  };
  const save = async (): Promise<void> => {
    const changes = positionsFor(wanted());
    try {
      for (const [id, order] of changes) {
        const source = await host.store.open(id);
        if (source === undefined) continue;
        const form = new FormModel(host.pages, source.text);
        form.set(["meta", "order"], order);
        await host.store.save({ file: source.file, before: source.text, after: form.text });
        for (const page of pages) if (page.id === id) page.position = order || Number.MIN_VALUE;
      }
      status.replaceChildren("Saved. ", h("a", { href: pageHref(parent) }, "Back to the page"));
      status.querySelector("a")?.focus();
    } catch (cause) {
      status.textContent = failureText(cause);
    }
  };
  const nodes = [
    h("h1", { tabindex: "-1" }, title),
    help("Drag the pages into their order. Menus and lists show them in this order."),
    ...(pages.length > shown.size
      ? [help(`These are the first ${shown.size} of ${pages.length} pages.`)]
      : []),
    list,
    div(
      "save-bar",
      button("Save the order", save, { class: "primary" }),
      h("a", { href: pageHref(parent) }, "Cancel"),
    ),
    status,
  ];
  return { title, nodes: [div("edit-view", ...nodes)] };
}
