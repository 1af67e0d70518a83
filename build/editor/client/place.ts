import { pathOf } from "../../base/api.ts";
import type { SourceFile } from "../../change/change.ts";
import {
  ancestors,
  pageAt,
  record,
  recordsOf,
  site as siteFacts,
  type PageRecord,
} from "../../browse/data.js";
import { typesBelow } from "../../browse/editing.js";
import { h } from "../../browse/dom.js";
import { growing, node } from "../../browse/tree.js";
import { isReservedName, RESERVED_NAME } from "../../source/address.ts";
import type { Placement } from "../../model/derive.ts";
import { formats } from "../../model/formats.ts";
import type { PageResponse } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import type { Site } from "../../model/site.ts";
import type { SourceOperation } from "../../source/json/edit.ts";
import { childAddress } from "../../model/tree.ts";
import { isSlug, newFile, suggestedSlug, type NewPlace } from "../form/place.ts";
import { hasSubpages, isDraftFile } from "../../source/page-files.ts";
import { FormModel, pageOf } from "../form/model.ts";
import { shownText } from "../form/values.ts";
import { StoreFailure } from "../store.ts";
import { showAt, type PlacedControl, type ShownFinding } from "./context.ts";
import { button, checkboxOf, fieldOf, help, labelled, named, div } from "./parts.ts";
import type { EditorHost } from "./host.ts";
import { publishedPage } from "./published.ts";

export interface PlaceState {
  parent: number;
  slug: string;
  /** Whether the slug follows the title, because the editor has written none. */
  isSuggested: boolean;
  isDraft: boolean;
  isSection?: boolean;
}

/** The path of the slug's control; sources have no such field. */
export const SLUG_PATH = "meta.slug";

interface PlaceOptions {
  host: EditorHost;
  type: () => PageType;
  onChange?: () => void;
  /** The id of a page that moves: its own address is not taken. */
  moving?: number;
  onFinding?: () => void;
  /** Called after a parent was chosen. */
  onChosen?: () => void;
}

/** The controls of a page's position: its parent page, its slug, and the resulting address. */
export class PlaceView {
  readonly state: PlaceState;
  /** The address on the website; empty if it is not known yet. */
  address = "";
  /** The types that the page may have below its parent. */
  types: readonly string[] | undefined;
  findings: readonly ShownFinding[] = [];
  private parentPage: Pick<PageResponse, "id" | "meta" | "title"> | undefined;
  private readonly options: PlaceOptions;
  private readonly parentName = h("output", { class: "parent-name" });
  private readonly slug = h("input", {
    type: "text",
    id: "edit-slug",
    "data-path": SLUG_PATH,
    autocomplete: "off",
    spellcheck: "false",
    "aria-required": "true",
    "aria-describedby": "edit-slug-help",
    input: () => {
      this.state.isSuggested = this.slug.value === "";
      this.state.slug = this.slug.value;
      this.update();
      this.options.onChange?.();
    },
  });
  private readonly draft = h("input", {
    type: "checkbox",
    id: "edit-draft",
    change: () => {
      this.state.isDraft = this.draft.checked;
      this.options.onChange?.();
    },
  });
  private readonly output = h("output", { id: "edit-address", class: "address" });
  private readonly tree = div("place-tree");
  private readonly choose = button("Choose in the page tree", () => void this.toggleTree(), {
    "aria-expanded": "false",
  });
  readonly placed: PlacedControl = {
    control: this.slug,
    box: h("div", { class: "field-findings", id: "edit-slug-findings" }),
    describedBy: "edit-slug-help",
    focus: () => this.focus(),
  };
  readonly element: HTMLElement;

  constructor(state: PlaceState, options: PlaceOptions) {
    this.state = state;
    this.options = options;
    this.slug.value = state.slug;
    this.draft.checked = state.isDraft;
    // Most pages that move get another parent.
    if (options.moving !== undefined) void this.toggleTree();
    this.element = h(
      "fieldset",
      { class: "group is-place", "data-path": "meta.parent", tabindex: "-1" },
      h("legend", {}, "Place"),
      fieldOf(named("Parent"), h("p", {}, this.parentName), this.choose, this.tree),
      labelled(
        "Slug",
        this.slug,
        help("The page’s part of its address; suggested from the title.", "edit-slug-help"),
        this.placed.box,
      ),
      fieldOf(named("Address"), this.output),
      options.moving === undefined && checkboxOf(this.draft, "Draft: keep it unpublished"),
    );
  }

  /** Updates the slug to a new title, until the editor writes a slug. */
  titleIs(title: string): void {
    if (!this.state.isSuggested) return;
    const slug = suggestedSlug(title);
    if (slug === this.state.slug) return;
    this.slug.value = this.state.slug = slug;
    this.update();
  }

  reset(state: PlaceState): void {
    Object.assign(this.state, state);
    this.slug.value = state.slug;
    this.draft.checked = state.isDraft;
    this.update();
    void this.load();
  }

  focus(): void {
    this.slug.focus();
  }

  get isValid(): boolean {
    return isSlug(this.state.slug);
  }

  async load(): Promise<void> {
    const parent = await record(this.state.parent);
    const above = parent === undefined ? [] : [...(await ancestors(parent)), parent];
    this.types = parent && (await typesBelow(parent));
    // A parent that the proposal adds is in no list yet.
    const added = parent === undefined ? await this.options.host.store.open(this.state.parent) : undefined;
    this.parentName.textContent =
      parent === undefined
        ? shownText(pageOf(added?.text ?? null)?.["title"]) || "No page: choose one"
        : above.map(({ title }) => title || "Untitled").join(" / ");
    this.parentPage = parent && (await publishedPage(parent.id).catch(() => undefined));
    this.update();
  }

