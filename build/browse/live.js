// The preview loads this script instead of app.js: it shows drafts, findings, and every save at once. It is not published.
import { forget, recordsOf, site } from "./data.js";
import { drafts, preview, unbuilt } from "./drafts.js";
import { editHref, isOfEditor, isPreview, loadEditor } from "./editing.js";
import { h, notice, pageHref, plural } from "./dom.js";
import { languageWord, partsOfNumber, partWord, subjectWord, typeWord, wordsThatFind } from "./words.js";
import { isSame, placeIn } from "./place.js";
import { ago, item, itemsOf, shortList } from "./tree.js";

/** @typedef {{ file: string, line: number, column: number, severity: string, code: string, message: string, hint: string, page?: number, unbuilt?: number }} LiveFinding page: the id of the page; unbuilt: the id in a source that was never valid */

/**
 * @typedef {object} LiveState
 * @property {boolean} isReady whether anything has been built yet
 * @property {boolean} isVersioned whether there is a commit to compare the sources with
 * @property {boolean} isGood whether the preview shows the last save
 * @property {string | null} at the instant as of which the site is shown; null for now
 * @property {(import("./data.js").PageRecord & { file: string, slug: string, searched: string, subjects: string[], locale?: string, live?: string, isExpired?: true })[]} drafts
 * @property {{ file: string, id?: number }[]} hidden drafts that cannot be shown
 * @property {LiveFinding[]} findings
 * @property {number} more findings that are not among them
 */

/** @type {LiveState | undefined} */
let state;
/** @type {typeof import("./app.js") | undefined} */
let app;
let isConnected = true;

const said = h("p", { class: "live-state", role: "status" });
// With a maximum, a browser takes four digits as a year. A day less leaves room for every time zone.
const instant = h("input", {
  type: "datetime-local",
  step: "1",
  max: "9999-12-30T23:59:59",
  change: () => void chooseInstant(),
});
const asOf = h("label", { class: "aside" }, "As of ", instant);
const changes = h("a", { href: "/?changes", hidden: true }, "Changes");
const images = isPreview() && h("a", { href: "/?images" }, "Images");
const ofPage = h("div", {});
const all = h("details", {});
const listOfDrafts = h("details", {});
const listOfNotLive = h("details", {});
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
main.before(
  h(
    "section",
    { class: "live", "aria-label": "Preview" },
    said,
    asOf,
    changes,
    images,
    ofPage,
    all,
    listOfDrafts,
    listOfNotLive,
  ),
);

/** Shows the whole site as it is at another instant, or now. */
async function chooseInstant() {
  const { value, validity } = instant;
  const at = value === "" || !validity.valid ? "" : new Date(value).toISOString();
  const isChosen =
    validity.valid &&
    (await fetch(`/browse/as-of?at=${encodeURIComponent(at)}`, { method: "POST" }).catch(() => undefined))
      ?.ok;
  // The control never names another instant than the one shown.
  if (isChosen !== true && instant.value === value) showInstant();
}

function showInstant() {
  const at = state?.at ?? null;
  instant.value = at === null ? "" : localTime(at);
}

