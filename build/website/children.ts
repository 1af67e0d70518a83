import { childrenPath } from "../base/website.ts";
import { byPosition, type Positioned } from "../page/position.ts";
import type { ChangedFiles } from "./addresses.ts";

/** The files of the pages below a page. Each page is on a line of its own, so that a change needs no parsing. */

export interface Subpage extends Positioned {
  /** The page as JSON; undefined if it is in the published file. */
  item: string | undefined;
}

/** @param families the pages below each parent, by the parent's id. */
export const childrenFiles = (
  families: ReadonlyMap<number, Subpage[]>,
  read: (path: string) => string,
): ChangedFiles =>
  new Map(
    [...families].map(([parent, children]) => {
      const path = childrenPath(parent);
      if (children.length === 0) return [path, undefined];
      const isFresh = children.every(({ item }) => item !== undefined);
      const lines = isFresh ? undefined : linesIn(read(path));
      const items = children.sort(byPosition).map(({ id, item }) => item ?? lines?.get(id));
      return [path, `{"id":${parent},"children":[\n${items.join(",\n")}\n]}\n`];
    }),
  );

/** By id: the page as JSON. */
function linesIn(text: string): Map<number, string> {
  const lines = text.split("\n").slice(1, -2);
  return new Map(lines.map((line) => [Number(/\d+/.exec(line)?.[0]), line.replace(/,$/, "")]));
}
