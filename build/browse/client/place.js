// Where a reader is in a view, and the same place in the view that comes after it.
import { growing } from "./tree.js";

const LISTS = "ul[aria-label], ol[aria-label]";
const SCROLLING = [".response", ".json"];
const FOCUSABLE = "a, button, summary, pre, h1";

/** @param {Element} element */
const nameOf = (element) => `${element.tagName} ${element.getAttribute("href")} ${element.textContent}`;

/**
 * @typedef {object} Place
 * @property {string} opened what is open, to be compared
 * @property {(nodes: HTMLElement[]) => Promise<void>} open opens the same in nodes that are not shown yet
 * @property {() => void} settle goes to the same place once they are shown
 */

/**
 * What a reader has opened, and where they are.
 * @param {HTMLElement} main
 * @returns {Place}
 */
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
      /** What could not be loaded stays as it is. */
      const pressed = new Set();
      /** @returns {Element | undefined} a button that is to be pressed, as it was in the view before */
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

/** What comes by itself, or by a reader's hand. */
const PASSING = "img, .request, .said, .fields > :not(summary)";

/**
 * Whether two views show the same, however far their pictures are.
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
