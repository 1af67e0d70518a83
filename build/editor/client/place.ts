import { ancestors, pageAt, record, response, type PageRecord } from "../../browse/client/data.js";
import { h } from "../../browse/client/dom.js";
import { forms } from "../../page/forms.ts";
import { parentTypes, type PageType } from "../../page/types.ts";
import { childAddress } from "../../sources/tree.ts";
import { isSlug, slugOfFile, suggestedSlug } from "../form/place.ts";
import type { EditorHost } from "./host.ts";
import { pageTree } from "./page-tree.ts";

export interface PlaceState {
  parent: number;
  slug: string;
  isDraft: boolean;
}

/** The place of a page: the page above it, its slug, and the address that follows. */
export class PlaceView {
  readonly element: HTMLElement;
  readonly state: PlaceState;
  /** The address on the website; empty if it is not known yet. */
  address = "";
  private parentAddress = "";
  private readonly host: EditorHost;
  private readonly type: () => PageType;
  private readonly onChange: () => void;
  /** Whether the slug follows the title. */
  private isSuggested: boolean;
  private readonly parentName = h("output", { class: "parent-name" });
  private readonly slug = h("input", {
    type: "text",
    id: "edit-slug",
    "data-path": "meta.slug",
    autocomplete: "off",
    spellcheck: "false",
    "aria-required": "true",
    "aria-describedby": "edit-slug-help",
  });
  private readonly box = h("div", { class: "field-findings", id: "edit-slug-findings" });
  private readonly output = h("output", { id: "edit-address", class: "address" });
  private readonly tree = h("div", { class: "place-tree" });

  constructor(
    state: PlaceState,
    host: EditorHost,
    type: () => PageType,
    onChange: () => void,
    options: { hasDraft: boolean },
  ) {
    this.state = state;
    this.host = host;
    this.type = type;
    this.onChange = onChange;
    this.isSuggested = state.slug === "";
    this.slug.value = state.slug;
    this.slug.addEventListener("input", () => {
      this.isSuggested = this.slug.value === "";
      state.slug = this.slug.value;
      this.update();
      onChange();
    });
    const choose = h(
      "button",
      { type: "button", "aria-expanded": "false", click: () => void this.toggleTree(choose) },
      "Choose in the page tree",
    );
    const draft = h("input", { type: "checkbox", id: "edit-draft", checked: state.isDraft });
    draft.addEventListener("change", () => {
      state.isDraft = draft.checked;
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
          draft,
          h("label", { for: "edit-draft" }, "Draft: keep it unpublished"),
        ),
    );
  }

  /** Follows the title, until somebody writes a slug. */
  titleIs(title: string): void {
    if (!this.isSuggested) return;
    const slug = suggestedSlug(title);
    if (slug === this.state.slug) return;
    this.slug.value = slug;
    this.state.slug = slug;
    this.update();
  }

  focus(): void {
    this.slug.focus();
  }

  get isValid(): boolean {
    return isSlug(this.state.slug);
  }

  /** Reads what the place follows from. */
  async load(): Promise<void> {
    const parent = await record(this.state.parent);
    if (parent === undefined) {
      this.parentName.textContent = "No page: choose one";
      this.parentAddress = "";
    } else {
      const above = [...(await ancestors(parent)), parent];
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
    this.say(isWrong ? `The slug has ${forms.slug.wanted}, for example “${forms.slug.example}”.` : "");
    if (this.address !== "") void this.lookUp(this.address);
  }

  /** Two pages cannot have one address. */
  private async lookUp(address: string): Promise<void> {
    const other = await pageAt(new URL(address).pathname).catch(() => undefined);
    if (other === undefined || address !== this.address) return;
    const page = await record(other);
    this.say(`“${page?.title ?? other}” has this address already. Choose another slug.`);
  }

  private say(message: string): void {
    this.box.replaceChildren(
      ...(message === ""
        ? []
        : [
            h("div", { class: "field-finding is-error" }, h("p", {}, h("strong", {}, "Error"), " ", message)),
          ]),
    );
    if (message === "") this.slug.removeAttribute("aria-invalid");
    else this.slug.setAttribute("aria-invalid", "true");
    this.slug.setAttribute(
      "aria-describedby",
      message === "" ? "edit-slug-help" : "edit-slug-help edit-slug-findings",
    );
  }

  private async toggleTree(button: HTMLElement): Promise<void> {
    const opens = this.tree.childElementCount === 0;
    button.setAttribute("aria-expanded", String(opens));
    if (!opens) {
      this.tree.replaceChildren();
      return;
    }
    const types = new Set<string>(parentTypes(this.type()));
    const tree = await pageTree(types, (page) => {
      this.state.parent = page.id;
      this.tree.replaceChildren();
      button.setAttribute("aria-expanded", "false");
      button.focus();
      this.onChange();
      void this.load();
    });
    this.tree.replaceChildren(tree);
  }
}

/** The address of a published page or of a draft, as its response has it. */
async function addressOf({ id }: PageRecord): Promise<string> {
  const answer = await response(id).catch(() => undefined);
  if (answer === undefined) return "";
  const page = JSON.parse(answer.text) as { meta?: { html_url?: unknown } };
  return typeof page.meta?.html_url === "string" ? page.meta.html_url : "";
}

export const placeOfFile = (file: string, parent: number): PlaceState => ({
  parent,
  slug: slugOfFile(file),
  isDraft: false,
});
