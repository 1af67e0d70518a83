import { join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { schemaReference } from "../contract/location.ts";
import { SourceReader } from "../sources/read.ts";
import { findSources } from "../sources/find.ts";
import { namedSources, replaceFile } from "./files.ts";
import { fixBytes } from "./fixes.ts";
import { readHistory } from "./history.ts";
import { filesById, freeId } from "./ids.ts";
import type { Fix } from "./repair.ts";
import { SITE } from "../page/files.ts";

export interface FixOptions {
  content: string;
  /** Files, folders or patterns; all sources where there are none. */
  names: readonly string[];
  /** Lays out the files as the project's sources are. */
  format: boolean;
  /** Gives files that are named a free id, where another page has theirs, or a retired one had it. */
  ids?: boolean;
  /** Only says what it would do. */
  dryRun: boolean;
}

export interface FixedFile {
  /** Relative to the content folder. */
  file: string;
  fixes: Fix[];
  /** It was no JSON, so that a check of it as it was says nothing else. */
  wasBroken: boolean;
}

/** Mends sources one by one, and gives for each what was done to it. */
export function* fix({ content, names, format, ids, dryRun }: FixOptions): Generator<FixedFile> {
  if (ids === true && names.length === 0)
    throw new Failure(
      "--ids: name the copies that are to have ids of their own (npm run fix -- --ids FILE).",
    );
  const reader = new SourceReader();
  const named = namedSources(content, names);
  const idFor = ids === true ? newIds(content, named) : undefined;
  for (const file of named) {
    const path = join(resolve(content), file);
    const read = reader.readBytes(path, file).bytes;
    if (read === undefined) continue;
    const bytes = Buffer.from(read);
    const isSite = file === SITE;
    const fixed = fixBytes(file, bytes, {
      reference: schemaReference(path, file),
      isSite,
      format,
      ...(idFor === undefined ? {} : { idFor: (id) => idFor(file, id) }),
    });
    const fixes = fixed?.fixes ?? [];
    if (fixed !== undefined && fixes.length > 0 && !dryRun) {
      // Somebody may be writing in it at this moment.
      if (reader.readBytes(path, file).bytes?.equals(bytes) !== true)
        throw new Failure(`${file} changed while it was being fixed; run the command again.`);
      replaceFile(path, fixed.text);
    }
    yield { file, fixes, wasBroken: fixed?.wasBroken ?? false };
  }
}

/** Of those that are named, the copies: where all that have an id are named, the first keeps it. */
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
