import { type JsonObject, isObject } from "./object.ts";

/** A field of a response that differs; `old` or `new` is absent where the field is not there. */
export interface FieldChange {
  /** `subjects[3].name` */
  field: string;
  old?: unknown;
  new?: unknown;
}

/** What differs between two JSON values, field by field, in the order of the newer one. */
export function fieldChanges(before: unknown, after: unknown, field = ""): FieldChange[] {
  if (isObject(before) && isObject(after)) return changesOfObjects(before, after, field);
  if (Array.isArray(before) && Array.isArray(after)) return changesOfLists(before, after, field);
  return same(before, after) ? [] : [{ field, old: before, new: after }];
}

/** Both come from a parser, so their text tells whether they are equal. */
const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function changesOfObjects(before: JsonObject, after: JsonObject, field: string): FieldChange[] {
  const changes: FieldChange[] = [];
  const prefix = field === "" ? "" : `${field}.`;
  for (const key of Object.keys(after)) {
    const [old, now] = [before[key], after[key]];
    if (!Object.hasOwn(before, key)) changes.push({ field: prefix + key, new: now });
    else if (old !== now) for (const change of fieldChanges(old, now, prefix + key)) changes.push(change);
  }
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key)) changes.push({ field: prefix + key, old: before[key] });
  return changes;
}

/**
 * Lists keep what they have in common at both ends. Between, elements are told apart by their ids where all have one,
 * else by their order.
 */
function changesOfLists(before: unknown[], after: unknown[], field: string): FieldChange[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && same(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && same(before.at(-1 - end), after.at(-1 - end))) end++;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const partner = partners(old, now);

  const changes: FieldChange[] = [];
  const paired = new Set<number>();
  for (const [i, element] of now.entries()) {
    const name = `${field}[${start + i}]`;
    const k = partner(i);
    if (k === -1) changes.push({ field: name, new: element });
    else {
      paired.add(k);
      changes.push(...fieldChanges(old[k], element, name));
    }
  }
  for (const [k, element] of old.entries())
    if (!paired.has(k)) changes.push({ field: `${field}[${start + k}]`, old: element });
  // The same elements in another order: that order is the change.
  return changes.length === 0 && !same(before, after) ? [{ field, old: before, new: after }] : changes;
}

/** For an element of the newer list the one of the older list that it was; -1 for one that is new. */
function partners(old: unknown[], now: unknown[]): (i: number) => number {
  const oldIds = idsOf(old);
  const newIds = idsOf(now);
  if (oldIds === undefined || newIds === undefined) return (i) => (i < old.length ? i : -1);
  const places = new Map(oldIds.map((id, k) => [id, k]));
  return (i) => places.get(newIds[i]) ?? -1;
}

/** The ids of objects; undefined where they do not tell all of them apart. */
function idsOf(elements: unknown[]): unknown[] | undefined {
  const ids = elements.map((element) => (isObject(element) ? element["id"] : undefined));
  return ids.includes(undefined) || new Set(ids).size < ids.length ? undefined : ids;
}
