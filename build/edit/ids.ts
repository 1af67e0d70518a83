import { randomInt } from "node:crypto";
import type { SourceIndex } from "../sources/source-index.ts";
import { readSources } from "../sources/read.ts";

/** The ids of all sources, including drafts, each with one file that has it. */
export const takenIds = (content: string, listing: SourceIndex): Map<number, string> =>
  new Map([...filesById(content, listing)].map(([id, files]) => [id, files.at(-1) ?? ""]));

/** The ids of all sources, including drafts, each with all files that have it. */
export function filesById(content: string, listing: SourceIndex): Map<number, string[]> {
  const taken = new Map<number, string[]>();
  for (const { file, bytes } of readSources(content, listing))
    for (const id of idsIn(bytes?.toString("utf8") ?? "")) {
      const files = taken.get(id);
      if (files === undefined) taken.set(id, [file]);
      else files.push(file);
    }
  return taken;
}

/** The id in a source; undefined if it has none. */
export const idIn = (text: string): number | undefined => idsIn(text)[0];

/** Uses the fast parser, because errors in other fields do not matter here. */
function idsIn(text: string): number[] {
  try {
    const page = JSON.parse(text) as { id?: unknown } | null;
    return typeof page?.id === "number" ? [page.id] : [];
  } catch {
    // A broken file keeps its ids: it is a page again once it is fixed.
    return [...text.matchAll(/"id"\s*:\s*(\d+)/g)].map(([, digits]) => Number(digits));
  }
}

/**
 * An id that no source has. It is one of ninety million, so that another branch is unlikely to choose it too, but has
 * only eight digits, so that it can be read aloud.
 */
export function freeId(taken: Pick<ReadonlyMap<number, unknown>, "has">, random = randomInt): number {
  for (;;) {
    const id = random(10_000_000, 100_000_000);
    if (!taken.has(id)) return id;
  }
}
