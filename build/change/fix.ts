import { join, resolve } from "node:path";
import { isError, type Place } from "../findings/finding.ts";
import { applyEdits, type Edit, JsonEditor, laidOut, type SourceOperation } from "../source/json/edit.ts";
import { utf8Text, MAX_VALUES, parseJson, type ParsedJson, isExact } from "../source/json/parse.ts";
import { placeOf, SourceText } from "../source/json/place.ts";
import { typeOf, walk } from "../check/nodes.ts";
import { fieldName, nodeAt, type ObjectNode, type Path } from "../source/json/object.ts";
import type { ValueModel } from "../model/model.ts";
import type { PageModel } from "../model/page.ts";
import { siteModel } from "../model/site.ts";
import { SCHEMA_FIRST, updatedReference } from "./move-edits.ts";
import { Failure } from "../base/failure.ts";
import { schemaReference } from "../outputs/contract/location.ts";
import { SourceReader } from "../source/read.ts";
import { findSources } from "../source/find.ts";
import { changeSources } from "./apply.ts";
import type { FileChange, SiteChange } from "./change.ts";
import { assertReadable, namedSources } from "./files.ts";
import { readHistory } from "./pages.ts";
import { filesById, freeId } from "./ids.ts";
import { writeSiteSchema } from "./schema.ts";
import { SITE } from "../source/site-files.ts";
import { modelOf } from "../model/types.ts";

/** One fix, with its location in the original file. */
interface Fix {
  place: Place;
  /** The rest of a sentence that begins with the location: `removed the byte order mark`. */
  done: string;
}

interface Repaired {
  parsed: ParsedJson;
  fixes: Fix[];
}

/**
 * Turns a file into JSON if its mistakes have only one meaning: its encoding, curly quotation marks, commas at ends of
 * lines, comments, `True`. Undefined if the result is still not JSON.
 */
export function repair(file: string, bytes: Buffer): Repaired | undefined {
  const utf16 = decodeUtf16(bytes);
  const written = utf16 ?? utf8Text(bytes);
  if (written === undefined) return undefined;
  const text = written.replace(/^\ufeff/, "");
  const source = new SourceText(file, text);
  const fixes: Fix[] = [];
  if (utf16 !== undefined)
    fixes.push({ place: placeOf(source, 0), done: "changed the encoding from UTF-16 to UTF-8" });
  else if (text !== written) fixes.push({ place: placeOf(source, 0), done: "removed the byte order mark" });
  const edits = repairTokens(source, fixes);
  if (edits === undefined || fixes.length === 0) return undefined;
  const parsed = parseJson(file, Buffer.from(applyEdits(text, edits)));
  if (parsed.root?.type !== "object" || parsed.findings.some(isError)) return undefined;
  return { parsed, fixes };
}

