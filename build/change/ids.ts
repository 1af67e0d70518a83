import { readSources } from "../source/read.ts";
import { type SourceIndex } from "../source/source-index.ts";
import { drawnId, idsIn } from "../source/ids.ts";

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

export function freeId(taken: Pick<ReadonlyMap<number, unknown>, "has">, random?: () => number): number {
  for (;;) {
    const id = drawnId(random);
    if (!taken.has(id)) return id;
  }
}
