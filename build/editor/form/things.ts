import type { Identity } from "../../page/field.ts";
import { isPageType } from "../../page/types.ts";
import { fieldsOf, pageIdentity, type Field } from "./fields.ts";
import { shownText, valueAt } from "./values.ts";

/** A thing that pages of the site describe, such as a subject. */
export interface Thing {
  /** The members of the object in a source. */
  written: Readonly<Record<string, unknown>>;
  /** Number of pages that describe it, if known. */
  pages?: number;
  /** For a thing without a name: the format or medium of a page that describes it. */
  note?: string;
}

interface Mention {
  identity: Identity;
  key: unknown;
  written: Readonly<Record<string, unknown>>;
}

/** The things that a page describes. */
export function* thingsIn(page: unknown): Generator<Mention> {
  const type = valueAt(page, ["meta", "type"]);
  if (!isPageType(type)) return;
  const own = pageIdentity(type);
  if (own !== undefined) yield* mention(own, page);
  for (const { path, field } of fieldsOf(type)) yield* thingsAt(field, valueAt(page, path));
}

function* thingsAt(field: Field, value: unknown): Generator<Mention> {
  if (value === undefined) return;
  if (field.identity !== undefined) yield* mention(field.identity, value);
  for (const member of field.fields) yield* thingsAt(member, valueAt(value, [member.name]));
  if (field.element !== undefined && Array.isArray(value))
    for (const element of value) yield* thingsAt(field.element, element);
}

function* mention(identity: Identity, value: unknown): Generator<Mention> {
  const key = valueAt(value, [identity.key]);
  if (key === undefined || key === "" || key === null) return;
  const names = [identity.key, ...identity.values];
  const members = names.map((name) => [name, valueAt(value, [name])] as const);
  yield {
    identity,
    key,
    written: Object.fromEntries(members.filter(([, member]) => member !== undefined)),
  };
}

/** The format or medium of a page, which a thing without a name is shown with. */
export const noteOf = (page: unknown): string =>
  ["format", "medium"].map((name) => shownText(valueAt(page, [name]))).find((text) => text !== "") ?? "";

/** The text of a thing that searches match. */
export const textOfThing = ({ written, note = "" }: Thing): string =>
  [...Object.values(written).map(shownText), note].join(" ");
