// All pages of the website, from the API. Templates call `load`.
import { api, draft, feature, language, perPage, references, timeZone, types, website } from "../site.mjs";
import { fetchAllPages, fetchPage, fetchPages, fetchRedirects, withAddresses } from "./page-api.ts";
const { origin, pathname } = new URL(website);
const base = pathname.replace(/\/+$/, "");
let loaded, saves;

/** The site: once for a build, and again after each save while you edit. */
export function load() {
  if (loaded === undefined || saves !== globalThis.saves) loaded = read();
  saves = globalThis.saves;
  loaded.catch(() => (loaded = undefined));
  return loaded;
}

async function read() {
  const [contents, pages] = [new Map(), new Map()];
  // With "bulk": true, all pages are in a few files. Without it, and for drafts, each page is requested.
  const bulk = async () => {
    if ((await fetch(`${api}/bulk/index.json`)).ok) for await (const page of fetchPages(api)) contents.set(page.id, page);
  };
  const [listed, redirects] = await Promise.all([fetchAllPages(api, { draft }), fetchRedirects(api, { draft }), bulk()]);
  for (const { id, shown } of listed) {
    const page = contents.get(id) ?? (await fetchPage(api, id, { draft }));
    if (page) pages.set(id, entryOf(page, pages, shown));
  }
  for (const entry of pages.values()) {
    entry.children.sort((a, b) => a.order - b.order);
    entry.translations = (entry.page.meta.translations ?? []).flatMap(({ id }) => pages.get(id) ?? []);
    for (const [name, value] of Object.entries(entry.page))
      for (const one of pagesOf(value, pages, name)) entry.related.add(one), one.related.add(entry);
  }
  const homes = [...pages.values()].filter(({ parent }) => parent === undefined);
  // A menu without pages has all sections.
  for (const { children } of homes) if (children.every(({ inMenus }) => !inMenus)) for (const one of children) one.inMenus = true;
  const old = redirects.map(({ from, to }) => [from, { to: to.startsWith("/") ? base + to : to }]);
  const lists = [...pages.values()].flatMap(listRoutes);
  // Pages come last: they are never hidden by an old address or by a part of a list.
  const all = [["/", { to: homes[0].href }], ...old, ...lists, ...lists.filter(([path, { entry }]) => path === entry.path)];
  return { pages, homes, routes: new Map(all.map(([path, route]) => [paramOf(path), route])) };
}

/** A page as templates see it: what most of them show, its place in the site, and all its fields in `page`. */
function entryOf(page, pages, listed) {
  const { id, title, introduction, meta } = page;
  const parent = pages.get(meta.parent?.id);
  const { type, show_in_menus: inMenus, first_published_at: published, locale = parent?.locale ?? language } = meta;
  const path = new URL(meta.html_url).pathname.slice(base.length) || "/";
  const shown = types[type] ?? {};
  const days = shown.dates?.(page) ?? [];
  const [first = 0, last] = days.map((day) => Date.parse(day));
  const isPast = last < Date.now();
  // Coming dates first, the nearest before the others; then past ones.
  const order = isPast ? 1e15 - last : first;
  const parts = { line: shown.line?.(page) ?? listed?.line, dates: formatDates(days, locale), image: firstImage(page), isPast, order };
  const place = { path, href: base + path, parent, children: [], related: new Set(), inMenus, published };
  const entry = { id, title, type, locale, page, shown, summary: meta.search_description || introduction || "", ...parts, ...place };
  entry.home = parent?.home ?? entry;
  parent?.children.push(entry);
  return entry;
}

/** An address as Astro's parameter. */
export const paramOf = (path) => decodeURI(path).replaceAll(/^\/+|\/+$/g, "") || undefined;
/** The parameters of the pages that each language has of its own, such as the search, and its home page by them. */
export const homePaths = async () => (await load()).homes.map(({ path }) => ({ params: { home: paramOf(path) } }));
export const homeAt = async (params) => (await load()).homes.find(({ path }) => paramOf(path) === params.home);
export const own = (home, name) => asFolder(home.href) + name;
export const above = ({ parent }) => (parent === undefined ? [] : [...above(parent), parent]);
export const below = ({ children }) => children.flatMap((child) => [child, ...below(child)]);
export const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** The pages to which a value refers; of numbers, only in the fields of site.mjs and in blocks whose name says so. */
export const pagesOf = (value, pages, name) =>
  [value].flat().flatMap((one) => pages.get(one?.meta?.html_url ? one.id : (references.includes(name) || name.includes("_page")) && one) ?? []);

