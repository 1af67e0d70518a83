import { h } from "../../browse/client/dom.js";
import { instantOf } from "../../base/instant.ts";
import { forms } from "../../page/forms.ts";
import { spokenDate } from "../../page/live.ts";
import type { Field } from "../form/fields.ts";

const two = (number: number): string => String(number).padStart(2, "0");

/** The offset of this computer's clock at a time: `+01:00`. */
function offsetAt(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** A written date and time by this computer's clock; of a date without a time, its beginning. */
function localTime(written: string): string {
  if (!forms["date-time"].holds(written)) return written.replace(/^(\d{4}-\d\d-\d\d).*$/, "$1T00:00:00");
  const time = new Date(instantOf(written));
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** What a native picker gives, as each form of dates writes it; and the other way round. */
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
    picked: (written: string) => localTime(written),
  },
} as const;

/** A button that opens the browser's calendar beside a field of a date. The text is written in full, as people type it. */
export function datePicker(field: Field, control: HTMLInputElement): HTMLElement | undefined {
  const { control: kind } = field;
  if (kind !== "date" && kind !== "date-time" && kind !== "local-date-time") return undefined;
  const { type, written, picked } = PICKERS[kind];
  const native = h("input", { type, tabindex: "-1", "aria-hidden": "true" });
  const open = (): void => {
    native.value = picked(control.value);
    // Without this step, the calendar leaves the seconds out, and they are 00.
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

/** A date and time in words: in the time zone of this computer, and in UTC. Empty while the text is none. */
function inOwnZone(text: string): string {
  if (!forms["date-time"].holds(text)) return "";
  const time = new Date(instantOf(text));
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return `In your time zone: ${spokenDate(local.toISOString().replace("Z", offsetAt(time)))}`;
}

/** The instant of a field with an offset, which may be another one than the editor's own. */
export function ownZone(field: Field, control: HTMLInputElement): HTMLElement | undefined {
  if (field.control !== "date-time") return undefined;
  const output = h("output", { class: "own-zone" }, inOwnZone(control.value));
  control.addEventListener("input", () => {
    output.textContent = inOwnZone(control.value);
  });
  return output;
}
