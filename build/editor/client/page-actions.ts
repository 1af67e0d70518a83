import type { BrokenLink } from "../../change/change.ts";
import { sharedValues } from "../../change/translate.ts";
import { record } from "../../browse/data.js";
import { h, onKey, pageHref, plural } from "../../browse/dom.js";
import { languagesWithout, rowOf, translateHref } from "../../browse/translations.js";
import type { JsonObject } from "../../source/json/object.ts";
import { isHomeFile } from "../../model/languages.ts";
import type { PageType } from "../../model/page-types.ts";
import { newFile } from "../form/place.ts";
import { hasSubpages, isDraftFile, slugOfFile } from "../../source/page-files.ts";
import { beginning, pageOf } from "../form/model.ts";
import { shownText } from "../form/values.ts";
import { ProposedActions } from "../github/page-actions.ts";
import { GitHubStore } from "../github/store.ts";
import { combobox, suggestPages } from "./combobox.ts";
import { failureText, isConfirmed } from "./form-parts.ts";
import { openMenu, type MenuItem } from "./menu.ts";
import { button, div, fieldOf, help, listOf, openDialog } from "./parts.ts";
import { Conflict, StoreFailure } from "../store.ts";
import type { LinkingPages, PageActions, ReferringPage } from "../store.ts";
import type { EditorHost } from "./host.ts";
import { newSource, parentIn, PlaceView } from "./place.ts";
import { alongChoice } from "./translations.ts";
import { publishedPage } from "./published.ts";

interface ActionOptions {
  id: number;
  file: string;
  text: string | null;
  type: PageType;
  host: EditorHost;
  /** Whether the form has unsaved edits: after an action, their file would not exist any more. */
  isEdited: () => boolean;
  say: (text: string) => void;
  /** Called after an action, to show the page's form again with a message. */
  onDone: (message: string, links: readonly BrokenLink[]) => void;
  /** Called after an action that made another page. */
  onCopied: (id: number) => void;
}

interface Asking {
  /** Whether it is asked also about a page without subpages. */
  isAlways?: boolean;
  more?: Node[];
  /** Whether the editor may choose further pages there. */
  isMore?: boolean;
  /** Whether drafts may go on referring to the page. */
  mayDrafts?: boolean;
}

/** Maximum number of slugs that are tried for a copy. */
const MAX_COPIES = 20;

const REPLACEMENT = "Page that replaces it";

/** Why nothing was changed, without the options and commands that the form has as fields and buttons. */
const reasonOf = (cause: unknown): string =>
  failureText(cause, "That did not work. Nothing was changed; try again.")
    .replace(/^--to\b/, REPLACEMENT)
    .replace(/:\s+npx page-api .*$/s, ".");

