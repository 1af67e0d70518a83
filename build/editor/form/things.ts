import { fold } from "../../browse/client/words.js";
import type { Identity } from "../../page/field.ts";
import type { EntityKind } from "../../page/page.ts";
import { shownText, valueAt } from "./values.ts";

/** A thing that pages of the site describe, such as a subject. */
export interface Thing {
  /** The members of the object in a source. */
  written: Readonly<Record<string, unknown>>;
  pages?: number;
  /** The id of a page that describes it, if something is read there. */
  example?: number;
  /** For a thing without a name: a text of a page that describes it, such as the medium. */
  note?: string;
}

const MAX_FOUND = 12;
/** Maximum number of things without a name whose example pages are read. */
const MAX_EXAMPLES = 40;

export interface SearchedThing {
  thing: Thing;
  /** Its key, which finds it first. */
  key: string;
  text: string;
}

/** @param values of its key, then of the identity's fields; null if a value is omitted. */
export function searchedThing(
  { key, values: fields, copied }: Identity,
  values: readonly unknown[],
  pages: number,
  note: string,
  example: number,
): SearchedThing {
  const members = [key, ...fields].map((name, k) => [name, values[k] ?? null] as const);
  const written = Object.fromEntries(members.filter(([, value]) => value !== null));
  const text = fold([...Object.values(written).map(shownText), note].join(" "));
  return {
    thing: { written, pages, note, ...(copied === undefined ? {} : { example }) },
    key: shownText(values[0]),
    text,
  };
}

export function searchThings(things: readonly SearchedThing[], words: string): Thing[] {
  const parts = fold(words)
    .split(/\s+/)
    .filter((part) => part !== "");
  const exact = things.filter(({ key }) => key === words);
  return [...new Set([...exact, ...things.filter(({ text }) => parts.every((part) => text.includes(part)))])]
    .slice(0, MAX_FOUND)
    .map(({ thing }) => thing);
}

/** Whether the form needs a page that describes a thing: for a note on it, or to copy it. */
export const hasExample = ({ values, copied }: Identity): boolean =>
  values.length === 0 || copied !== undefined;

/** Whether a thing is shown with a note from an example page, because it has no name. `rank` counts from 0. */
export const needsNote = ({ values }: Identity, rank: number): boolean =>
  values.length === 0 && rank < MAX_EXAMPLES;

/** The text of a page that a thing without a name is shown with, such as its medium. */
export const noteOf = ({ model }: EntityKind, page: unknown): string =>
  (model.listed?.beside ?? []).map((name) => shownText(valueAt(page, [name]))).find((text) => text !== "") ??
  "";
