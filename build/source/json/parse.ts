import type { Args } from "../../findings/catalogue/index.ts";
import { NO_NUMBER } from "../../findings/catalogue/json.ts";
import { shortened } from "../../base/shortened.ts";
import { finding, type Finding } from "../../findings/finding.ts";
import { nameOf } from "../../findings/printable.ts";
import { mistakeAt, pathWithBackslashes, type Unexpected } from "./mistakes.ts";
import { HISTORY, SITE_FILES } from "../site-files.ts";
import type { Member, Node } from "./object.ts";
import { offsetInString, placeOf, SourceText } from "./place.ts";

/** Whether the double prints as the same decimal number as was written. `-0` does not. */
export function isExact(written: string, value: number): boolean {
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  if (value === 0) return !/[1-9]/.test(written.split(/[eE]/)[0] ?? "");
  const a = decimal(written);
  const b = decimal(String(value));
  return a.digits === b.digits && a.exponent === b.exponent;
}

/** A finite decimal number other than zero: its digits without outer zeros, and the power of ten of the last digit. */
function decimal(written: string): { digits: string; exponent: number } {
  const [mantissa = "", power = "0"] = written.replace(/^-/, "").split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = (whole + fraction).replace(/^0+/, "");
  let last = all.length;
  while (all[last - 1] === "0") last--;
  return { digits: all.slice(0, last), exponent: Number(power) - fraction.length + all.length - last };
}

/* Without Node, because the editor in the browser reads sources with this module too. */

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes, with its byte order mark if there is one; undefined if the bytes are no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const SIGNATURES: [bytes: string, kind: string][] = [
  ["504b0304", "a Word file or another packed file (docx, odt, zip)"],
  ["d0cf11e0", "an old Word or Excel file"],
  ["89504e47", "a picture (PNG)"],
  ["ffd8ff", "a picture (JPEG)"],
  ["47494638", "a picture (GIF)"],
  ["49492a00", "a picture (TIFF)"],
  ["4d4d002a", "a picture (TIFF)"],
  ["25504446", "a PDF"],
  ["1f8b08", "a packed file (gzip)"],
  ["0000000000000000", "a damaged file (only zero bytes)"],
];

/** The kind of a file that is not text, by its first bytes. */
function otherKind(bytes: Uint8Array): string | undefined {
  const start = hex(bytes.subarray(0, 8));
  if (start.startsWith("52494646") && hex(bytes.subarray(8, 12)) === "57454250") return "a picture (WebP)";
  return SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1];
}

/** Recognizes UTF-16 by its byte order mark, or by a zero byte beside the first letter. */
const isUtf16 = (bytes: Uint8Array): boolean =>
  bytes.length >= 2 &&
  (/^(?:fffe|feff)/.test(hex(bytes.subarray(0, 2))) || (bytes[0] === 0) !== (bytes[1] === 0));

/** Maximum number of bytes shown on either side of the first byte that is not UTF-8. */
const MAX_CONTEXT_BYTES = 12;

/** The encoding of a file, if it is recognized, and the word that contains its first byte that is not UTF-8. */
export function encodingOf(bytes: Uint8Array, at: number): Args<"invalid-utf8"> {
  if (isUtf16(bytes)) return { encoding: "UTF-16" };
  const start = Math.max(0, at - MAX_CONTEXT_BYTES);
  const text = new TextDecoder("windows-1252").decode(bytes.subarray(start, at + MAX_CONTEXT_BYTES));
  const before = /[\p{L}\p{N}]*$/u.exec(text.slice(0, at - start))?.[0] ?? "";
  const after = /^[\p{L}\p{N}’‘“”–—…€£°½]+/u.exec(text.slice(at - start))?.[0];
  return after === undefined ? {} : { encoding: "Windows-1252", text: before + after };
}

