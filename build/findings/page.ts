import { catalogue, parts, type Code } from "./catalogue/index.ts";
import { textOf, type CatalogueEntry } from "./entry.ts";

const SECTIONS: [title: string, about: string, codes: Partial<Record<Code, unknown>>][] = [
  ["Files and folders", "Location and name of a file.", parts.files],
  [
    "Page types of the site",
    "Content of `_types.json`, and of the fields that it declares.",
    { ...parts.declarations, ...parts.declared },
  ],
  ["JSON", "The JSON syntax of a file.", parts.json],
  ["Fields", "The fields of a page, or of `_site.json`.", parts.fields],
  [
    "HTML",
    "The texts with tags: `description`, `acquisition_text`, `all_artists_links`, `content`.",
    parts.html,
  ],
  ["Between pages", "Contradictions between pages, and links.", parts.consistency],
  ["Headers", "The site's `_headers`, which operators write.", parts.hosting],
];

const INTRODUCTION = `# Errors and warnings

<!-- Written by npm run generate:findings, from build/findings/catalogue/. Changes belong there. -->

\`npm run check\` reads all sources and lists every mistake in them: its file, line and column, a message, and a hint that
gives the correction. If there is an **error**, nothing is published; a **warning** does not prevent that, unless
\`--strict\` is given. In a draft, errors are warnings. Every finding has a code, and codes never change. This page
lists all codes, each with an example and its correction.

[\`npx page-api fix\`](commands.md#fix) corrects mistakes that need no judgement, such as \`byte-order-mark\` and \`derived-field\`.
`;

export function findingsPage(): string {
  const sections = SECTIONS.map(([title, about, codes]) => {
    const entries = (Object.keys(codes) as Code[]).map(described);
    return `## ${title}\n\n${about}\n\n${entries.join("\n")}`;
  });
  return `${INTRODUCTION}\n${contents()}\n\n${sections.join("\n")}`;
}

const contents = (): string =>
  SECTIONS.map(([title, , codes]) => {
    const links = Object.keys(codes).map((code) => `[${code}](#${code})`);
    return `- **${title}:** ${links.join(", ")}`;
  }).join("\n");

function described(code: Code): string {
  const { severity, message, hint, facts = {}, example } = catalogue[code] as CatalogueEntry<unknown>;
  return [
    `### ${code}`,
    "",
    `${severity === "warning" ? "Warning" : "Error"}: ${plain(textOf(message, facts))}  `,
    plain(textOf(hint, facts)),
    "",
    ...shown("Wrong", example.wrong),
    ...shown("Right", example.right),
    "",
  ].join("\n");
}

/** A single line as code in the line, several lines as a block. */
const shown = (label: string, text: string): string[] =>
  text.includes("\n") ? [`- ${label}:`, "", ...fenced(text)] : [`- ${label}: ${code(text)}`];

const fenced = (text: string): string[] => [
  "  ```text",
  ...text.split("\n").map((line) => `  ${line}`),
  "  ```",
  "",
];

/** Shows the byte order mark by its number. */
const code = (text: string): string => `\`${text.replaceAll("\ufeff", "(U+FEFF)")}\``;

/** Escapes a message, which contains no Markdown. */
const plain = (text: string): string =>
  text.replaceAll("&", "&amp;").replace(/[\\`*<|]|(?<!\w)_|_(?!\w)/g, "\\$&");