/** Opens the menu of what can be done with the whole page. */
export async function openActions(anchor: HTMLElement, options: ActionOptions): Promise<void> {
  const { id, file, type, host } = options;
  const actions = actionsOf(host);
  if (actions === undefined) return;
  const isDraft = isDraftFile(file);
  const run = (carryOut: () => Promise<void>) => async (): Promise<void> => {
    anchor.focus();
    if (options.isEdited()) return options.say("Save or discard your changes first.");
    try {
      return await carryOut();
    } catch (cause) {
      return options.say(reasonOf(cause));
    }
  };
  /** Asks before the page and its subpages are changed. @returns the links to them, unless the editor cancels */
  const agreed = async (
    does: string,
    label: string,
    effect: string,
    { isAlways = true, more = [], isMore = false, mayDrafts = false }: Asking = {},
  ) => {
    const linking = await actions.linking?.(file);
    const unread = unreadView(linking);
    const count = await actions.subpages(file);
    const what = count === 0 ? "the page" : `the page and ${plural(count, "subpage")}`;
    const name = isMore ? label : `${label} ${plural(count + 1, "page")}`;
    const question = [`${does} ${what}. ${effect}`, name] as const;
    const isAsked = isAlways || unread.length > 0 || count > 0;
    if (!isAsked) return { linking };
    const pages = isAlways ? await referringTo(actions, file, linking) : [];
    const refusing = pages.filter((one) => one.isReference && !(mayDrafts && isDraftFile(one.file)));
    if (refusing.length > 0) {
      showRefusing(refusing);
      return undefined;
    }
    const referring = isAlways ? referringView(pages) : [];
    return (await isConfirmed(...question, ...referring, ...more, ...unread)) ? { linking } : undefined;
  };
  const publish = async (): Promise<void> => {
    await actions.publish(file);
    options.onDone("The draft is now a page.", []);
  };
  const withdraw = async (): Promise<void> => {
    const effect = "Drafts are shown only in the preview.";
    const agreement = await agreed("This unpublishes", "Unpublish", effect, { mayDrafts: true });
    if (agreement === undefined) return;
    const links = await actions.withdraw(file, agreement.linking);
    options.onDone("The page is now a draft: it is not published.", links);
  };
  const retire = async (): Promise<void> => {
    const { element, control } = replacement();
    const effect = "The source files are deleted, and the addresses are recorded.";
    const along = await alongChoice(host, actions, id);
    const more = along.element === undefined ? [] : [along.element];
    const asking = { more: [element, ...more], isMore: more.length > 0 };
    const agreement = await agreed("This retires", "Retire", effect, asking);
    if (agreement === undefined) return;
    const given = { ...agreement, translations: along.isChosen() };
    const links = await actions.retire(file, control.value.trim() || undefined, given);
    options.onDone("The page was retired.", links);
  };
  const openMove = async (): Promise<void> => {
    const page = await record(id);
    const state = { parent: page?.parent ?? 0, slug: slugOfFile(file), isSuggested: false, isDraft: false };
    const status = h("p", { class: "form-status", role: "status" });
    const along = await alongChoice(host, actions, id);
    const move = async (): Promise<void> => {
      const parentFile = parentIn((await host.store.open(state.parent))?.file);
      if (!place.isValid) throw new StoreFailure("Choose a slug.");
      const { slug } = state;
      const to = newFile(host.pages, { parentFile, slug, type, isDraft, isSection: hasSubpages(file) });
      const effect = "The old addresses are recorded, and links to them are updated.";
      const agreement = await agreed("This moves", "Move", effect, { isAlways: false });
      if (agreement === undefined) return;
      await actions.move(file, to, { ...agreement, translations: along.isChosen() });
      dialog.close();
      options.onDone(`The page was moved.${isDraft ? "" : " Its old address is recorded."}`, []);
    };
    const tried = (): Promise<void> =>
      move().catch((cause: unknown) => {
        status.textContent = reasonOf(cause);
      });
    const go = button("Move the page here", tried, { class: "primary" });
    const place = new PlaceView(state, { host, type: () => type, moving: id, onChosen: () => go.focus() });
    onKey(place.placed.control, (event) => event.key === "Enter" && void tried());
    await place.load();
    const content = [place.element, along.element, status];
    const cancel = h("button", {}, "Cancel");
    const dialog = openDialog("Move the page", "review page-actions", content, go, cancel);
  };
  const copy = async (): Promise<void> => {
    options.onCopied(await copyPage(options));
  };
  const address = isDraft ? undefined : (await publishedPage(id).catch(() => undefined))?.meta.html_url;
  const ofPage: MenuItem[] = [
    isDraft
      ? { label: "Publish this draft", run: run(publish) }
      : {
          label: "Make this page a draft",
          help: "Keeps the page, but not on the website.",
          run: run(withdraw),
        },
    { label: "Move…", help: "To another parent or address.", run: run(openMove) },
    { label: "Copy this page", help: "As a draft with an id of its own.", run: run(copy) },
    ...(isDraft ? [] : [{ label: "Retire…", help: "Removes the page for good.", run: run(retire) }]),
  ];
  const others = host.site?.locales === undefined ? [] : await languagesWithout(id);
  openMenu(anchor, "Actions", [
    ...others.map(({ code, label }) => ({
      label: `Translate into ${label}`,
      help: "As a draft at the same place.",
      run: run(async () => {
        history.pushState(null, "", translateHref(id, code));
        dispatchEvent(new PopStateEvent("popstate"));
      }),
    })),
    ...(isHomeFile(file, host.site ?? {}) ? [] : ofPage),
    ...(address === undefined
      ? []
      : [{ label: "Open on the website", run: () => open(address, "_blank", "noopener") }]),
  ]);
}

