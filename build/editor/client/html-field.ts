import { h } from "../../browse/client/dom.js";
import type { Field, FieldPath } from "../form/fields.ts";
import { formattedText } from "../form/html/print.ts";
import { pathText, shownText, typedValue } from "../form/values.ts";
import { elementId, fieldParts, type FormContext } from "./context.ts";
import { linkForm } from "./link-form.ts";
import { div, iconButton, named } from "./parts.ts";
import { formattedEditor } from "./formatted-editor.ts";

interface HtmlEditor {
  control: HTMLElement;
  toolbar?: HTMLElement;
  focus: () => void;
  destroy: () => void;
}

/** An HTML field: formatted text, with a switch to its source. A text that would not keep its bytes opens as source. */
export function htmlControl(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const parts = fieldParts(field, path);
  const isWritten = context.model.value(path) !== undefined;
  const labelId = elementId(path, "label");
  const label = named(field.label, { id: labelId });
  const note = h("p", { class: "help" });
  const body = div("html-field");
  const tools = div("html-tools");
  const link = h("div", { role: "group", "aria-label": `Link: ${field.label}` });
  let editor: HtmlEditor | undefined;
  const onChange = (text: string): void => context.set(path, typedValue(field, text, isWritten));

  const askForLink: Parameters<typeof formattedEditor>[1]["askForLink"] = (href, write, focus) => {
    const close = (): void => {
      link.replaceChildren();
      focus();
    };
    const form = linkForm({
      context,
      path,
      href,
      close,
      write: (...written) => {
        link.replaceChildren();
        write(...written);
      },
    });
    link.replaceChildren(form);
    form.querySelector("input")?.focus();
  };
  const open = (isSource: boolean): void => {
    editor?.destroy();
    const text = shownText(context.model.value(path));
    const formatted = formattedText(text);
    const isFormatted = formatted !== undefined && !isSource;
    editor = isFormatted
      ? formattedEditor(formatted, { label: field.label, onChange, askForLink })
      : sourceEditor(text, onChange);
    const { control, toolbar } = editor;
    control.setAttribute("data-path", pathText(path));
    control.setAttribute("aria-labelledby", labelId);
    control.id = elementId(path, "control");
    context.place(path, { control, box: parts.box, describedBy: parts.describedBy, focus: editor.focus });
    if (parts.describedBy !== "") control.setAttribute("aria-describedby", parts.describedBy);
    toggle.setAttribute("aria-pressed", String(!isFormatted));
    toggle.disabled = formatted === undefined;
    note.hidden = formatted !== undefined;
    note.textContent =
      formatted === undefined
        ? "This text is shown as its source, because the formatted view cannot keep it exactly as it is."
        : "";
    tools.replaceChildren(...(toolbar === undefined ? [] : [toolbar]));
    body.replaceChildren(link, control);
    link.replaceChildren();
    context.showAgain();
  };
  const change = (): void => {
    open(toggle.getAttribute("aria-pressed") !== "true");
    toggle.focus();
  };
  const toggle = iconButton("Source text", "M5 4L1 8l4 4M11 4l4 4-4 4", change, {
    class: "html-switch",
    "aria-pressed": "false",
    "aria-describedby": labelId,
  });
  label.addEventListener("click", () => editor?.focus());
  open(false);
  context.onRemove(path, () => editor?.destroy());
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
  return { control, focus: () => control.focus(), destroy: () => undefined };
}
