import { entry, warning } from "../entry.ts";
import { spelledOut, type AmongKnown } from "./declared.ts";
import { IF_DRAFT } from "./files.ts";
import { meantOr, quoted } from "./values.ts";

export const declarations = {
  "types-misplaced": entry({
    message: "A _types.json can only be at the top of the content folder.",
    hint: `Move what it declares into content/_types.json, and delete this file. ${IF_DRAFT}`,
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
    hint: ({ nearest, known }) =>
      meantOr(
        nearest,
        known.length === 0 ? "Delete it." : `Delete it, or write one of these: ${spelledOut(known)}.`,
      ),
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
  "name-taken": entry<{ name: string; by: string; as?: string; hint?: string }>({
    message: ({ name, by, as }) =>
      as === undefined
        ? `${quoted(name)} is already the name of ${by}.`
        : `${as}, ${quoted(name)}, is already ${by}.`,
    hint: ({ hint = "Choose another name." }) => hint,
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
      hint: 'Add one of them, for example: "kind": "text"',
    },
    example: { wrong: '"price": {"min": 0}', right: '"price": {"kind": "number?", "min": 0}' },
  }),
  "unknown-type": entry<AmongKnown & { type: string; owner?: string | undefined }>({
    message: ({ type, owner = "site" }) => `The ${owner} has no page type ${quoted(type)}.`,
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
  "unused-shape": warning({
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
};
