import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { format } from "oxfmt";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { instantAt } from "../build/base/instant.ts";
import { severityOf, type Finding } from "../build/findings/finding.ts";
import { build } from "../build/site/build.ts";
import type { BuildOptions } from "../build/site/outcome.ts";
import { isObject, objectIn } from "../build/source/json/object.ts";
import { fieldsIn, type ValueModel } from "../build/model/model.ts";
import { programModel } from "../build/model/program-model.ts";
import { compact } from "./compact.ts";
import { filesBelow } from "./files.ts";

/*
 * A case is a folder of test/cases, named for what it shows:
 *   content/        the sources
 *   findings.json   the expected findings: codes and locations, in order; if it is missing, none
 *   expected/       the expected pages, and any other file that the case is about; a case with errors has none. Of a
 *                   page, only the fields that differ from the empty response of its type are there
 *   _headers        the hosts' headers, if the case is about them
 *   pad.json        files of content/ that are filled with spaces up to a number of bytes, or to which
 *                   a text is appended a number of times
 */
export const CASES = join(PROGRAM_FOLDER, "test/cases");

/** The case with one page of each type that has only the required fields. Its expected pages are complete. */
const EMPTY = "empty-response";

type Json = Record<string, unknown>;

/** With the fields that the program has besides, so that the cases hold for a program with more types and fields. */
function emptyResponses(): Map<unknown, Json> {
  const folder = join(CASES, EMPTY, "expected");
  const pages = filesBelow(folder).map(
    (path) => JSON.parse(readFileSync(join(folder, path), "utf8")) as Json,
  );
  return new Map(
    pages.map((page) => {
      const type = typeOf(page);
      return [type, programModel.has(type) ? withAdded(page, programModel.of(type).source) : page];
    }),
  );
}

/** An added field has its empty value, behind the field that precedes it in the model. */
function withAdded(page: Json, model: ValueModel): Json {
  const entries = Object.entries(page);
  let at = 0;
  for (const [name, field] of fieldsIn(model)) {
    const found = entries.findIndex(([key]) => key === name);
    const value = found === -1 ? field.empty : entries[found]?.[1];
    const whole = isObject(value) ? withAdded(value, field) : value;
    if (found !== -1) entries[found] = [name, whole];
    else if (!field.isSourceOnly && field.kind !== "derived") entries.splice(at, 0, [name, whole]);
    at = entries.findIndex(([key]) => key === name) + 1 || at;
  }
  return Object.fromEntries(entries);
}

const typeOf = ({ meta }: Json): unknown => (isObject(meta) ? meta["type"] : undefined);

/** Read again when an update writes them. */
let empty = emptyResponses();

/** The text of a complete response from its fields that differ from the empty response, or from all its fields. */
function completed(text: string): string {
  const fields = JSON.parse(text) as Json;
  const base = empty.get(typeOf(fields)) ?? {};
  return hasAll(base, fields) ? compact(text) : JSON.stringify(merge(base, fields));
}

const hasAll = (base: Json, fields: Json): boolean =>
  Object.entries(base).every(([name, value]) => {
    const field = fields[name];
    return name in fields && (!isObject(value) || !isObject(field) || hasAll(value, field));
  });

const merge = (base: Json, fields: Json): Json => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const former = base[name];
      return [name, isObject(former) && isObject(value) ? merge(former, value) : value];
    }),
  ),
});

/** The fields of a response that differ from the empty response; the id, the type and the title are always among them. */
const different = (page: Json, base: Json, kept = ["id", "title", "type"]): Json =>
  Object.fromEntries(
    Object.entries(page).flatMap(([name, value]): [string, unknown][] => {
      const former = base[name];
      const isSame = JSON.stringify(value) === JSON.stringify(former) && !kept.includes(name);
      if (name !== "meta" && isSame) return [];
      return [[name, isObject(value) && isObject(former) ? different(value, former, ["type"]) : value]];
    }),
  );

export interface Placed {
  file: string;
  line: number;
  column: number;
  code: string;
  severity: string;
}

/** The result of building a case. */
export interface Outcome {
  findings: Placed[];
  published: boolean;
  /** The published files that the case is about, by path. Pages have no white space between their tokens. */
  files: Map<string, string>;
}

