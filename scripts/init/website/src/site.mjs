// All pages of the website, from the API. Templates call `load`.
import { api, draft, feature, language, perPage, timeZone, types, website } from "../site.mjs";
import { fetchAllPages, fetchPage, fetchPages, fetchRedirects, withAddresses } from "./page-api.ts";
const { origin, pathname } = new URL(website);
const base = pathname.replace(/\/+$/, "");
const options = { draft };
/** The full pages by id. */
const contents = new Map();
let loaded;
let saves;

/** The site: once for a build, and again after each save while you develop. */
export function load() {
  if (loaded === undefined || saves !== globalThis.saves) loaded = read();
  saves = globalThis.saves;
  loaded.catch(() => (loaded = undefined));
  return loaded;
}

async function read() {
  const items = await fetchAllPages(api, options);
  await readContents(items.map(({ id }) => id));
  const pages = new Map();
  for (const { id, title, meta } of items) {
    const page = contents.get(id);
    if (page === undefined) continue;
    const parent = pages.get(page.meta.parent?.id);
    const path = new URL(meta.html_url).pathname.slice(base.length) || "/";
    const locale = page.meta.locale ?? parent?.locale ?? language;
    const entry = { id, title, type: meta.type, path, href: base + path, locale, parent, page, shown: types[meta.type] ?? {} };
    Object.assign(entry, { inMenus: meta.show_in_menus, published: meta.first_published_at, children: [], from: [] });
    pages.set(id, entry);
    parent?.children.push(entry);
  }
  const site = { pages, homes: [...pages.values()].filter(({ parent }) => parent === undefined), routes: new Map() };
  for (const entry of pages.values()) {
    if (entry.children[0]?.shown.dates) entry.children.sort((a, b) => order(a) - order(b));
    for (const one of referredBy(entry, site)) one.from.push(entry);
  }
  // Pages come last: they are never hidden by an old address or by a part of a list.
  const old = (await fetchRedirects(api, options)).map(({ from, to }) => [from, { to: to.startsWith("/") ? base + to : to }]);
  const lists = [...pages.values()].flatMap(listRoutes);
  const isWhole = ([path, { entry }]) => path === entry.path;
  const home = site.homes.length > 0 ? [["/", { to: site.homes[0].href }]] : [];
  for (const [path, route] of [...home, ...old, ...lists.filter((one) => !isWhole(one)), ...lists.filter(isWhole)]) site.routes.set(paramOf(path), route);
  return site;
}

/** All pages in a few requests if the API has "bulk": true, otherwise one by one. */
async function readContents(ids) {
  if (!draft && contents.size === 0)
    try {
      for await (const page of fetchPages(api)) contents.set(page.id, page);
    } catch (error) {
      if (!String(error).includes("bulk")) throw error;
    }
  const missing = ids.filter((id) => !contents.has(id));
  for (let k = 0; k < missing.length; k += 16)
    for (const page of await Promise.all(missing.slice(k, k + 16).map((id) => fetchPage(api, id, options)))) if (page) contents.set(page.id, page);
}

/** The content of a page; while you develop, of its last save. */
export async function fresh({ id, page }) {
  const now = (draft ? await fetchPage(api, id, options) : undefined) ?? page;
  contents.set(id, now);
  return now;
}

/** An address as Astro's parameter. */
export const paramOf = (path) => decodeURI(path).replaceAll(/^\/+|\/+$/g, "") || undefined;
/** The parameters of the pages that each language has of its own, such as the search. */
export const homePaths = async () => (await load()).homes.map(({ path }) => ({ params: { home: paramOf(path) } }));
export const own = (home, name) => home.href.replace(/\/?$/, `/${name}`);
export const above = ({ parent }) => (parent === undefined ? [] : [...above(parent), parent]);
export const below = ({ children }) => children.flatMap((child) => [child, ...below(child)]);
export const homeOf = (entry) => above(entry)[0] ?? entry;
export const lineOf = ({ shown, page }) => shown.line?.(page) ?? "";
export const summaryOf = ({ page }) => page.meta.search_description || page.introduction || "";
export const translationsOf = ({ page }, { pages }) => (page.meta.translations ?? []).map(({ id }) => pages.get(id)).filter(Boolean);
export const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** The pages to which a value refers; of numbers, only in a field or block whose name says that they are pages. */
export const pagesOf = (value, { pages }, name = "pages") =>
  [value].flat().map((one) => pages.get(one?.meta?.html_url ? one.id : name.includes("page") ? one : undefined)).filter(Boolean);
const referredBy = ({ id, page: { id: _, meta, ...fields } }, site) =>
  new Set(Object.entries(fields).flatMap(([name, value]) => pagesOf(value, site, name)).filter((one) => one.id !== id));
/** The pages to which a page refers, and those that refer to it, except its subpages: they are listed. */
export const relatedTo = (entry, site) => [...new Set([...referredBy(entry, site), ...entry.from])].filter((one) => one.parent !== entry).slice(0, perPage);

