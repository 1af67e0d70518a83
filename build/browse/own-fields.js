import { record } from "./data.js";
import { besideLink, dateInWords, frame, h, pageHref } from "./dom.js";

/*
 * The fields that a site declares itself, shown by the form of their values: the browser does not know their declarations.
 */

/** @typedef {(html: string) => Promise<HTMLElement>} Rich */

/** The last field of the program's own, behind which those of the site follow. */
const LAST_OF_A_WORK = "location_card";
const OF_EVERY_PAGE = new Set(["id", "meta", "title"]);
/** Maximum length of a text beside the name of its field. */
const MAX_FACT = 80;

const IMAGE = /^https?:\/\/[^?#]+\.(?:avif|gif|jpe?g|png|webp)$/i;

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value */
const isEmpty = (value) =>
  value === null ||
  value === "" ||
  value === false ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** @param {string} name */
function inWords(name) {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** The fields of a response that the site declares. @param {Record<string, any>} page @returns {[name: string, value: any][]} */
function ownFields(page) {
  const all = Object.entries(page);
  const last = all.findIndex(([name]) => name === LAST_OF_A_WORK);
  return all.slice(last + 1).filter(([name, value]) => !OF_EVERY_PAGE.has(name) && !isEmpty(value));
}

/** A value in a few words; undefined if it needs more. @param {unknown} value */
function fact(value) {
  if (value === true) return "Yes";
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value.length > MAX_FACT || value.startsWith("<")) return undefined;
  if (IMAGE.test(value)) return undefined;
  return /^https?:\/\/\S+$/.test(value)
    ? h("a", { href: value, rel: "noreferrer" }, value.replace(/^https?:\/\//, ""))
    : dateInWords(value);
}

/** @param {Record<string, any>} page @returns {[name: string, value: Node | string, field: string][]} */
export const ownFacts = (page) =>
  ownFields(page).flatMap(([name, value]) => {
    const short = fact(value);
    return short === undefined
      ? []
      : [/** @type {[string, Node | string, string]} */ ([inWords(name), short, name])];
  });

/**
 * The values that do not fit beside their names.
 * @param {Record<string, any>} page
 * @param {Rich} rich
 * @param {import("./view.js").FieldLink} edit
 * @returns {Promise<HTMLElement[]>}
 */
export async function ownTexts(page, rich, edit) {
  const sections = ownFields(page).map(async ([name, value]) => {
    if (fact(value) !== undefined) return undefined;
    const shown = await show(name, value, rich);
    const link = edit(inWords(name), name);
    return isBlocks(value) || typeof value === "string"
      ? h("section", { class: "text", "aria-label": inWords(name) }, link, ...shown)
      : h("section", { class: "text" }, besideLink(h("h2", {}, inWords(name)), link), ...shown);
  });
  return (await Promise.all(sections)).filter((section) => section !== undefined);
}

/** Whether a value is Wagtail's StreamField. @param {any} value */
const isBlocks = (value) =>
  Array.isArray(value) &&
  value.every((one) => isObject(one) && typeof one["type"] === "string" && "value" in one && "id" in one);

/** @param {string} name @param {any} value @param {Rich} rich @returns {Promise<Node[]>} */
export async function show(name, value, rich) {
  if (isEmpty(value)) return [];
  if (isBlocks(value)) {
    const blocks = await Promise.all(
      value.map((/** @type {any} */ one) => block(String(one.type), one.value, rich)),
    );
    return blocks.flat();
  }
  if (Array.isArray(value)) return [await list(name, value, rich)];
  if (isObject(value)) return object(value, rich);
  if (typeof value === "string" && value.startsWith("<")) return [await rich(value)];
  if (typeof value === "string" && IMAGE.test(value)) return [picture(value, "")];
  const page = name.endsWith("page") && typeof value === "number" ? await record(value) : undefined;
  if (page !== undefined) return [h("a", { href: pageHref(page.id), dir: "auto" }, page.title)];
  return [h("p", { dir: "auto" }, fact(value) ?? String(value))];
}

/** @param {string} type @param {any} value @param {Rich} rich @returns {Promise<Node[]>} */
async function block(type, value, rich) {
  const texts = isObject(value)
    ? Object.values(value).filter((one) => typeof one === "string" && one !== "")
    : [value];
  const [first, second] = texts;
  if (/^(?:heading|title)/i.test(type) && typeof first === "string")
    return [h(second === "h3" ? "h3" : "h2", { dir: "auto" }, first)];
  if (/quote/i.test(type) && typeof first === "string")
    return [
      h(
        "blockquote",
        { dir: "auto" },
        h("p", {}, first),
        typeof second === "string" ? h("footer", {}, second) : undefined,
      ),
    ];
  return show(type, value, rich);
}

/** @param {string} name @param {any[]} values @param {Rich} rich */
async function list(name, values, rich) {
  const items = await Promise.all(values.map((value) => show(name.replace(/s$/, ""), value, rich)));
  return h("ul", {}, ...items.map((item) => h("li", {}, ...item)));
}

/** @param {Record<string, any>} value @param {Rich} rich @returns {Promise<Node[]>} */
async function object(value, rich) {
  const { id, meta, title, url, alt, ...others } = value;
  const image = meta?.download_url ?? url;
  if (typeof image === "string" && IMAGE.test(image)) return [picture(image, alt ?? title ?? "")];
  if (typeof title === "string" && Number.isSafeInteger(id) && /\/pages\/\d+\/$/.test(meta?.detail_url ?? ""))
    return [h("a", { href: pageHref(id), dir: "auto" }, title || "Untitled")];
  const members = Object.entries({
    ...(title === undefined ? {} : { title }),
    ...(url === undefined ? {} : { url }),
    ...others,
  });
  const shown = await Promise.all(members.map(([name, one]) => show(name, one, rich)));
  return shown.flat();
}

/** @param {string} src @param {string} alt */
const picture = (src, alt) =>
  h("figure", {}, frame({ src, alt, className: "picture", fallback: "", tint: alt }));
