import { fieldName, printNode, type Node, type Path } from "../../source/json/node.ts";
import { shown } from "./values.ts";

/** The differences between a live response and the response that the build will make from its source. */
export function compareResponses(live: Node, built: Node) {
  const found = {
    /** The first value that differs, as a sentence. */
    different: undefined as string | undefined,
    /** The names of fields that only the live response has, such as `meta.locale` and `subjects[].slug`. */
    unknown: new Set<string>(),
    added: new Set<string>(),
    isReordered: false,
  };

  function compare(one: Node, other: Node, path: Path): void {
    if (found.different !== undefined) return;
    if (one.type === "object" && other.type === "object") {
      const places = new Map(one.members.map(({ key }, i) => [key, i]));
      const own = new Set(other.members.map(({ key }) => key));
      for (const { key } of one.members) if (!own.has(key)) found.unknown.add(nameOf([...path, key]));
      let last = -1;
      for (const { key, value } of other.members) {
        const at = places.get(key);
        const below = [...path, key];
        if (at === undefined) {
          found.added.add(nameOf(below));
          continue;
        }
        if (at < last) found.isReordered = true;
        last = at;
        compare(one.members[at]?.value as Node, value, below);
      }
    } else if (one.type === "array" && other.type === "array" && one.items.length === other.items.length)
      for (const [i, item] of other.items.entries()) compare(one.items[i] as Node, item, [...path, i]);
    else if (!isSameScalar(one, other)) {
      found.different = `“${fieldName(path)}” is ${printed(one)}, but the build derives ${printed(other)}`;
    }
  }

  compare(live, built, []);
  return found;
}

/** The name of a field, the same for all elements of a list. */
const nameOf = (path: Path): string =>
  fieldName(path.map((step) => (typeof step === "number" ? "[]" : step))).replaceAll(".[]", "[]");

const isSameScalar = (a: Node, b: Node): boolean =>
  "value" in a && "value" in b && a.type === b.type && Object.is(a.value, b.value);

const printed = (node: Node): string => shown(printNode(node), 200);