/** Coming dates first, the nearest before the others; then past ones. */
function order({ shown, page }) {
  const [first, last] = shown.dates?.(page).map((date) => Date.parse(date)) ?? [];
  return last < Date.now() ? 1e15 - last : (first ?? 0);
}
export const isPast = ({ shown, page }) => Date.parse(shown.dates?.(page)[1]) < Date.now();

/** The page at the top of a home page. */
export function featured(home) {
  const all = below(home).filter(({ page }) => firstImage(page));
  const coming = all.filter((entry) => entry.shown.dates && !isPast(entry)).sort((a, b) => order(a) - order(b));
  return all.find(({ id }) => id === feature) ?? coming[0] ?? all[0];
}

/** The parts of a list of subpages, each at an address: all of them and those of each choice of filters. */
function listRoutes(entry) {
  const filters = Object.entries(entry.children.find(({ shown }) => shown.filters)?.shown.filters ?? {});
  const lists = new Map([[entry.path, { chosen: {}, items: [] }]]);
  for (const child of entry.children) {
    let choices = [{}];
    for (const [name, valuesOf] of filters) {
      const values = child.shown.filters?.[name] ? [...new Set(valuesOf(child.page))] : [];
      choices = choices.flatMap((chosen) => [chosen, ...values.map((value) => ({ ...chosen, [name]: value }))]);
    }
    for (const chosen of choices) {
      const path = pathOf(entry, chosen);
      if (!lists.has(path)) lists.set(path, { chosen, items: [] });
      lists.get(path).items.push(child);
    }
  }
  return [...lists].flatMap(([first, { chosen, items }]) => {
    const paths = Array.from({ length: Math.ceil(items.length / perPage) || 1 }, (_, k) => (k === 0 ? first : `${first.replace(/\/?$/, "/")}page/${k + 1}/`));
    const route = { entry, chosen, items, lists, addresses: paths.map((path) => base + path), filters: filters.map(([name]) => name) };
    return paths.map((path, k) => [path, { ...route, number: k + 1 }]);
  });
}
const slug = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
const pathOf = ({ path }, chosen) =>
  Object.entries(chosen).reduce((before, [name, value]) => `${before.replace(/\/?$/, "/")}${name}/${slug(value)}/`, path);

/** The choices of a filter beside the other filters that are chosen, each with its address and the number of its pages. */
export function choicesOf({ entry, chosen, lists, filters }, name) {
  const { [name]: _, ...others } = chosen;
  const choices = [...lists.values()]
    .filter((list) => name in list.chosen && filters.every((other) => other === name || list.chosen[other] === others[other]))
    .map((list) => ({ value: list.chosen[name], href: base + pathOf(entry, list.chosen), count: list.items.length }));
  return { all: base + pathOf(entry, others), choices: choices.sort((a, b) => a.value.localeCompare(b.value, entry.locale, { numeric: true })) };
}

/** A value as the attributes of an image, in the sizes that it has; undefined if it is none. */
export function imageOf(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const src = value.default_url || value.url || value.src || value.meta?.download_url;
  const isImage = "alt" in value || "alt_text" in value || /Image$/.test(value.meta?.type ?? "") || /\.(jpe?g|png|webp|avif|gif|svg)$/i.test(src);
  if (typeof src !== "string" || src === "" || !isImage) return undefined;
  const sizes = Array.isArray(value.sizes) ? value.sizes.filter(([width, , url]) => width && url) : [];
  const width = value.max_width || value.width || undefined;
  const height = value.height || Math.round(width * value.height_ratio) || undefined;
  const srcset = sizes.map(([wide, , url]) => `${url} ${wide}w`).join(", ") || undefined;
  return { src, srcset, width, height, alt: value.alt_text || value.alt || value.title || "" };
}

/** The first image in a value. */
export function firstImage(value, depth = 6) {
  const found = imageOf(value);
  if (found || typeof value !== "object" || value === null || depth === 0) return found;
  for (const one of Object.values(value)) {
    const image = firstImage(one, depth - 1);
    if (image) return image;
  }
  return undefined;
}

/** Rich text for this website: links to pages by their addresses, without the domain. */
export const rich = (html, { pages }) => withAddresses(html, (id) => pages.get(id)?.href).replaceAll(`href="${origin}/`, 'href="/');
export const isHtml = (value) => typeof value === "string" && /<\w/.test(value);
export const isEmpty = (value) => [null, undefined, "", false].includes(value) || (typeof value === "object" && Object.values(value).every(isEmpty));
export const isBlocks = (value) => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one?.type === "string" && "value" in one);

/** The dates of a page in words. */
export const dates = ({ shown, page, locale }) => formatDates(shown.dates?.(page) ?? [], locale);
export function formatDates(values, locale) {
  const [first, last = first] = values.map((value) => new Date(value));
  if (first === undefined) return "";
  const isTime = values[0].includes("T");
  const timeStyle = isTime && last - first < 864e5 ? "short" : undefined;
  const format = new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, { dateStyle: "long", timeStyle, timeZone: isTime ? timeZone : "UTC" });
  return format.formatRange(first, last);
}
