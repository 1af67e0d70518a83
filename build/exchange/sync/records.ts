import { isAscii } from "node:buffer";
import { createReadStream, existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { JSONParser } from "@streamparser/json";
import { parse as csvParser } from "csv-parse";
import glob from "fast-glob";
import { Parser as XmlParser } from "htmlparser2";
import { Failure, reasonOf } from "../../base/failure.ts";
import { plural } from "../../base/numbers.ts";
import { isObject, type JsonObject } from "../../source/json/object.ts";

/* Reads the records of an export as a stream: memory does not grow with the file. */

/** A record with its place, which findings name. */
export interface PlacedRecord {
  record: unknown;
  /** Relative to the current folder. */
  file: string;
  line: number;
}

export type Records = string | readonly string[] | AsyncIterable<unknown> | (() => AsyncIterable<unknown>);

export interface Export {
  /** The encodings of files that have other characters than ASCII. Another one than at the last run is a sign of a broken export. */
  encodings: string[];
  read: () => AsyncIterable<PlacedRecord>;
  /** Whether `read` may be called again. */
  isRepeatable: boolean;
}

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1 << 17;

const GZIP = /\.gz$/i;

/** Reads the text of a file, once decoded, in pieces. */
type RecordReader = (
  text: AsyncIterable<string>,
  file: string,
  element?: string,
) => AsyncIterable<ReadRecord>;
type ReadRecord = Omit<PlacedRecord, "file">;

const READERS: Readonly<Record<string, RecordReader>> = {
  csv: readTable,
  tsv: readTable,
  txt: readTable,
  json: readJson,
  jsonl: readJsonLines,
  ndjson: readJsonLines,
  xml: readXml,
};

/**
 * @param folder the folder of the module, to which the names of files are relative.
 * @param element the element of XML, or the member of a JSON object, that contains one record, or the list of them.
 * @throws Failure if there is no such file, or if it is of no known format.
 */
export async function openExport(records: Records, folder: string, element?: string): Promise<Export> {
  if (typeof records !== "string" && !Array.isArray(records)) return given(records as AsyncIterable<unknown>);
  const patterns = [records].flat() as string[];
  const files = patterns.flatMap((pattern) => {
    const found = existsSync(resolve(folder, pattern))
      ? [resolve(folder, pattern)]
      : glob.sync(pattern, { cwd: folder, absolute: true }).sort();
    if (found.length === 0) throw new Failure(`${pattern}: there is no such file in ${folder}.`);
    return found;
  });
  const opened: [file: string, encoding: string, reader: RecordReader][] = [];
  for (const file of files) {
    const reader = readerOf(file);
    opened.push([file, await encodingOf(file), reader]);
  }
  async function* read(): AsyncGenerator<PlacedRecord> {
    for (const [file, encoding, reader] of opened) {
      const name = relative(process.cwd(), file);
      try {
        for await (const { record, line } of reader(textOf(file, encoding), name, element))
          yield { record, file: name, line };
      } catch (cause) {
        throw cause instanceof Failure ? cause : new Failure(`${name}: ${reasonOf(cause)}`);
      }
    }
  }
  const encodings = new Set(opened.map(([, encoding]) => encoding).filter((one) => one !== ASCII));
  return { encodings: [...encodings].sort(), read, isRepeatable: true };
}

function given(records: AsyncIterable<unknown> | (() => AsyncIterable<unknown>)): Export {
  async function* read(): AsyncGenerator<PlacedRecord> {
    let line = 0;
    try {
      for await (const record of typeof records === "function" ? records() : records)
        yield { record, file: "records", line: ++line };
    } catch (cause) {
      throw new Failure(`The records cannot be read: ${reasonOf(cause)}.`);
    }
  }
  return { encodings: [], read, isRepeatable: typeof records === "function" };
}

function readerOf(file: string): RecordReader {
  const ending = /\.([a-z\d]+)$/i.exec(file.replace(GZIP, ""))?.[1]?.toLowerCase() ?? "";
  const reader = READERS[ending];
  if (reader !== undefined) return reader;
  if (/^xls[xbm]?$/.test(ending))
    // No library that reads it is both maintained on npm and reads as a stream.
    throw new Failure(
      `${file}: this is a workbook. In Excel, save the sheet as “CSV UTF-8”, and name that file.`,
    );
  throw new Failure(
    `${file}: the name must end in ${Object.keys(READERS)
      .map((one) => `.${one}`)
      .join(", ")}, or one of these and .gz.`,
  );
}

/** @throws Failure if a compressed file is cut or damaged. */
async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  const bytes = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  try {
    const inflated = GZIP.test(file) ? bytes.pipe(createGunzip()) : bytes;
    if (inflated !== bytes) bytes.once("error", (cause) => inflated.destroy(cause));
    yield* inflated as AsyncIterable<Buffer>;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw code?.startsWith("Z_") === true ? new Failure(`${file} is cut or damaged: ${message}.`) : cause;
  }
}

