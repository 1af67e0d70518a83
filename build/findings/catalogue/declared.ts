import { shortened } from "../../base/shortened.ts";
import { plural } from "../../base/numbers.ts";
import { entry } from "../entry.ts";
import { meantOr, quoted } from "./values.ts";

export interface AmongKnown {
  nearest?: string | undefined;
  known: readonly string[];
}

export const spelledOut = (known: readonly (string | number)[]): string =>
  known
    .slice(0, 12)
    .map((value) => (value === "" ? '""' : shortened(String(value), 60)))
    .join(", ") + (known.length > 12 ? ", …" : "");

export const declared = {
  "unknown-value": entry<AmongKnown & { field: string; found: string }>({
    message: ({ field, found }) => `“${field}” cannot be ${quoted(found)}.`,
    hint: ({ nearest, known }) => meantOr(nearest, `Write one of these: ${spelledOut(known)}.`),
    correction: ({ nearest }) => (nearest === undefined ? undefined : { write: nearest }),
    facts: { field: "event_type", found: "Tours", nearest: "Tour", known: ["Talk", "Tour"] },
    example: { wrong: '"event_type": "Tours"', right: '"event_type": "Tour"' },
  }),
  "unknown-block": entry<AmongKnown & { field: string; found: string }>({
    message: ({ field, found }) => `“${field}” cannot be a block of the type ${quoted(found)}.`,
    hint: ({ nearest, known }) => meantOr(nearest, `Write one of these types: ${spelledOut(known)}.`),
    facts: { field: "body[0]", found: "paragraf", nearest: "paragraph", known: ["heading", "paragraph"] },
    example: { wrong: '{"type": "paragraf", "value": "…"}', right: '{"type": "paragraph", "value": "…"}' },
  }),
  "out-of-range": entry<{
    field: string;
    found: number;
    of: "value" | "characters" | "elements";
    min?: number | undefined;
    max?: number | undefined;
  }>({
    message: ({ field, found, of, min, max }) => {
      const limit = max !== undefined && found > max ? `at most ${max}` : `at least ${min}`;
      return of === "value"
        ? `“${field}” is ${found}, but must be ${limit}.`
        : `“${field}” has ${plural(found, of.slice(0, -1))}, but must have ${limit}.`;
    },
    hint: ({ found, of, max }) =>
      of === "value"
        ? "Write a number within these limits."
        : max !== undefined && found > max
          ? `Shorten it by ${plural(found - max, of.slice(0, -1))}.`
          : "Add what is missing.",
    facts: { field: "price", found: -5, of: "value", min: 0 },
    example: { wrong: '"price": -5', right: '"price": 5' },
  }),
  "dead-reference": entry<{
    field: string;
    id: number;
    type?: string | undefined;
    types?: readonly string[] | undefined;
  }>({
    message: ({ field, id, type }) =>
      type === undefined
        ? `“${field}” refers to the page ${id}, but no page has this id.`
        : `“${field}” refers to the page ${id}, which is of the type ${type}.`,
    hint: ({ types }) =>
      types === undefined
        ? "Write the id of a page of this site, or remove the reference."
        : `Write the id of a page of the type ${types.join(" or ")}.`,
    facts: { field: "artist_pages[0]", id: 10, types: ["artists.ArtistPage"] },
    example: { wrong: '"artist_pages": [10]', right: '"artist_pages": [11]' },
  }),
};
