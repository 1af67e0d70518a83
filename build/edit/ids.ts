import { randomInt } from "node:crypto";
import { nodeAt } from "../json/parse.ts";
import type { Listing } from "../source/listing.ts";
import { Reader } from "../source/read.ts";

/** The ids of all sources, drafts too, with a file that has them. */
export function takenIds(content: string, listing: Listing): Map<number, string> {
  const taken = new Map<number, string>();
  const reader = new Reader();
  for (let i = 0; i < listing.count; i++) {
    const file = listing.path(i);
    const { source, root } = reader.read(content, file).parsed;
    const id = root && nodeAt(root, ["id"]);
    if (id?.found === true && id.node.type === "number") taken.set(id.node.value, file);
    // A file that is broken today is a page with its id tomorrow.
    if (root === undefined)
      for (const [, digits] of source.text.matchAll(/"id"\s*:\s*(\d+)/g)) taken.set(Number(digits), file);
  }
  return taken;
}

/**
 * An id that no source has, and that another branch is unlikely to choose too: one of ninety million, with eight
 * digits, so that it can still be read aloud.
 */
export function freeId(taken: ReadonlyMap<number, unknown>, random = randomInt): number {
  for (;;) {
    const id = random(10_000_000, 100_000_000);
    if (!taken.has(id)) return id;
  }
}