async function* textOf(file: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding === ASCII ? "utf-8" : encoding, { fatal: true });
  for await (const chunk of chunksOf(file)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

const ASCII = "us-ascii";

/**
 * The encoding of a file: by its byte order mark or its declaration in XML; UTF-16 without a mark by its zeros; UTF-8 if all
 * bytes are; otherwise Windows-1252, which Excel writes.
 *
 * @throws Failure if it is UTF-8 with damaged characters.
 */
export async function encodingOf(file: string): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isFirst = true;
  let encoding = ASCII;
  for await (const bytes of chunksOf(file)) {
    const marked = isFirst
      ? (MARKS.find(([, mark]) => isMarked(bytes, mark))?.[0] ??
        wideEncodingOf(bytes) ??
        declaredIn(bytes, file))
      : undefined;
    if (marked !== undefined) return marked;
    isFirst = false;
    if (encoding === ASCII && isAscii(bytes)) continue;
    encoding = "utf-8";
    if (!isDecoded(decoder, bytes)) return otherEncodingOf(file);
  }
  return isDecoded(decoder) ? encoding : otherEncodingOf(file);
}

/** Whether the next bytes are of the decoder's encoding; without bytes, whether the last character is whole. */
function isDecoded(decoder: InstanceType<typeof TextDecoder>, bytes?: Buffer): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined });
    return true;
  } catch {
    return false;
  }
}

/** Windows-1252, in which few characters together are valid UTF-8, such as “ß“”. @throws Failure if most are UTF-8 */
async function otherEncodingOf(file: string): Promise<string> {
  const decoder = new TextDecoder();
  let [valid, damaged] = [0, 0];
  const count = (text: string): void => {
    for (const sign of text.match(/[^\0-\x7f]/gu) ?? [])
      if (sign === "\ufffd") damaged++;
      else valid++;
  };
  for await (const bytes of chunksOf(file)) count(decoder.decode(bytes, { stream: true }));
  count(decoder.decode());
  if (valid > 0 && valid >= damaged)
    throw new Failure(`${file}: it is UTF-8 with damaged characters, or is cut. Export it again, as UTF-8.`);
  return "windows-1252";
}

/** The encoding that XML declares; undefined for UTF-8, which is tried in any case. */
function declaredIn(bytes: Buffer, file: string): string | undefined {
  const head = bytes.toString("latin1", 0, 200);
  const label = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/.exec(head)?.[1];
  try {
    const { encoding } = new TextDecoder(label);
    // The declaration was read with one byte for each character, so it is not UTF-16, as programs on Windows declare.
    return encoding === "utf-8" || encoding.startsWith("utf-16") ? undefined : encoding;
  } catch {
    throw new Failure(`${file}: the encoding ${label}, which it declares, is not known. Export it as UTF-8.`);
  }
}

const isMarked = (bytes: Buffer, mark: readonly number[]): boolean =>
  mark.every((byte, k) => bytes[k] === byte);

