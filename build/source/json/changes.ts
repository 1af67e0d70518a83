import { endOfText } from "./locate.ts";
import { type JsonObject, isObject } from "./object.ts";

/** A changed field of a response. A new field has no `old`, a removed field no `new`. */
export interface FieldChange {
  /** Such as `subjects[3].name`. */
  field: string;
  old?: unknown;
  new?: unknown;
}

/** The differences between two JSON values, field by field, in the order of the newer value. */
export function fieldChanges(before: unknown, after: unknown, field = ""): FieldChange[] {
  if (isObject(before) && isObject(after)) return changesOfObjects(before, after, field);
  if (Array.isArray(before) && Array.isArray(after)) return changesOfLists(before, after, field);
  return same(before, after) ? [] : [{ field, old: before, new: after }];
}

/**
 * The differences between two objects, as `fieldChanges` lists them, from their JSON without spaces, with a character for
 * each byte. Members with the same text, which are most, are not parsed.
 */
export function jsonChanges(before: string, after: string): FieldChange[] {
  if (before === after) return [];
  const [old, now]: [string[], string[]] = [[], []];
  let [i, k] = [1, 1];
  while (i < before.length && k < after.length) {
    const member = before.slice(i, endOfMember(before, i));
    const next = k + member.length;
    if (after.startsWith(member, k) && (after[next] === "," || after[next] === "}")) k = next + 1;
    else {
      const other = after.slice(k, endOfMember(after, k));
      // From here on, the two may have other members.
      if (!other.startsWith(member.slice(0, endOfText(member, 1) + 1))) break;
      old.push(member);
      now.push(other);
      k += other.length + 1;
      const rest = before.slice(i + member.length + 1);
      if (after.length - k === rest.length && after.endsWith(rest))
        return fieldChanges(objectOf(old), objectOf(now));
    }
    i += member.length + 1;
  }
  return fieldChanges(objectOf([...old, before.slice(i, -1)]), objectOf([...now, after.slice(k, -1)]));
}

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

/** The offset of the comma or bracket behind a member. */
function endOfMember(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const sign = json.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(json, at + 1);
    else if (sign === OPEN_OBJECT || sign === OPEN_LIST) depth++;
    else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) {
      if (depth === 0) return at;
      depth--;
    } else if (sign === COMMA && depth === 0) return at;
  }
  return json.length;
}

const objectOf = (members: readonly string[]): unknown =>
  JSON.parse(Buffer.from(`{${members.filter((text) => text !== "").join()}}`, "latin1").toString());

/** Compares the texts of two values, which are plain JSON because both come from a parser. */
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

/** Pairs elements between common beginning and end: by id if all have distinct ids, otherwise by position. */
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
      for (const change of fieldChanges(old[k], element, name)) changes.push(change);
    }
  }
  for (const [k, element] of old.entries())
    if (!paired.has(k)) changes.push({ field: `${field}[${start + k}]`, old: element });
  // The same elements in another order: report the whole list.
  return changes.length === 0 && !same(before, after) ? [{ field, old: before, new: after }] : changes;
}

/** Gives the index of the old element that a new element is paired with; -1 if it has none. */
function partners(old: unknown[], now: unknown[]): (i: number) => number {
  const oldIds = idsOf(old);
  const newIds = idsOf(now);
  if (oldIds === undefined || newIds === undefined) return (i) => (i < old.length ? i : -1);
  const places = new Map(oldIds.map((id, k) => [id, k]));
  return (i) => places.get(newIds[i]) ?? -1;
}

/** The ids of the elements; undefined if not every element has an id of its own. */
function idsOf(elements: unknown[]): unknown[] | undefined {
  const ids = elements.map((element) => (isObject(element) ? element["id"] : undefined));
  return ids.includes(undefined) || new Set(ids).size < ids.length ? undefined : ids;
}

/** The names of the common fields of objects that have them in different orders. */
export function* orderChanges(before: unknown, after: unknown): Generator<{ old: string; new: string }> {
  if (Array.isArray(before) && Array.isArray(after))
    for (const [i, item] of before.entries()) yield* orderChanges(item, after[i]);
  if (!isObject(before) || !isObject(after)) return;
  const names = Object.keys(before).filter((key) => Object.hasOwn(after, key));
  const [old, now] = [names, Object.keys(after).filter((key) => Object.hasOwn(before, key))].map((keys) =>
    keys.join(", "),
  );
  if (old !== now) yield { old: old ?? "", new: now ?? "" };
  for (const key of names) yield* orderChanges(before[key], after[key]);
}
