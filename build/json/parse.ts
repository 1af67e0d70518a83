import { isUtf8 } from "node:buffer";
import type { Args } from "../findings/catalogue/index.ts";
import { finding, type Finding } from "../findings/finding.ts";
import { isExact } from "./exact.ts";
import type { Member, Node } from "./node.ts";
import { offsetInString, placeOf, SourceText } from "./place.ts";

export interface ParsedJson {
  source: SourceText;
  /** Absent where the text is no JSON at all. */
  root?: Node;
  findings: Finding[];
}

/** More levels than any page needs; keeps every later recursion shallow. */
export const MAX_DEPTH = 100;
/** More values (texts, numbers, lists, objects) than any page has, by far; each takes memory beside its text. */
export const MAX_VALUES = 100_000;
/** The largest file that the hosts publish; a source cannot be larger than what it is published as. */
export const MAX_BYTES = 25 * 2 ** 20;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Parses a source strictly and never throws: what JSON.parse would take in silence (a key given twice, a number that
 * a double cannot hold, a BOM, invalid UTF-8) is a finding at its place. After a syntax error there is no root.
 */
export function parseJson(file: string, bytes: Uint8Array): ParsedJson {
  const findings: Finding[] = [];
  if (bytes.length > MAX_BYTES) return tooLarge(file, bytes.length);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(bytes)) {
    const source = new SourceText(file, buffer.toString("utf8", 0, validPrefix(buffer)));
    findings.push(finding("invalid-utf8", {}, placeOf(source, source.text.length)));
    return { source, findings };
  }
  const hasBom = buffer.subarray(0, 3).equals(BOM);
  // Without the BOM, so that places on the first line are those that an editor shows.
  const source = new SourceText(file, buffer.toString("utf8", hasBom ? 3 : 0));
  if (hasBom) findings.push(finding("byte-order-mark", {}, placeOf(source, 0)));
  const root = new Parser(source, findings).parse();
  return root === undefined ? { source, findings } : { source, root, findings };
}

/** What `parseJson` says of a file that is larger than a source may be; nobody needs to read it for that. */
export function tooLarge(file: string, bytes: number): ParsedJson {
  const source = new SourceText(file, "");
  return { source, findings: [finding("file-too-large", { bytes, limit: MAX_BYTES }, placeOf(source, 0))] };
}

/** The length of the longest valid UTF-8 prefix, by halving. */
function validPrefix(buffer: Buffer): number {
  let good = 0;
  let bad = buffer.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    // A cut inside a character is no fault of the file: step back to the character's first byte.
    let cut = middle;
    while (cut > good && ((buffer[cut] ?? 0) & 0xc0) === 0x80 && middle - cut < 4) cut--;
    if (cut > good && isUtf8(buffer.subarray(good, cut))) good = cut;
    else if (cut <= good) break;
    else bad = cut;
  }
  // Fewer than eight bytes are left to tell apart.
  while (good < buffer.length) {
    const length = [1, 2, 3, 4].find(
      (n) => good + n <= buffer.length && isUtf8(buffer.subarray(good, good + n)),
    );
    if (length === undefined) break;
    good += length;
  }
  return good;
}

class SyntaxProblem extends Error {
  readonly args: Args<"json-syntax">;
  readonly start: number;
  readonly end: number;
  constructor(args: Args<"json-syntax">, start: number, end: number) {
    super(args.expected);
    this.args = args;
    this.start = start;
    this.end = end;
  }
}

/** Millions of escapes are never held one by one. */
const JOINED_TOGETHER = 4096;

