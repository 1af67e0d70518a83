import { typeOf, walk } from "../check/nodes.ts";
import { applyEdits, editsOf, lineEnding, type Edit, type SourceOperation } from "../source/json/edit.ts";
import { isExact } from "../source/json/exact.ts";
import { formatJson } from "../source/json/format.ts";
import { fieldName, nodeAt, printNode, valueOf, type Node, type ObjectNode } from "../source/json/node.ts";
import { parseJson } from "../source/json/parse.ts";
import { placeOf } from "../source/json/place.ts";
import { objectModel } from "../model/model-of.ts";
import type { ValueModel } from "../model/model.ts";
import type { PageModel } from "../model/page.ts";
import { siteSchema } from "../model/site.ts";
import { schemaFirst, updatedReference } from "./move-edits.ts";
import { repair, type Fix } from "./repair.ts";

export interface FixRules {
  model: PageModel;
  /** The expected value of `$schema`. */
  reference: string;
  isSite: boolean;
  format: boolean;
  /** A free id, if the page cannot keep its own; otherwise undefined. */
  idFor?: (id: number) => number | undefined;
}

/**
 * Fixes mistakes with only one correction, and keeps the layout; a file that is not JSON is repaired first. Undefined if the
 * file is no JSON object.
 */
export function fixBytes(
  file: string,
  bytes: Buffer,
  options: FixRules,
): { text: string; fixes: Fix[]; wasBroken: boolean } | undefined {
  const read = parseJson(file, bytes);
  const repaired = read.root === undefined ? repair(file, bytes) : undefined;
  const { source, root, findings } = repaired?.parsed ?? read;
  if (root?.type !== "object") return undefined;
  const fixes: Fix[] = [...(repaired?.fixes ?? [])];
  const add = (start: number, end: number, done: string): void =>
    void fixes.push({ place: placeOf(source, start, end), done });
  if (findings.some(({ code }) => code === "byte-order-mark")) add(0, 0, "removed the byte order mark");
  const fixed = trimLineEnds(applyEdits(source.text, valueEdits(source.text, root, options, add)));
  if (fixed.lines > 0)
    add(0, 0, `removed spaces at the end of ${fixed.lines === 1 ? "a line" : `${fixed.lines} lines`}`);
  let { text } = fixed;
  if (!text.endsWith("\n")) {
    text += lineEnding(text);
    add(source.text.length, source.text.length, "ended the file with a line break");
  }
  if (/\r\n/.test(text) && /(?<!\r)\n/.test(text)) {
    text = text.replaceAll("\r\n", "\n");
    add(0, 0, "ended all lines in the same way");
  }
  if (options.format || isOnOneLine(text)) {
    const laidOut = layOut(text);
    if (laidOut !== text) add(0, 0, "reformatted the file, one field a line");
    text = laidOut;
  }
  return { text, fixes: fixes.sort(byPlace), wasBroken: repaired !== undefined };
}

const byPlace = (a: Fix, b: Fix): number => a.place.line - b.place.line || a.place.column - b.place.column;

function valueEdits(
  text: string,
  root: ObjectNode,
  options: FixRules,
  add: (start: number, end: number, done: string) => void,
): Edit[] {
  const operations: SourceOperation[] = [];
  const edits: Edit[] = [];
  const replace = ({ start, end }: Node, written: string, done: string): void => {
    edits.push({ start, end, text: written });
    add(start, end, done);
  };
  walk(modelFor(root, options), root, [], (model, node, path) => {
    if (model.kind === "derived") {
      operations.push({ kind: "remove", path });
      const owner = nodeAt(root, path.slice(0, -1)).node as ObjectNode;
      const { keyStart, keyEnd } = owner.members.find(({ value }) => value === node) ?? {
        keyStart: 0,
        keyEnd: 0,
      };
      const written = excerptOf(text.slice(node.start, node.end));
      add(
        keyStart,
        keyEnd,
        `removed “${fieldName(path)}” (${written}): it is derived from ${model.row.from}`,
      );
    } else if (node.type === "string" && isQuoted(model, node.value))
      replace(node, node.value, `removed the quotation marks around “${fieldName(path)}”`);
  });
  const reference = updatedReference(root, options.reference);
  if (reference !== undefined) {
    operations.push(reference.operation);
    add(reference.start, reference.end, reference.done);
  }
  const { node } = nodeAt(root, ["id"]);
  const id = node.type === "number" ? options.idFor?.(node.value) : undefined;
  if (node.type === "number" && id !== undefined)
    replace(
      node,
      String(id),
      `wrote the free id ${id} instead of ${node.value}, which another page has or had`,
    );
  return [...editsOf(text, root, operations, schemaFirst(root)), ...edits];
}

function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** The model of the page's type; without a known type, the fields that every page has. */
const modelFor = (root: ObjectNode, { model, isSite }: FixRules): ValueModel =>
  isSite ? objectModel(siteSchema) : model.sourceOf(typeOf(root, model));

/** Whether a text is a number, true or false in quotation marks, in a field that cannot be a text. */
const isQuoted = ({ kind }: ValueModel, text: string): boolean =>
  kind === "number"
    ? NUMBER.test(text) && isExact(text, Number(text))
    : kind === "boolean" && /^(?:true|false)$/.test(text);

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Removes trailing white space. It is never inside a string, because strings in JSON have no line breaks. */
function trimLineEnds(text: string): { text: string; lines: number } {
  let lines = 0;
  for (LINE_END.lastIndex = 0; LINE_END.test(text);) lines++;
  // Counted first, not by a replacer function: for one, V8 keeps all matches in memory.
  return { text: lines === 0 ? text : text.replace(LINE_END, ""), lines };
}

const LINE_END = /(?<![ \t])[ \t]+(?=\r?\n|$)/g;

/** Whether all members are on one line. It reads the fixed text, because removed fields can leave only one line. */
function isOnOneLine(text: string): boolean {
  const { root } = parseJson("", Buffer.from(text));
  return (
    root?.type === "object" && root.members.length > 1 && !text.slice(root.start, root.end).includes("\n")
  );
}

/** The text in the project's layout; unchanged if that would reorder keys or lose a duplicate key. */
function layOut(text: string): string {
  const { root } = parseJson("", Buffer.from(text));
  if (root === undefined) return text;
  const laidOut = formatJson(valueOf(root)).replaceAll("\n", lineEnding(text));
  const again = parseJson("", Buffer.from(laidOut)).root;
  return again !== undefined && printNode(again) === printNode(root) ? laidOut : text;
}
