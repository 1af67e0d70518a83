import { idsBelow, record, recordsOf, site } from "../../browse/client/data.js";
import { h, plural } from "../../browse/client/dom.js";
import { button } from "./parts.ts";

const MAX_PAGES_SHOWN = 60;

interface TreePage {
  id: number;
  type: string;
  title: string;
}

/** The page tree, for choosing a page of one of the given types. */
export async function pageTree(
  types: ReadonlySet<string>,
  onChosen: (page: TreePage) => void,
): Promise<HTMLElement> {
  const { home } = await site();
  const top = await record(home);
  const list = h("ul", { class: "branch", "aria-label": "Pages of the site" });
  if (top !== undefined) list.append(await item(top, types, onChosen, true));
  return list;
}

async function item(
  page: TreePage,
  types: ReadonlySet<string>,
  onChosen: (page: TreePage) => void,
  isOpen = false,
): Promise<HTMLElement> {
  const { id, type, title } = page;
  const name = title || "Untitled";
  const label = types.has(type)
    ? button(name, () => onChosen(page), { class: "choose" })
    : h("span", {}, name);
  const line = h("li", {}, label);
  const ids = await idsBelow(id);
  if (ids.length === 0) return line;
  const twist = button("", () => toggle(), {
    class: "twist",
    "aria-expanded": "false",
    "aria-label": `${name}: ${plural(ids.length, "subpage")}`,
  });
  const below = h("ul", { class: "branch", "aria-label": `Below ${name}` });
  let count = 0;
  const more = button("Show more", () => show(), { class: "more" });
  const show = async (): Promise<void> => {
    const pages = await recordsOf(ids.slice(count, count + MAX_PAGES_SHOWN));
    count += MAX_PAGES_SHOWN;
    below.append(...(await Promise.all(pages.map((one) => item(one, types, onChosen)))));
    if (count < ids.length) below.after(more);
    else more.remove();
  };
  const toggle = async (): Promise<void> => {
    const opens = twist.getAttribute("aria-expanded") !== "true";
    twist.setAttribute("aria-expanded", String(opens));
    if (!opens) {
      below.remove();
      more.remove();
      return;
    }
    line.append(below);
    if (count === 0) await show();
    else if (count < ids.length) below.after(more);
  };
  line.prepend(twist);
  if (isOpen) await toggle();
  return line;
}
