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
    () => "A comment stands here, and JSON has no comments.",
    () => "Delete it.",
  ],
  [
    (found, expected) =>
      (found === "“}”" && expected === "a field's name in quotation marks") ||
      (found === "“]”" && expected === "a value"),
    () => "This comma is one too many: nothing follows it.",
    () => "Delete the comma, or write what is missing after it.",
  ],
  [
    (found) => /^“[“”„«»]”/.test(found),
    () => "A typographic quotation mark stands here; only straight ones enclose a text.",
    () => 'Write straight quotation marks around the text: "…".',
  ],
  [
    (found) => found.startsWith("a single quotation mark"),
    () => "A single quotation mark stands here; only double ones enclose a text.",
    () => 'Write "…" around the text.',
  ],
  [
    (found) => found.endsWith(AFTER_TEXT),
    (found) => `The text has ended with the quotation mark before ${found.slice(0, -AFTER_TEXT.length)}.`,
    () => 'A quotation mark inside a text is written \\"; between two texts there must be a comma.',
  ],
  [
    (found, expected) => found === "the end of the file" && expected === "an object in curly brackets",
    () => "The file is empty.",
    () => "Write the page's fields in curly brackets, delete the file, or write it anew: npm run new",
  ],
  [
    (found, expected) => found === "the end of the file" && expected.startsWith("a comma or"),
    (_, expected) => `The file ends here, but a bracket is still open: ${closer(expected)} is missing.`,
    (_, expected) => `Write ${closer(expected)} here, or close the bracket further up that was forgotten.`,
  ],
  [
    (_, expected) => expected.startsWith("a comma or"),
    (found) => `A comma is missing here, before ${found === '“"”' ? "the next text" : found}.`,
    (_, expected) => `Write a comma here, or ${closer(expected)} where nothing more belongs inside.`,
  ],
  [
    (_, expected) => expected === "a closing quotation mark",
    (found) => `The text has no closing quotation mark: ${found} comes first.`,
    () => 'Write " where the text ends, and \\n for a line break inside it.',
  ],
  [
    (found, expected) => /^“(true|false|null|none)”$/i.test(found) && expected === "a value",
    (found) => `JSON knows no ${found}.`,
    (found) =>
      `Write ${found.slice(1, -1).toLowerCase().replace("none", "null")}, in small letters and without quotation marks.`,
  ],
  [
    (found, expected) => /^“[,}\]]”$/.test(found) && expected === "a value",
    (found) => `The value is missing before ${found}.`,
    () => 'Write the value ("" for an empty text), or delete the field.',
  ],
  [
    (found, expected) => expected.startsWith("a number") || (expected === "a value" && /^“[+.]/.test(found)),
    (found) => `${found} is no number.`,
    () =>
      "Write digits alone, such as 1840 or 0.75; where the field is a text, write quotation marks around it.",
  ],
  [
    (found, expected) => expected === "a value" && found.startsWith("“"),
    (found) => `${found} is no text in quotation marks, no number, and neither true, false nor null.`,
    () => 'If it is a text, write "…" around it.',
  ],
  [
    (found, expected) => expected.startsWith("a field's name") && found.startsWith("“"),
    (found) => `A field's name in quotation marks must stand here, but ${found} does.`,
    (found) =>
      /^“[\w$]+”$/.test(found)
        ? `Write "${found.slice(1, -1)}", with the quotation marks.`
        : 'Write the name of a field, such as "title".',
  ],
  [
    (_, expected) => expected === "a colon",
    (found) => `A colon is missing between the field's name and its value, before ${found}.`,
    () => 'Write it like this: "title": "Marsh".',
  ],
  [
    (_, expected) => expected === "the end of the file",
    (found) => `All brackets are closed already before ${found}.`,
    () => "Delete what follows, or take out the bracket above that closes everything too early.",
  ],
  [
    () => true,
    (found, expected) => `The file is not valid JSON: ${expected} must stand here, but ${found} does.`,
    (_, expected) => `Write ${expected} here.`,
  ],
];

const closer = (expected: string): string => (expected.includes("}") ? "}" : "]");

function syntax({ found, expected }: { found: string; expected: string }): [message: string, hint: string] {
  const [, message, hint] = SYNTAX.find(([when]) => when(found, expected)) ?? [];
  return [message?.(found, expected) ?? "", hint?.(found, expected) ?? ""];
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
    message: ({ found }) => `${found} cannot stand in a text as it is.`,
    hint: () =>
      'Write a line break as \\n, a tab as \\t, a backslash as \\\\, a quotation mark as \\", and other characters as they are.',
    example: { wrong: '{"title": "The \\Sea"}', right: '{"title": "The \\\\Sea"}' },
  }),
  "duplicate-key": entry<{ key: string; line: number }>({
    severity: "error",
    message: ({ key, line }) =>
      `"${key}" is given twice in one object (first on line ${line}); only one of the two could count.`,
    hint: () => "Keep the one that is right and delete the other.",
    example: { wrong: '{"title": "Marsh", "title": "Heath"}', right: '{"title": "Marsh"}' },
  }),
  "inexact-number": entry<{ written: string; held: string }>({
    severity: "error",
    message: ({ written, held }) =>
      `The number ${written} cannot be kept exactly; it would be published as ${held}.`,
    hint: () => "Write a number with fewer digits, or put it in quotation marks where the field is a text.",
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
    hint: () => 'Reopen the file in its own encoding and save it as "UTF-8".',
    example: { wrong: "Caf\\xe9 (Latin-1)", right: "Café (UTF-8)" },
  }),
  "lone-surrogate": entry<{ written: string }>({
    severity: "error",
    message: ({ written }) => `${written} is half of a character, and no text can hold it.`,
    hint: () => "Write the whole character itself (for example 😀) instead of its escape.",
    example: { wrong: '"\\ud83d"', right: '"😀"' },
  }),
  "nested-too-deep": entry<{ limit: number }>({
    severity: "error",
    message: ({ limit }) => `Lists and objects are nested more than ${limit} deep here.`,
    hint: () => "No page needs this; check for brackets that were never closed.",
    example: { wrong: '{"location": [[[[…]]]]}', right: '{"location": [{}]}' },
  }),
  "file-too-large": entry<{ bytes: number; limit: number }>({
    severity: "error",
    message: ({ bytes, limit }) =>
      `The file is ${Math.ceil(bytes / 2 ** 20)} MiB large; a page source may have at most ${limit / 2 ** 20} MiB.`,
    hint: () => "No host publishes a page this large; shorten its texts, or split it into several pages.",
    example: { wrong: "a source of 200 MiB", right: "a source of a few KiB" },
  }),
  "more-findings": entry<{ count: number; limit: number }>({
    severity: "error",
    message: ({ count, limit }) =>
      `This file or folder has ${count} more findings; only the first ${limit} are listed.`,
    hint: () => "Mend the listed ones first and check again.",
    example: { wrong: "a file with thousands of mistakes", right: "mend the first ones, then check again" },
  }),
};
