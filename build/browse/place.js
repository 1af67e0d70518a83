// The visitor's position in a view, and how to restore it in the next view.
import { growing } from "./tree.js";

const LISTS = "ul[aria-label], ol[aria-label]";
const SCROLLING = [".response", ".json"];
const FOCUSABLE = "a, button, summary, pre, h1";

/** @param {Element} element */
const nameOf = (element) => `${element.tagName} ${element.getAttribute("href")} ${element.textContent}`;

/**
 * @typedef {object} ReadingPosition
 * @property {string} opened the open parts, as a text to compare
 * @property {(nodes: HTMLElement[]) => Promise<void>} open opens the same parts in nodes that are not shown yet
 * @property {() => void} settle restores scroll positions and focus once the nodes are shown
 */

/** The open parts, scroll positions and focus of a view. @param {HTMLElement} main @returns {ReadingPosition} */
export function placeIn(main) {
  const details = new Map([...main.querySelectorAll("details")].map((one) => [one.className, one.open]));
  const twisted = new Set(
    [...main.querySelectorAll('.twist[aria-expanded="true"]')].map((one) => one.getAttribute("data-page")),
  );
  const lengths = new Map(
    [...main.querySelectorAll(LISTS)].map((list) => [
      list.getAttribute("aria-label"),
      list.childElementCount,
    ]),
  );
  const scrolled = SCROLLING.map((part) => main.querySelector(part)?.scrollTop ?? 0);
  const [top, focused] = [scrollY, document.activeElement];
  const name = focused !== null && main.contains(focused) ? nameOf(focused) : undefined;

  return {
    opened: JSON.stringify([[...details], [...twisted], [...lengths]]),
    open: async (nodes) => {
      const box = document.createElement("div");
      box.append(...nodes);
      for (const one of box.querySelectorAll("details")) one.open = details.get(one.className) ?? one.open;
      /** Buttons already pressed: a branch that cannot be loaded stays closed. */
      const pressed = new Set();
      /** @returns {Element | undefined} the next button to press, so that the nodes become like the previous view */
      const next = () =>
        [...box.querySelectorAll(".twist, .more")].find((button) => {
          if (button.matches(".twist")) {
            const isOpen = button.getAttribute("aria-expanded") === "true";
            return !pressed.has(button) && isOpen !== twisted.has(button.getAttribute("data-page"));
          }
          const list = button.parentElement?.querySelector(LISTS);
          return list && list.childElementCount < (lengths.get(list.getAttribute("aria-label")) ?? 0);
        });
      for (let button = next(); button !== undefined; button = next()) {
        pressed.add(button);
        await growing.get(button)?.();
      }
    },
    settle: () => {
      scrollTo(0, top);
      for (const [k, part] of SCROLLING.entries()) main.querySelector(part)?.scrollTo(0, scrolled[k] ?? 0);
      const same = [...main.querySelectorAll(FOCUSABLE)].find((one) => nameOf(one) === name);
      if (same instanceof HTMLElement) same.focus({ preventScroll: true });
    },
  };
}

/** Parts that load later or that the visitor's actions add. */
const PASSING = "img, .request, .said, .fields > :not(summary)";

/**
 * Whether two views show the same, except for parts that load later or that the visitor's actions add.
 * @param {readonly Element[]} one
 * @param {readonly Element[]} other
 */
export const isSame = (one, other) => lasting(one) === lasting(other);

/** @param {readonly Element[]} nodes */
function lasting(nodes) {
  const box = document.createElement("template");
  for (const node of nodes) box.content.append(node.cloneNode(true));
  for (const part of box.content.querySelectorAll(PASSING)) part.remove();
  for (const part of box.content.querySelectorAll(".is-loaded")) part.classList.remove("is-loaded");
  return box.innerHTML;
}
