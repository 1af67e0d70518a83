import { h } from "../../browse/dom.js";
import type { FieldWords } from "../../browse/own-fields.js";
import { articleOf } from "../../browse/view.js";
import type { PageResponse } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import { button, div } from "./parts.ts";

/** Milliseconds between the last keystroke and the page. */
const PREVIEW_MS = 200;

const NO_PAGE = "The page appears here once its errors are corrected.";
const OLD_PAGE = "The page has errors: you see its last version without them.";

/** The page that is being edited, as people see it: beside the form if there is space, else instead of it. */
export function pagePreview(
  response: () => PageResponse | undefined,
  fields: (type: PageType) => readonly FieldWords[],
  isLoaded: () => boolean,
) {
  const note = h("p", { class: "help preview-note" });
  const body = h("div", {});
  const element = h("section", { class: "page-preview", "aria-label": "Page", tabindex: "0" }, note, body);
  const website = document.querySelector('meta[name="website"]')?.getAttribute("content") ?? undefined;
  const frame = h("iframe", { class: "preview-website", title: "Website" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = "";
  let turn = 0;

  const show = async (): Promise<void> => {
    // Without space, nothing is shown before it is chosen.
    if (!isLoaded() || !element.isConnected || element.offsetParent === null) return;
    const page = response();
    element.classList.toggle("is-old", page === undefined);
    note.hidden = page !== undefined;
    if (page === undefined && shown === "") note.textContent = NO_PAGE;
    const text = JSON.stringify(page);
    if (page === undefined || text === shown) return;
    shown = text;
    if (website !== undefined) {
      // The website shows each save itself. An edit that is not saved changes nothing.
      const address = new URL(new URL(page.meta.html_url).pathname, website).href;
      if (frame.src !== address) frame.src = address;
      if (!frame.isConnected) body.replaceChildren(frame);
      return;
    }
    const mine = ++turn;
    const article = await articleOf(page, { fields: fields(page.meta.type) });
    if (mine !== turn) return;
    // The form has the heading of the view.
    for (const one of article.querySelectorAll("h1"))
      one.replaceWith(h("p", { class: "preview-title" }, ...one.childNodes));
    const { scrollTop } = element;
    note.textContent = OLD_PAGE;
    body.replaceChildren(article);
    element.scrollTop = scrollTop;
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void show().catch(() => undefined), PREVIEW_MS);
  };
  const buttons = ["Edit", "Page"].map((label, k) => {
    const choose = (): void => {
      buttons.forEach((one, other) => one.setAttribute("aria-pressed", String(k === other)));
      element.parentElement?.classList.toggle("is-page", k === 1);
      schedule();
    };
    return button(label, choose, { "aria-pressed": String(k === 0) });
  });
  /** `choice`: chooses between form and page if there is no space for both. */
  return { element, choice: div("edit-choice", ...buttons), schedule };
}
