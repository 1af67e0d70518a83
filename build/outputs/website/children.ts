import { childrenName, childrenPath, MAX_CHILDREN } from "../../base/website.ts";
import { byPosition, type Positioned } from "../../model/position.ts";
import type { ChangedFiles } from "./addresses.ts";

/** The files of the pages below a page. Each page is on a line of its own, so that a change needs no parsing. */

export interface Subpage extends Positioned {
  /** The page as JSON; undefined if it is in the published file. */
  item: Uint8Array | undefined;
}

const [COMMA, LINE_BREAK, ZERO] = [0x2c, 0x0a, 0x30];

/** An id in digits and a comma follow it. */
const ITEM_START = '{"id":';

/** @param families the pages below each parent, with its id. @param isPublished whether there is a file at a path */
export function childrenFiles(
  families: Iterable<[parent: number, children: Subpage[]]>,
  read: (path: string) => Buffer,
  isPublished: (path: string) => boolean,
): ChangedFiles {
  const files: ChangedFiles = new Map();
  for (const [parent, children] of families) {
    const published: string[] = [];
    while (isPublished(childrenPath(parent, published.length + 1)))
      published.push(childrenPath(parent, published.length + 1));
    let lines: Map<number, Uint8Array> | undefined;
    const items: Uint8Array[] = [];
    for (const { id, item } of children.sort(byPosition)) {
      const found = item ?? (lines ??= linesIn(published.map(read))).get(id);
      if (found !== undefined) items.push(found);
    }
    for (const path of published) files.set(path, undefined);
    const parts = Math.ceil(items.length / MAX_CHILDREN);
    for (let part = 1; part <= parts; part++) {
      const some = items.slice((part - 1) * MAX_CHILDREN, part * MAX_CHILDREN);
      const more = Array.from({ length: parts - 1 }, (_, k) => childrenName(parent, k + 2));
      const about = part > 1 || parts === 1 ? "" : `"total":${items.length},"more":${JSON.stringify(more)},`;
      files.set(childrenPath(parent, part), print(`{"id":${parent},${about}"children":[\n`, some));
    }
  }
  return files;
}

function print(head: string, items: Uint8Array[]): Buffer {
  const end = "]}\n";
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
function linesIn(files: readonly Buffer[]): Map<number, Uint8Array> {
  const lines = new Map<number, Uint8Array>();
  for (const file of files) {
    let from = file.indexOf(LINE_BREAK) + 1;
    for (let to = file.indexOf(LINE_BREAK, from); to !== -1; to = file.indexOf(LINE_BREAK, from)) {
      let id = 0;
      for (let at = from + ITEM_START.length; at < to && file[at] !== COMMA; at++)
        id = 10 * id + (file[at] as number) - ZERO;
      lines.set(id, file.subarray(from, file[to - 1] === COMMA ? to - 1 : to));
      from = to + 1;
    }
  }
  return lines;
}
