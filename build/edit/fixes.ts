import { posix } from "node:path";
import {
  fieldName,
  nodeAt,
  printNode,
  valueOf,
  type Member,
  type Node,
  type ObjectNode,
  type Path,
} from "../json/node.ts";
import { parseJson, type ParsedJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import { objectModel, type ValueModel } from "../page/model.ts";
import type { PageModel } from "../page/page.ts";
import { siteSchema } from "../page/site.ts";
import { typeOf, walk } from "../check/nodes.ts";
import { isExact } from "../json/exact.ts";
import { formatJson } from "../json/format.ts";
import { insertFirst, removeMembers } from "./members.ts";
import { repair, type Fix } from "./repair.ts";
import { applyEdits, lineEnding, type Edit } from "./text.ts";

export interface FixRules {
  model: PageModel;
  /** The expected value of `$schema`. */
  reference: string;
  /** Whether the file is `_site.json`. */
  isSite: boolean;
  /** Whether to reformat the whole file in the project's layout. */
  format: boolean;
  /** A free id, if the page cannot keep its own; otherwise undefined. */
  idFor?: (id: number) => number | undefined;
}

/**
 * Fixes mistakes that have only one correction, and keeps everything else as it is, including the layout. Undefined if
 * the file is not a JSON object.
 */
export function fixText(parsed: ParsedJson, options: FixRules): { text: string; fixes: Fix[] } | undefined {
  const { source, root } = parsed;
  if (root?.type !== "object") return undefined;
  const start = placeOf(source, 0);
  const fixes: Fix[] = [];
  if (parsed.findings.some(({ code }) => code === "byte-order-mark"))
    fixes.push({ place: start, done: "removed the byte order mark" });
  const structure = [
    removeDerived(parsed, root, options),
    updateReference(parsed, root, options.reference),
    unquoteNumbers(parsed, root, modelFor(root, options)),
    replaceId(parsed, root, options.idFor),
  ];
  const edits = structure.flatMap((part) => part.edits);
  for (const part of structure) for (const done of part.fixes) fixes.push(done);
  const trimmed = trimLineEnds(applyEdits(source.text, edits));
  if (trimmed.lines > 0)
    fixes.push({
      place: start,
      done: `removed spaces at the end of ${trimmed.lines === 1 ? "a line" : `${trimmed.lines} lines`}`,
    });
  let { text } = trimmed;
  if (!text.endsWith("\n")) {
    text += lineEnding(text);
    fixes.push({ place: placeOf(source, source.text.length), done: "ended the file with a line break" });
  }
  if (/\r\n/.test(text) && /(?<!\r)\n/.test(text)) {
    text = text.replaceAll("\r\n", "\n");
    fixes.push({ place: start, done: "ended all lines in the same way" });
  }
  if (options.format || isOnOneLine(text)) {
    const laidOut = layOut(text);
    if (laidOut !== text) fixes.push({ place: start, done: "reformatted the file, one field a line" });
    text = laidOut;
  }
  return {
    text,
    fixes: fixes.sort(byPlace),
  };
}

const byPlace = (a: Fix, b: Fix): number => a.place.line - b.place.line || a.place.column - b.place.column;

type PartialFix = { edits: Edit[]; fixes: Fix[] };

function removeDerived({ source }: ParsedJson, root: ObjectNode, options: FixRules): PartialFix {
  const part: PartialFix = { edits: [], fixes: [] };
  for (const { owner, members } of derivedMembers(modelFor(root, options), root, [])) {
    for (const edit of removeMembers(owner, new Set(members.map(({ member }) => member))))
      part.edits.push(edit);
    for (const { member, path, from } of members) {
      const written = source.text.slice(member.value.start, member.value.end).replace(/\s+/g, " ");
      const shown = written.length > 60 ? `${written.slice(0, 59)}…` : written;
      part.fixes.push({
        place: placeOf(source, member.keyStart, member.keyEnd),
        done: `removed “${fieldName(path)}” (${shown}): it is derived from ${from}`,
      });
    }
  }
  return part;
}

/** The model of the page's type; without a known type, the fields that every page has. */
const modelFor = (root: ObjectNode, { model, isSite }: FixRules): ValueModel =>
  isSite ? objectModel(siteSchema) : model.sourceOf(typeOf(root, model));

/** Removes the quotation marks around a number, true or false if the field cannot be a text. */
function unquoteNumbers({ source }: ParsedJson, root: ObjectNode, model: ValueModel): PartialFix {
  const part: PartialFix = { edits: [], fixes: [] };
  walk(model, root, [], ({ kind }, node, path) => {
    if (node.type !== "string") return;
    const isMeant =
      kind === "number"
        ? NUMBER.test(node.value) && isExact(node.value, Number(node.value))
        : kind === "boolean" && /^(?:true|false)$/.test(node.value);
    if (!isMeant) return;
    part.edits.push({ start: node.start, end: node.end, text: node.value });
    part.fixes.push({
      place: placeOf(source, node.start, node.end),
      done: `removed the quotation marks around “${fieldName(path)}”`,
    });
  });
  return part;
}

function replaceId({ source }: ParsedJson, root: ObjectNode, idFor: FixRules["idFor"]): PartialFix {
  const { node, found } = nodeAt(root, ["id"]);
  if (!found || node.type !== "number") return { edits: [], fixes: [] };
  const id = idFor?.(node.value);
  if (id === undefined) return { edits: [], fixes: [] };
  const done = `wrote the free id ${id} instead of ${node.value}, which another page has or had`;
  return {
    edits: [{ start: node.start, end: node.end, text: String(id) }],
    fixes: [{ place: placeOf(source, node.start, node.end), done }],
  };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

interface Derived {
  owner: ObjectNode;
  members: { member: Member; path: Path; from: string }[];
}

function* derivedMembers(model: ValueModel, node: Node, path: Path): Generator<Derived> {
  if (node.type === "array" && model.kind === "list") {
    for (const [i, item] of node.items.entries()) yield* derivedMembers(model.element, item, [...path, i]);
  } else if (node.type === "object" && model.kind === "object") {
    const found: Derived = { owner: node, members: [] };
    for (const member of node.members) {
      const field = model.fields.get(member.key);
      if (field === undefined) continue;
      const below = [...path, member.key];
      if (field.kind === "derived") found.members.push({ member, path: below, from: field.row.from });
      else yield* derivedMembers(field, member.value, below);
    }
    if (found.members.length > 0) yield found;
  }
}

export function updateReference({ source }: ParsedJson, root: ObjectNode, reference: string): PartialFix {
  const member = root.members.find(({ key }) => key === "$schema");
  if (member === undefined) {
    const place = placeOf(source, root.start, root.start + 1);
    return {
      edits: [insertFirst(source.text, root, "$schema", reference)],
      fixes: [{ place, done: "added “$schema”, so that text editors know the fields" }],
    };
  }
  const { value } = member;
  // A page that was moved has a stale path to this project's schema. Any other schema is the editor's choice.
  const isStale =
    value.type === "string" &&
    !value.value.includes(":") &&
    posix.basename(value.value) === posix.basename(reference) &&
    posix.normalize(value.value) !== reference;
  if (!isStale) return { edits: [], fixes: [] };
  return {
    edits: [{ start: value.start, end: value.end, text: JSON.stringify(reference) }],
    fixes: [{ place: placeOf(source, value.start, value.end), done: "updated the “$schema” path" }],
  };
}

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

/** Fixes the bytes of a file like `fixText`, after a repair if they are not JSON. */
export function fixBytes(
  file: string,
  bytes: Buffer,
  options: FixRules,
): { text: string; fixes: Fix[]; wasBroken: boolean } | undefined {
  const parsed = parseJson(file, bytes);
  if (parsed.root !== undefined) {
    const fixed = fixText(parsed, options);
    return fixed && { ...fixed, wasBroken: false };
  }
  const repaired = repair(file, bytes);
  if (repaired === undefined) return undefined;
  const fixed = fixText(repaired.parsed, options);
  return (
    fixed && { text: fixed.text, wasBroken: true, fixes: [...repaired.fixes, ...fixed.fixes].sort(byPlace) }
  );
}
