import { fieldName, printNode, type Node, type ObjectNode, type Path } from "../../json/node.ts";
import { shown } from "./values.ts";

/** The differences between a live response and the response that the build will make from its source. */
export interface ResponseComparison {
  /** The first value that differs, as a sentence. */
  different: string | undefined;
  name: string | undefined;
  /** The names of fields that only the live response has, such as `meta.locale` and `subjects[].slug`. */
  unknown: Set<string>;
  added: Set<string>;
  isReordered: boolean;
}

export function compareResponses(live: Node, built: Node): ResponseComparison {
  const comparison: ResponseComparison = {
    different: undefined,
    name: undefined,
    unknown: new Set(),
    added: new Set(),
    isReordered: false,
  };
  compare(live, built, [], comparison);
  return comparison;
}

function compare(live: Node, built: Node, path: Path, comparison: ResponseComparison): void {
  if (comparison.different !== undefined) return;
  if (live.type === "object" && built.type === "object") compareObjects(live, built, path, comparison);
  else if (live.type === "array" && built.type === "array" && live.items.length === built.items.length)
    for (const [i, item] of built.items.entries())
      compare(live.items[i] as Node, item, [...path, i], comparison);
  else if (!isSameScalar(live, built)) {
    comparison.name = fieldName(path);
    comparison.different = `“${comparison.name}” is ${printed(live)}, but the build derives ${printed(built)}`;
  }
}

function compareObjects(
  live: ObjectNode,
  built: ObjectNode,
  path: Path,
  comparison: ResponseComparison,
): void {
  const places = new Map(live.members.map(({ key }, i) => [key, i]));
  const own = new Set(built.members.map(({ key }) => key));
  for (const { key } of live.members) if (!own.has(key)) comparison.unknown.add(nameOf([...path, key]));
  let last = -1;
  for (const { key, value } of built.members) {
    const at = places.get(key);
    const below = [...path, key];
    if (at === undefined) {
      comparison.added.add(nameOf(below));
      continue;
    }
    if (at < last) comparison.isReordered = true;
    last = at;
    compare(live.members[at]?.value as Node, value, below, comparison);
  }
}

/** The name of a field, the same for all elements of a list. */
const nameOf = (path: Path): string =>
  fieldName(path.map((step) => (typeof step === "number" ? "[]" : step))).replaceAll(".[]", "[]");

const isSameScalar = (a: Node, b: Node): boolean =>
  "value" in a && "value" in b && a.type === b.type && Object.is(a.value, b.value);

const printed = (node: Node): string => shown(printNode(node), 200);
