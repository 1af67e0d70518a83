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

export const WRITTEN: Document[] = DOCUMENTS.filter(({ path }) => !GENERATED.includes(path));

const BLOCK = /^( *)```(\w*)\n([^]*?)^\1```$/gm;

const PROGRAM = ["build", "scripts"].flatMap((folder) =>
  readdirSync(join(PROGRAM_FOLDER, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|mjs|js|html)$/.test(name))
    .map((name) => `${folder}/${name}`),
);

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
