import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { attributesOf, ELEMENTS, LINK_ATTRIBUTES } from "../../build/model/html/elements.ts";
import { filesBelow } from "../files.ts";

const FOLDER = join(PROGRAM_FOLDER, "test/editor/pasted");
const read = (file: string): string => readFileSync(join(FOLDER, file), "utf8");

/** HTML in the manner of several programs, with the wrappers, styles and empty lines they add; its text. */
export const PASTED = filesBelow(FOLDER)
  .filter((file) => !file.endsWith(".text.html"))
  .map((file) => [file, read(file), read(file.replace(".html", ".text.html"))] as const);

export const PASTED_PLAIN: readonly (readonly [plain: string, text: string])[] = [
  ["One\r\nline\r\n\r\nTwo\n", "<p>One<br>line</p><p>Two</p>"],
  [" word ", "<p> word </p>"],
  ["a  b\n \n\n\nc & <d>", "<p>a  b</p><p>c &amp; &lt;d&gt;</p>"],
];

const CHILDREN: Record<string, string> = { ul: "li", ol: "li", dl: "dt" };

function contentOf(name: string): string {
  const [child = CHILDREN[name]] = ELEMENTS.get(name)?.children ?? [];
  if (child === undefined) return "x";
  return ELEMENTS.get(child)?.isVoid ? `<${child}>` : `<${child}>${contentOf(child)}</${child}>`;
}

function inParents(name: string, html: string): string {
  const [parent] = ELEMENTS.get(name)?.parents ?? [];
  return parent === undefined ? html : inParents(parent, `<${parent}>${html}</${parent}>`);
}

/** Each element of the project's table, with all its attributes, inside the parents that it needs. */
export const everyElement = (): string[] =>
  [...ELEMENTS].map(([name, rules]) => {
    const attributes = [...attributesOf(rules), "data-x", "aria-label"]
      .map((attribute) => ` ${attribute}='${LINK_ATTRIBUTES.has(attribute) ? "/a/" : 'a\u00a0"b"'}'`)
      .join("");
    const element = rules.isVoid
      ? `<${name}${attributes}>`
      : `<${name}${attributes}>${contentOf(name)}</${name}>`;
    return inParents(name, element);
  });
