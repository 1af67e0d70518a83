import { typeOf, walk } from "../check/nodes.ts";
import { JsonEditor, laidOut, type SourceOperation } from "../source/json/edit.ts";
import { isExact } from "../source/json/exact.ts";
import { fieldName, nodeAt, type ObjectNode, type Path } from "../source/json/node.ts";
import { parseJson } from "../source/json/parse.ts";
import { placeOf } from "../source/json/place.ts";
import { objectModel } from "../model/model-of.ts";
import type { ValueModel } from "../model/model.ts";
import type { PageModel } from "../model/page.ts";
import { siteSchema } from "../model/site.ts";
import { SCHEMA_FIRST, updatedReference } from "./move-edits.ts";
import { repair, type Fix } from "./repair.ts";

export interface FixRules {
  model: PageModel;
  /** The expected value of `$schema`. */
  reference: string;
  isSite: boolean;
  layout: boolean;
  /** A free id, if the page cannot keep its own; otherwise undefined. */
  idFor?: (id: number) => number | undefined;
}

/**
 * Fixes mistakes with only one correction, and lays out the file; a file that is not JSON is repaired first. Undefined if
 * the file is no JSON object.
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
  const editor = new JsonEditor(source.text, root);
  for (const operation of fixesOf(source.text, root, options, add)) editor.apply(operation);
  if (fixes.length === 0 && !options.layout && !isUntidy(source.text, root))
    return { text: source.text, fixes, wasBroken: false };
  const text = editor.print(SCHEMA_FIRST);
  if (laidOut(source.text, root) !== source.text) add(0, 0, "laid out the file, one field per line");
  return { text, fixes: fixes.sort(byPlace), wasBroken: repaired !== undefined };
}

const byPlace = (a: Fix, b: Fix): number => a.place.line - b.place.line || a.place.column - b.place.column;

function fixesOf(
  text: string,
  root: ObjectNode,
  options: FixRules,
  add: (start: number, end: number, done: string) => void,
): SourceOperation[] {
  const operations: SourceOperation[] = [];
  const replace = (path: Path, written: string, done: string): void => {
    const { start, end } = nodeAt(root, path).node;
    operations.push({ kind: "set", path, value: JSON.parse(written), written });
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
      replace(path, node.value, `removed the quotation marks around “${fieldName(path)}”`);
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
      ["id"],
      String(id),
      `wrote the free id ${id} instead of ${node.value}, which another page has or had`,
    );
  return operations;
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

/** Whether the text has spaces at the end of a line, line endings of two kinds, no last one, or all members on one line. */
const isUntidy = (text: string, { start, end, members }: ObjectNode): boolean =>
  /[ \t](?:\r?\n|$)/.test(text) ||
  !text.endsWith("\n") ||
  (text.includes("\r\n") && /(?<!\r)\n/.test(text)) ||
  (members.length > 1 && !text.slice(start, end).includes("\n"));