/** UTF-16 without a byte order mark: in a table, more than half of the odd or of the even bytes are zero. */
function wideEncodingOf(bytes: Buffer): string | undefined {
  const zeros = [0, 0];
  for (const [k, byte] of bytes.entries()) if (byte === 0) zeros[k % 2] = (zeros[k % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  return odd > bytes.length / 4 ? "utf-16le" : even > bytes.length / 4 ? "utf-16be" : undefined;
}

/** The text, a line at a time with its line break; a line without an end is cut into pieces. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<{ text: string; line: number }> {
  let line = 1;
  for await (const chunk of text) {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
      yield { text: chunk.slice(from, end + 1), line: line++ };
      from = end + 1;
    }
    if (from < chunk.length) yield { text: chunk.slice(from), line };
  }
}

const DELIMITERS = [",", ";", "\t", "|"];

/** The delimiter that occurs most often in the header, outside of quotation marks. */
export function delimiterOf(header: string): string {
  const plain = header.replaceAll(/"(?:[^"]|"")*"/g, "");
  const counts = DELIMITERS.map((sign) => plain.split(sign).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

const breaksIn = (text: string): number => text.split("\n").length - 1;

/**
 * Follows the quotation marks of a table: the parser takes the rows between two that are not closed for one text.
 *
 * @returns a function that takes the table in pieces, and throws a Failure.
 */
function quoteChecker(quote: string, delimiter: string, file: string, start: number): (text: string) => void {
  const ends = new Set([delimiter, "\n", "\r"]);
  let line = start;
  let isOpen = false;
  /** The last character of the text before; with a quotation mark that may close a text, if it ended in one. */
  let before = "\n";
  return (part) => {
    const text = before + part;
    let isPending = false;
    for (let k = text.indexOf(quote, 1); k !== -1;) {
      let at = k + 1;
      if (!isOpen) isOpen = ends.has(text[k - 1] ?? "");
      else if (at === text.length) isPending = true;
      else if (text[at] === quote) at++;
      else if (ends.has(text[at] ?? "")) isOpen = false;
      else
        throw new Failure(
          `${file}:${line + breaksIn(text.slice(before.length, at))}: a quotation mark in a quoted text is not doubled, or one above it is not closed. Is the export cut?`,
        );
      k = text.indexOf(quote, at);
    }
    line += breaksIn(part);
    before = text.slice(isPending ? -2 : -1);
  };
}

/** The first line of a table, and the lines above it: empty ones, and the one in which Excel names the delimiter. */
const HEADER = /^((?:\s*[\r\n])?(?:sep=(.)(?:\r\n|\r|\n))?)([^\r\n]*)/i;

interface TableRow {
  record: unknown;
  info: { lines: number };
}

async function* readTable(text: AsyncIterable<string>, file: string): AsyncGenerator<ReadRecord> {
  const chunks = text[Symbol.asyncIterator]();
  const first = await chunks.next();
  const head = first.done === true ? "" : first.value.replace(/^\ufeff/, "");
  const [, above = "", named, header = ""] = HEADER.exec(head) ?? [];
  const skipped = above.split(/\r\n|\r|\n/).length - 1;
  const delimiter = named ?? delimiterOf(header);
  const quote = header.split(delimiter).every((name) => /^'.*'$/.test(name)) ? "'" : '"';
  const check = quoteChecker(quote, delimiter, file, 1 + skipped);
  async function* table(): AsyncGenerator<string> {
    check(head.slice(above.length));
    yield head.slice(above.length);
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
      check(chunk);
      yield chunk;
    }
  }
  const parser = csvParser({
    delimiter,
    quote,
    escape: quote,
    columns: (names: string[]) => columnsOf(names, `${file}:${1 + skipped}`),
    info: true,
    skip_empty_lines: true,
    // Excel writes rows of delimiters below the last one.
    skip_records_with_empty_values: true,
    // A quotation mark inside of a text that is not quoted, such as 12" × 8".
    relax_quotes: true,
  });
  // Its errors are those of the rows.
  pipeline(table, parser, () => undefined);
  let line = 2 + skipped;
  try {
    for await (const { record, info } of parser as AsyncIterable<TableRow>) {
      yield { record, line };
      line = info.lines + 1 + skipped;
    }
  } catch (cause) {
    throw tableFailure(file, skipped, cause as TableError);
  }
}

function columnsOf(header: string[], at: string): string[] {
  const names = header.map((name) => name.trim());
  const twice = names.find((name, k) => name !== "" && names.indexOf(name) !== k);
  if (twice !== undefined)
    throw new Failure(`${at}: two columns have the name “${twice}”. Rename one of them.`);
  return names;
}

interface TableError extends Error {
  code?: string;
  lines?: number;
}

function tableFailure(file: string, skipped: number, cause: TableError): Error {
  const at = `${file}:${(cause.lines ?? 1) + skipped}`;
  switch (cause.code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return new Failure(
        `${at}: a quotation mark in this row is not closed before the end of the file. Is the export cut?`,
      );
    case "CSV_RECORD_INCONSISTENT_COLUMNS":
      return new Failure(
        `${at}: the row has another number of columns than the header. Is the export cut, or a text with a delimiter not quoted?`,
      );
    default:
      return cause instanceof Failure ? cause : new Failure(`${at}: ${cause.message}`);
  }
}

async function* readJsonLines(text: AsyncIterable<string>, file: string): AsyncGenerator<ReadRecord> {
  let open = "";
  let last = 1;
  for await (const { text: part, line } of linesOf(text)) {
    open += part;
    last = line;
    if (!part.endsWith("\n")) continue;
    if (open.trim() !== "") yield { record: parsedLine(open, file, line), line };
    open = "";
  }
  if (open.trim() !== "") yield { record: parsedLine(open, file, last), line: last };
}

function parsedLine(text: string, file: string, line: number): unknown {
  try {
    // Without a byte order mark, too.
    return JSON.parse(text.trim());
  } catch (cause) {
    throw new Failure(`${file}:${line}: this is no JSON (${reasonOf(cause)}). Is the export cut?`);
  }
}

async function* readJson(
  text: AsyncIterable<string>,
  file: string,
  element?: string,
): AsyncGenerator<ReadRecord> {
  const paths = element === undefined ? ["$.*"] : [`$.${element}.*`];
  const parser = new JSONParser({ paths, keepStack: false });
  let found: unknown[] = [];
  parser.onValue = ({ value }) => void found.push(value);
  let error: Error | undefined;
  parser.onError = (cause) => (error ??= cause);
  let start = 0;
  let last = 1;
  for await (const { text: part, line } of linesOf(text)) {
    last = line;
    if (start === 0 && /[^\s,[\]]/.test(part)) start = line;
    const { isEnded } = parser;
    parser.write(line === 1 ? part.replace(/^\ufeff/, "") : part);
    if (error !== undefined)
      throw new Failure(
        isEnded
          ? `${file}:${line}: the JSON ends above this line. If each line is a record, end the name of the file in .jsonl.`
          : `${file}:${line}: this is no JSON (${error.message}).`,
      );
    for (const record of found) yield { record, line: start };
    if (found.length > 0) [found, start] = [[], 0];
  }
  if (!parser.isEnded) throw new Failure(`${file}:${last}: the JSON ends in the middle. Is the export cut?`);
}

/** An element as an object: attributes with “@”, elements by their names, in a list if there are several; a text if it has nothing else. */
interface OpenElement {
  name: string;
  members: JsonObject;
  text: string;
}

async function* readXml(
  text: AsyncIterable<string>,
  file: string,
  element?: string,
): AsyncGenerator<ReadRecord> {
  if (element === undefined)
    throw new Failure(`${file}: name the element of one record in the module, such as element: "lido:lido".`);
  const open: OpenElement[] = [];
  let depth = 0;
  let line = 1;
  let start = 1;
  let found: ReadRecord[] = [];
  /** The place of the last tag that opens an element. */
  let opened = -1;
  let unclosed: string | undefined;
  const parser = new XmlParser(
    {
      onopentag(name, attributes) {
        depth++;
        opened = parser.startIndex;
        if (open.length === 0 && name !== element) return;
        if (open.length === 0) start = line;
        const members = Object.fromEntries(
          Object.entries(attributes).map(([key, value]) => [`@${key}`, value]),
        );
        open.push({ name, members, text: "" });
      },
      ontext(part) {
        const inner = open.at(-1);
        if (inner !== undefined) inner.text += part;
      },
      onclosetag(name, isImplied) {
        depth--;
        // Implied, too, by the “/” of an empty element.
        if (isImplied && parser.startIndex !== opened) unclosed ??= name;
        const closed = open.pop();
        if (closed === undefined) return;
        const value = valueOfElement(closed);
        const outer = open.at(-1);
        if (outer === undefined)
          found.push({ record: isObject(value) ? value : { "#text": value }, line: start });
        else {
          const before = outer.members[closed.name];
          outer.members[closed.name] =
            before === undefined
              ? value
              : [...(Array.isArray(before) ? (before as unknown[]) : [before]), value];
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for await (const { text: part, line: at } of linesOf(text)) {
    line = at;
    parser.write(part);
    if (unclosed !== undefined)
      throw new Failure(`${file}:${line}: the element ${unclosed} is not closed. Is the export damaged?`);
    yield* found;
    found = [];
  }
  // The parser closes what is open at its end.
  if (depth > 0)
    throw new Failure(
      `${file}:${line}: ${plural(depth, "element")} not closed at the end. Is the export cut?`,
    );
  parser.end();
}

function valueOfElement({ members, text }: OpenElement): unknown {
  const written = text.trim();
  if (Object.keys(members).length === 0) return written;
  return written === "" ? members : { ...members, "#text": written };
}
