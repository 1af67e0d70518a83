import { entry } from "../entry.ts";

const AFTER_TEXT = ", right after a quotation mark,";

/** The mistakes that people make most, in their words; the first that fits. */
const SYNTAX: [
  when: (found: string, expected: string) => boolean,
  message: (found: string, expected: string) => string,
  hint: (found: string, expected: string) => string,
][] = [
  [
    (found) => found.startsWith("a comment"),
    () => "JSON does not allow comments.",
    () => "Delete the comment.",
  ],
  [
    (found, expected) =>
      (found === "“}”" && expected === "a field's name in quotation marks") ||
      (found === "“]”" && expected === "a value"),
    () => "There is a comma too many here: nothing follows it.",
    () => "Delete the comma, or write what is missing after it.",
  ],
  [
    (found) => /^“[“”„«»]”/.test(found),
    () => "Expected a straight quotation mark, found a typographic one.",
    () => 'Write straight quotation marks around the text: "…".',
  ],
  [
    (found) => found.startsWith("a single quotation mark"),
    () => "Expected a double quotation mark, found a single one.",
    () => 'Write "…" around the text.',
  ],
  [
    (found) => found.endsWith(AFTER_TEXT),
    (found) => `The text ends at the quotation mark before ${found.slice(0, -AFTER_TEXT.length)}.`,
    () => 'Write a quotation mark inside a text as \\"; between two texts, write a comma.',
  ],
  [
    (found, expected) => found === "the end of the file" && expected === "an object in curly brackets",
    () => "The file is empty.",
    () => "Write the page's fields in curly brackets, delete the file, or create it again: npm run new",
  ],
  [
    (found, expected) => found === "the end of the file" && expected.startsWith("a comma or"),
    (_, expected) => `The file ends before all brackets are closed: expected ${closer(expected)}`,
    (_, expected) => `Write ${closer(expected)} here, or close the bracket further up that was left open.`,
  ],
  [
    (_, expected) => expected.startsWith("a comma or"),
    (found) => `A comma is missing before ${found === '“"”' ? "the next text" : found}.`,
    (_, expected) => `Write a comma here, or ${closer(expected)} if nothing more belongs inside.`,
  ],
  [
    (_, expected) => expected === "a closing quotation mark",
    (found) => `This text has no closing quotation mark: found ${found} first.`,
    () => 'Write " where the text ends, and \\n for a line break inside it.',
  ],
  [
    (found, expected) => /^“(true|false|null|none)”$/i.test(found) && expected === "a value",
    (found) => `${found} is not a JSON value.`,
    (found) =>
      `Write ${found.slice(1, -1).toLowerCase().replace("none", "null")}, in small letters and without quotation marks.`,
  ],
  [
    (found, expected) => /^“[,}\]]”$/.test(found) && expected === "a value",
    (found) => `A value is missing before ${found}.`,
    () => 'Write the value ("" for an empty text), or delete the field.',
  ],
  [
    (found, expected) => expected.startsWith("a number") || (expected === "a value" && /^“[+.]/.test(found)),
    (found) => `${found} is not a valid number.`,
    () => "Write only digits, such as 1840 or 0.75; if the field is a text, put it in quotation marks.",
  ],
  [
    (found, expected) => expected === "a value" && found.startsWith("“"),
    (found) => `Expected a text in quotation marks, a number, true, false or null, found ${found}.`,
    () => 'If it is a text, put it in quotation marks: "…".',
  ],
  [
    (found, expected) => expected.startsWith("a field's name") && found.startsWith("“"),
    (found) => `Expected a field's name in quotation marks, found ${found}.`,
    (found) =>
      /^“[\w$]+”$/.test(found)
        ? `Write "${found.slice(1, -1)}", with the quotation marks.`
        : 'Write the name of a field, such as "title".',
  ],
  [
    (_, expected) => expected === "a colon",
    (found) => `Expected a colon between the field's name and its value, found ${found}.`,
    () => 'Write it like this: "title": "Marsh".',
  ],
  [
    (_, expected) => expected === "the end of the file",
    (found) => `Expected the end of the file, found ${found}: all brackets are already closed.`,
    () => "Delete what follows, or remove the bracket above it that closes everything too early.",
  ],
  [
    () => true,
    (found, expected) => `The file is not valid JSON: expected ${expected}, found ${found}.`,
    (_, expected) => `Write ${expected} here.`,
  ],
];

const closer = (expected: string): string => (expected.includes("}") ? "}" : "]");

/** Of what ends the reading of a file: an editor is not to take it for the only mistake. */
const REST = "The rest of the file is not checked yet.";

