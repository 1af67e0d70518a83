import { pageAt, record, response } from "../../browse/client/data.js";
import { h, onKey } from "../../browse/client/dom.js";
import { inWordsOfForm } from "../../findings/catalogue/in-form.ts";
import type { Finding } from "../../findings/finding.ts";
import { badLink } from "../../page/html/links.ts";
import type { PageResponse } from "../../page/page.ts";
import type { FieldPath } from "../form/fields.ts";
import { combobox } from "./combobox.ts";
import type { FormContext } from "./context.ts";
import { suggestPages } from "./page-field.ts";
import { button, div } from "./parts.ts";

function mistakeIn(link: string): string | undefined {
  const bad = badLink("href", link);
  if (bad === undefined) return undefined;
  const found = { ...bad, place: { file: "", line: 1, column: 1 } } as Finding;
  const { message, hint } = inWordsOfForm(found, {
    label: () => "Link",
    typeLabel: (type) => type,
    isRequired: true,
  });
  return `${message} ${hint}`;
}

/** The path of an address on the website; undefined if it is on another one. */
function pathOn(link: string, siteUrl: string): string | undefined {
  const path = link.startsWith(`${siteUrl}/`) ? link.slice(siteUrl.length) : link;
  return /^\/[^?#]*/.exec(path)?.[0];
}

/** Writes the link, with a text if none is selected; for undefined, removes it. */
export type WriteLink = (href: string | undefined, text?: string) => void;

interface LinkFormOptions {
  context: FormContext;
  path: FieldPath;
  /** The address of the link that is edited; empty for a new one. */
  href: string;
  write: WriteLink;
  close: () => void;
}

/** Asks for the page or the address of a link. An address that leads nowhere is reported here. */
export function linkForm({ context, path, href, write, close }: LinkFormOptions): HTMLElement {
  const siteUrl = context.host.site?.site_url ?? "";
  const message = h("p", { class: "link-mistake", role: "status", id: "edit-link-mistake" });
  /** The address of which no page is known, and which is written all the same if it is chosen again. */
  let doubted: string | undefined;
  const say = (text: string): void => {
    message.textContent = text;
    if (text === "") input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  };
  const set = async (): Promise<void> => {
    const link = input.value.trim();
    const mistake = /[/:#?]/.test(link)
      ? mistakeIn(link)
      : "Choose one of the pages, or write an address such as /visit/.";
    if (mistake !== undefined) return say(mistake);
    const own = pathOn(link, siteUrl);
    const isKnown = own === undefined || link === doubted || (await isPage(own));
    if (isKnown) return write(link);
    doubted = link;
    return say(`No page has the address ${own}. To link to it all the same, choose “Set link” again.`);
  };
  const choose = (id: number): void => {
    linkTo(id, siteUrl).then(
      ({ address, title }) => write(address, title),
      () => say("The page has no address yet."),
    );
  };
  const input = combobox([...path, "link"], "Link", (words) => suggestPages(words, undefined, choose));
  input.value = href;
  input.setAttribute("aria-label", "Address of the link");
  input.setAttribute("aria-describedby", message.id);
  input.placeholder = "Title of a page, or an address";
  input.addEventListener("input", () => say(""));
  onKey(input, (event) => {
    if (event.defaultPrevented) return;
    if (event.key === "Enter") {
      event.preventDefault();
      void set();
    } else if (event.key === "Escape") close();
  });
  return div(
    "link-form",
    div("control-line", input),
    button("Set link", set),
    href !== "" && button("Remove link", () => write(undefined)),
    message,
  );
}

const isPage = (path: string): Promise<boolean> =>
  pageAt(path).then(
    (id) => id !== undefined,
    () => true,
  );

async function linkTo(id: number, siteUrl: string): Promise<{ address: string; title: string }> {
  const found = (await record(id)) && (await response(id));
  if (found === undefined) throw new Error("The page has no response yet.");
  const { meta, title } = JSON.parse(found.text) as PageResponse;
  return { address: pathOn(meta.html_url, siteUrl) ?? meta.html_url, title };
}
