import { recordsOf, site } from "./data.js";
import { besideLink, dateInWords, frame, h, pageHref, plural } from "./dom.js";

/* Values as the site calls them: in words, and the fields that a site declares itself, as a page shows them. */

/** @typedef {(html: string) => Promise<HTMLElement>} Rich */

/**
 * What the site says of a field. A field of the form has this form too.
 * @typedef {object} FieldWords
 * @property {string} name
 * @property {string} label
 * @property {string} [control] such as `page`, `html` and `derived`
 * @property {readonly { value: unknown, label: string }[]} [choices]
 * @property {readonly FieldWords[]} [fields] of an object: its members
 * @property {FieldWords | undefined} [element]
 * @property {Iterable<readonly [type: string, value: FieldWords]>} [blocks]
 * @property {string | undefined} [naming] the member by which people recognize an object
 * @property {import("../model/media.ts").PictureMembers | undefined} [picture] the members beside an address of a picture
 */

/**
 * A described field in `site.json`: it refers to others by their places in the list of all.
 * @typedef {object} FieldEntry
 * @property {string} label
 * @property {"page" | "html" | "derived" | undefined} [control]
 * @property {{ value: string | number, label: string }[] | undefined} [choices]
 * @property {string | undefined} [naming]
 * @property {import("../model/media.ts").PictureMembers | undefined} [picture]
 * @property {[name: string, field: number][] | undefined} [fields]
 * @property {number | undefined} [element]
 * @property {[type: string, field: number][] | undefined} [blocks]
 */

/** The title of a page; undefined if it is not known. @typedef {(id: number) => string | undefined} TitleOf */

/** The last field of the program's own, behind which those of the site follow. */
const LAST_OF_A_WORK = "location_card";
const OF_EVERY_PAGE = new Set(["id", "meta", "title"]);
/** Maximum length of a text beside the name of its field. */
const MAX_FACT = 80;
/** Maximum lengths of one of several values, and of all of them. */
const [MAX_ONE, MAX_ALL] = [48, 120];

