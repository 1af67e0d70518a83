import { fold } from "../../browse/words.js";
import { objectIn, valueAt } from "../../source/json/object.ts";
import type { ThingRow } from "../../outputs/editor/data.ts";
import type { EntityKind } from "../../model/page.ts";
import { shownText } from "./values.ts";

/** A thing that pages of the site describe, such as a subject. */
export interface Thing {
  /** The members of the object in a source. */
  written: Readonly<Record<string, unknown>>;
  pages: number;
  /** The id of a page that describes it, if something is read there. */
  example?: number;
  /** For a thing without a name: a text of a page that describes it, such as the medium; otherwise empty. */
  note: string;
}

/** Maximum number of suggestions in a list. */
export const MAX_SUGGESTED = 12;
/** Maximum number of things without a name whose example pages are read. */
const MAX_EXAMPLES = 40;

export interface SearchedThing {
  thing: Thing;
  /** Its key, which finds it first. */
  key: string;
  text: string;
}

/** The things of a kind, the most frequent first. @param textOf the text of the page with an id, if it can be read. */
export const searchedThings = (
  kind: EntityKind,
  rows: readonly ThingRow[],
  textOf: (id: number) => Promise<string | undefined> | string | undefined,
): Promise<SearchedThing[]> =>
  Promise.all(
    rows.map(async ([pages, ...values], rank) => {
      const { key, values: fields, copied } = kind.identity;
      const members = [key, ...fields].map((name, k) => [name, values[k] ?? null] as const);
      const written = Object.fromEntries(members.filter(([, value]) => value !== null));
      const example = Number(values[members.length]);
      const isNoted = fields.length === 0 && rank < MAX_EXAMPLES;
      const note = isNoted ? noteIn(kind, (await textOf(example)) ?? "") : "";
      return {
        thing: { written, pages, note, ...(copied === undefined ? {} : { example }) },
        key: shownText(values[0]),
        text: fold([...Object.values(written).map(shownText), note].join(" ")),
      };
    }),
  );

export function searchThings(things: readonly SearchedThing[], words: string): Thing[] {
  const parts = fold(words)
    .split(/\s+/)
    .filter((part) => part !== "");
  const exact = things.filter(({ key }) => key === words);
  return [...new Set([...exact, ...things.filter(({ text }) => parts.every((part) => text.includes(part)))])]
    .slice(0, MAX_SUGGESTED)
    .map(({ thing }) => thing);
}

/** The text of a page that a thing without a name is shown with, such as its medium. */
function noteIn({ model }: EntityKind, page: string): string {
  const source = objectIn(page);
  return (model.listed?.beside ?? []).map((name) => shownText(valueAt(source, [name]))).find(Boolean) ?? "";
}