/** The page at the top of a home page: the next event, or the first page with an image. */
export function featured(home) {
  const all = below(home).filter(({ image }) => image);
  return all.find(({ id }) => id === feature) ?? all.find(({ dates, isPast }) => dates && !isPast) ?? all[0];
}

/** The parts of a list of subpages, each at an address: all of them and those of each choice of filters. */
function listRoutes(entry) {
  const filters = Object.keys(entry.children.find(({ shown }) => shown.filters)?.shown.filters ?? {});
  const lists = new Map([[entry.path, { path: entry.path, href: entry.href, chosen: {}, items: [] }]]);
  for (const child of entry.children) {
    let choices = [{}];
    for (const name of filters) {
      const values = new Set(child.shown.filters?.[name]?.(child.page));
      choices = choices.flatMap((chosen) => [chosen, ...Array.from(values, (value) => ({ ...chosen, [name]: value }))]);
    }
    for (const chosen of choices) {
      const path = Object.entries(chosen).reduce((above, [name, value]) => `${asFolder(above)}${name}/${slug(value)}/`, entry.path);
      if (!lists.has(path)) lists.set(path, { path, href: base + path, chosen, items: [] });
      lists.get(path).items.push(child);
    }
  }
  return [...lists.values()].flatMap(({ path, chosen, items }) => {
    const paths = [path];
    while (paths.length * perPage < items.length) paths.push(`${asFolder(path)}page/${paths.length + 1}/`);
    const route = { entry, chosen, items, lists, filters, addresses: paths.map((one) => base + one) };
    return paths.map((one, k) => [one, { ...route, number: k + 1 }]);
  });
}
const asFolder = (path) => path.replace(/\/?$/, "/");
const slug = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");

/** The lists of all choices of a filter, beside the other filters that are chosen; first the one without a choice. */
export const choicesOf = ({ entry, chosen, lists, filters }, name) =>
  [...lists.values()]
    .filter((list) => filters.every((other) => other === name || list.chosen[other] === chosen[other]))
    .sort((a, b) => (a.chosen[name] ?? "").localeCompare(b.chosen[name] ?? "", entry.locale, { numeric: true }));

/** A value as the attributes of an image, in the sizes that it has; undefined if it is none. */
export function imageOf(value) {
  const src = value?.default_url || value?.url || value?.src || value?.meta?.download_url;
  const isNamed = /Image$/.test(value?.meta?.type) || /\.(jpe?g|png|webp|avif|gif|svg)$/i.test(src);
  if (typeof src !== "string" || !(isNamed || "alt" in value || "alt_text" in value)) return undefined;
  const sizes = Array.isArray(value.sizes) ? value.sizes.filter(([width, , url]) => width && url) : [];
  const width = value.max_width || value.width || undefined;
  const height = value.height || Math.round(width * value.height_ratio) || undefined;
  const srcset = sizes.map(([wide, , url]) => `${url} ${wide}w`).join(", ") || undefined;
  return { src, srcset, width, height, alt: value.alt_text || value.alt || value.title || "" };
}
function firstImage(value) {
  if (typeof value !== "object" || value === null) return undefined;
  return imageOf(value) ?? Object.values(value).reduce((found, one) => found ?? firstImage(one), undefined);
}

/** Rich text for this website: links to pages by their addresses, without the domain. */
export const rich = (html, { pages }) => withAddresses(html, (id) => pages.get(id)?.href).replaceAll(`href="${origin}/`, 'href="/');
export const isHtml = (value) => typeof value === "string" && /<\w/.test(value);
export const isEmpty = (value) => [null, undefined, "", false].includes(value) || (typeof value === "object" && Object.values(value).every(isEmpty));
export const isBlocks = (value) => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one?.type === "string" && "value" in one);

/** A date, or the first and the last, in words; with times if they are less than a day apart. */
export function formatDates(values, locale) {
  if (!values[0]) return "";
  const [first, last = first] = values.map((value) => new Date(value));
  const times = values[0].includes("T") ? { timeZone, timeStyle: last - first < 864e5 ? "short" : undefined } : { timeZone: "UTC" };
  return new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, { dateStyle: "long", ...times }).formatRange(first, last);
}