function syntax({ found, expected }: { found: string; expected: string }): [message: string, hint: string] {
  const [, message, hint] = SYNTAX.find(([when]) => when(found, expected)) ?? [];
  const isEmpty = found === "the end of the file" && expected === "an object in curly brackets";
  const advice = hint?.(found, expected) ?? "";
  return [message?.(found, expected) ?? "", isEmpty ? advice : `${advice} ${REST}`];
}

/** What can be wrong with a file as JSON, before anything is known of pages. */
export const json = {
  "json-syntax": entry<{ found: string; expected: string }>({
    severity: "error",
    message: (args) => syntax(args)[0],
    hint: (args) => syntax(args)[1],
    example: { wrong: '{"id": 7 "title": "Marsh"}', right: '{"id": 7, "title": "Marsh"}' },
  }),
  "json-escape": entry<{ found: string }>({
    severity: "error",
    message: ({ found }) => `${found} cannot be written like this inside a text.`,
    hint: () =>
      `Write a line break as \\n, a tab as \\t, a backslash as \\\\, a quotation mark as \\", and any other character as it is. ${REST}`,
    example: { wrong: '{"title": "The \\Sea"}', right: '{"title": "The \\\\Sea"}' },
  }),
  "duplicate-key": entry<{ key: string; line: number }>({
    severity: "error",
    message: ({ key, line }) =>
      `"${key}" appears twice in one object (first on line ${line}), but only one of the two can count.`,
    hint: () => "Keep the correct one and delete the other.",
    example: { wrong: '{"title": "Marsh", "title": "Heath"}', right: '{"title": "Marsh"}' },
  }),
  "inexact-number": entry<{ written: string; held: string }>({
    severity: "error",
    message: ({ written, held }) =>
      `The number ${written} cannot be stored exactly: it would be published as ${held}.`,
    hint: () => "Write a number with fewer digits, or put it in quotation marks if the field is a text.",
    example: { wrong: '{"popularity": 12345678901234567890}', right: '{"popularity": 1234567}' },
  }),
  "byte-order-mark": entry({
    severity: "error",
    message: () => "The file begins with an invisible byte order mark (BOM), which JSON does not allow.",
    hint: () => 'Save the file as "UTF-8" (not "UTF-8 with BOM"), or run: npm run fix',
    example: { wrong: "\ufeff{}", right: "{}" },
  }),
  "invalid-utf8": entry({
    severity: "error",
    message: () => "The file is not valid UTF-8: the characters here were saved in another encoding.",
    hint: () => `Open the file in the encoding that it was saved in, and save it as "UTF-8". ${REST}`,
    example: { wrong: "Caf\\xe9 (Latin-1)", right: "Café (UTF-8)" },
  }),
  "lone-surrogate": entry<{ written: string }>({
    severity: "error",
    message: ({ written }) => `${written} is only half of a character, which a text cannot contain.`,
    hint: () => "Write the whole character (for example 😀) instead of the escape.",
    example: { wrong: '"\\ud83d"', right: '"😀"' },
  }),
  "nested-too-deep": entry<{ limit: number }>({
    severity: "error",
    message: ({ limit }) => `Lists and objects are nested more than ${limit} levels deep here.`,
    hint: () => `No page needs this: look for brackets that were never closed. ${REST}`,
    example: { wrong: '{"location": [[[[…]]]]}', right: '{"location": [{}]}' },
  }),
  "too-many-values": entry<{ limit: number }>({
    severity: "error",
    message: ({ limit }) =>
      `The file has more than ${limit} texts, numbers, lists and objects: this is one too many.`,
    hint: () => `No page needs this: look for something that was pasted again and again. ${REST}`,
    example: { wrong: "a list of a million elements", right: "a list of some hundreds" },
  }),
  "file-too-large": entry<{ bytes: number; limit: number }>({
    severity: "error",
    message: ({ bytes, limit }) =>
      `The file is ${Math.ceil(bytes / 2 ** 20)} MiB; a page source can be at most ${limit / 2 ** 20} MiB.`,
    hint: () => "No host serves a page of this size: shorten its texts, or split it into several pages.",
    example: { wrong: "a source of 200 MiB", right: "a source of a few KiB" },
  }),
  "more-findings": entry<{ count: number; limit: number; atLeast?: boolean; of?: string }>({
    severity: "error",
    message: ({ count, limit, atLeast, of }) => {
      const more = `${atLeast ? "at least " : ""}${count} more ${count === 1 ? "finding" : "findings"}`;
      return of === undefined
        ? `This file or folder has ${more}; only the first ${limit} are listed.`
        : `The pages have ${more} of the kind “${of}”; only ${limit} are listed.`;
    },
    hint: () => "Correct the listed ones first, then check again.",
    example: {
      wrong: "a file with thousands of mistakes",
      right: "correct the first ones, then check again",
    },
  }),
};