export const caseNames = (): string[] =>
  readdirSync(CASES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    // The case that the others depend on is first, so that an update begins with it.
    .sort((a, b) => Number(b === EMPTY) - Number(a === EMPTY) || (a < b ? -1 : 1));

/** The expected result of a case. */
export function stated(folder: string): Outcome {
  const file = join(folder, "findings.json");
  const findings = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Placed[]) : [];
  const expected = join(folder, "expected");
  const files = filesBelow(expected).map((path) => {
    const text = readFileSync(join(expected, path), "utf8");
    return [path, isPage(path) ? completed(text) : text] as const;
  });
  return { findings, published: !findings.some(isError), files: new Map(files) };
}

/** The result of building a copy of a case. */
export async function built(folder: string, options: BuildOptions): Promise<Outcome> {
  const { findings, published } = await build(options);
  const expected = join(folder, "expected");
  const others = new Set(filesBelow(expected).filter((path) => !isPage(path)));
  // Pages and named files; if the build has errors, every published file, because there must be none.
  const isMeant = (path: string): boolean =>
    published === undefined || others.has(path) || (existsSync(expected) && isPage(path));
  const files = filesBelow(options.out)
    .filter(isMeant)
    .map((path) => [path, readFileSync(join(options.out, path), "utf8")] as const);
  return {
    findings: placed(options.content, findings),
    published: published !== undefined,
    files: new Map(files),
  };
}

/** The instant at which cases are built. */
const AT = instantAt(Date.UTC(2026, 10, 1, 12));

/** Copies a case to a folder for the build. */
export function prepare(folder: string, work: string): BuildOptions {
  cpSync(folder, work, { recursive: true, verbatimSymlinks: true });
  padFiles(work);
  const [content, out, cache] = [join(work, "content"), join(work, "public"), join(work, "cache")];
  const own = join(work, "_headers");
  return { content, out, cache, at: AT, ...(existsSync(own) ? { headersFile: own } : {}) };
}

function padFiles(folder: string): void {
  const file = join(folder, "pad.json");
  if (!existsSync(file)) return;
  const sizes = JSON.parse(readFileSync(file, "utf8")) as Record<
    string,
    number | [text: string, times: number]
  >;
  for (const [path, size] of Object.entries(sizes)) {
    const padded = join(folder, "content", path);
    // A file with a name that a checkout cannot have on every system is made here.
    mkdirSync(dirname(padded), { recursive: true });
    const bytes = existsSync(padded) ? readFileSync(padded) : Buffer.alloc(0);
    const more = typeof size === "number" ? " ".repeat(size - bytes.length) : size[0].repeat(size[1]);
    writeFileSync(padded, Buffer.concat([bytes, Buffer.from(more)]));
  }
}

export const placed = (content: string, findings: Finding[]): Placed[] =>
  findings.map((f) => ({
    file: relative(content, resolve(content, f.place.file)),
    line: f.place.line,
    column: f.place.column,
    code: f.code,
    severity: severityOf(f),
  }));

const isError = ({ severity }: Placed): boolean => severity === "error";
const isPage = (path: string): boolean => path.startsWith("api/v2/pages/") && path.endsWith("/index.json");

const lineOf = (finding: Placed): string =>
  `{ ${Object.entries(finding)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(", ")} }`;

/** A page laid out for reading: only its fields that differ from the empty response, if these determine its text. */
async function laidOut(text: string, isComplete: boolean): Promise<string> {
  const page = objectIn(text);
  const fields = page && JSON.stringify(different(page, empty.get(typeOf(page)) ?? {}));
  const chosen = isComplete || fields === undefined || completed(fields) !== text ? text : fields;
  return (await format("index.json", chosen, { printWidth: 110 })).code;
}

/** Writes the expectations of a case that differ from the build's result. */
export async function update(folder: string, { findings, files }: Outcome): Promise<void> {
  const former = stated(folder);
  const isEmpty = basename(folder) === EMPTY;
  const lines = findings.map(lineOf);
  if (lines.join("\n") !== former.findings.map(lineOf).join("\n"))
    put(join(folder, "findings.json"), lines.length > 0 ? `[\n  ${lines.join(",\n  ")}\n]\n` : undefined);
  for (const path of new Set([...former.files.keys(), ...files.keys()])) {
    const [file, text] = [join(folder, "expected", path), files.get(path)];
    const isStated = (): boolean => !isEmpty || compact(readFileSync(file, "utf8")) === text;
    if (text === former.files.get(path) && isStated()) continue;
    put(file, text && (isPage(path) ? await laidOut(text, isEmpty) : text));
  }
  if (isEmpty) empty = emptyResponses();
}

function put(file: string, text: string | undefined): void {
  mkdirSync(dirname(file), { recursive: true });
  if (text === undefined) rmSync(file);
  else writeFileSync(file, text);
}
