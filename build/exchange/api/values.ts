import { hash } from "node:crypto";
import { type JsonObject, isObject } from "../../source/json/object.ts";
import { printable } from "../../findings/printable.ts";

export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** The id of a page, or of a summary of one; null if it has none. */
export const idOf = (value: unknown): number | null =>
  isObject(value) && isId(value["id"]) ? value["id"] : null;

export const withoutSlash = (address: string): string => address.replace(/\/$/, "");

/** The parent's address, derived from a page's address, without a final slash. */
export function addressAbove(address: string): string {
  const own = withoutSlash(address);
  return own.slice(0, Math.max(0, own.lastIndexOf("/")));
}

/** A text from outside, printable and short enough for one line of a report. */
export const shown = (text: string, most = 80): string => cut(printable(text), most);

export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

export function shownValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return `“${shown(value)}”`;
  return shown(JSON.stringify(value) ?? "missing");
}

/** A hash of a page's summary: the fields that every response about it contains. */
export function inShort({ id, meta, title }: JsonObject): string {
  const { type, detail_url, html_url } = isObject(meta) ? meta : {};
  return hash("sha256", JSON.stringify([id, type, detail_url, html_url, title]), "base64").slice(0, 16);
}
