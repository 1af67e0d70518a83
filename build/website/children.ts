import { childrenPath } from "../base/website.ts";
import { byPosition, type Positioned } from "../page/position.ts";
import type { ChangedFiles } from "./addresses.ts";

/** The files of the pages below a page. Each page is on a line of its own, so that a change needs no parsing. */

export interface Subpage extends Positioned {
  /** The page as JSON; undefined if it is in the published file. */
  item: Uint8Array | undefined;
}

const [COMMA, LINE_BREAK] = [",".charCodeAt(0), "\n".charCodeAt(0)];

/** Returns the published item of a page below a parent. */
export type PublishedItems = (parent: number, id: number) => Uint8Array | undefined;

export function publishedItems(read: (path: string) => Buffer): PublishedItems {
  const known = new Map<number, Map<number, Uint8Array>>();
  return (parent, id) => {
    let lines = known.get(parent);
    if (lines === undefined) known.set(parent, (lines = linesIn(read(childrenPath(parent)))));
    return lines.get(id);
  };
}

/** @param families the pages below each parent, by the parent's id. */
export function childrenFiles(
  families: ReadonlyMap<number, Subpage[]>,
  published: PublishedItems,
): ChangedFiles {
  const files: ChangedFiles = new Map();
  for (const [parent, children] of families) {
    const items: Uint8Array[] = [];
    for (const { id, item } of children.sort(byPosition)) {
      const found = item ?? published(parent, id);
      if (found !== undefined) items.push(found);
    }
    files.set(childrenPath(parent), items.length === 0 ? undefined : print(parent, items));
  }
  return files;
}

function print(parent: number, items: readonly Uint8Array[]): Buffer {
  const [head, end] = [`{"id":${parent},"children":[\n`, "]}\n"];
  const bytes = items.reduce((sum, item) => sum + item.length + 2, head.length + end.length);
  const file = Buffer.allocUnsafe(bytes - 1);
  let at = file.write(head, "latin1");
  for (const item of items) {
    file.set(item, at);
    at += item.length;
    file[at++] = COMMA;
    file[at++] = LINE_BREAK;
  }
  // The last page has no comma.
  file.write(`\n${end}`, at - 2, "latin1");
  return file;
}

/** By id: the page as JSON. */
function linesIn(file: Buffer): Map<number, Uint8Array> {
  const lines = new Map<number, Uint8Array>();
  let from = file.indexOf(LINE_BREAK) + 1;
  for (let to = file.indexOf(LINE_BREAK, from); to !== -1; to = file.indexOf(LINE_BREAK, from)) {
    const id = Number(/^\{"id":(\d+)/.exec(file.toString("latin1", from, from + 24))?.[1]);
    if (!Number.isNaN(id)) lines.set(id, file.subarray(from, file[to - 1] === COMMA ? to - 1 : to));
    from = to + 1;
  }
  return lines;
}
