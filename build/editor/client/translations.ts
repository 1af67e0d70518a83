import { languageOf, pageAt, record, site as siteFacts, type PageRecord } from "../../browse/data.js";
import { drafts } from "../../browse/drafts.js";
import { h, plural } from "../../browse/dom.js";
import { editHref } from "../../browse/editing.js";
import { rich } from "../../browse/rich.js";
import { languageLinks, proposed, translationsOf, unpublished } from "../../browse/translations.js";
import type { View } from "../../browse/view.js";
import { targetsIn, translate } from "../../change/translate.ts";
import { languageAt } from "../../model/languages.ts";
import type { Site } from "../../model/site.ts";
import { valueAt, type JsonObject } from "../../source/json/object.ts";
import { hasSubpages, slugOfFile } from "../form/place.ts";
import { beginning, FormModel, pageOf, schemaSet } from "../form/model.ts";
import { GitHubStore } from "../github/store.ts";
import { StoreFailure } from "../store.ts";
import { failureText } from "./form-parts.ts";
import type { FormContext, PlacedControl } from "./context.ts";
import type { EditorHost } from "./host.ts";
import { button, div } from "./parts.ts";
import { newSource } from "./place.ts";
import { publishedPage } from "./published.ts";
import type { OpenedPage } from "./unsaved.ts";

/* What the editor does on a site with several languages. */

/** Makes the translations known that the proposal adds. */
function readProposal({ store, site }: EditorHost): void {
  if (!(store instanceof GitHubStore)) return;
  unpublished.read = () => {
    const found = new Map<number, number>();
    for (const { file, after } of store.changes) {
      const { id, meta } = pageOf(after) ?? {};
      const of = (meta as JsonObject | undefined)?.["translation_of"];
      if (typeof id !== "number" || typeof of !== "number") continue;
      found.set(id, of);
      proposed.set(id, languageAt(file, site ?? {})?.code ?? "");
    }
    return found;
  };
}

export interface TranslatedForm {
  id: number;
  /** Empty for a new page. */
  file: string;
  /** The parent of a new page. */
  parent: number | undefined;
  head: HTMLElement;
  context: FormContext;
}

const isText = (control: HTMLElement): boolean =>
  control.isContentEditable || control.matches("textarea:not(.is-derived), input[type=text]");

/** The language of a page, or of the pages below another one. */
async function codeOf({ file, parent, context: { host } }: TranslatedForm): Promise<string | undefined> {
  if (file !== "") return languageAt(file, host.site ?? {})?.code;
  const above = await record(parent ?? 0);
  if (above !== undefined) return (await languageOf(above))?.code;
  const added = await host.store.open(parent ?? 0);
  return added && languageAt(added.file, host.site ?? {})?.code;
}

/** Shows the languages of the page, and names its language to the browser's spelling check. */
export async function showLanguages(form: TranslatedForm): Promise<void> {
  const { id, file, head, context } = form;
  readProposal(context.host);
  const code = await codeOf(form);
  const links = await languageLinks(id, code, editHref);
  head.querySelector(".languages")?.remove();
  if (file === "") for (const link of links.querySelectorAll("a")) link.remove();
  head.append(links);
  const original = await originalOf(form, code);
  head.querySelector(".original-switch")?.remove();
  if (original !== undefined) head.append(originalSwitch(head));
  const mark = (placed: PlacedControl): void => {
    if (code !== undefined && isText(placed.control)) placed.control.lang = code;
    // The control is in its field once that is made.
    if (original !== undefined) queueMicrotask(() => showOriginal(placed, original));
  };
  context.onPlace = mark;
  for (const placed of context.placed.values()) mark(placed);
  head.querySelector("h1")?.setAttribute("lang", code ?? "");
}

interface Original {
  page: JsonObject;
  code: string | undefined;
  siteUrl: string;
}

/** The page that a page translates: the one that it names, or that in the main language. */
async function originalOf(
  { id, context: { model, host } }: TranslatedForm,
  code: string | undefined,
): Promise<Original | undefined> {
  const { languages: [main] = [] } = await siteFacts();
  const named = model.value(["meta", "translation_of"]);
  const other = code === main?.code ? undefined : (await translationsOf(id)).get(main?.code ?? "");
  const source = await host.store
    .open(typeof named === "number" ? named : (other ?? 0))
    .catch(() => undefined);
  const page = pageOf(source?.text ?? null);
  if (source === undefined || page === undefined) return undefined;
  return {
    page,
    code: languageAt(source.file, host.site ?? {})?.code,
    siteUrl: host.site?.site_url ?? "",
  };
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

function showOriginal({ control, path = [] }: PlacedControl, { page, code, siteUrl }: Original): void {
  const value = valueAt(page, path);
  const field = control.closest(".field");
  if (field === null || typeof value !== "string" || value === "" || !isText(control)) return;
  if (control.hasAttribute("readonly") || control.role === "combobox") return;
  const shown = h("div", { class: "original", lang: code, dir: "auto" });
  const isHtml = control.isContentEditable || control.matches(".is-source");
  if (isHtml) void rich(value, siteUrl).then((text) => shown.append(text));
  else shown.append(value);
  field.querySelector(":scope > .original")?.remove();
  field.firstElementChild?.after(shown);
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

interface TranslationViews {
  open: (opened: OpenedPage) => View;
  edit: (id: number) => Promise<View>;
  message: (title: string, text: string) => View;
}

/** The form of a new translation of a page, or of the one that there is. Missing parents are made as drafts first. */
export async function beginTranslation(
  host: EditorHost,
  id: number,
  code: string,
  views: TranslationViews,
): Promise<View> {
  readProposal(host);
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
  const { file, schema } = await newSource(host, { ...place, parentFile: above?.file });
  const { text } = new FormModel(host.pages, null, [...beginning(page), schemaSet(schema)]);
  await host.store.save({ file, before: null, after: text });
  return Number(page["id"]);
}
