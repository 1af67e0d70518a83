import { valueOf, type Node } from "../json/node.ts";
import { isObject, type JsonValue } from "../json/object.ts";

/** Whether a node of the source has a value; the order of members does not matter. */
export function sameAs(node: Node, value: JsonValue): boolean {
  if (node.type === "array")
    return (
      Array.isArray(value) &&
      value.length === node.items.length &&
      node.items.every((item, i) => sameAs(item, value[i] as JsonValue))
    );
  if (node.type !== "object") return node.value === value;
  if (!isObject(value)) return false;
  const last = new Map(node.members.map((member) => [member.key, member.value]));
  return (
    Object.keys(value).length === last.size &&
    [...last].every(([key, of]) => Object.hasOwn(value, key) && sameAs(of, value[key] as JsonValue))
  );
}

/** Maximum number of pairs of changed elements to compare; above it, comparing takes too long, and order decides. */
const MAX_COMPARED = 10_000;

/**
 * For each element of a new list, the index of its old element; undefined for a new element. The old element is, in
 * this order of preference: the one that was edited, an equal one, the one with the same id, or the most similar one.
 * If as many new elements are left as old ones, the next old one takes the place of the most similar one.
 *
 * @param nodes the old nodes of elements that were edited one by one.
 */
export function pairsOf(
  old: readonly Node[],
  now: readonly JsonValue[],
  nodes: WeakMap<object, Node>,
): (number | undefined)[] {
  const pairs: (number | undefined)[] = now.map(() => undefined);
  const rest = new Set(old.keys());
  const pair = (i: number, k: number): void => {
    pairs[i] = k;
    rest.delete(k);
  };
  const places = new Map(old.map((node, k) => [node, k]));
  for (const [i, value] of now.entries()) {
    const node = typeof value === "object" && value !== null ? nodes.get(value) : undefined;
    const k = node && places.get(node);
    if (k !== undefined && rest.has(k)) pair(i, k);
  }
  // Equal elements at both ends first, so that elements that did not move keep their bytes.
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  const isSame = (i: number, k: number): boolean =>
    pairs[i] === k || (pairs[i] === undefined && rest.has(k) && sameAs(old[k] as Node, now[i] as JsonValue));
  for (; start < shorter && isSame(start, start); start++) pair(start, start);
  for (let end = 1; end <= shorter - start && isSame(now.length - end, old.length - end); end++)
    pair(now.length - end, old.length - end);
  const left = (): number[] => [...pairs.keys()].filter((i) => pairs[i] === undefined);
  pairBy(
    left(),
    rest,
    pair,
    (i) => printed(now[i] as JsonValue),
    (k) => printed(valueOf(old[k] as Node) as JsonValue),
  );
  pairBy(
    left(),
    rest,
    pair,
    (i) => idOf(now[i]),
    (k) => idOf(valueOf(old[k] as Node)),
  );
  const changed = left();
  const isMany = changed.length * rest.size > MAX_COMPARED;
  for (const i of changed) {
    const candidates = isMany || changed.length === rest.size ? [...rest].slice(0, 1) : [...rest];
    const likes = candidates.map((k) => likeness(valueOf(old[k] as Node), now[i]));
    const best = likes.indexOf(Math.max(...likes));
    const k = candidates[best];
    if (k !== undefined && (likes[best] ?? 0) > 0) pair(i, k);
  }
  return pairs;
}

/** Pairs elements with the same key, in order. */
function pairBy(
  left: readonly number[],
  rest: ReadonlySet<number>,
  pair: (i: number, k: number) => void,
  keyOfNew: (i: number) => string | undefined,
  keyOfOld: (k: number) => string | undefined,
): void {
  if (left.length === 0 || rest.size === 0) return;
  const byKey = new Map<string, number[]>();
  for (const k of rest) {
    const key = keyOfOld(k);
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), k]);
  }
  for (const i of left) {
    const key = keyOfNew(i);
    const k = key === undefined ? undefined : byKey.get(key)?.shift();
    if (k !== undefined) pair(i, k);
  }
}

/** A value as a text that is the same for equal values. */
function printed(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value as Record<string, JsonValue>);
  return `{${members
    .map(([key, of]) => `${JSON.stringify(key)}:${printed(of)}`)
    .sort()
    .join(",")}}`;
}

const idOf = (value: unknown): string | undefined =>
  isObject(value) && value["id"] !== undefined ? JSON.stringify(value["id"]) : undefined;

/** One plus the number of members or elements that two values have in common; 0 if they are of different kinds. */
function likeness(old: unknown, now: unknown): number {
  if (Array.isArray(old) && Array.isArray(now)) return 1 + common(Object.keys(old), old, now);
  if (isObject(old) && isObject(now)) return 1 + common(Object.keys(old), old, now);
  return typeof old === "object" || typeof now === "object" ? 0 : 1;
}

const common = (keys: readonly string[], old: object, now: object): number =>
  keys.filter((key) => JSON.stringify(old[key as never]) === JSON.stringify(now[key as never])).length;