  /** The code of the language, on a site with several. */
  get locale(): string | undefined {
    return this.parentPage?.meta.locale;
  }

  /** As the response of a subpage shows it. */
  get parent(): object {
    if (this.parentPage === undefined) return { id: this.state.parent };
    const { id, meta, title } = this.parentPage;
    const { type, detail_url, html_url } = meta;
    return { id, meta: { type, detail_url, html_url }, title };
  }

  private update(): void {
    const { slug } = this.state;
    const { site } = this.options.host;
    const above = this.parentPage?.meta.html_url;
    this.address = site && above && isSlug(slug) ? childAddress(above, slug, site) : "";
    this.output.textContent = this.address;
    const { example, expected } = formats.slug;
    const reason = isReservedName(slug) ? RESERVED_NAME : `The slug has ${expected}.`;
    this.say(slug !== "" && !isSlug(slug) ? reason : "", `Write a slug such as “${example}”.`);
    if (this.address !== "") void this.lookUp(this.address);
  }

  private async lookUp(address: string): Promise<void> {
    const other = await pageAt(new URL(address).pathname).catch(() => undefined);
    if (other === undefined || other === this.options.moving || address !== this.address) return;
    const page = await record(other);
    if (address !== this.address) return;
    this.say(`“${page?.title ?? other}” has this address already.`, "Choose another slug.");
  }

  private say(message: string, hint: string): void {
    const before = this.findings[0]?.message;
    this.findings = message === "" ? [] : [{ path: SLUG_PATH, severity: "error", message, hint }];
    showAt(this.placed, this.findings);
    if (this.findings[0]?.message !== before) this.options.onFinding?.();
  }

  private async toggleTree(): Promise<void> {
    const opens = this.tree.childElementCount === 0;
    const { onChange = () => undefined, type, moving } = this.options;
    this.choose.setAttribute("aria-expanded", String(opens));
    if (!opens) {
      this.tree.replaceChildren();
      return;
    }
    const types = new Set<string>(this.options.host.pages.of(type()).parents);
    const mayBe = (page: PageRecord): boolean => types.has(page.type) && page.id !== moving;
    const tree = await pageTree(mayBe, this.state.parent, (id) => {
      this.state.parent = id;
      this.tree.replaceChildren();
      this.choose.setAttribute("aria-expanded", "false");
      this.choose.focus();
      this.options.onChosen?.();
      onChange();
      void this.load().then(onChange);
    });
    this.tree.replaceChildren(tree);
  }
}

/** The values derived from a page's position, from its response; undefined if there is no response yet. */
export async function publishedPlacement(id: number): Promise<Placement | undefined> {
  const { meta } = (await publishedPage(id).catch(() => undefined)) ?? {};
  if (meta === undefined) return undefined;
  const { detail_url: response, html_url: address, slug, parent, locale, translations } = meta;
  return { response, address, slug, parent, locale, translations };
}

export const newPlacement = (place: PlaceView, id: unknown, site: Site | undefined): Placement => ({
  response: typeof id === "number" ? (site?.base_url ?? "") + pathOf(id) : "",
  address: place.address,
  slug: place.state.slug,
  parent: place.parent,
  locale: place.locale,
});

/** The source of a page that gets a subpage. @throws StoreFailure if it cannot have one */
export function parentIn(file: string | undefined): string {
  if (file === undefined)
    throw new StoreFailure("The parent page has no source file. Choose another parent.");
  if (isDraftFile(file) && !hasSubpages(file))
    throw new StoreFailure("The parent page is a draft, which has no subpages. Publish it first.");
  return file;
}

/** The source of a new page. If its parent has no folder for subpages, the store gives it one. */
export async function newSource(
  { pages, store }: Pick<EditorHost, "pages" | "store">,
  { parentFile, ...place }: Omit<NewPlace, "parentFile"> & { parentFile: string | undefined },
  operations: readonly SourceOperation[],
): Promise<SourceFile> {
  const above = parentIn(parentFile);
  const parent = hasSubpages(above) ? above : await store.giveFolder(above);
  const file = newFile(pages, { ...place, parentFile: parent });
  const value = await store.schemaReference(file);
  const { text } = new FormModel(pages, null, [...operations, { kind: "set", path: ["$schema"], value }]);
  return { file, text };
}

/** The page trees of all languages, for choosing one of certain pages. */
async function pageTree(
  mayBe: (page: PageRecord) => boolean,
  chosen: number,
  onChosen: (id: number) => void,
): Promise<HTMLElement> {
  const { home, languages = [{ home }] } = await siteFacts();
  const now = await record(chosen);
  const root = now && ((await ancestors(now))[0] ?? now);
  const nameOf = (page: PageRecord): HTMLElement => {
    const name = page.title || "Untitled";
    return mayBe(page) ? button(name, () => onChosen(page.id), { class: "choose" }) : h("span", {}, name);
  };
  const tops = await recordsOf(languages.map((one) => one.home));
  const items = tops.map(async (top) => {
    const item = await node(top, nameOf);
    const twist = item.querySelector(".twist");
    if (twist !== null && top.id === (root?.id ?? home)) await growing.get(twist)?.();
    return item;
  });
  return h("ul", { class: "branch", "aria-label": "Pages of the site" }, ...(await Promise.all(items)));
}
