import { languageOf, pageAt, record, site as siteFacts, type PageRecord } from "../../browse/data.js";
import { drafts } from "../../browse/drafts.js";
import { h, onKey, plural } from "../../browse/dom.js";
import { editHref } from "../../browse/editing.js";
import { rich } from "../../browse/rich.js";
import { languageLinks, proposed, translationsOf } from "../../browse/translations.js";
import type { View } from "../../browse/view.js";
import { targetsIn, translate } from "../../change/translate.ts";
import { languageAt } from "../../model/languages.ts";
import type { Site } from "../../model/site.ts";
import { valueAt, type JsonObject } from "../../source/json/object.ts";
import { hasSubpages, isDraftFile, slugOfFile } from "../../source/page-files.ts";
import { beginning, pageOf } from "../form/model.ts";
import { shownText } from "../form/values.ts";
import { StoreFailure, type PageActions } from "../store.ts";
import { failureText } from "./form-parts.ts";
import { unfold } from "./folds.ts";
import type { FormContext, PlacedControl } from "./context.ts";
import type { EditorHost } from "./host.ts";
import { button, checkboxOf, div } from "./parts.ts";
import { newSource } from "./place.ts";
import { publishedPage } from "./published.ts";
import type { OpenedPage } from "./unsaved.ts";

/* What the editor does on a site with several languages. */

/** Without the tags, as the links of a translation lead elsewhere. */
const words = (text: unknown): string => String(text).replaceAll(/<[^>]*>/g, "");

export interface TranslatedForm {
  id: number;
  /** Empty for a new page. */
  file: string;
  /** The parent of a new page. */
  parent: number | undefined;
  head: HTMLElement;
  context: FormContext;
}

/** Not those of dates, numbers, addresses and names to choose from. */
const isText = (control: HTMLElement): boolean =>
  control.isContentEditable ||
  (control.matches("textarea:not(.is-derived), input.is-text[spellcheck=true]") &&
    control.role !== "combobox" &&
    !control.hasAttribute("readonly"));

/** The language of a page, or of the pages below another one. */
async function codeOf({ file, parent, context: { host } }: TranslatedForm): Promise<string | undefined> {
  if (file !== "") return languageAt(file, host.site ?? {})?.code;
  const above = await record(parent ?? 0);
  if (above !== undefined) return (await languageOf(above))?.code;
  const added = await host.store.open(parent ?? 0);
  return added && languageAt(added.file, host.site ?? {})?.code;
}

/** In which direction a language is written; “auto” if the browser does not know. */
function directionOf(code: string): string {
  type WithText = { textInfo?: { direction: string } };
  const locale = new Intl.Locale(code) as WithText & { getTextInfo?: () => WithText["textInfo"] };
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction ?? "auto";
}

/** Shows the languages of the page, and names its language to the browser's spelling check. */
export async function showLanguages(form: TranslatedForm): Promise<void> {
  const { id, file, head, context } = form;
  const code = await codeOf(form);
  const links = await languageLinks(id, code, editHref);
  head.querySelector(".languages")?.remove();
  if (file === "") for (const link of links.querySelectorAll("a")) link.remove();
  let original: Original | undefined;
  const same = new Map<HTMLElement, () => boolean>();
  const mark = (placed: PlacedControl): void => {
    if (code !== undefined && isText(placed.control)) {
      placed.control.lang = code;
      placed.control.dir = directionOf(code);
    }
    const of = original;
    if (of === undefined) return;
    // The control is in its field once that is made.
    queueMicrotask(() => {
      const value = showOriginal(placed, of);
      if (value === undefined) return;
      const now = (): unknown => context.model.value(placed.path ?? []);
      same.set(placed.control, () => words(now()) === words(value));
    });
  };
  const markAll = (): void => {
    for (const placed of context.placed.values()) mark(placed);
  };
  context.onPlace = mark;
  markAll();
  head.querySelector("h1")?.setAttribute("lang", code ?? "");
  head.append(links);
  original = await originalOf(form, code);
  head.querySelector(".original-switch")?.remove();
  if (original === undefined) return;
  head.append(originalSwitch(head));
  markAll();
  queueMicrotask(() => leadThrough(form, same));
}

interface Original {
  page: JsonObject;
  code: string | undefined;
  siteUrl: string;
}

/** The page that a page translates: the one that it names, or that in the main language. */
async function originalOf({ id, context: { model, host } }: TranslatedForm, code: string | undefined) {
  const { languages: [main] = [] } = await siteFacts();
  const named = model.value(["meta", "translation_of"]);
  const other = code === main?.code ? undefined : (await translationsOf(id)).get(main?.code ?? "");
  const source = await host.store
    .open(typeof named === "number" ? named : (other ?? 0))
    .catch(() => undefined);
  const page = pageOf(source?.text ?? null);
  if (source === undefined || page === undefined) return undefined;
  return { page, code: languageAt(source.file, host.site ?? {})?.code, siteUrl: host.site?.site_url ?? "" };
}

