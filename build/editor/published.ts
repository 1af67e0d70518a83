import { idFile } from "../browse/client/words.js";
import { dataPath, printDataFile, type DataFile } from "../browse/data-files.ts";
import { claimTexts, type Claims } from "../check/claims.ts";
import { definitionOf, schemaAt } from "../page/field.ts";
import { thingKinds, type ThingKind } from "../page/things.ts";

/*
 * The data files of the published editor: the source files of live pages, and the things that the pages describe.
 */

/** The live pages, by the index of their source file. */
export interface LivePages {
  count: number;
  /** 0 if the file has no live page. */
  id: (file: number) => number;
  path: (file: number) => string;
}

/** Maximum number of things in one data file, which contains the most frequent things of one kind. */
export const MAX_THINGS = 20_000;

/** @param wanted whether to make the data file with a number. */
export function* makeSourceFiles(
  pages: LivePages,
  files: number,
  wanted: (file: number) => boolean,
): Generator<DataFile> {
  const divided = Array.from({ length: files }, (): [id: number, path: string][] => []);
  for (let i = 0; i < pages.count; i++) {
    const id = pages.id(i);
    if (id === 0) continue;
    const file = idFile(id, files);
    if (wanted(file)) divided[file]?.push([id, pages.path(i)]);
  }
  for (const [file, members] of divided.entries()) {
    if (!wanted(file)) continue;
    members.sort(([a], [b]) => a - b);
    const printed = members.map(([id, path]) => `"${id}":${JSON.stringify(path)}`);
    yield [dataPath("sources", file), Buffer.from(printDataFile(files, printed))];
  }
}

/** The statistics of one claim. */
interface Counted {
  text: string;
  /** Number of live pages that state it. */
  pages: number;
  /** The smallest id among them. */
  example: number;
}

/**
 * The things of each kind, the most frequent first: `[pages, key, value, …]`, with the values in the order of the
 * kind's `Identity`, and null for an omitted value. A thing without values has the id of a page that describes it.
 */
export function* makeThingFiles(pages: LivePages, claims: Claims): Generator<DataFile> {
  const kinds = thingKinds();
  const byKind = new Map(kinds.map(({ identity }) => [identity.kind, [] as Counted[]]));
  for (const counted of countClaims(pages, claims)) {
    const end = counted.text.indexOf("\n");
    byKind.get(counted.text.slice(0, end))?.push({ ...counted, text: counted.text.slice(end + 1) });
  }
  for (const [number, kind] of kinds.entries()) {
    const things = byKind.get(kind.identity.kind) ?? [];
    things.sort((a, b) => b.pages - a.pages || (a.text < b.text ? -1 : 1));
    const members = things
      .slice(0, MAX_THINGS)
      .map((thing, k) => `"${k + 1}":${JSON.stringify(rowOf(kind, thing))}`);
    yield [dataPath("things", number), Buffer.from(printDataFile(kinds.length, members))];
  }
}

/** The claims that live pages state. */
function* countClaims(pages: LivePages, claims: Claims): Generator<Counted> {
  const { entries, starts, counts, keys } = claims;
  const stated = new Uint32Array(keys.length);
  const example = new Float64Array(keys.length);
  /** By claim: the last file that stated it, counted from 1. */
  const last = new Uint32Array(keys.length);
  for (let i = 0; i < pages.count; i++) {
    const id = pages.id(i);
    if (id === 0) continue;
    const start = starts[i] ?? 0;
    const end = start + (counts[i] ?? 0);
    for (let k = start; k < end; k++) {
      const claim = entries[k] as number;
      if (last[claim] === i + 1) continue;
      last[claim] = i + 1;
      stated[claim] = (stated[claim] as number) + 1;
      if (example[claim] === 0 || id < (example[claim] as number)) example[claim] = id;
    }
  }
  const texts = claimTexts(claims);
  for (const [claim, number] of stated.entries())
    if (number > 0) yield { text: texts[claim] ?? "", pages: number, example: example[claim] as number };
}

/** The text of a claim contains the printed values, then the key, one a line, without quotation marks. */
function rowOf({ identity, schema }: ThingKind, { text, pages, example }: Counted): unknown[] {
  const printed = text.split("\n");
  const key = printed.pop() ?? "";
  const valueOf = (field: string, written = ""): unknown => {
    if (written === "") return null;
    const of = schemaAt(schema, [field]);
    const isNumber = of !== undefined && definitionOf(of).type === "number";
    return isNumber ? Number(written) : JSON.parse(`"${written}"`);
  };
  const values = identity.values.map((field, k) => valueOf(field, printed[k]));
  return [pages, valueOf(identity.key, key), ...(values.length === 0 ? [example] : values)];
}