/** The length of the longest valid UTF-8 prefix: up to the first replacement character that the bytes do not contain. */
function validPrefix(bytes: Uint8Array): number {
  const [text, encoder] = [new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), new TextEncoder()];
  let good = 0;
  for (let from = 0, at; (at = text.indexOf("\ufffd", from)) !== -1; from = at + 1) {
    good += encoder.encode(text.slice(from, at)).length;
    if (hex(bytes.subarray(good, good + 3)) !== "efbfbd") return good;
    good += 3;
  }
  return bytes.length;
}

export interface ParsedJson {
  source: SourceText;
  /** Undefined if the text is not valid JSON. */
  root?: Node;
  findings: Finding[];
}

/** Maximum depth of nested values, in levels: more than any page needs, and few enough for recursive functions. */
export const MAX_DEPTH = 100;
/** Maximum number of values (texts, numbers, lists, objects), which need memory: more than any page has. */
export const MAX_VALUES = 100_000;
/**
 * Maximum size of a source, in bytes: far more than any page has, and small enough that a hostile source takes no more
 * memory than a large site.
 */
export const MAX_BYTES = 4 * 2 ** 20;
/** Maximum number of values in `_history.json`: entries of 200,000 retired pages and their redirects. */
const MAX_HISTORY_VALUES = 1_000_000;
/** Maximum size of `_history.json`, in bytes. Sections of tens of thousands of pages are moved and retired. */
const MAX_HISTORY_BYTES = 64 * 2 ** 20;

/** Whether a value is nested deeper than a source may be; recursive functions stop at such a value. */
export function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return items.some((item) => isTooDeep(item, levels - 1));
}

export const limitsOf = (file: string): { bytes: number; values: number } =>
  file.slice(file.lastIndexOf("/") + 1) === HISTORY
    ? { bytes: MAX_HISTORY_BYTES, values: MAX_HISTORY_VALUES }
    : { bytes: MAX_BYTES, values: MAX_VALUES };

const BOM = "\ufeff";

/**
 * Parses a source strictly, and never throws. Input that JSON.parse accepts silently or that is lost in decoding (a
 * repeated key, a number that a double cannot represent, a byte order mark, invalid UTF-8) is a finding with its
 * location. After a syntax error there is no root.
 */
export function parseJson(file: string, bytes: Uint8Array): ParsedJson {
  const findings: Finding[] = [];
  if (bytes.length > limitsOf(file).bytes) return tooLarge(file, bytes.length);
  const kind = otherKind(bytes);
  if (kind !== undefined) {
    const source = new SourceText(file, "");
    const facts = { mistake: "other-kind" as const, found: kind, isOfSite: SITE_FILES.has(file) };
    findings.push(finding("json-syntax", facts, placeOf(source, 0)));
    return { source, findings };
  }
  const text = isUtf16(bytes) ? undefined : utf8Text(bytes);
  if (text === undefined) {
    const good = isUtf16(bytes) ? 0 : validPrefix(bytes);
    const source = new SourceText(file, utf8Text(bytes.subarray(0, good)) ?? "");
    findings.push(finding("invalid-utf8", encodingOf(bytes, good), placeOf(source, source.text.length)));
    return { source, findings };
  }
  const hasBom = text.startsWith(BOM);
  // Without the byte order mark, so that columns on the first line are those that text editors show.
  const source = new SourceText(file, hasBom ? text.slice(BOM.length) : text);
  if (hasBom) findings.push(finding("byte-order-mark", {}, placeOf(source, 0)));
  const root = new Parser(source, findings).parse();
  return root === undefined ? { source, findings } : { source, root, findings };
}

/** The result for a file over its limit, which need not be read for this. */
export function tooLarge(file: string, bytes: number): ParsedJson {
  const source = new SourceText(file, "");
  return {
    source,
    findings: [finding("file-too-large", { bytes, limit: limitsOf(file).bytes }, placeOf(source, 0))],
  };
}

/** Number of parts of a text that are joined at once, so that millions of escapes make no huge array. */
const JOINED_TOGETHER = 4096;

