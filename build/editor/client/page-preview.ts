import { h } from "../../browse/client/dom.js";
import { articleOf } from "../../browse/client/view.js";
import type { PageResponse } from "../../page/page.ts";
import { button, div } from "./parts.ts";

/** Milliseconds between the last keystroke and the page. */
const PREVIEW_MS = 200;

const NO_PAGE = "The page appears here once its errors are corrected.";
const OLD_PAGE = "The page has errors: you see its last version without them.";

/** The page that is being edited, as people see it: beside the form if there is space, else instead of it. */
export class PagePreview {
  private readonly note = h("p", { class: "help preview-note" }, NO_PAGE);
  private readonly body = h("div", {});
  readonly element = h(
    "section",
    { class: "page-preview", "aria-label": "Page", tabindex: "0" },
    this.note,
    this.body,
  );
  /** Chooses between form and page if there is no space for both. */
  readonly choice: HTMLElement;
  private readonly response: () => PageResponse | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private shown = "";
  private turn = 0;

  constructor(response: () => PageResponse | undefined) {
    this.response = response;
    const buttons = ["Edit", "Page"].map((label, k) => {
      const choose = (): void => {
        buttons.forEach((one, other) => one.setAttribute("aria-pressed", String(k === other)));
        this.element.parentElement?.classList.toggle("is-page", k === 1);
        this.schedule();
      };
      return button(label, choose, { "aria-pressed": String(k === 0) });
    });
    this.choice = div("edit-choice", ...buttons);
  }

  schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.show().catch(() => undefined), PREVIEW_MS);
  }

  private async show(): Promise<void> {
    // Without space, nothing is shown before it is chosen.
    if (!this.element.isConnected || this.element.offsetParent === null) return;
    const response = this.response();
    this.element.classList.toggle("is-old", response === undefined);
    this.note.hidden = response !== undefined;
    const text = JSON.stringify(response);
    if (response === undefined || text === this.shown) return;
    this.shown = text;
    const mine = ++this.turn;
    const article = await articleOf(response, {});
    if (mine !== this.turn) return;
    // The form has the heading of the view.
    for (const one of article.querySelectorAll("h1"))
      one.replaceWith(h("p", { class: "preview-title" }, ...one.childNodes));
    const { scrollTop } = this.element;
    this.note.textContent = OLD_PAGE;
    this.body.replaceChildren(article);
    this.element.scrollTop = scrollTop;
  }
}
