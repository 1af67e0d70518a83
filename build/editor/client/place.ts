import { ancestors, pageAt, record, response, type PageRecord } from "../../browse/client/data.js";
import { typesBelow } from "../../browse/client/editing.js";
import { h } from "../../browse/client/dom.js";
import { isReservedName, RESERVED_NAME } from "../../page/address.ts";
import { formats } from "../../page/formats.ts";
import type { PageType } from "../../page/page-types.ts";
import { childAddress } from "../../sources/tree.ts";
import { isSlug, suggestedSlug } from "../form/place.ts";
import { showAt, type PlacedControl, type ShownFinding } from "./context.ts";
import type { EditorHost } from "./host.ts";
import { pageTree } from "./page-tree.ts";

export interface PlaceState {
  parent: number;
  slug: string;
  /** Whether the slug follows the title, because the editor has written none. */
  isSuggested: boolean;
  isDraft: boolean;
}

/** The path of the slug's control; sources have no such field. */
export const SLUG_PATH = "meta.slug";

export interface PlaceOptions {
  hasDraft: boolean;
  /** The id of a page that moves: its own address is not taken. */
  moving?: number;
  /** Called when the finding of the slug changes. */
  onFinding?: () => void;
}

/** The controls of a page's position: its parent page, its slug, and the resulting address. */
export class PlaceView {
  readonly element: HTMLElement;
  readonly state: PlaceState;
  /** The address on the website; empty if it is not known yet. */
  address = "";
  /** The types that the page may have below its parent. */
  types: readonly string[] | undefined;
  private parentAddress = "";
  private readonly host: EditorHost;
  private readonly type: () => PageType;
  private readonly onChange: () => void;
  private readonly options: PlaceOptions;
  private finding: ShownFinding | undefined;
  private readonly parentName = h("output", { class: "parent-name" });
  private readonly slug = h("input", {
    type: "text",
    id: "edit-slug",
    "data-path": SLUG_PATH,
    autocomplete: "off",
    spellcheck: "false",
    "aria-required": "true",
    "aria-describedby": "edit-slug-help",
  });
  private readonly box = h("div", { class: "field-findings", id: "edit-slug-findings" });
  private readonly output = h("output", { id: "edit-address", class: "address" });
  private readonly tree = h("div", { class: "place-tree" });
  private readonly draft = h("input", { type: "checkbox", id: "edit-draft" });

  constructor(
    state: PlaceState,
    host: EditorHost,
    type: () => PageType,
    onChange: () => void,
    options: PlaceOptions,
  ) {
    this.state = state;
    this.host = host;
    this.type = type;
    this.onChange = onChange;
    this.options = options;
    this.slug.value = state.slug;
    this.slug.addEventListener("input", () => {
      state.isSuggested = this.slug.value === "";
      state.slug = this.slug.value;
      this.update();
      onChange();
    });
    const choose = h(
      "button",
      { type: "button", "aria-expanded": "false", click: () => void this.toggleTree(choose) },
      "Choose in the page tree",
    );
    this.draft.checked = state.isDraft;
    this.draft.addEventListener("change", () => {
      state.isDraft = this.draft.checked;
      onChange();
    });
    this.element = h(
      "fieldset",
      { class: "group is-place", "data-path": "meta.parent", tabindex: "-1" },
      h("legend", {}, "Place"),
      h(
        "div",
        { class: "field" },
        h("span", { class: "label" }, "Parent"),
        h("p", {}, this.parentName),
        choose,
        this.tree,
      ),
      h(
        "div",
        { class: "field" },
        h("label", { for: "edit-slug" }, "Slug"),
        this.slug,
        h(
          "p",
          { class: "help", id: "edit-slug-help" },
          "The page’s part of its address; suggested from the title.",
        ),
        this.box,
      ),
      h("div", { class: "field" }, h("span", { class: "label" }, "Address"), this.output),
      options.hasDraft &&
        h(
          "div",
          { class: "field is-checkbox" },
          this.draft,
          h("label", { for: "edit-draft" }, "Draft: keep it unpublished"),
        ),
    );
  }

  /** Updates the slug to a new title, until the editor writes a slug. */
  titleIs(title: string): void {
    if (!this.state.isSuggested) return;
    const slug = suggestedSlug(title);
    if (slug === this.state.slug) return;
    this.slug.value = slug;
    this.state.slug = slug;
    this.update();
  }

  /** Shows another position. */
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

  get findings(): readonly ShownFinding[] {
    return this.finding === undefined ? [] : [this.finding];
  }

  get placed(): PlacedControl {
    return { control: this.slug, box: this.box, describedBy: "edit-slug-help", focus: () => this.focus() };
  }

  get isValid(): boolean {
    return isSlug(this.state.slug);
  }

  /** Loads the name and the address of the parent page. */
  async load(): Promise<void> {
    const parent = await record(this.state.parent);
    if (parent === undefined) {
      this.types = undefined;
      this.parentName.textContent = "No page: choose one";
      this.parentAddress = "";
    } else {
      const above = [...(await ancestors(parent)), parent];
      this.types = await typesBelow(parent);
      this.parentName.textContent = above.map(({ title }) => title || "Untitled").join(" / ");
      this.parentAddress = await addressOf(parent);
    }
    this.update();
  }

  private update(): void {
    const { slug } = this.state;
    const isWrong = slug !== "" && !isSlug(slug);
    const { site } = this.host;
    this.address =
      site === undefined || this.parentAddress === "" || !isSlug(slug)
        ? ""
        : childAddress(this.parentAddress, slug, site);
    this.output.textContent = this.address;
    const { example, expected } = formats.slug;
    const reason = isReservedName(slug) ? RESERVED_NAME : `The slug has ${expected}.`;
    this.say(isWrong ? reason : "", `Write a slug such as “${example}”.`);
    if (this.address !== "") void this.lookUp(this.address);
  }

  /** Reports a finding if another page has the address. */
  private async lookUp(address: string): Promise<void> {
    const other = await pageAt(new URL(address).pathname).catch(() => undefined);
    if (other === undefined || other === this.options.moving || address !== this.address) return;
    const page = await record(other);
    if (address !== this.address) return;
    this.say(`“${page?.title ?? other}” has this address already.`, "Choose another slug.");
  }

  private say(message: string, hint: string): void {
    const before = this.finding?.message;
    this.finding = message === "" ? undefined : { path: SLUG_PATH, severity: "error", message, hint };
    showAt(this.placed, this.findings);
    if (this.finding?.message !== before) this.options.onFinding?.();
  }

  private async toggleTree(button: HTMLElement): Promise<void> {
    const opens = this.tree.childElementCount === 0;
    button.setAttribute("aria-expanded", String(opens));
    if (!opens) {
      this.tree.replaceChildren();
      return;
    }
    const types = new Set<string>(this.host.pages.of(this.type()).parents);
    const tree = await pageTree(types, (page) => {
      this.state.parent = page.id;
      this.tree.replaceChildren();
      button.setAttribute("aria-expanded", "false");
      button.focus();
      this.onChange();
      void this.load().then(this.onChange);
    });
    this.tree.replaceChildren(tree);
  }
}

/** The address of a published page or draft, from its response; empty if there is no response. */
async function addressOf({ id }: PageRecord): Promise<string> {
  const answer = await response(id).catch(() => undefined);
  if (answer === undefined) return "";
  const page = JSON.parse(answer.text) as { meta?: { html_url?: unknown } };
  return typeof page.meta?.html_url === "string" ? page.meta.html_url : "";
}
