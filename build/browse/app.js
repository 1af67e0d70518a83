import { forget, forgetOld, isNew, recordsOf, record, searchHint, site } from "./data.js";
import { h, notice, onKey, plural } from "./dom.js";
import { closeEditor, editorView, isOfEditor, showProposal } from "./editing.js";
import { find, MAX_RANKED, withWord } from "./search.js";
import { entry, inParts } from "./tree.js";
import { homeView } from "./home.js";
import { placeIn } from "./place.js";
import { ID_PREFIX } from "./rich.js";
import { isKeyword, languageWord, typeWord } from "./words.js";

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

/** @type {HTMLElement} */
const main = byId("main");
/** @type {HTMLElement} */
const status = byId("status");
/** @type {HTMLInputElement} */
const search = byId("search");
/** @type {HTMLFormElement} */
const form = byId("search-form");

/** The number of the latest view: an earlier view that is still loading is dropped. */
let turn = 0;

/** @typedef {import("./view.js").View} View */

/** @param {string} text @returns {Promise<View>} */
async function resultsView(text) {
  const { ids, words, unknown, isPartial } = await find(text);
  const { types, labels, languages } = await site();
  const facts = words.filter(isKeyword).map((word) => {
    const name = word.slice(word.indexOf(":") + 1);
    const type = types.findIndex((one) => typeWord(one) === word);
    const language = languages?.find(({ code }) => languageWord(code) === word);
    if (language !== undefined) return ` in ${language.label}`;
    return type === -1 ? ` with the subject “${name.replaceAll("-", " ")}”` : ` of type “${labels[type]}”`;
  });
  const count = plural(ids.length, "page") + facts.join("");
  status.textContent = ids.length === 0 ? `Nothing found for ${text}` : `${count} found`;
  const offers = unknown.flatMap(({ word, similar }) => similar.map((other) => withWord(text, word, other)));
  const notices = [
    unknown.length > 0 && `No page has ${inQuotes(unknown.map(({ word }) => word))}`,
    unknown.length > 0 && (ids.length > 0 ? ", so this is searched without. " : ". "),
    isPartial && `No page has all of ${inQuotes(words)}; these have the most of them. `,
    ids.length === 0 && `${await searchHint()} `,
    offers.length > 0 && "Did you mean ",
    ...offers.flatMap((offer, k) => [k > 0 && " or ", h("a", { href: searchAddress(offer) }, offer)]),
    offers.length > 0 && "?",
  ];
  const hint = h("p", { class: "hint" }, ...notices);
  const choice = languageChoice(text, languages);
  if (ids.length === 0)
    return { title: text, nodes: [notice("Nothing found", choice, hint)], isMissing: true };
  const list = h("ol", { class: "entries", "aria-label": "Results" });
  const heading = h("h1", { class: "results-title", tabindex: "-1" }, count);
  const marks = words.filter((word) => !isKeyword(word));
  const withId = /^\d+$/.test(text.trim()) ? await record(Number(text)) : undefined;
  const box = await inParts(
    list,
    ids,
    (page) => entry(page, page.id === withId?.id ? [...marks, String(page.id)] : marks),
    MAX_RANKED,
  );
  const section = h("section", { class: "results" }, heading, choice, hint.hasChildNodes() && hint, box);
  return { title: text, nodes: [section] };
}

/** Links to the same results in one language. @param {string} text @param {import("./data.js").BrowseSite["languages"]} languages */
function languageChoice(text, languages) {
  const words = text.split(/\s+/);
  const others = words.filter((word) => !/^language:/i.test(word));
  const chosen = words.find((word) => !others.includes(word))?.toLowerCase();
  if (languages === undefined || others.length === 0) return undefined;
  const all = [{ code: "", label: "All languages" }, ...languages].map(({ code, label }) => {
    const word = code === "" ? undefined : languageWord(code);
    const href = searchAddress([...others, ...(word === undefined ? [] : [word])].join(" "));
    return h("a", { href, lang: code || undefined, "aria-current": chosen === word && "true" }, label);
  });
  return h("nav", { class: "languages", "aria-label": "Languages" }, ...all);
}

/** @param {string[]} words */
const inQuotes = (words) => words.map((word) => `“${word}”`).join(" or ");

/** @param {URLSearchParams} query @returns {Promise<View>} */
const viewFrom = async (query) => {
  if (isOfEditor(query)) return editorView(query);
  const page = query.get("page");
  const words = (query.get("q") ?? "").trim();
  if (page !== null) {
    // Who searches needs none of the scripts that show a page.
    const { pageView } = await import("./view.js");
    return pageView(/^\d{1,16}$/.test(page) ? Number(page) : Number.NaN);
  }
  return words === "" ? homeView() : resultsView(words);
};

/** Loads a view. If its data is missing, loads it again, because a newer release may contain it. @param {URLSearchParams} query */
async function viewOf(query) {
  forgetOld();
  const isSure = isNew();
  const view = await viewFrom(query);
  if (isSure || view.isMissing !== true) return view;
  forget();
  return viewFrom(query);
}