const IMAGE = /^https?:\/\/[^?#]+\.(?:avif|gif|jpe?g|png|webp)$/i;

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value has nothing to show. @param {unknown} value @returns {boolean} */
const isEmpty = (value) =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === false ||
  (typeof value === "object" && Object.values(value).every(isEmpty));

/** @param {string} text */
export const shortened = (text, length = MAX_ONE) =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** The words of HTML. @param {string} html */
export const wordsOfHtml = (html) =>
  html
    .replaceAll(/<\/?(?:a|abbr|b|cite|code|em|i|q|s|small|span|strong|su[bp]|u)\b[^>]*>/gi, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(#?\w+);/g, (written, name) => ENTITIES[name] ?? written);

/** @param {FieldWords | undefined} field @param {any} block */
const blockIn = (field, block) =>
  isObject(block) && "value" in block ? new Map(field?.blocks ?? []).get(block["type"]) : undefined;

/** The id of a page that a value names or shows. @param {FieldWords | undefined} field @param {any} value */
function pageIn(field, value) {
  const id = isObject(value) ? value["id"] : value;
  const isPage =
    field?.control === "page" ||
    (typeof value?.title === "string" && /\/pages\/\d+\/$/.test(value.meta?.detail_url ?? ""));
  return isPage && Number.isSafeInteger(id) ? id : undefined;
}

/** The member of an object that is the address of a picture. @param {FieldWords | undefined} field */
export const pictureIn = (field) => field?.fields?.find(({ picture }) => picture !== undefined);

/** The members of an object with a value, without those that only belong to a picture. @param {FieldWords | undefined} field @param {Record<string, any>} value */
function membersOf(field, value) {
  const { width, height, ratio } = pictureIn(field)?.picture ?? {};
  const left = new Set([width, height, ratio]);
  const known = new Map(field?.fields?.map((one) => [one.name, one]) ?? []);
  return Object.entries(value).flatMap(([name, one]) => {
    const member = known.get(name);
    if (isEmpty(one) || left.has(name) || member?.control === "derived") return [];
    return [{ name, value: one, field: member }];
  });
}

/**
 * A value in words: the label of a choice, the title of a page, the number of blocks with their first words. Empty if
 * there is none.
 * @param {FieldWords | undefined} field
 * @param {any} value
 * @param {TitleOf} [titleOf]
 * @returns {string}
 */
export function inWords(field, value, titleOf = () => undefined) {
  const choice = field?.choices?.find((one) => one.value === value);
  if (choice !== undefined && value !== null) return choice.label;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (isEmpty(value)) return "";
  const page = pageIn(field, value);
  if (page !== undefined) return value.title ?? titleOf(page) ?? `page ${page}`;
  if (typeof value === "number") return String(value);
  if (typeof value === "string")
    return field?.control === "html" || value.startsWith("<")
      ? wordsOfHtml(value).replaceAll(/\s+/g, " ").trim()
      : dateInWords(value);
  if (Array.isArray(value)) return listInWords(field?.element, value, titleOf);
  const block = blockIn(field, value);
  if (block !== undefined) return inWords(block, value.value, titleOf) || block.label;
  const { meta, ...others } = value;
  // Of an image of Wagtail's, the title or the address.
  const shown = meta?.download_url === undefined ? value : (others["title"] ?? "") || meta.download_url;
  if (!isObject(shown)) return String(shown);
  const { alt } = pictureIn(field)?.picture ?? {};
  if (alt !== undefined && shown[alt]) return shown[alt];
  return membersOf(field, shown)
    .map((one) => inWords(one.field, one.value, titleOf))
    .filter(Boolean)
    .join(" · ");
}

/** @param {FieldWords | undefined} element @param {any[]} values @param {TitleOf} titleOf */
function listInWords(element, values, titleOf) {
  const areBlocks = values.some((one) => blockIn(element, one) !== undefined);
  const words = values.map((one) => inWords(element, one, titleOf)).filter(Boolean);
  const all = words.map((one) => (words.length === 1 ? one : shortened(one)));
  const between = areBlocks ? "; " : ", ";
  let text = all.join(between);
  for (let k = all.length - 1; text.length > MAX_ALL && k > 0; k--)
    text = [...all.slice(0, k), "…"].join(between);
  return areBlocks ? `${plural(values.length, "block")}: ${text}` : text;
}

/**
 * Shows what needs titles of pages, which are loaded if they are asked for.
 * @template T
 * @param {(titleOf: TitleOf) => T} say
 */
export async function withTitles(say) {
  /** @type {Map<number, string | undefined>} */
  const titles = new Map();
  const shown = say((id) => void titles.set(id, undefined));
  if (titles.size === 0) return shown;
  for (const { id, title } of await recordsOf([...titles.keys()]).catch(() => [])) titles.set(id, title);
  return say((id) => titles.get(id));
}

/** The fields that the site declares for a type. @param {string} type @returns {Promise<FieldWords[]>} */
export async function declaredFields(type) {
  const { types, fields } = await site();
  /** @param {string} name @param {number} place @returns {FieldWords} */
  const at = (name, place) => {
    const {
      fields: members = [],
      element,
      blocks = [],
      ...facts
    } = fields?.entries[place] ?? { label: name };
    return {
      ...facts,
      name,
      fields: members.map(([member, one]) => at(member, one)),
      element: element === undefined ? undefined : at("", element),
      blocks: blocks.map(([block, one]) => [block, at(block, one)]),
    };
  };
  return (fields?.types[types.indexOf(type)] ?? []).map(([name, place]) => at(name, place));
}

/**
 * The fields of a response that the site declares, with a value.
 * @param {Record<string, any>} page
 * @param {readonly FieldWords[]} known
 */
function ownFields(page, known) {
  const all = Object.entries(page);
  const last = all.findIndex(([name]) => name === LAST_OF_A_WORK);
  const byName = new Map(known.map((one) => [one.name, one]));
  return all.slice(last + 1).flatMap(([name, value]) => {
    if (OF_EVERY_PAGE.has(name) || isEmpty(value)) return [];
    return [{ name, value, field: byName.get(name) ?? { name, label: name } }];
  });
}

/**
 * A value in a few words; undefined if it needs more.
 * @param {FieldWords | undefined} field
 * @param {unknown} value
 * @param {TitleOf} titleOf
 */
function fact(field, value, titleOf) {
  const id = pageIn(field, value);
  if (typeof value === "object" && id === undefined) return undefined;
  if (typeof value === "string" && (field?.control === "html" || value.startsWith("<") || IMAGE.test(value)))
    return undefined;
  const words = inWords(field, value, titleOf);
  if (words.length > MAX_FACT) return undefined;
  if (id !== undefined) return h("a", { href: pageHref(id), dir: "auto" }, words);
  return /^https?:\/\/\S+$/.test(words)
    ? h("a", { href: words, rel: "noreferrer" }, words.replace(/^https?:\/\//, ""))
    : words;
}

/**
 * The values that fit beside their names.
 * @param {Record<string, any>} page
 * @param {readonly FieldWords[]} known
 * @returns {Promise<[name: string, value: Node | string, field: string][]>}
 */
export const ownFacts = (page, known) =>
  withTitles((titleOf) =>
    ownFields(page, known).flatMap(({ name, value, field }) => {
      const short = fact(field, value, titleOf);
      return short === undefined
        ? []
        : [/** @type {[string, Node | string, string]} */ ([field.label, short, name])];
    }),
  );

/**
 * The other values.
 * @param {Record<string, any>} page
 * @param {readonly FieldWords[]} known
 * @param {Rich} rich
 * @param {import("./view.js").FieldLink} edit
 * @returns {Promise<HTMLElement[]>}
 */
export async function ownTexts(page, known, rich, edit) {
  const sections = ownFields(page, known).map(async ({ name, value, field }) => {
    if (fact(field, value, () => "") !== undefined) return undefined;
    const shown = await show(field, value, rich);
    if (shown.length === 0) return undefined;
    const { label } = field;
    const link = edit(label, name);
    return isBlocks(value) || typeof value === "string"
      ? h("section", { class: "text", "aria-label": label }, link, ...shown)
      : h("section", { class: "text" }, besideLink(h("h2", {}, label), link), ...shown);
  });
  return (await Promise.all(sections)).filter((section) => section !== undefined);
}

/** Whether a value is Wagtail's StreamField. @param {any} value */
const isBlocks = (value) =>
  Array.isArray(value) &&
  value.every((one) => isObject(one) && typeof one["type"] === "string" && "value" in one && "id" in one);

/** @param {FieldWords | undefined} field @param {any} value @param {Rich} rich @returns {Promise<Node[]>} */
export async function show(field, value, rich) {
  if (isEmpty(value)) return [];
  if (isBlocks(value)) {
    const blocks = await Promise.all(
      value.map((/** @type {any} */ one) =>
        showBlock(String(one.type), blockIn(field?.element, one), one.value, rich),
      ),
    );
    return blocks.flat();
  }
  if (Array.isArray(value)) {
    const items = await Promise.all(value.map((one) => showElement(field?.element, one, rich)));
    return [h("ul", {}, ...items.filter((item) => item.length > 0).map((item) => h("li", {}, ...item)))];
  }
  if (isObject(value) && pageIn(field, value) === undefined) return object(field, value, rich);
  if (typeof value === "string" && (field?.control === "html" || value.startsWith("<")))
    return [await rich(value)];
  if (typeof value === "string" && IMAGE.test(value)) return [figure(value, "")];
  return [
    h("p", { dir: "auto" }, await withTitles((titleOf) => fact(field, value, titleOf) ?? String(value))),
  ];
}

/** An element of a list: in a line, if it has only short values. @param {FieldWords | undefined} field @param {any} value @param {Rich} rich */
async function showElement(field, value, rich) {
  if (isObject(value) && (pageIn(field, value) !== undefined || addressIn(field, value) !== undefined))
    return show(field, value, rich);
  if (
    isObject(value) &&
    membersOf(field, value).every((one) => fact(one.field, one.value, () => "") !== undefined)
  )
    return [h("p", { dir: "auto" }, await withTitles((titleOf) => inWords(field, value, titleOf)))];
  return show(field, value, rich);
}

/**
 * @param {string} type
 * @param {FieldWords | undefined} field
 * @param {any} value
 * @param {Rich} rich
 * @returns {Promise<Node[]>}
 */
async function showBlock(type, field, value, rich) {
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
  return show(field, value, rich);
}

/** The address of the picture that an object describes. @param {FieldWords | undefined} field @param {Record<string, any>} value */
function addressIn(field, { meta, url, ...others }) {
  const address = others[pictureIn(field)?.name ?? ""] ?? meta?.download_url ?? url;
  return typeof address === "string" && IMAGE.test(address) ? address : undefined;
}

/** @param {FieldWords | undefined} field @param {Record<string, any>} value @param {Rich} rich @returns {Promise<Node[]>} */
async function object(field, value, rich) {
  const address = addressIn(field, value);
  const member = pictureIn(field);
  if (address !== undefined) {
    const text = value[member?.picture?.alt ?? "alt"] ?? value["title"] ?? "";
    const of = new Set([member?.name, member?.picture?.alt]);
    const others = membersOf(field, value).filter(({ name }) => !of.has(name));
    const said = member && others.map((one) => inWords(one.field, one.value)).join(" · ");
    const { width = "width", height = "height", ratio = "ratio" } = member?.picture ?? {};
    return [figure(address, text, said, value[ratio] ?? value[height] / value[width])];
  }
  const all = membersOf(field, value);
  const short = await withTitles((titleOf) => all.map((one) => fact(one.field, one.value, titleOf)));
  const facts = all.flatMap(({ name, field: one }, k) =>
    short[k] === undefined
      ? []
      : [h("div", {}, h("dt", {}, one?.label ?? name), h("dd", { dir: "auto" }, short[k]))],
  );
  const texts = await Promise.all(
    all.filter((_, k) => short[k] === undefined).map((one) => show(one.field, one.value, rich)),
  );
  return [...(facts.length === 0 ? [] : [h("dl", { class: "facts" }, ...facts)]), ...texts.flat()];
}

/** @param {string} src @param {string} alt @param {string} [caption] @param {number} [ratio] */
const figure = (src, alt, caption, ratio) =>
  h(
    "figure",
    {},
    frame({ src, alt, ratio, className: "picture", fallback: "", tint: alt }),
    caption ? h("figcaption", { dir: "auto" }, caption) : undefined,
  );
