import { pageAt } from "../../browse/data.js";
import { h, onKey } from "../../browse/dom.js";
import { inWordsOfForm } from "../../findings/catalogue/in-form.ts";
import type { Finding } from "../../findings/finding.ts";
import { badLink } from "../../model/html.ts";
import { ICONS } from "../../model/icons.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import { formattedText } from "../form/html/print.ts";
import { shownText, typedValue } from "../form/values.ts";
import { combobox, suggestPages } from "./combobox.ts";
import { blockOfText } from "./blocks.ts";
import { elementId, fieldParts, type FormContext } from "./context.ts";
import { formattedEditor, type AskForLink, type WriteLink } from "./formatted-editor.ts";
import { button, div, help, iconButton, named } from "./parts.ts";
import { publishedPage } from "./published.ts";

type HtmlEditor = Pick<ReturnType<typeof formattedEditor>, "control" | "focus"> &
  Partial<ReturnType<typeof formattedEditor>>;

/** An HTML field: formatted text, with a switch to its source. A text that would not keep its bytes opens as source. */
export function htmlControl(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const parts = fieldParts(field.help, path);
  const isWritten = context.model.value(path) !== undefined;
  const labelId = elementId(path, "label");
  const label = named(field.label, { id: labelId });
  const note = help(
    "This text is shown as its source, because the formatted view cannot keep it exactly as it is.",
  );
  const body = div("html-field");
  const tools = div("html-tools");
  const link = h("div", { role: "group", "aria-label": `Link: ${field.label}` });
  let editor: HtmlEditor | undefined;
  const onChange = (text: string): void => context.set(path, typedValue(field, text, isWritten));

  const askForLink: AskForLink = (href, write, focus) => {
    const close = (): void => {
      link.replaceChildren();
      focus();
    };
    link.replaceChildren(linkForm({ context, path, href, write, close }));
    link.querySelector("input")?.focus();
  };
  const open = (isSource: boolean): void => {
    const text = shownText(context.model.value(path));
    const formatted = formattedText(text);
    const isFormatted = formatted !== undefined && !isSource;
    editor = isFormatted
      ? formattedEditor(formatted, {
          label: field.label,
          onChange,
          askForLink,
          block: blockOfText(context, path),
        })
      : sourceEditor(text, onChange);
    const { control, toolbar, ...own } = editor;
    control.setAttribute("aria-labelledby", labelId);
    control.id = elementId(path, "control");
    context.place(path, parts, control, own);
    toggle.setAttribute("aria-pressed", String(!isFormatted));
    toggle.disabled = formatted === undefined;
    note.hidden = formatted !== undefined;
    tools.replaceChildren(toolbar ?? "");
    body.replaceChildren(link, control);
    link.replaceChildren();
    context.showAgain();
  };
  const change = (): void => {
    open(toggle.getAttribute("aria-pressed") !== "true");
    toggle.focus();
  };
  const toggle = iconButton("Source text", ICONS.code, change, {
    class: "html-switch",
    "aria-pressed": "false",
    "aria-describedby": labelId,
  });
  label.addEventListener("click", () => editor?.focus());
  open(false);
  return h(
    "div",
    { class: "field", "data-control": "html" },
    div("field-name", label, tools, toggle),
    body,
    note,
    parts.help,
    parts.box,
  );
}

function sourceEditor(text: string, onChange: (text: string) => void): HtmlEditor {
  const control = h("textarea", { class: "is-source", rows: "6", spellcheck: "false", dir: "auto" });
  control.value = text;
  control.addEventListener("input", () => onChange(control.value));
  return { control, focus: () => control.focus() };
}

function mistakeIn(link: string): string | undefined {
  const bad = badLink("href", link);
  if (bad === undefined) return undefined;
  const found = { ...bad, place: { file: "", line: 1, column: 1 } } as Finding;
  const { message, hint } = inWordsOfForm(found, {
    label: () => "Link",
    typeLabel: (type) => type,
    choiceLabel: (_, value) => value,
    isRequired: true,
  });
  return `${message} ${hint}`;
}

/** The path of an address on the website; undefined if it is on another one. */
function pathOn(link: string, siteUrl: string): string | undefined {
  const path = link.startsWith(`${siteUrl}/`) ? link.slice(siteUrl.length) : link;
  return /^\/[^?#]*/.exec(path)?.[0];
}

interface LinkFormOptions {
  context: FormContext;
  path: FieldPath;
  /** The address of the link that is edited; empty for a new one. */
  href: string;
  write: WriteLink;
  close: () => void;
}

/** Asks for the page or the address of a link. An address that leads nowhere is reported here. */
function linkForm({ context, path, href, write, close }: LinkFormOptions): HTMLElement {
  const siteUrl = context.host.site?.site_url ?? "";
  const message = h("p", { class: "link-mistake", role: "status", id: "edit-link-mistake" });
  /** The address of which no page is known, and which is written all the same if it is chosen again. */
  let doubted: string | undefined;
  const say = (text: string): void => {
    message.textContent = text;
    input.ariaInvalid = text === "" ? null : "true";
  };
  const set = async (): Promise<void> => {
    const link = input.value.trim();
    const mistake = /[/:#?]/.test(link)
      ? mistakeIn(link)
      : "Choose one of the pages, or write an address such as /visit/.";
    if (mistake !== undefined) return say(mistake);
    const own = pathOn(link, siteUrl);
    const isKnown = own === undefined || link === doubted || (await isPage(own));
    if (isKnown) return end(link);
    doubted = link;
    return say(`No page has the address ${own}. To link to it all the same, choose “Set link” again.`);
  };
  const choose = async (id: number): Promise<void> => {
    const page = await publishedPage(id).catch(() => undefined);
    if (page === undefined) say("The page has no address yet.");
    else end(pathOn(page.meta.html_url, siteUrl) ?? page.meta.html_url, page.title);
  };
  const end: WriteLink = (...written) => {
    close();
    write(...written);
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
    href !== "" && button("Remove link", () => end(undefined)),
    message,
  );
}

const isPage = (path: string): Promise<boolean> =>
  pageAt(path).then(
    (id) => id !== undefined,
    () => true,
  );