/** Changes whole pages where the host keeps them. */
function actionsOf(host: EditorHost): PageActions | undefined {
  const { folder, store, site } = host;
  if (folder !== undefined || site === undefined || !(store instanceof GitHubStore)) return folder;
  return new ProposedActions(store, {
    addressOf: async (id) => (await publishedPage(id))?.meta.html_url,
    translationsOf: rowOf,
    site,
    pages: () => host.pages,
  });
}

/** The field for the address to which visitors of a retired page are redirected: that of a page, or any other. */
function replacement(): { element: HTMLElement; control: HTMLInputElement } {
  const control = combobox(["retire-to"], REPLACEMENT, (words) =>
    suggestPages(words, undefined, async (id) => {
      const page = await publishedPage(id).catch(() => undefined);
      if (page !== undefined) control.value = new URL(page.meta.html_url).pathname;
    }),
  );
  control.id = "edit-retire-to";
  const note = help(
    "Visitors are redirected there. Type a title, or an address such as /visit/; leave it empty if there is none.",
  );
  const label = h("label", { for: control.id }, REPLACEMENT);
  return { element: fieldOf(label, div("control-line", control), note), control };
}

/** Writes a draft with the fields of a page beside it. @returns its id */
async function copyPage({ id: from, file, text, type, host }: ActionOptions): Promise<number> {
  const { acno: _, ...page } = sharedValues(pageOf(text) ?? {}, host.pages.of(type));
  delete (page["meta"] as JsonObject)["order"];
  page["id"] = await host.newId();
  const parent = (await record(from))?.parent;
  const parentFile = parent === undefined ? undefined : (await host.store.open(parent))?.file;
  for (let n = 1; ; n++) {
    const slug = `${slugOfFile(file)}-copy${n === 1 ? "" : `-${n}`}`;
    const copy = { parentFile, slug, type, isDraft: true };
    const source = await newSource(host, copy, beginning(page));
    try {
      await host.store.save({ file: source.file, before: null, after: source.text });
      return Number(page["id"]);
    } catch (cause) {
      if (!(cause instanceof Conflict) || n === MAX_COPIES) throw cause;
    }
  }
}

/** The pages that link to a page or its subpages, or refer to them. */
async function referringTo(actions: PageActions, file: string, linking: LinkingPages | undefined) {
  if (linking === undefined) return (await actions.referring?.(file)) ?? [];
  const below = hasSubpages(file) ? file.replace(/_?index\.json$/, "") : file;
  return linking.sources
    .filter((source) => !source.file.startsWith(below))
    .map(({ file: one, text, isReference = false }) => {
      const page = pageOf(text) ?? {};
      return { file: one, isReference, id: Number(page["id"]), title: shownText(page["title"]) };
    });
}

/** Maximum number of pages that are listed with links to a page. */
const MAX_REFERRING = 20;

function showRefusing(pages: readonly ReferringPage[]): void {
  const count = plural(pages.length, "page has", "pages have");
  const text = `${count} fields or blocks with it. Choose another page there first:`;
  const close = h("button", { autofocus: true }, "Close");
  openDialog("Not possible yet", "page-actions", referringView(pages, text), close);
}

function referringView(
  pages: readonly ReferringPage[],
  text = `${plural(pages.length, "page")} link to it or refer to it:`,
): Node[] {
  if (pages.length === 0) return [h("p", {}, "No page links to it.")];
  const items = pages.map(({ id, title }) =>
    h("li", {}, h("a", { href: pageHref(id), target: "_blank", dir: "auto" }, title || "Untitled")),
  );
  return [
    h("p", { id: "edit-referring" }, text),
    listOf({ "aria-labelledby": "edit-referring" }, items, MAX_REFERRING),
  ];
}

/** Maximum number of files that are listed with their links unread. */
const MAX_LISTED = 1000;

/** The files whose links to a page could not be read or changed. */
function unreadView(linking: LinkingPages | undefined): Node[] {
  const { unread = [] } = linking ?? {};
  if (unread.length === 0) return [];
  const items = unread.map(({ file, reason }) => h("li", {}, `${file}: ${reason}`));
  return [
    h(
      "p",
      {},
      `Links in ${plural(unread.length, "file")} could not be found or changed. The check of the pull request lists them.`,
    ),
    listOf({ "aria-label": "Files that keep their links" }, items, MAX_LISTED),
  ];
}