/** Ends the parse after a finding. */
class Stop extends Error {}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}\p{N}_$.+-]+/uy;
/** Characters that may be in a text as they are: no control characters, no quotation mark and no backslash. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Parser {
  private readonly source: SourceText;
  private readonly text: string;
  private readonly findings: Finding[];
  private at = 0;
  /** The offsets of the open brackets. */
  private readonly open: number[] = [];
  private readonly path: (string | number)[] = [];
  /** The offset of the last comma, colon or bracket. */
  private mark = 0;
  private values = 0;
  private readonly maxValues: number;

  constructor(source: SourceText, findings: Finding[]) {
    this.maxValues = limitsOf(source.file).values;
    this.source = source;
    this.text = source.text;
    this.findings = findings;
  }

  parse(): Node | undefined {
    try {
      this.space();
      const root = this.value("page");
      this.space();
      if (this.at < this.text.length) this.fail("end");
      return root;
    } catch (cause) {
      if (!(cause instanceof Stop)) throw cause;
      return undefined;
    }
  }

  /** Adds a finding about the value that is being read, or about a member of it. */
  private report(found: Finding, ...name: string[]): void {
    this.findings.push({ ...found, path: [...this.path, ...name] });
  }

  /** Ends the parse with the likeliest mistake for the unexpected text at this offset. */
  private fail(expected: Unexpected["expected"], last?: Unexpected["last"]): never {
    const { text, at, open, mark } = this;
    const { start, end, ...facts } = mistakeAt({ text, at, expected, open, last, mark });
    const isOfSite = SITE_FILES.has(this.source.file);
    this.findings.push(finding("json-syntax", { ...facts, isOfSite }, placeOf(this.source, start, end)));
    throw new Stop();
  }

  private wordAt(at: number): string {
    WORD.lastIndex = at;
    return WORD.exec(this.text)?.[0].slice(0, 40) ?? "";
  }

  private space(): void {
    for (;;) {
      const c = this.text.charCodeAt(this.at);
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return;
      this.at++;
    }
  }

  private value(expected: "page" | "value"): Node {
    if (++this.values > this.maxValues) this.stop("too-many-values", { limit: this.maxValues });
    const c = this.text[this.at];
    if (c === "{") return this.nested(() => this.object());
    if (c === "[") return this.nested(() => this.array());
    if (c === '"') return this.string();
    if (c === "-" || (c !== undefined && c >= "0" && c <= "9")) return this.number();
    const start = this.at;
    const word = this.wordAt(start);
    if (word === "true" || word === "false" || word === "null") {
      this.at += word.length;
      return { type: "literal", start, end: this.at, value: word === "null" ? null : word === "true" };
    }
    return this.fail(expected);
  }

  private stop(code: "nested-too-deep" | "too-many-values", args: { limit: number }): never {
    this.findings.push(finding(code, args, placeOf(this.source, this.at, this.at + 1)));
    throw new Stop();
  }

  private nested(parse: () => Node): Node {
    if (this.open.length === MAX_DEPTH) this.stop("nested-too-deep", { limit: MAX_DEPTH });
    this.mark = this.at;
    this.open.push(this.at);
    const node = parse();
    this.open.pop();
    return node;
  }

  private object(): Node {
    const start = this.at++;
    const members: Member[] = [];
    const seen = new Map<string, number>();
    this.space();
    if (this.text[this.at] === "}") return { type: "object", start, end: ++this.at, members };
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.fail("name");
      const key = this.string();
      const first = seen.get(key.value);
      if (first === undefined) seen.set(key.value, key.start);
      else
        this.report(
          finding(
            "duplicate-key",
            { key: key.value, line: this.source.lineAndColumn(first)[0] },
            placeOf(this.source, key.start, key.end),
          ),
          key.value,
        );
      this.space();
      if (this.text[this.at] !== ":") this.fail("colon", key);
      this.mark = this.at++;
      this.space();
      this.path.push(key.value);
      members.push({ key: key.value, keyStart: key.start, keyEnd: key.end, value: this.value("value") });
      this.path.pop();
      this.space();
      const c = this.text[this.at];
      if (c === "}") return { type: "object", start, end: ++this.at, members };
      if (c !== ",") this.fail("comma", members.at(-1)?.value);
      this.mark = this.at++;
    }
  }

  private array(): Node {
    const start = this.at++;
    const items: Node[] = [];
    this.space();
    if (this.text[this.at] === "]") return { type: "array", start, end: ++this.at, items };
    for (;;) {
      this.space();
      this.path.push(items.length);
      items.push(this.value("value"));
      this.path.pop();
      this.space();
      const c = this.text[this.at];
      if (c === "]") return { type: "array", start, end: ++this.at, items };
      if (c !== ",") this.fail("comma", items.at(-1));
      this.mark = this.at++;
    }
  }

  private string(): Node & { type: "string" } {
    const start = this.at++;
    let value = "";
    let parts: string[] = [];
    for (;;) {
      if (parts.length >= JOINED_TOGETHER) {
        value += parts.join("");
        parts = [];
      }
      PLAIN.lastIndex = this.at;
      parts.push(PLAIN.exec(this.text)?.[0] ?? "");
      this.at = PLAIN.lastIndex;
      const c = this.text[this.at];
      if (c === '"') break;
      if (c === "\\") parts.push(this.escape(start));
      else if (c === undefined || c === "\n" || c === "\r") this.fail("quote", { start, end: this.at });
      else this.badEscape(`A ${nameOf(c)}`, this.at, this.at + 1);
    }
    value = value === "" ? parts.join("") : value + parts.join("");
    const node = { type: "string" as const, start, end: ++this.at, value };
    const lone = loneSurrogate(value);
    if (lone !== -1) {
      const from = offsetInString(this.text, node, lone);
      const written = this.text.slice(from, from + 6);
      this.report(finding("lone-surrogate", { written }, placeOf(this.source, from, from + 6)));
    }
    return node;
  }

  /** `start` is the offset of the text that contains the escape. */
  private escape(start: number): string {
    const c = this.text[this.at + 1] ?? "";
    if (c === "u") {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits))
        this.badEscape(`\\u${digits.split(/["\n]/)[0] ?? ""}`, this.at, this.at + 2);
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = ESCAPES[c];
    if (plain === undefined || c === "") {
      const found = `\\${c === "\n" ? "" : c}`;
      const path = pathWithBackslashes(this.text, start);
      return path === undefined
        ? this.badEscape(found, this.at, this.at + 2)
        : this.badEscape(found, start, path.end, path.write);
    }
    this.at += 2;
    return plain;
  }

  private badEscape(found: string, start: number, end: number, write?: string): never {
    const args = write === undefined ? { found } : { found, write };
    const place = placeOf(this.source, start, Math.min(end, this.text.length));
    this.findings.push(finding("json-escape", args, place));
    throw new Stop();
  }

  private number(): Node {
    const start = this.at;
    NUMBER.lastIndex = start;
    const written = NUMBER.exec(this.text)?.[0];
    const whole = this.wordAt(start);
    if (written === undefined || whole.length > written.length) this.fail("number");
    const value = Number(written);
    this.at = start + written.length;
    if (!isExact(written, value)) {
      const stored = Object.is(value, -0) ? "0" : Number.isFinite(value) ? String(value) : NO_NUMBER;
      this.report(
        finding(
          "inexact-number",
          { written: shortened(written, 60), stored },
          placeOf(this.source, start, this.at),
        ),
      );
    }
    return { type: "number", start, end: this.at, value };
  }
}

function loneSurrogate(text: string): number {
  // In unicode mode the pattern matches a pair as one character, so it finds only lone surrogates.
  return text.search(/\p{Surrogate}/u);
}
