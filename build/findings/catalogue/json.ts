import { entry } from "../entry.ts";

/** What can be wrong with a file as JSON, before anything is known of pages. */
export const json = {
  "json-syntax": entry<{ found: string; expected: string }>({
    severity: "error",
    message: ({ found, expected }) => `This is not valid JSON: ${expected} was expected here, but ${found} stands here.`,
    hint: ({ expected }) => `Write ${expected} here, or take out what stands before it.`,
    example: { wrong: '{"id": 7 "title": "Marsh"}', right: '{"id": 7, "title": "Marsh"}' },
  }),
  "json-escape": entry<{ found: string }>({
    severity: "error",
    message: ({ found }) => `${found} is not allowed inside a JSON text.`,
    hint: () =>
      'Write a line break as \\n, a tab as \\t, a backslash as \\\\, a quotation mark as \\", and other characters as they are.',
    example: { wrong: '{"title": "The \\Sea"}', right: '{"title": "The \\\\Sea"}' },
  }),
  "duplicate-key": entry<{ key: string; line: number }>({
    severity: "error",
    message: ({ key, line }) => `"${key}" is given twice in one object (first on line ${line}); only one of the two could count.`,
    hint: () => "Keep the one that is right and delete the other.",
    example: { wrong: '{"title": "Marsh", "title": "Heath"}', right: '{"title": "Marsh"}' },
  }),
  "inexact-number": entry<{ written: string; held: string }>({
    severity: "error",
    message: ({ written, held }) => `The number ${written} cannot be kept exactly; it would be published as ${held}.`,
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
    message: ({ count, limit }) => `This file has ${count} more findings; only the first ${limit} are listed.`,
    hint: () => "Mend the listed ones first and check again.",
    example: { wrong: "a file with thousands of mistakes", right: "mend the first ones, then check again" },
  }),
};