/** An instant in the format of the control, in the browser's time zone. @param {string} at */
function localTime(at) {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The id in a finding's file, if it has one. @param {LiveFinding} finding */
const idOf = ({ page, unbuilt: id }) => page ?? id;

/** The form of a finding's file, or its page if it cannot be edited here. @param {LiveFinding} finding */
function hrefOf(finding) {
  const id = idOf(finding);
  if (id !== undefined && isPreview()) return editHref(id);
  return finding.page === undefined ? undefined : pageHref(finding.page);
}

/** @param {LiveFinding} finding */
function findingItem(finding) {
  const { file, line, column, severity, code, message, hint } = finding;
  const place = `${file}:${line}:${column}`;
  const href = hrefOf(finding);
  const isElsewhere = href !== undefined && href !== location.pathname + location.search;
  return h(
    "li",
    { class: `finding is-${severity}` },
    h("p", {}, h("strong", {}, severity === "error" ? "Error" : "Warning"), " ", message),
    h("p", {}, hint),
    h("p", { class: "aside" }, isElsewhere ? h("a", { href }, place) : h("code", {}, place), ` ${code}`),
  );
}

/** @param {number} errors @returns {string} */
function sentence(errors) {
  if (!isConnected)
    return "The preview has stopped; you see its last state. Run npm run dev to start it again.";
  if (state === undefined) return "The preview does not respond.";
  if (state.isGood) return "Preview: you see the last save.";
  const why =
    errors === 0 ? "The last save could not be built" : `The sources have ${plural(errors, "error")}`;
  return state.isReady
    ? `${why}. You see the last state without errors.`
    : `${why}; nothing has been built yet.`;
}

/** The name of a hidden draft's file, as a link to its form if it has one. @param {string} file */
function fileLink(file) {
  const [id] = [...unbuilt.files].find(([, one]) => one === file) ?? [];
  const name = h("span", { class: "aside" }, file);
  return id === undefined || !isPreview() ? name : h("a", { href: editHref(id) }, name);
}

/** The heading of a page's own findings. @param {number} id @param {LiveFinding[]} findings */
function titleOf(id, findings) {
  if (unbuilt.files.has(id)) return "This page has errors, so it is not shown yet";
  if (findings.some(({ severity }) => severity === "error"))
    return "This page has errors: you see its last valid version";
  const draft = drafts.get(id);
  return draft === undefined || draft.live !== undefined
    ? "Warnings on this page"
    : "To do before you publish this draft";
}

/** Updates the preview's section, which is beside the view. */
function showState() {
  const { findings = [], more = 0, hidden = [] } = state ?? {};
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const text = sentence(errors);
  if (said.textContent !== text) said.textContent = text;
  said.parentElement?.classList.toggle("is-old", !isConnected || state?.isGood !== true);
  const query = new URLSearchParams(location.search);
  const here = Number(query.get("page") ?? query.get("edit") ?? Number.NaN);
  const own = findings.filter((finding) => idOf(finding) === here);
  ofPage.hidden = own.length === 0;
  const list = h("ul", {}, ...own.map(findingItem));
  // A form shows the findings beside its fields, except those that depend on other pages.
  ofPage.replaceChildren(
    query.has("edit")
      ? h("details", {}, h("summary", {}, `Findings of this page: ${own.length}`), list)
      : h("section", { "aria-label": "Findings of this page" }, h("h2", {}, titleOf(here, own)), list),
  );
  changes.hidden = state?.isVersioned !== true || !isPreview();
  fill(
    all,
    `All findings: ${(findings.length + more).toLocaleString("en")}`,
    "All findings",
    findings.map(findingItem),
    more === 0 ? "" : h("p", {}, `… and ${more.toLocaleString("en")} more. npm run check shows them.`),
  );
  const kept = [...drafts.values()];
  const unlisted = hidden.map(({ file, id }) => {
    const why = id === undefined ? " until its errors are fixed" : `, because another page has the id ${id}`;
    return h("li", {}, fileLink(file), `: cannot be shown${why}`);
  });
  const shown = [...kept.filter(({ live }) => live === undefined).map(unpublished), ...unlisted];
  fill(listOfDrafts, plural(shown.length, "draft"), "Drafts", shown);
  const notLive = kept.filter(({ live }) => live !== undefined).map(unpublished);
  fill(listOfNotLive, `${plural(notLive.length, "page")} not live`, "Pages not live", notLive);
}

/**
 * Shows a list that can be opened; hides it if it is empty.
 * @param {HTMLElement} part
 * @param {string} title
 * @param {string} label
 * @param {HTMLElement[]} items
 * @param {Node | string} [rest]
 */
function fill(part, title, label, items, rest = "") {
  part.hidden = items.length === 0;
  part.replaceChildren(h("summary", {}, title), h("ul", { "aria-label": label }, ...items), rest);
}

/** @param {import("./drafts.js").DraftRecord} page */
const unpublished = ({ id, title, file, live }) =>
  h(
    "li",
    {},
    h("a", { href: pageHref(id) }, title || "Untitled"),
    " ",
    h("span", { class: "aside" }, live === undefined ? file : `${file}: ${live}`),
  );

/** @param {LiveFinding[]} findings */
async function withErrors(findings) {
  const errors = findings.filter(({ severity }) => severity === "error");
  /** @type {Map<number, string>} */
  const messages = new Map();
  for (const { page, unbuilt: id = page, message } of errors)
    if (id !== undefined && !messages.has(id)) messages.set(id, message);
  const records = new Map((await recordsOf([...messages.keys()])).map((one) => [one.id, one]));
  return [...messages].map(([id, message]) =>
    item(id, records.get(id)?.title ?? unbuilt.files.get(id) ?? String(id), message, editHref(id)),
  );
}

/** The home view for editors. @param {LiveFinding[]} findings */
async function deskView(findings) {
  const reply = await fetch("/browse/desk.json");
  /** @type {{ edited: [number, string][], older: [number, string][], next: [number, string][] }} */
  const { edited, older, next } = reply.ok ? await reply.json() : { edited: [], older: [], next: [] };
  const { languages } = await site();
  const translations =
    languages === undefined ? [] : await (await import("./translations.js")).translationLists(older);
  const own = [...drafts.values()].filter(({ live }) => live === undefined);
  return h(
    "div",
    { class: "desk" },
    shortList(
      "Edited last",
      await itemsOf(edited.map(([id, time]) => [id, ago(time)])),
      "No page has been edited yet.",
    ),
    shortList("With errors", await withErrors(findings), "No page has errors."),
    shortList(
      "Drafts",
      own.map(({ id, title, file }) => item(id, title, file)),
      "There are no drafts.",
    ),
    ...translations,
    shortList("Next to go live or expire", await itemsOf(next), "No page has a date ahead."),
  );
}

preview.desk = () => deskView(state?.findings ?? []).catch(() => undefined);
preview.liveOf = async (id) => (await (await fetch(`/browse/dates/${id}.json`)).json()).live;

async function update() {
  try {
    const reply = await fetch("/browse/live.json");
    if (!reply.ok) throw new Error(String(reply.status));
    state = /** @type {LiveState} */ (await reply.json());
    isConnected = true;
  } catch {
    isConnected = state === undefined;
    showState();
    return;
  }
  if (document.activeElement !== instant) showInstant();
  drafts.clear();
  for (const draft of state.drafts) {
    const { id, title, artists, acno, slug, date, type, searched, subjects, locale } = draft;
    const words = [
      ...wordsThatFind(`${title} ${artists} ${acno} ${slug} ${date} ${searched}`),
      ...partsOfNumber(acno).map(partWord),
      ...subjects.map(subjectWord),
      typeWord(type),
      ...(locale === undefined ? [] : [languageWord(locale)]),
    ];
    drafts.set(id, { ...draft, address: `/browse/drafts/${id}.json`, words });
  }
  unbuilt.isOld = !state.isGood;
  unbuilt.files.clear();
  const invalid = new Set(state.hidden.map(({ file }) => file));
  for (const { file, severity } of state.findings) if (severity === "error") invalid.add(file);
  for (const { file, unbuilt: id } of state.findings)
    if (id !== undefined && invalid.has(file)) unbuilt.files.set(id, file);
  forget();
  showState();
  // The form of a source does not need the other pages: it corrects the error that nothing could be built with.
  if (!state.isReady && !isOfEditor(new URLSearchParams(location.search))) {
    main.replaceChildren(notice("Nothing to show yet", h("p", {}, "Correct the errors above.")));
    return;
  }
  if (app === undefined) app = await import("./app.js");
  // If the view cannot be loaded again, it stays as it is.
  else await refresh(app).catch(() => undefined);
}

/** Shows the changes of a save in the view, if any, and keeps the visitor's position. @param {NonNullable<typeof app>} page */
async function refresh(page) {
  let place = placeIn(main);
  const isShown = await page.refresh(async (nodes) => {
    // The visitor can open or close parts meanwhile.
    for (let opened; opened !== place.opened; place = placeIn(main)) {
      opened = place.opened;
      await place.open(nodes);
    }
    return !isSame(nodes, [...main.children]);
  });
  if (isShown) place.settle();
}

// A hidden tab keeps no connection, because a browser allows only few connections to one host.
/** @type {EventSource | undefined} */
let source;
function follow() {
  source?.close();
  source = undefined;
  if (document.hidden) return;
  source = new EventSource("/browse/changes");
  // Also after a restart of the preview, which sends no message about builds before the connection.
  source.addEventListener("open", () => void update());
  source.addEventListener("message", () => void update());
  source.addEventListener("error", () => {
    isConnected = false;
    showState();
  });
}
document.addEventListener("visibilitychange", follow);
document.addEventListener("shown", showState);
if (isOfEditor(new URLSearchParams(location.search))) void loadEditor().catch(() => undefined);
// Once it is open, the connection updates the page.
follow();
if (source === undefined) await update();
