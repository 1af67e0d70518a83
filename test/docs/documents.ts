import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";

export interface Document {
  /** Relative to the project folder. */
  path: string;
  text: string;
}

const named = (path: string): Document => ({ path, text: readFileSync(join(PROGRAM_FOLDER, path), "utf8") });

/** Pages that a command generates. Their texts come from the program. */
export const GENERATED = ["docs/commands.md", "docs/findings.md", "docs/bench.md"];

export const DOCUMENTS: Document[] = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(PROGRAM_FOLDER, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
].map(named);

/** It names former commands, options and files, so only the tests of its language read it. */
export const CHANGELOG = named("CHANGELOG.md");

export const WRITTEN: Document[] = DOCUMENTS.filter(({ path }) => !GENERATED.includes(path));

const BLOCK = /^( *)```(\w*)\n([^]*?)^\1```$/gm;

const PROGRAM = ["build", "scripts"].flatMap((folder) =>
  readdirSync(join(PROGRAM_FOLDER, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|mjs|js|html)$/.test(name))
    .map((name) => `${folder}/${name}`),
);

/** A comment, a regular expression or a string: read as a whole, because the signs in it are not code. */
const WHOLE =
  /\/\/.*|\/\*[^]*?\*\/|\/(?<=(?:[(,=:[!&|?{};>]|\breturn)\s*\/)(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|(["'])((?:(?!\1)[^\\\n]|\\.)*)\1/y;

/** The literals in code, with “…” for the code in a template. */
function literalsIn(code: string): string[] {
  const found: string[] = [];
  /** The open templates, innermost last; without an open brace, their text continues. */
  const open: { text: string; braces: number }[] = [];
  for (let at = 0; at < code.length; at++) {
    const template = open.at(-1);
    const sign = code[at] ?? "";
    if (template?.braces === 0) {
      if (sign === "`") found.push(open.pop()?.text ?? "");
      else if (code.startsWith("${", at))
        [template.text, template.braces, at] = [`${template.text}…`, 1, at + 1];
      else template.text += sign === "\\" ? sign + (code[++at] ?? "") : sign;
      continue;
    }
    WHOLE.lastIndex = at;
    const whole = WHOLE.exec(code);
    if (whole?.[2] !== undefined) found.push(whole[2]);
    if (whole !== null) at = WHOLE.lastIndex - 1;
    else if (sign === "`") open.push({ text: "", braces: 0 });
    else if (template !== undefined) template.braces += sign === "{" ? 1 : sign === "}" ? -1 : 0;
  }
  return found;
}

/** The comments of the program that name a section of a document, as `“Section” in docs/page.md`. */
export const REFERENCES = PROGRAM.flatMap((path) =>
  [...named(path).text.matchAll(/“([^”]+)” in[\s*]+(docs\/[\w-]+\.md)/g)].map(
    ([, section = "", page = ""]) => ({
      path,
      section,
      page,
    }),
  ),
);

/** Texts of the program for people: string literals with at least one space, and the text of HTML files. */
export const TEXTS: Document[] = PROGRAM.flatMap((path) => {
  const { text } = named(path);
  if (path.endsWith(".html")) return [{ path, text }];
  return literalsIn(text)
    .filter((literal) => literal.includes(" "))
    .map((literal) => ({ path, text: literal }));
});

/** The code blocks of a language, such as `sh`. */
export const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(BLOCK)].filter(([, , found]) => found === language).map(([, , , code = ""]) => code);

/** Code spans in running text, such as `npm run check`. */
export const spansOf = (text: string): string[] =>
  [...text.replace(BLOCK, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

/** The text without code blocks, comments and generated parts. */
export const proseOf = (text: string): string =>
  text
    .replace(/<!-- (\w+):start -->[^]*?<!-- \1:end -->/g, "")
    .replace(/<!--[^]*?-->/g, "")
    .replace(BLOCK, "");

/** The anchors that GitHub gives the headings. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.replace(BLOCK, "").matchAll(/^#+ (.*)$/gm)) {
    const base = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
      .replace(/ /g, "-");
    for (let n = 0; ; n++) {
      const anchor = n === 0 ? base : `${base}-${n}`;
      if (anchors.has(anchor)) continue;
      anchors.add(anchor);
      break;
    }
  }
  return anchors;
}

/** The sentences of the running text. Each table row and list item is a text of its own. */
export function sentencesOf(text: string): string[] {
  const paragraphs = proseOf(text)
    .replace(/^\|[-:| ]+\|$/gm, "")
    .replace(/^\|.*$/gm, (row) => `\n${row.replaceAll(/(?<!\\)\|/g, "\n\n")}\n`)
    .replace(/^ *(?:[-*]|\d+\.) /gm, "\n\n")
    .replace(/^#.*$/gm, "\n")
    .replace(/^> ?/gm, "")
    .split(/\n{2,}/);
  return paragraphs.flatMap((paragraph) =>
    paragraph
      .replace(/\s+/g, " ")
      .replace(/`[^`]*`/g, "code")
      .trim()
      .split(/(?<=[.?!:;][)”*]*) (?=[\p{Lu}“*([\d]|code)/u)
      .filter((sentence) => sentence !== ""),
  );
}

export const wordsIn = (text: string): number => (text.match(/[\p{L}\p{N}][^\s]*/gu) ?? []).length;