/** The part of the view that an address names; null if there is none. @param {string} hash */
function partAt(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/**
 * Shows the view of the current address.
 * @param {{ focus?: boolean, place?: import("./place.js").ReadingPosition }} [options] focus: whether to focus the heading; place:
 * the visitor's position when they left the view
 */
async function show({ focus = false, place } = {}) {
  const mine = ++turn;
  const query = new URLSearchParams(location.search);
  if (document.activeElement !== search) search.value = query.get("q") ?? "";
  status.textContent = "";
  const slow = setTimeout(() => {
    if (mine === turn) main.setAttribute("aria-busy", "true");
  }, 150);
  /** @type {View} */
  let view;
  try {
    view = await viewOf(query);
  } catch {
    const again = h("button", { type: "button", click: () => void show({ focus: true }) }, "Try again");
    const reason = h("p", {}, "The connection may be interrupted. ");
    view = { title: "Not loaded", nodes: [notice("This could not be loaded", reason, again)] };
  } finally {
    clearTimeout(slow);
  }
  if (mine !== turn) return;
  try {
    await place?.open(view.nodes);
  } catch {
    // A list that cannot be loaded again as far as before stays shorter: its button loads more.
  }
  if (mine !== turn) return;
  await put(view);
  const part = partAt(location.hash);
  if (place !== undefined) place.settle();
  else if (part !== null) part.scrollIntoView();
  else scrollTo(0, 0);
  if (place === undefined && view.begin !== undefined) view.begin();
  else if (focus && part === null) main.querySelector("h1")?.focus({ preventScroll: true });
}

/** @param {View} view */
async function put({ title, nodes }) {
  const query = new URLSearchParams(location.search);
  const isEdited = isOfEditor(query);
  if (!isEdited) closeEditor();
  main.removeAttribute("aria-busy");
  main.replaceChildren(...nodes);
  main.dataset["view"] = isEdited ? "edit" : query.has("page") ? "page" : query.get("q") ? "results" : "home";
  document.dispatchEvent(new Event("shown"));
  void showProposal().catch(() => undefined);
  // In a preview, the form of a source can be open before anything was built.
  const { brand } = await names().catch(() => ({ brand: "Preview" }));
  document.title = title === brand ? brand : `${title} · ${brand}`;
}

let refreshes = 0;

/**
 * Loads the current view again, and shows it unless the visitor has left it or a later refresh has begun.
 * @param {(nodes: HTMLElement[]) => Promise<boolean>} isWanted
 */
export async function refresh(isWanted) {
  named = undefined;
  // A form is not replaced: it contains unsaved input.
  if (isOfEditor(new URLSearchParams(location.search))) {
    document.dispatchEvent(new Event("rebuilt"));
    return false;
  }
  const [shown, mine] = [turn, ++refreshes];
  const isCurrent = () => shown === turn && mine === refreshes;
  const view = await viewOf(new URLSearchParams(location.search));
  if (!(await isWanted(view.nodes)) || !isCurrent()) return false;
  // Drops a view that is still loading: it is older than this view.
  turn += 1;
  await put(view);
  return true;
}

/** @type {Promise<{ brand: string }> | undefined} */
let named;
const names = () =>
  (named ??= (async () => {
    const { home, site_url: address, searched } = await site();
    search.placeholder = `Find ${["titles", ...searched].slice(0, 3).join(", ")}…`;
    const [top] = home === 0 ? [] : await recordsOf([home]);
    const brand = top?.title ?? address.replace(/^https?:\/\//, "");
    byId("brand").textContent = brand;
    return { brand };
  })());

/**
 * The visitor's position in each view of the history, by the number of the visit.
 * @type {Map<number, import("./place.js").ReadingPosition>}
 */
const places = new Map();
let visits = 0;

/** @param {string} address @param {{ replace?: boolean, focus?: boolean }} [options] */
function go(address, { replace = false, focus = true } = {}) {
  if (replace) history.replaceState(null, "", address);
  else {
    const number = ++visits;
    places.set(number, placeIn(main));
    history.replaceState({ visit: number }, "");
    history.pushState(null, "", address);
  }
  void show({ focus });
}

/** @param {string} words */
const searchAddress = (words) => (words === "" ? "/" : `/?${new URLSearchParams({ q: words })}`);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
search.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    const isResults = main.dataset["view"] === "results";
    go(searchAddress(search.value.trim()), { replace: isResults, focus: false });
  }, 90);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(typing);
  const address = searchAddress(search.value.trim());
  if (address !== location.pathname + location.search)
    go(address, { replace: main.dataset["view"] === "results", focus: false });
});
/** @param {Element | null | undefined} element */
function focusOn(element) {
  if (element instanceof HTMLElement) element.focus();
}

onKey(search, (event) => {
  if (event.key !== "ArrowDown") return;
  event.preventDefault();
  focusOn(main.querySelector(".entries a"));
});
/** Whether keys enter text in an element, such as a field of the editor. @param {EventTarget | null} element */
const takesText = (element) =>
  element instanceof HTMLElement && (element.isContentEditable || element.matches("input, textarea, select"));

onKey(document, (event) => {
  const at = document.activeElement;
  if (
    event.key === "/" &&
    !event.defaultPrevented &&
    !takesText(at) &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey
  ) {
    event.preventDefault();
    search.focus();
    search.select();
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const links = [...main.querySelectorAll(".entries a")];
  const k = at === null ? -1 : links.indexOf(at);
  if (k === -1) return;
  event.preventDefault();
  if (event.key === "ArrowUp" && k === 0) search.focus();
  else focusOn(links[k + (event.key === "ArrowDown" ? 1 : -1)]);
});

// Links within the browse UI change the view without loading the page again.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || to.pathname !== "/" || link.target !== "") return;
  const isInText = to.hash.startsWith(`#${ID_PREFIX}`);
  if (to.hash !== "" && !isInText) return;
  event.preventDefault();
  go(to.pathname + to.search + to.hash);
});

history.scrollRestoration = "manual";
addEventListener("popstate", (event) => {
  if (document.activeElement === search) search.blur();
  void show({ place: places.get(event.state?.visit) });
});

void show();
