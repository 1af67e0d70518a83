import { join } from "node:path";
import { expect } from "vitest";
import { isError, messageOf } from "../../../build/findings/finding.ts";
import { runImport, type ImportRunOptions } from "../../../build/exchange/api/import.ts";
import { build } from "../../../build/site/build.ts";
import { treeOf } from "../../files.ts";
import { workplace, write } from "../../site/site.ts";

export type Place = ReturnType<typeof place>;

/** `again`: the output of building the imported sources. */
export function place() {
  const { folder, content, remove } = workplace("import");
  return { folder, content, again: join(folder, "again"), remove };
}

/** Builds sources into a folder; findings fail the test. */
export async function built(at: Place, content: string, out: string): Promise<string> {
  const { findings } = await build({ content, out, cache: join(at.folder, "cache"), full: true });
  expect(findings.filter(isError).map((f) => `${f.place.file}: ${messageOf(f)}`)).toEqual([]);
  return out;
}

/** Imports without waiting, with its cache in the test's own folder. */
export const imported = (at: Place, source: URL | string, more: Partial<ImportRunOptions> = {}) =>
  runImport({
    source,
    content: at.content,
    concurrency: 4,
    cache: join(at.folder, "answers"),
    progress: () => () => undefined,
    wait: () => Promise.resolve(),
    ...more,
  });

/** Expects that the imported sources build to the files of the output from which they were imported. */
export async function expectWayBack(at: Place, out: string): Promise<void> {
  await built(at, at.content, at.again);
  const [before, after] = [treeOf(out), treeOf(at.again)];
  // Images that no page shows.
  for (const path of Object.keys(before)) if (path.startsWith("media/formats/")) delete before[path];
  expect(Object.keys(after)).toEqual(Object.keys(before));
  const changed = Object.keys(before).filter((path) => before[path] !== after[path]);
  expect(changed.map((path) => [path, before[path], after[path]])).toEqual([]);
}

/** Writes responses as files, each under its name. */
export function saved(at: Place, responses: Record<string, unknown>): string {
  const folder = join(at.folder, "saved");
  for (const [name, response] of Object.entries(responses))
    write(folder, name, typeof response === "string" ? response : JSON.stringify(response));
  return folder;
}
