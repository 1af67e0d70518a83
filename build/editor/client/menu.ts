import { h, icon, onKey } from "../../browse/dom.js";
import { button } from "./parts.ts";

export interface MenuItem {
  label: string;
  help?: string;
  /** The path of a drawing. */
  icon?: string | undefined;
  run: () => unknown;
}

/** Pixels between a menu and the button or the edge of the window beside it. */
const GAP = 4;

/** Opens a menu at an element. It closes when an item is chosen, by Escape, and by a click elsewhere. */
export function openMenu(anchor: Element, label: string, items: readonly MenuItem[]): void {
  const choices = items.map(({ label: name, help, icon: path, run }) => {
    const choose = (): void => {
      menu.hidePopover();
      run();
    };
    const choice = button("", choose, { role: "menuitem", tabindex: "-1" });
    choice.append(path === undefined ? "" : icon(path), h("span", {}, name));
    if (help !== undefined && help !== "") choice.append(h("small", {}, help));
    return choice;
  });
  const onToggle = (event: Event): void => {
    if ((event as ToggleEvent).newState === "closed") menu.remove();
  };
  const attributes = { role: "menu", class: "menu", popover: "auto", "aria-label": label, toggle: onToggle };
  const menu: HTMLElement = h("div", attributes, ...choices);
  onKey(menu, (event) => {
    const { key } = event;
    const at = choices.findIndex((one) => one === document.activeElement);
    const names = items.map((one) => one.label.toLowerCase());
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    const begins = (k: number): boolean => names[k % names.length]?.startsWith(key.toLowerCase()) === true;
    const typed = choices.map((_, k) => at + 1 + k).find(begins);
    const to = { Home: 0, End: choices.length - 1 }[key] ?? (by === undefined ? typed : at + by);
    if (key === "Tab") menu.hidePopover();
    if (to === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choices[(to + choices.length) % choices.length]?.focus();
  });
  // In a landmark, as all content of the page.
  (anchor.closest("main") ?? document.body).append(menu);
  menu.showPopover();
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = menu;
  const isBelow = bottom + offsetHeight + GAP <= innerHeight || top < offsetHeight;
  const y = isBelow ? bottom + GAP : top - offsetHeight - GAP;
  menu.style.left = `${Math.max(GAP, Math.min(left, innerWidth - offsetWidth - GAP))}px`;
  menu.style.top = `${Math.max(GAP, Math.min(y, innerHeight - offsetHeight - GAP))}px`;
  choices[0]?.focus();
}
