import { h } from "../../browse/client/dom.js";
import { formats, type Format } from "../../page/formats.ts";
import { spokenDate } from "../../page/live.ts";
import type { Field } from "../form/fields.ts";

const two = (number: number): string => String(number).padStart(2, "0");

/** The UTC offset of this computer at a time, such as `+01:00`. */
function offsetAt(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** A written date and time in this computer's time zone; for a date without a time, the midnight that is meant. */
function localTime(written: string, field: Field): string {
  const { correctionOf }: Format = formats[field.form ?? "date-time"];
  if (!formats["date-time"].matches(written)) {
    const [day = ""] = /^\d{4}-\d\d-\d\d/.exec(written) ?? [];
    return correctionOf?.(written)?.slice(0, 19) ?? (day && `${day}T00:00:00`);
  }
  const time = new Date(written);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** Conversions between a native picker's value (`picked`) and each date format (`written`). */
const PICKERS = {
  date: { type: "date", written: (picked: string) => picked, picked: (written: string) => written },
  "local-date-time": {
    type: "datetime-local",
    written: (picked: string) => (picked.length === 16 ? `${picked}:00` : picked.slice(0, 19)),
    picked: (written: string) => written,
  },
  "date-time": {
    type: "datetime-local",
    written: (picked: string) =>
      `${picked.length === 16 ? `${picked}:00` : picked.slice(0, 19)}${offsetAt(new Date(picked))}`,
    picked: localTime,
  },
} as const;

/** A button beside a date field that opens the browser's calendar. The field itself stays a text field. */
export function datePicker(field: Field, control: HTMLInputElement): HTMLElement | undefined {
  const { control: kind } = field;
  if (kind !== "date" && kind !== "date-time" && kind !== "local-date-time") return undefined;
  const { type, written, picked } = PICKERS[kind];
  const native = h("input", { type, tabindex: "-1", "aria-hidden": "true" });
  const open = (): void => {
    native.value = picked(control.value, field);
    // Without a step of one second, the calendar would set the seconds to 00.
    if (kind !== "date") native.step = /:[0-5]\d:(?!00)\d\d/.test(native.value) ? "1" : "60";
    native.showPicker();
  };
  native.addEventListener("change", () => {
    if (native.value === "") return;
    control.value = written(native.value);
    control.dispatchEvent(new Event("input"));
    control.focus();
  });
  return h(
    "span",
    { class: "picker" },
    h("button", { type: "button", click: open, "aria-label": `Calendar: ${field.label}` }, "Calendar"),
    native,
  );
}

/** A date and time in words, in this computer's time zone and in UTC; empty if the text is not a date and time. */
function inOwnZone(text: string): string {
  if (!formats["date-time"].matches(text)) return "";
  const time = new Date(text);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  const [fraction = ""] = /\.\d+/.exec(text) ?? [];
  const written = local.toISOString().replace(/\.\d+Z$/, fraction + offsetAt(time));
  return `In your time zone: ${spokenDate(written)}`;
}

/** Shows the value of a date-time field in the editor's time zone, as its offset may be another. */
export function ownZone(field: Field, control: HTMLInputElement): HTMLElement | undefined {
  if (field.control !== "date-time") return undefined;
  const output = h("output", { class: "own-zone" }, inOwnZone(control.value));
  control.addEventListener("input", () => {
    output.textContent = inOwnZone(control.value);
  });
  return output;
}
