import { join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { schemaReference } from "../outputs/contract/location.ts";
import { utf8Text } from "../source/json/encoding.ts";
import { SourceReader } from "../source/read.ts";
import { findSources } from "../source/find.ts";
import { changeSources } from "./apply.ts";
import type { FileChange, SiteChange } from "./change.ts";
import { assertReadable, namedSources } from "./files.ts";
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
