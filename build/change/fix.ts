import { join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { schemaReference } from "../outputs/contract/location.ts";
import { SourceReader } from "../source/read.ts";
import { findSources } from "../source/find.ts";
import { namedSources, writeSource } from "./files.ts";
import { fixBytes } from "./fixes.ts";
import { readHistory } from "./pages.ts";
import { filesById, freeId } from "./ids.ts";
import type { Fix } from "./repair.ts";
import { writeSiteSchema } from "./schema.ts";
import { SITE } from "../source/site-files.ts";
import type { PageModel } from "../model/page.ts";
import { modelOf } from "../model/types.ts";

export interface FixOptions {
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

export function* fix({
  content,
  model: program,
  names,
  layout,
  ids,
  dryRun,
}: FixOptions): Generator<FixedFile> {
  const model = modelOf(content, program);
  if (ids === true && names.length === 0)
    throw new Failure("--ids: name the copies that need new ids (npx page-api fix --ids FILE).");
  if (!dryRun) writeSiteSchema(content, model);
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
      model,
      reference: schemaReference(content, file),
      isSite,
      layout,
      ...(idFor === undefined ? {} : { idFor: (id) => idFor(file, id) }),
    });
    const fixes = fixed?.fixes ?? [];
    if (fixed !== undefined && fixes.length > 0 && !dryRun) {
      // An editor may have saved the file in the meantime.
      if (reader.readBytes(path, file).bytes?.equals(bytes) !== true)
        throw new Failure(`${file} changed while it was being fixed; run the command again.`);
      writeSource(path, fixed.text);
    }
    yield { file, fixes, wasBroken: fixed?.wasBroken ?? false };
  }
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