let isOriginalShown = true;

/** Shows the original beside the fields, in place of the page, or hides it. */
function originalSwitch(head: HTMLElement): HTMLElement {
  const show = (): void => {
    choice.setAttribute("aria-pressed", String(isOriginalShown));
    head.parentElement?.classList.toggle("is-original", isOriginalShown);
  };
  const toggle = (): void => {
    isOriginalShown = !isOriginalShown;
    show();
  };
  const choice = button("Show the original", toggle, { class: "original-switch" });
  show();
  return choice;
}

/** Shows the original of a text beside it. @returns the original */
function showOriginal({ control, path = [] }: PlacedControl, { page, code, siteUrl }: Original) {
  const value = valueAt(page, path);
  const field = control.closest(".field");
  if (field === null || typeof value !== "string" || value === "" || !isText(control)) return undefined;
  const shown = h("div", { class: "original", lang: code, dir: "auto" });
  const isHtml = control.isContentEditable || control.matches(".is-source");
  if (isHtml) void rich(value, siteUrl).then((text) => shown.append(text));
  else shown.append(value);
  field.querySelector(":scope > .original")?.remove();
  field.firstElementChild?.after(shown);
  return value;
}

/** Leads from text to text of a translation, those first that are still as in the original. */
function leadThrough({ file, head }: TranslatedForm, same: ReadonlyMap<HTMLElement, () => boolean>): void {
  const bar = head.parentElement?.querySelector<HTMLElement>(".save-bar");
  const form = bar?.closest("form");
  if (!bar || !form) return;
  // A new translation has all its texts open.
  if (file === "") for (const [control] of same) unfold(control.closest("details.row, details.block"));
  bar.querySelector(".next-text")?.remove();
  const left = (): HTMLElement[] =>
    [...form.querySelectorAll<HTMLElement>("[data-path]")].filter((one) => same.get(one)?.());
  let last: Element | undefined;
  const isAfter = (one: Element): boolean =>
    (last?.compareDocumentPosition(one) ?? 0) === Node.DOCUMENT_POSITION_FOLLOWING;
  const go = (): void => {
    const texts = left();
    const text = texts.find((one) => isAfter(one)) ?? texts[0];
    text?.focus();
    text?.scrollIntoView({ block: "center" });
    if (text?.matches("input, textarea")) (text as HTMLInputElement).select();
  };
  const next = button("", go, {
    class: "next-text",
    title: "To the next text that is as in the original (Ctrl+Enter)",
    "aria-keyshortcuts": "Control+Enter",
  });
  onKey(form, (event) => {
    const isKey = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    // Once there is another button, that one follows the key.
    if (isKey && next.isConnected && !next.hidden) go();
  });
  const count = ({ target }: Pick<Event, "target">): void => {
    if (target instanceof HTMLElement && same.has(target)) last = target;
    const { length } = left();
    next.hidden = length === 0;
    next.textContent = `Next text (${length})`;
  };
  for (const type of ["focusin", "focusout", "input"]) form.addEventListener(type, count);
  count({ target: document.activeElement });
  bar.querySelector(".primary")?.after(next);
}

/** The published translation of a page. A reference to a draft would be an error. */
async function publishedIn(id: number, code: string): Promise<number | undefined> {
  const other = (await translationsOf(id)).get(code);
  return other === undefined || drafts.has(other) || proposed.has(other) ? undefined : other;
}

/** The values of a page that begins as a translation: references lead to the translations of their pages. */
async function translated(host: EditorHost, site: Site, text: string, code: string): Promise<JsonObject> {
  const at = { model: host.pages, site };
  const targets = targetsIn(text, at);
  const ids = new Map<number, number>();
  const addresses = new Map<string, string>();
  for (const id of targets.ids) {
    const other = await publishedIn(id, code);
    if (other !== undefined) ids.set(id, other);
  }
  for (const path of targets.paths) {
    const id = await pageAt(site.append_slash ? `${path}/` : path).catch(() => undefined);
    const other = id && (await publishedIn(id, code));
    const page = other && (await publishedPage(other));
    if (page) addresses.set(path, new URL(page.meta.html_url).pathname);
  }
  return translate(text, await host.newId(), at, ids, addresses);
}

