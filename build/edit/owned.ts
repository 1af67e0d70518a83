import type { Site } from "../page/site.ts";
import { nodeAt } from "../json/node.ts";
import { SITE } from "../page/files.ts";
import { SourceReader } from "../sources/read.ts";
import { isPathBelow, sitePath } from "../sources/tree.ts";
import { applyEdits, type Edit } from "./text.ts";

/** The changes of `owned_paths` if a section moves from one path to another; the layout of `_site.json` stays. */
export function ownedPathEdits(
  content: string,
  site: Site,
  { before, after }: { before: string; after: string },
): { owned: { before: string; after: string }[]; text?: string } {
  const { source, root } = new SourceReader().read(content, SITE).parsed;
  const owned: { before: string; after: string }[] = [];
  const edits: Edit[] = [];
  for (const [k, written] of site.owned_paths.entries()) {
    const path = sitePath(written, site);
    if (path === undefined || root === undefined || !isPathBelow(path, before)) continue;
    const fresh = after + path.slice(before.length) + (written.endsWith("/") ? "/" : "");
    const { node } = nodeAt(root, ["owned_paths", k]);
    edits.push({ start: node.start, end: node.end, text: JSON.stringify(fresh) });
    owned.push({ before: written, after: fresh });
  }
  return edits.length === 0 ? { owned } : { owned, text: applyEdits(source.text, edits) };
}