/** Stops the parse after a finding that is not a plain "expected". */
class Stop extends Error {}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[\p{L}\p{N}_$.+-]+/uy;
// oxlint-disable-next-line no-control-regex -- just these may not stand in a text
const PLAIN = /[^"\\\u0000-\u001f]*/y;
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
  private depth = 0;
  private values = 0;

  constructor(source: SourceText, findings: Finding[]) {
    this.source = source;
    this.text = source.text;
    this.findings = findings;
  }

  parse(): Node | undefined {
    try {
      this.space();
      const root = this.value("an object in curly brackets");
      this.space();
      if (this.at < this.text.length) this.fail("the end of the file");
      return root;
    } catch (cause) {
      if (cause instanceof SyntaxProblem) {
        const { args, start, end } = cause;
        this.findings.push(finding("json-syntax", args, placeOf(this.source, start, end)));
      } else if (!(cause instanceof Stop)) throw cause;
      return undefined;
    }
  }

  /** Here stands something else than was expected; `at` is where to mend it, where that is another place. */
  private fail(expected: string, at = this.at): never {
    const end = Math.min(at + Math.max(1, this.wordAt(at).length), this.text.length);
    throw new SyntaxProblem({ found: this.found(this.at), expected }, at, end);
  }

  private wordAt(at: number): string {
    WORD.lastIndex = at;
    return WORD.exec(this.text)?.[0].slice(0, 40) ?? "";
  }

  private found(at: number): string {
    if (at >= this.text.length) return "the end of the file";
    if (this.text[at] === "\n" || this.text[at] === "\r") return "the end of the line";
    if (this.text.startsWith("//", at) || this.text.startsWith("/*", at))
      return "a comment, which JSON does not have,";
    if (this.text[at] === "'") return "a single quotation mark (texts stand in double ones)";
    const word = this.wordAt(at) || String.fromCodePoint(this.text.codePointAt(at) ?? 0x20);
    const isAfterText = this.text[at - 1] === '"' && at > 1;
    return `“${word}”${isAfterText ? ", right after a quotation mark," : ""}`;
  }

  private space(): void {
    for (;;) {
      const c = this.text.charCodeAt(this.at);
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return;
      this.at++;
    }
  }

  private value(expected: string): Node {
    if (++this.values > MAX_VALUES) this.stop("too-many-values", { limit: MAX_VALUES });
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

  /** Ends the reading here, by a limit. */
  private stop(code: "nested-too-deep" | "too-many-values", args: { limit: number }): never {
    this.findings.push(finding(code, args, placeOf(this.source, this.at, this.at + 1)));
    throw new Stop();
  }

  private nested(parse: () => Node): Node {
    if (++this.depth > MAX_DEPTH) this.stop("nested-too-deep", { limit: MAX_DEPTH });
    const node = parse();
    this.depth--;
    return node;
  }

  private object(): Node {
    const start = this.at++;
    const members: Member[] = [];
    const seen = new Map<string, number>();
    let comma = start;
    this.space();
    if (this.text[this.at] === "}") return { type: "object", start, end: ++this.at, members };
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"')
        this.fail(
          members.length === 0
            ? 'a field\'s name in quotation marks, or "}",'
            : "a field's name in quotation marks",
          this.text[this.at] === "}" ? comma : this.at,
        );
      const key = this.string();
      const first = seen.get(key.value);
      if (first === undefined) seen.set(key.value, key.start);
      else
        this.findings.push(
          finding(
            "duplicate-key",
            { key: key.value, line: this.source.lineAndColumn(first)[0] },
            placeOf(this.source, key.start, key.end),
          ),
        );
      this.space();
      if (this.text[this.at] !== ":") this.fail("a colon");
      this.at++;
      this.space();
      members.push({ key: key.value, keyStart: key.start, keyEnd: key.end, value: this.value("a value") });
      this.space();
      const c = this.text[this.at];
      if (c === "}") return { type: "object", start, end: ++this.at, members };
      if (c !== ",") this.fail('a comma or "}"', members.at(-1)?.value.end);
      comma = this.at++;
    }
  }

  private array(): Node {
    const start = this.at++;
    const items: Node[] = [];
    let comma = start;
    this.space();
    if (this.text[this.at] === "]") return { type: "array", start, end: ++this.at, items };
    for (;;) {
      this.space();
      if (this.text[this.at] === "]") this.fail("a value", comma);
      items.push(this.value("a value"));
      this.space();
      const c = this.text[this.at];
      if (c === "]") return { type: "array", start, end: ++this.at, items };
      if (c !== ",") this.fail('a comma or "]"', items.at(-1)?.end);
      comma = this.at++;
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
      if (c === "\\") parts.push(this.escape());
      else if (c === undefined || c === "\n" || c === "\r") this.fail("a closing quotation mark");
      else this.badEscape(`The invisible character U+${c.charCodeAt(0).toString(16).padStart(4, "0")}`, 1);
    }
    value = value === "" ? parts.join("") : value + parts.join("");
    const node = { type: "string" as const, start, end: ++this.at, value };
    const lone = loneSurrogate(value);
    if (lone !== -1) {
      const from = offsetInString(this.text, node, lone);
      const written = this.text.slice(from, from + 6);
      this.findings.push(finding("lone-surrogate", { written }, placeOf(this.source, from, from + 6)));
    }
    return node;
  }

  private escape(): string {
    const c = this.text[this.at + 1] ?? "";
    if (c === "u") {
      const hex = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) this.badEscape(`\\u${hex.split(/["\n]/)[0] ?? ""}`, 2);
      this.at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = ESCAPES[c];
    if (plain === undefined || c === "") return this.badEscape(`\\${c === "\n" ? "" : c}`, 2);
    this.at += 2;
    return plain;
  }

  private badEscape(found: string, length: number): never {
    const end = Math.min(this.at + length, this.text.length);
    this.findings.push(finding("json-escape", { found }, placeOf(this.source, this.at, end)));
    throw new Stop();
  }

  private number(): Node {
    const start = this.at;
    NUMBER.lastIndex = start;
    const written = NUMBER.exec(this.text)?.[0];
    const whole = this.wordAt(start);
    if (written === undefined || whole.length > written.length)
      this.fail("a number in JSON's form (no leading zeros, no plus, digits on both sides of the point)");
    const value = Number(written);
    this.at = start + written.length;
    if (!isExact(written, value)) {
      const held = Object.is(value, -0) ? "0" : Number.isFinite(value) ? String(value) : "no number at all";
      this.findings.push(
        finding("inexact-number", { written: cut(written), held }, placeOf(this.source, start, this.at)),
      );
    }
    return { type: "number", start, end: this.at, value };
  }
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

function loneSurrogate(text: string): number {
  // The pattern is of code units in unicode mode: pairs are matched as one and so never found.
  return text.search(/\p{Surrogate}/u);
}
