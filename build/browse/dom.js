/** @typedef {Node | string | undefined | false} Child */

/**
 * An element. Texts become text nodes and are never parsed as HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | boolean | undefined | ((event: Event) => unknown)>} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children) if (child !== undefined && child !== false) element.append(child);
  return element;
}

/**
 * Listens to the keys of an element. While an input method composes text, such as Japanese, its keys are its own. The
 * last of them is not marked as composing in every browser, but has the key code 229.
 * @template {HTMLElement | Document} T
 * @param {T} target
 * @param {(event: KeyboardEvent) => void} listener
 */
export function onKey(target, listener) {
  target.addEventListener("keydown", (event) => {
    if (event instanceof KeyboardEvent && !event.isComposing && event.keyCode !== 229) listener(event);
  });
}

/** @param {number} count @param {string} one @param {string} [more] */
export const plural = (count, one, more = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

/** The number of all pages, as the beginning of a sentence. @param {number} count */
export const allPages = (count) => (count === 1 ? "The only page" : `All ${plural(count, "page")}`);

/** @param {number} id */
export const pageHref = (id) => `/?page=${id}`;

/** @param {string} words */
export const searchHref = (words) =>
  `/?q=${encodeURIComponent(words).replaceAll("%20", "+").replaceAll("%3A", ":")}`;

/** A message in place of a view. @param {string} title @param {...Child} children */
export const notice = (title, ...children) =>
  h("section", { class: "notice" }, h("h1", { tabindex: "-1" }, title), ...children);

/** An element with a link beside it. @param {HTMLElement} element @param {Node | undefined} link */
export const besideLink = (element, link) =>
  link === undefined ? element : h("div", { class: "beside-link" }, element, link);

/** A drawing of lines, 16 units wide and high. @param {string} path */
export function icon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS(svg.namespaceURI, "path");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/**
 * A picture in a frame that keeps its size if the picture cannot be loaded.
 * @param {{ src: string, alt: string, ratio?: number, className: string, fallback: string, tint: string }} picture
 */
export function frame({ src, alt, ratio, className, fallback, tint }) {
  const box = h(
    "span",
    { class: `frame ${className} tint-${tintOf(tint)}` },
    h("span", { class: "plate" }, fallback),
  );
  if (ratio !== undefined && ratio > 0 && ratio < 4) {
    box.style.aspectRatio = String(1 / ratio);
    box.style.setProperty("--ratio", String(1 / ratio));
  }
  if (src.startsWith("https://") || src.startsWith(`${location.origin}/`)) {
    const image = h("img", { src, alt, loading: "lazy", decoding: "async" });
    image.addEventListener("load", () => box.classList.add("is-loaded"));
    image.addEventListener("error", () => image.remove());
    box.append(image);
  }
  return box;
}

/** @param {string} text */
function tintOf(text) {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return sum % 6;
}

const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/;

/** The language of dates. */
let dateLanguage = "en-GB";
/** @type {string | undefined} */
let timeZone;

/**
 * Writes dates as the readers of a site do.
 * @param {string | undefined} code its main language, if it has several
 * @param {string} [zone] its time zone, if it names one
 */
export function writeDatesIn(code = "en", zone) {
  dateLanguage = code === "en" ? "en-GB" : code;
  timeZone = zone;
}

/** The day of a time, in UTC. @type {(time: string) => string} */
export const day = (time) =>
  new Date(time).toLocaleDateString([dateLanguage, "en-GB"], {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
    calendar: "gregory",
    numberingSystem: "latn",
  });

/**
 * A day or a time in words, whatever the visitor's time zone is: in the zone of the site, or as it is written if the site
 * has none; any other text unchanged.
 * @param {string} text
 */
export function dateInWords(text) {
  if (!MOMENT.test(text)) return text;
  const isDay = text.length === 10;
  // Swedes write dates as ISO 8601 does.
  const shown = isDay || timeZone === undefined ? text : new Date(text).toLocaleString("sv", { timeZone });
  const date = day(`${shown.slice(0, 10)}T00:00:00Z`);
  return isDay ? date : `${date}, ${shown.slice(11, 16)}`;
}
