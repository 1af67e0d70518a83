import { plural } from "../../base/numbers.ts";
import { entry } from "../entry.ts";
import { meantOr, quoted } from "./values.ts";

/** A value that is none of the known ones. */
interface AmongKnown {
  nearest?: string | undefined;
  known: readonly string[];
}

const spelledOut = (known: readonly string[]): string =>
  known.length <= 12 ? known.join(", ") : `${known.slice(0, 12).join(", ")}, …`;

/** Mistakes in `_types.json`, and in the values of fields that a site declares. */
export const declarations = {
  "types-misplaced": entry({
    message: "A _types.json can only be at the top of the content folder.",
    hint: "Move what it declares into content/_types.json, and delete this file.",
    example: { wrong: "content/visit/_types.json", right: "content/_types.json" },
  }),
  "types-too-large": entry<{ what: string; found: number; limit: number; of?: string | undefined }>({
    message: ({ what, found, limit, of }) =>
      `${of === undefined ? "The file" : `“${of}”`} has ${found.toLocaleString("en")} ${what}; ${limit.toLocaleString("en")} is the maximum.`,
    hint: ({ what }) => `Declare fewer ${what}.`,
    facts: { what: "types", found: 101, limit: 100 },
    example: { wrong: "101 types", right: "at most 100 types" },
  }),
  "unknown-key": entry<AmongKnown & { key: string; owner: string }>({
    message: ({ key, owner }) => `${owner} has no key ${quoted(key)}.`,
    hint: ({ nearest, known }) => meantOr(nearest, `Delete it, or write one of these: ${spelledOut(known)}.`),
    facts: { key: "lable", owner: "A page type", nearest: "label", known: ["label"] },
    example: { wrong: '"lable": "Event"', right: '"label": "Event"' },
  }),
  "missing-key": entry({
    message: ({ key, owner }) => `${owner} needs the key “${key}”.`,
    hint: ({ example }) => `Add it inside these brackets, for example: ${example}`,
    facts: { key: "label", owner: "A new page type", example: '"label": "Event"' },
    example: { wrong: '"events.EventPage": {}', right: '"events.EventPage": {"label": "Event", …}' },
  }),
  "bad-name": entry({
    message: ({ name, of, expected }) =>
      `${quoted(name)} cannot be the name of ${of}: it must be ${expected}.`,
    hint: ({ example }) => `Write it like this: ${example}`,
    facts: {
      name: "start-date",
      of: "a field",
      expected: "ASCII letters, digits and underscores, beginning with a letter or an underscore",
      example: "start_date",
    },
    example: { wrong: '"start-date": "date!"', right: '"start_date": "date!"' },
  }),
  "name-taken": entry({
    message: ({ name, by }) => `${quoted(name)} is already the name of ${by}.`,
    hint: "Choose another name.",
    facts: { name: "title", by: "a field that every page has" },
    example: { wrong: '"title": "text"', right: '"subtitle": "text"' },
  }),
  "unknown-kind": entry<AmongKnown & { name: string }>({
    message: ({ name }) => `${quoted(name)} is neither a kind of value nor a shape of this file.`,
    hint: ({ nearest, known }) => meantOr(nearest, `Write one of these: ${spelledOut(known)}.`),
    facts: { name: "txt", nearest: "text", known: ["text"] },
    example: { wrong: '"subtitle": "txt"', right: '"subtitle": "text"' },
  }),
  "field-form": entry({
    message: ({ problem }) => problem,
    hint: ({ hint }) => hint,
    facts: {
      problem: "A field has exactly one of the keys kind, fields, list, blocks and const; this one has none.",
      hint: 'Say what the field consists of, for example: "kind": "text"',
    },
    example: { wrong: '"price": {"min": 0}', right: '"price": {"kind": "number?", "min": 0}' },
  }),
  "unknown-type": entry<AmongKnown & { type: string }>({
    message: ({ type }) => `The site has no page type ${quoted(type)}.`,
    hint: ({ nearest, known }) => meantOr(nearest, `Write one of these: ${spelledOut(known)}.`),
    facts: { type: "home.Homepage", nearest: "home.HomePage", known: ["home.HomePage"] },
    example: { wrong: '"parents": ["home.Homepage"]', right: '"parents": ["home.HomePage"]' },
  }),
  "shape-in-itself": entry<{ name: string; way: readonly string[] }>({
    message: ({ name, way }) => `The shape “${name}” contains itself: ${way.join(" → ")}.`,
    hint: "Remove one of these uses, or refer to a page instead.",
    facts: { name: "Step", way: ["Step", "Steps", "Step"] },
    example: { wrong: '"Step": {"fields": {"next": "Step"}}', right: '"Step": {"fields": {"next": "text"}}' },
  }),
  "unused-shape": entry({
    severity: "warning",
    message: ({ name }) => `No field uses the shape “${name}”.`,
    hint: "Use it, or delete it.",
    facts: { name: "Speaker" },
    example: { wrong: '"shapes": {"Speaker": …}', right: '"speakers": ["Speaker"]' },
  }),
  "bad-pattern": entry({
    message: ({ problem }) => `The pattern ${problem}.`,
    hint: "Write a simple pattern of characters, sets and repetitions, such as [A-Z]{2}[0-9]+",
    facts: { problem: "repeats a group that contains an unlimited repetition, which can take very long" },
    example: { wrong: '"pattern": "([0-9]+)+"', right: '"pattern": "[0-9]+"' },
  }),
  "bad-example": entry({
    message: ({ key, found, expected }) => `“${key}”: ${found} is not ${expected}.`,
    hint: ({ expected }) => `Write ${expected}.`,
    facts: { key: "example", found: "“117”", expected: "a text that matches the pattern" },
    example: { wrong: '"example": "117"', right: '"example": "2024.117"' },
  }),
  "bad-after": entry<{ key: string; name: string; expected: string; nearest?: string | undefined }>({
    message: ({ key, name, expected }) => `“${key}”: ${quoted(name)} is not ${expected}.`,
    hint: ({ nearest, expected }) => meantOr(nearest, `Write the name of ${expected}.`),
    facts: {
      key: "after",
      name: "start",
      expected: "a field beside this one, of the same kind",
      nearest: "start_date",
    },
    example: { wrong: '"after": "start"', right: '"after": "start_date"' },
  }),
  "no-home-type": entry({
    message: "No page type of the site is that of the home page.",
    hint: 'Add the program\'s type of the home page to “uses”, or declare a type with "parents": [].',
    example: {
      wrong: '"uses": ["artworks.ArtworkPage"]',
      right: '"uses": ["artworks.ArtworkPage", "home.HomePage"]',
    },
  }),
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
