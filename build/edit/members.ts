import type { Member, ObjectNode } from "../json/node.ts";
import type { Edit } from "./text.ts";

/** The edits that remove members and their commas from an object, and keep the layout of the others. */
export function removeMembers(owner: ObjectNode, removed: ReadonlySet<Member>): Edit[] {
  const { members } = owner;
  if (members.every((member) => removed.has(member)))
    return [{ start: owner.start + 1, end: owner.end - 1, text: "" }];
  const edits: Edit[] = [];
  for (let i = 0; i < members.length; i++) {
    const first = members[i];
    if (first === undefined || !removed.has(first)) continue;
    const before = members[i - 1];
    let last = first;
    for (let next = members[i + 1]; next !== undefined && removed.has(next); next = members[i + 1]) {
      last = next;
      i++;
    }
    const after = members[i + 1];
    // The next member moves to the position of the first removed one. At the end, the comma before is removed too.
    if (after !== undefined) edits.push({ start: first.keyStart, end: after.keyStart, text: "" });
    else if (before !== undefined) edits.push({ start: before.value.end, end: last.value.end, text: "" });
  }
  return edits;
}

/** The edit that inserts a member before all others, in the layout of the current first member. */
export function insertFirst(text: string, owner: ObjectNode, key: string, value: unknown): Edit {
  const at = owner.start + 1;
  const member = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
  const next = owner.members[0];
  if (next === undefined) return { start: at, end: at, text: member };
  const space = /(?:\r?\n)?[ \t]*$/.exec(text.slice(at, next.keyStart))?.[0] ?? "";
  return { start: at, end: at, text: `${space}${member},${space === "" ? " " : ""}` };
}
