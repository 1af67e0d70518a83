import type { BrokenLink } from "../../change/change.ts";
import { record } from "../../browse/data.js";
import { h, plural } from "../../browse/dom.js";
import type { PageType } from "../../model/page-types.ts";
import { hasFolder, isDraftFile, newFile, slugOfFile } from "../form/place.ts";
import { failureText, isConfirmed } from "./form-parts.ts";
import { button, help, labelled, div } from "./parts.ts";
import { StoreFailure } from "../store.ts";
import type { LinkingPages } from "../store.ts";
import type { EditorHost } from "./host.ts";
import { PlaceView } from "./place.ts";

interface ActionOptions {
  id: number;
  file: string;
  type: PageType;
  host: EditorHost;
  /** Whether the form has unsaved edits: after an action, their file would not exist any more. */
  isEdited: () => boolean;
  /** Called after an action, to show the page's form again with a message. */
  onDone: (message: string, links: readonly BrokenLink[]) => void;
}

/** The controls to move, retire, publish and withdraw a page; undefined for the home page. */
export function pageActions(options: ActionOptions): HTMLElement | undefined {
  if (options.file === "index.json") return undefined;
  const { id, file, type, host } = options;
  const { actions } = host;
  const status = h("p", { class: "form-status", role: "status" });
  const run = async (carryOut: () => Promise<void>): Promise<void> => {
    if (options.isEdited()) {
      status.textContent = "Save or discard your changes first.";
      return;
    }
    try {
      await carryOut();
    } catch (cause) {
      status.textContent = failureText(cause, "That did not work. Nothing was changed; try again.");
    }
  };
  const action = (label: string, carryOut: () => Promise<void>): HTMLElement =>
    button(label, () => run(carryOut));
  /** Asks before the page and its subpages are changed. @returns the links to them, unless the editor cancels */
  const agreed = async (does: string, label: string, effect: string, isAlways = true) => {
    const linking = await actions.linking?.(file);
    const unread = unreadView(linking);
    const count = await actions.subpages(file);
    const what = count === 0 ? "the page" : `the page and ${plural(count, "subpage")}`;
    const question = [`${does} ${what}. ${effect}`, `${label} ${plural(count + 1, "page")}`] as const;
    const isAsked = isAlways || unread.length > 0 || count > 0;
    return !isAsked || (await isConfirmed(...question, ...unread)) ? { linking } : undefined;
  };
  const isDraft = isDraftFile(file);
  const publish = action("Publish this draft", async () => {
    await actions.publish(file);
    options.onDone("The draft is now a page.", []);
  });
  const withdraw = action("Make this page a draft", async () => {
    const agreement = await agreed("This unpublishes", "Unpublish", "Drafts are shown only in the preview.");
    if (agreement === undefined) return;
    const { links } = await actions.withdraw(file, agreement.linking);
    options.onDone("The page is now a draft: it is not published.", links);
  });

  const moveBox = div("action");
  const openMove = async (): Promise<void> => {
    const page = await record(id);
    const state = { parent: page?.parent ?? 0, slug: slugOfFile(file), isSuggested: false, isDraft: false };
    const place = new PlaceView(state, { host, type: () => type, moving: id });
    await place.load();
    const move = action("Move the page here", async () => {
      const parentFile = (await host.store.open(state.parent))?.file;
      if (parentFile === undefined || !place.isValid) throw new StoreFailure("Choose a parent and a slug.");
      const leaf = newFile(host.pages, { parentFile, slug: state.slug, type, isDraft });
      const to = hasFolder(file) && !hasFolder(leaf) ? leaf.replace(/\.json$/, "/index.json") : leaf;
      const effect = "The old addresses are recorded, and links to them are updated.";
      const agreement = await agreed("This moves", "Move", effect, false);
      if (agreement === undefined) return;
      await actions.move(file, to, agreement.linking);
      options.onDone("The page was moved. Its old address is recorded.", []);
    });
    moveBox.replaceChildren(place.element, move);
    place.focus();
  };

  const address = h("input", {
    type: "text",
    id: "edit-retire-to",
    autocomplete: "off",
    spellcheck: "false",
  });
  const retireBox = div("action");
  const openRetire = (): void => {
    retireBox.replaceChildren(
      labelled(
        "Address that replaces the page",
        address,
        help("Visitors are redirected there, for example /visit/. Leave it empty if there is none."),
      ),
      action("Retire the page and all its subpages", async () => {
        const effect = "The source files are deleted, and the addresses are recorded.";
        const agreement = await agreed("This retires", "Retire", effect);
        if (agreement === undefined) return;
        const links = await actions.retire(file, address.value.trim() || undefined, agreement.linking);
        options.onDone("The page was retired.", links);
      }),
    );
    address.focus();
  };
  return h(
    "details",
    { class: "page-actions" },
    h("summary", {}, "Move, retire, publish"),
    div(
      "element-buttons",
      action("Move…", openMove),
      isDraft ? publish : withdraw,
      !isDraft && button("Retire…", openRetire),
    ),
    moveBox,
    retireBox,
    status,
  );
}

/** Maximum number of files that are listed with their links unread. */
const MAX_LISTED = 1000;

/** The files whose links to a page could not be read or changed. */
function unreadView(linking: LinkingPages | undefined): Node[] {
  const { unread = [] } = linking ?? {};
  if (unread.length === 0) return [];
  const listed = unread.slice(0, MAX_LISTED);
  const more = unread.length - listed.length;
  return [
    h(
      "p",
      {},
      `Links in ${plural(unread.length, "file")} could not be found or changed. The check of the pull request lists them.`,
    ),
    h(
      "ul",
      { "aria-label": "Files that keep their links" },
      ...listed.map(({ file, reason }) => h("li", {}, `${file}: ${reason}`)),
      more > 0 && h("li", {}, `and ${plural(more, "more file")}`),
    ),
  ];
}