/** Says which translations of a page stay when it moves or is retired, and offers to take them along. */
export async function alongChoice({ site, store }: EditorHost, actions: PageActions, id: number) {
  const { languages = [] } = await siteFacts();
  const translations = site?.locales === undefined ? [] : [...(await translationsOf(id))];
  const items: string[] = [];
  let canMove = false;
  for (const [code, translation] of translations) {
    const source = translation === id ? undefined : await store.open(translation);
    if (source === undefined) continue;
    const { file, text } = source;
    const isDraft = isDraftFile(file);
    canMove ||= !isDraft;
    const below = isDraft ? 0 : await actions.subpages(file);
    const label = languages.find((one) => one.code === code)?.label ?? code;
    items.push(
      `${shownText(pageOf(text)?.["title"])} (${label}${isDraft ? ", a draft" : ""})${below > 0 ? ` with ${plural(below, "subpage")}` : ""}`,
    );
  }
  const box = h("input", { type: "checkbox", id: "edit-along" });
  const element = div(
    "field along",
    h("p", {}, "Its translations stay:"),
    h("ul", {}, ...items.map((item) => h("li", { dir: "auto" }, item))),
    canMove && checkboxOf(box, "Take its translations along"),
  );
  return { element: items.length === 0 ? undefined : element, isChosen: () => box.checked };
}

interface TranslationViews {
  open: (opened: OpenedPage) => View;
  edit: (id: number) => Promise<View>;
  message: (title: string, text: string) => View;
}

/** The form of a new translation of a page, or of the one that there is. Missing parents are made as drafts first. */
export async function beginTranslation(host: EditorHost, id: number, code: string, views: TranslationViews) {
  const { site } = host;
  const { languages = [] } = await siteFacts();
  const language = languages.find((one) => one.code === code);
  const [source, page] = Number.isSafeInteger(id) ? [await host.store.open(id), await record(id)] : [];
  if (site === undefined || language === undefined || source === undefined || page === undefined)
    return views.message(
      "There is nothing to translate",
      "Open the page, and choose “Translate into …” there.",
    );
  const existing = (await translationsOf(id)).get(code);
  if (existing !== undefined) return views.edit(existing);
  const missing: PageRecord[] = [];
  let above: number | undefined;
  for (let at = page.parent; at !== 0 && above === undefined;) {
    above = (await translationsOf(at)).get(code);
    const parent = above === undefined ? await record(at) : undefined;
    if (parent !== undefined) missing.unshift(parent);
    at = parent?.parent ?? 0;
  }
  if (above === undefined)
    return views.message(
      `There is no home page in ${language.label}`,
      `Add ${code.toLowerCase()}/index.json, then translate its subpages.`,
    );
  const open = async (parent: number): Promise<View> => {
    const initial = await translated(host, site, source.text, code);
    const slug = slugOfFile(source.file);
    const isSection = hasSubpages(source.file);
    const place = { parent, slug, isSuggested: true, isDraft: true, isSection };
    return views.open({ id: Number(initial["id"]), file: "", text: null, initial, place });
  };
  if (missing.length === 0) return open(above);
  const top = above;
  const status = h("p", { class: "form-status", role: "status" });
  const make = async (): Promise<void> => {
    let parent = top;
    try {
      for (const one of missing) parent = await addDraft(host, site, one, parent, code);
    } catch (cause) {
      status.textContent = failureText(cause, "That did not work; try again.");
      return;
    }
    const view = await open(parent);
    box.replaceChildren(...view.nodes);
    view.begin?.();
  };
  const box = div(
    "editor",
    h("h1", { tabindex: "-1" }, `Translate into ${language.label}`),
    h("p", {}, `“${page.title}” is below ${plural(missing.length, "page")} without a translation:`),
    h("ul", {}, ...missing.map(({ title }) => h("li", { dir: "auto" }, title))),
    h("p", {}, "They become drafts with the values of their originals, to be translated later."),
    div(
      "element-buttons",
      button(`Make ${plural(missing.length, "draft")} and translate`, make, { class: "primary" }),
    ),
    status,
  );
  return { title: `Translate: ${page.title}`, nodes: [box] };
}

/** Writes the draft of a parent. @returns its id */
async function addDraft(
  host: EditorHost,
  site: Site,
  { id, type }: PageRecord,
  parent: number,
  code: string,
): Promise<number> {
  const [source, above] = [await host.store.open(id), await host.store.open(parent)];
  if (source === undefined) throw new StoreFailure("A page above it has no source any more. Try again.");
  const page = await translated(host, site, source.text, code);
  const place = { slug: slugOfFile(source.file), type, isDraft: true, isSection: true };
  const { file, text } = await newSource(host, { ...place, parentFile: above?.file }, beginning(page));
  await host.store.save({ file, before: null, after: text });
  return Number(page["id"]);
}
