import { h } from "../../browse/client/dom.js";
import { inOwnZone, PICKERS } from "../form/dates.ts";
import type { Field } from "../form/fields.ts";

/**
 * The elements beside a date field, which itself stays a text field: a button that opens the browser's calendar, and
 * for a date-time field its value in the editor's time zone, as its offset may be another.
 */
export function besideDate(field: Field, control: HTMLInputElement): HTMLElement[] {
  const { control: kind } = field;
  if (kind !== "date" && kind !== "date-time" && kind !== "local-date-time") return [];
  const { type, written, picked } = PICKERS[kind];
  const native = h("input", { type, tabindex: "-1", "aria-hidden": "true" });
  const zone = h("output", { class: "own-zone" });
  const showZone = (chosen?: string): void => {
    const { words, other } = inOwnZone(control.value, chosen);
    const use = other && h("button", { type: "button", click: () => write(other.written) }, other.name);
    zone.replaceChildren(words, ...(use === undefined ? [] : [" ", use]));
  };
  const write = (text: string): void => {
    control.value = text;
    control.dispatchEvent(new Event("input"));
    control.focus();
  };
  const open = (): void => {
    native.value = picked(control.value, field);
    // Without a step of one second, the calendar would set the seconds to 00.
    if (kind !== "date") native.step = /:[0-5]\d:(?!00)\d\d/.test(native.value) ? "1" : "60";
    native.showPicker();
  };
  native.addEventListener("change", () => {
    if (native.value === "") return;
    write(written(native.value));
    if (kind === "date-time") showZone(native.value);
  });
  const button = h(
    "button",
    { type: "button", click: open, "aria-label": `Calendar: ${field.label}` },
    "Calendar",
  );
  const picker = h("span", { class: "picker" }, button, native);
  if (kind !== "date-time") return [picker];
  showZone();
  control.addEventListener("input", () => showZone());
  return [picker, zone];
}