/** The text of a program that saves as “Unicode”; undefined if the bytes are not UTF-16. */
function decodeUtf16(bytes: Buffer): string | undefined {
  const [a, b] = [bytes[0], bytes[1]];
  const isLittle = (a === 0xff && b === 0xfe) || (a === 0x7b && b === 0);
  const isBig = (a === 0xfe && b === 0xff) || (a === 0 && b === 0x7b);
  if (!isLittle && !isBig) return undefined;
  try {
    return new TextDecoder(isLittle ? "utf-16le" : "utf-16be", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const WORDS: Record<string, string> = { none: "null", true: "true", false: "false", null: "null" };

/** White space, a comment, a punctuation mark, the beginning of a string, or another word. */
const TOKEN = /[ \t\r\n]+|(\/\/[^\n\r]*|\/\*[^]*?\*\/)|([{}[\]:,])|(["“”„‟])|([^\s,:{}[\]"“”„‟/\\]+)/y;

/**
 * Reads a text token by token, and returns the edits that turn it into JSON. Undefined if a token is ambiguous, or if there
 * are more edits than a source can have values.
 */
function repairTokens(source: SourceText, fixes: Fix[]): Edit[] | undefined {
  const { text } = source;
  const edits: Edit[] = [];
  /** The end of the last value, name or closing bracket, and the position of the last comma; -1 for none. */
  let [valueEnd, comma] = [-1, -1];
  const edit = (start: number, end: number, written: string, done: string): void => {
    edits.push({ start, end, text: written });
    fixes.push({ place: placeOf(source, start, end), done });
  };
  /** Adds the missing comma if a line break separates a value from the one before. */
  const beginValue = (at: number): void => {
    if (valueEnd !== -1 && text.slice(valueEnd, at).includes("\n"))
      edit(valueEnd, valueEnd, ",", "added the missing comma");
  };
  for (let at = 0, end = 0; at < text.length; at = end) {
    TOKEN.lastIndex = at;
    const [token, comment, punctuation, quote, word] = TOKEN.exec(text) ?? [];
    if (token === undefined || edits.length > MAX_VALUES) return undefined;
    end = at + token.length;
    if (comment !== undefined) {
      const shown = comment.length > 60 ? `${comment.slice(0, 59)}…` : comment;
      let start = at;
      while (" \t".includes(text.charAt(start - 1) || "\n")) start--;
      edit(start, end, "", `removed the comment “${shown.replace(/\s+/g, " ")}”`);
    } else if (punctuation === ",") {
      if (valueEnd === -1) return undefined;
      [valueEnd, comma] = [-1, at];
    } else if (punctuation === "}" || punctuation === "]") {
      if (comma !== -1) edit(comma, comma + 1, "", "removed a comma after the last entry");
      [valueEnd, comma] = [end, -1];
    } else if (punctuation !== undefined) {
      if (punctuation !== ":") beginValue(at);
      [valueEnd, comma] = [-1, -1];
    } else if (quote !== undefined || word !== undefined) {
      beginValue(at);
      if (word === undefined) {
        const closed = endOfString(text, at);
        if (closed === undefined) return undefined;
        end = closed;
        const straighten = (mark: number): void =>
          edit(mark, mark + 1, '"', 'wrote a straight quotation mark (")');
        if (quote !== '"') straighten(at);
        const written = text.slice(at, end);
        for (let i = -1; (i = written.indexOf("\t", i + 1)) !== -1 && edits.length <= MAX_VALUES;)
          edit(at + i, at + i + 1, String.raw`\t`, String.raw`wrote a tab in a text as \t`);
        if (text.charAt(end - 1) !== '"') straighten(end - 1);
      } else {
        const lower = word.toLowerCase();
        const meant = Object.hasOwn(WORDS, lower) ? WORDS[lower] : undefined;
        if (meant !== undefined && meant !== word) edit(at, end, meant, `wrote ${meant} instead of ${word}`);
      }
      [valueEnd, comma] = [end, -1];
    }
  }
  return edits.length > MAX_VALUES ? undefined : edits;
}

/** The possible text after a string that a curly quotation mark closes. */
const AFTER_CLOSING = /[ \t]*(?:[,:\]}]|\r?\n|$)/y;

/**
 * The end of a string, on the same line. Without a second straight mark on its line, a curly one may have closed it: the
 * first one after which a string can end. Undefined if a straight mark is before that, because it may be a part of the
 * text. (A pattern would overflow its stack on long texts.)
 */
function endOfString(text: string, at: number): number | undefined {
  const end = (isEnd: (mark: string, next: number) => boolean | undefined): number | undefined => {
    for (let i = at + 1; i < text.length; i++) {
      const c = text.charAt(i);
      if (c === "\\") i++;
      const found = isEnd(c, i + 1);
      if (found !== undefined) return found ? i + 1 : undefined;
      if (text.charAt(i) === "\n") return undefined;
    }
    return undefined;
  };
  const straight = text.charAt(at) === '"' ? end((mark) => mark === '"' || undefined) : undefined;
  return (
    straight ??
    end((mark, next) => {
      if (mark !== '"' && !"“”„‟".includes(mark)) return undefined;
      AFTER_CLOSING.lastIndex = next;
      return AFTER_CLOSING.test(text) || (mark === '"' ? false : undefined);
    })
  );
}

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
  isSite ? siteModel : model.sourceOf(typeOf(root, model));

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

interface FixOptions {
  content: string;
  model?: PageModel | undefined;
  /** Files, folders or patterns; all sources if there are none. */
  names: readonly string[];
  /** Whether to lay out files that have no mistakes, too. */
  layout: boolean;
  /** Whether to give a named file a free id if another page has its id, or a retired page had it. */
  ids?: boolean;
  dryRun: boolean;
}

export interface FixedFile {
  /** Relative to the content folder. */
  file: string;
  fixes: Fix[];
  /** Whether the file was not JSON: then a check of its old text reports only that. */
  wasBroken: boolean;
}

/** Fixes files, all or none of them. A file that changes meanwhile stays as it is, and so do the others. */
export function fix({
  content,
  model: program,
  names,
  layout,
  ids,
  dryRun,
}: FixOptions): readonly FixedFile[] {
  if (ids === true && names.length === 0)
    throw new Failure("--ids: name the copies that need new ids (npx page-api fix --ids FILE).");
  const compute = (): readonly [SiteChange, readonly FixedFile[]] => {
    const model = modelOf(content, program);
    const reader = new SourceReader();
    const named = namedSources(content, names);
    if (!dryRun) writeSiteSchema(content, model);
    const idFor = ids === true ? newIds(content, named) : undefined;
    const files: FileChange[] = [];
    const results: FixedFile[] = [];
    for (const file of named) {
      const { bytes } = reader.readBytes(join(resolve(content), file), file);
      if (bytes === undefined) continue;
      const fixed = fixBytes(file, bytes, {
        model,
        reference: schemaReference(content, file),
        isSite: file === SITE,
        layout,
        ...(idFor === undefined ? {} : { idFor: (id) => idFor(file, id) }),
      });
      const fixes = fixed?.fixes ?? [];
      if (fixed !== undefined && fixes.length > 0) files.push(changeOf(file, bytes, fixed.text));
      results.push({ file, fixes, wasBroken: fixed?.wasBroken ?? false });
    }
    return [{ files }, results];
  };
  return changeSources(content, compute, { isDry: dryRun });
}

/** A file that is not UTF-8 has no text to replace, only bytes. */
function changeOf(file: string, bytes: Buffer, text: string): FileChange {
  const before = utf8Text(bytes);
  if (before !== undefined) return { file, before, after: text };
  assertReadable(file, text);
  return {
    file,
    before: bytes.toString("base64"),
    after: Buffer.from(text).toString("base64"),
    encoding: "base64",
  };
}

/** Chooses new ids for the named copies. If all files with an id are named, the first of them keeps it. */
function newIds(content: string, named: readonly string[]): (file: string, id: number) => number | undefined {
  const files = filesById(content, findSources(content).listing);
  const retired = new Set(readHistory(content).retired.map(({ id }) => id));
  return (file, id) => {
    const others = (files.get(id) ?? []).filter((one) => one !== file);
    const keeps = others.every((one) => named.includes(one)) && others.every((one) => file < one);
    if (!retired.has(id) && keeps) return undefined;
    const fresh = freeId(files);
    files.set(fresh, [file]);
    return fresh;
  };
}
