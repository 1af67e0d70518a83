import { isObject } from "../../source/json/object.ts";
import { pageTypeOf, plain } from "./plain.ts";
import { METHODS, type HeaderObject, type OpenApi, type Ref, type ResponseObject } from "./document.ts";
import type { JsonSchema } from "../../model/json-schema.ts";

export interface ContractChange {
  /** Whether it may break clients of the former contract: everything but an addition that they can ignore. */
  breaking: boolean;
  /** The subject: a field, a header, a method. */
  what: string;
  /** The predicate, to be read after the subject. */
  message: string;
  /** The page types or responses that have the difference. */
  of: string[];
}

interface ContractPart {
  what: string;
  /** The page type or the response that it belongs to. */
  of: string;
  /** Whether clients can ignore it if it is new, and the words for that. */
  added: readonly [isIgnored: boolean, message: string];
  /** The words for its removal, if the subject is a plural. */
  removed?: string;
  /** Everything that the contract says of it, by keyword. */
  facts: Record<string, unknown>;
  parts: Map<string, ContractPart>;
}

/** Changes that may break clients come first. The same change in several places is one change. */
export function compare(before: OpenApi, after: OpenApi): ContractChange[] {
  const changes = new Map<string, ContractChange>();
  compareParts(partsOf(plain(before)), partsOf(plain(after)), ({ what, of }, breaking, message) => {
    const key = JSON.stringify([breaking, what, message]);
    const known = changes.get(key);
    if (known === undefined) changes.set(key, { breaking, what, message, of: [of] });
    else if (!known.of.includes(of)) known.of.push(of);
  });
  const all = [...changes.values()];
  return [...all.filter(({ breaking }) => breaking), ...all.filter(({ breaking }) => !breaking)];
}

function compareParts(
  before: ReadonlyMap<string, ContractPart>,
  after: ReadonlyMap<string, ContractPart>,
  note: (part: ContractPart, breaking: boolean, message: string) => void,
): void {
  for (const [key, part] of before) if (!after.has(key)) note(part, true, part.removed ?? "was removed");
  for (const [key, part] of after) {
    const former = before.get(key);
    if (former === undefined) {
      note(part, !part.added[0], part.added[1]);
      continue;
    }
    const differences = [...new Set([...Object.keys(former.facts), ...Object.keys(part.facts)])].flatMap(
      (fact) => differenceOf(fact, former.facts[fact], part.facts[fact]),
    );
    if (differences.length > 0) note(part, true, `changed: ${differences.join("; ")}`);
    // The parts of a list that becomes an object are no changes of their own.
    if (shown(former.facts["type"]) === shown(part.facts["type"]))
      compareParts(former.parts, part.parts, note);
  }
}

function differenceOf(fact: string, before: unknown, after: unknown): string[] {
  const [was, is] = [before, after].map(shown);
  if (JSON.stringify(before, withoutTexts) === JSON.stringify(after, withoutTexts)) return [];
  if (was === undefined) return [`its ${fact} is now ${is}`];
  return [is === undefined ? `its ${fact} was ${was}` : `its ${fact} was ${was}, and is ${is}`];
}

/** Maximum length of a value in a message, in UTF-16 units. */
const MAX_SHOWN = 120;

function shown(value: unknown): string | undefined {
  const text = typeof value === "string" ? value : JSON.stringify(value, withoutTexts);
  return text !== undefined && text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

const withoutTexts = (key: string, value: unknown): unknown =>
  (key === "description" || key === "title") && typeof value === "string" ? undefined : value;

const IGNORED = [true, "is new"] as const;

function partsOf(contract: OpenApi): Map<string, ContractPart> {
  const parts = new Map<string, ContractPart>();
  for (const [name, schema] of Object.entries(contract.components.schemas)) {
    const of = pageTypeOf(schema) ?? name;
    const added = [false, "are new: a client may not know this type"] as const;
    parts.set(`schema ${of}`, {
      ...schemaPart(schema, of),
      what: "pages of the type",
      added,
      removed: "were removed",
    });
  }
  for (const [path, item] of Object.entries(contract.paths)) {
    const inside = new Map<string, ContractPart>();
    parts.set(`path ${path}`, { what: "the path", of: path, added: IGNORED, facts: {}, parts: inside });
    for (const { name, in: position, required, schema } of item.parameters) {
      const added = [!required, `is new${required ? " and required" : ""}`] as const;
      const part = { ...schemaPart(schema, path), what: `the parameter “${name}”`, added };
      inside.set(`${position} ${name}`, { ...part, facts: { ...part.facts, required } });
    }
    for (const method of METHODS) {
      const name = method.toUpperCase();
      const responses = new Map<string, ContractPart>();
      for (const [status, response] of Object.entries(item[method]?.responses ?? {}))
        responses.set(status, responsePart(contract, response, `${name} ${status}`));
      if (item[method] !== undefined)
        inside.set(name, {
          what: `the method ${name}`,
          of: path,
          added: IGNORED,
          facts: {},
          parts: responses,
        });
    }
  }
  return parts;
}

function responsePart({ components }: OpenApi, named: ResponseObject | Ref, of: string): ContractPart {
  const parts = new Map<string, ContractPart>();
  const { headers = {}, content = {} } = "$ref" in named ? (components.responses[last(named)] ?? {}) : named;
  for (const [header, value] of Object.entries(headers)) {
    const name = header.toLowerCase();
    const described: Partial<HeaderObject> =
      "$ref" in value ? (components.headers[last(value)] ?? {}) : value;
    const part = { ...schemaPart(described.schema ?? {}, of), what: `the header ${name}` };
    parts.set(`header ${name}`, { ...part, facts: { ...part.facts, required: described.required } });
  }
  for (const [type, { schema }] of Object.entries(content)) {
    const added = [false, `may now have the type ${type}`] as const;
    parts.set(`body ${type}`, { ...schemaPart(schema, of), what: `the body of type ${type}`, added });
  }
  const added = [false, "is new: a client may not know this status"] as const;
  return { what: "the response", of, added, facts: {}, parts };
}

const last = ({ $ref }: Ref): string => $ref.slice($ref.lastIndexOf("/") + 1);

/** Keywords that refuse no value, or that `schemaPart` turns into parts. */
const NO_FACTS = new Set([
  "$comment",
  "$id",
  "$schema",
  "default",
  "description",
  "examples",
  "title",
  "prefixItems",
  "properties",
  "required",
]);

function schemaPart(schema: JsonSchema, of: string, path = ""): ContractPart {
  const parts = new Map<string, ContractPart>();
  const { properties = {}, required = [], items, prefixItems = [] } = schema;
  for (const [name, value] of Object.entries(properties)) {
    const part = schemaPart(value === true ? {} : value, of, path === "" ? name : `${path}.${name}`);
    const presence = required.includes(name) ? "always" : "optional";
    parts.set(name, { ...part, facts: { presence, ...part.facts } });
  }
  if (isObject(items)) parts.set("[]", schemaPart(items, of, `${path}[]`));
  const blocks = blocksOf(schema);
  for (const [type, block] of blocks) {
    const part = schemaPart(block, of, `${path.replace(/\[\]$/, "")}[${type}]`);
    const added = [false, "is new: a client may not know it"] as const;
    parts.set(`block ${type}`, { ...part, what: `the block ${part.what}`, added });
  }
  for (const [i, item] of prefixItems.entries()) parts.set(`[${i}]`, schemaPart(item, of, `${path}[${i}]`));
  const facts = Object.fromEntries(
    Object.entries(schema)
      .filter(
        ([keyword, value]) =>
          !NO_FACTS.has(keyword) &&
          !(keyword === "items" && isObject(value)) &&
          !(keyword === "anyOf" && blocks.size > 0),
      )
      .map(([keyword, value]) => [keyword, inOrder(value)]),
  );
  return { what: path === "" ? "the body" : `“${path}”`, of, added: IGNORED, facts, parts };
}

/** The alternatives of a schema by their constant `type`; none if one has no such constant. */
export function blocksOf({ anyOf = [] }: JsonSchema): Map<string, JsonSchema> {
  const types = anyOf.map(({ properties }) => {
    const type = properties?.["type"];
    return typeof type === "object" && typeof type.const === "string" ? type.const : undefined;
  });
  return new Map(
    types.includes(undefined) ? [] : anyOf.map((schema, i): [string, JsonSchema] => [types[i] ?? "", schema]),
  );
}

/** The order of values (`enum`, `type`) is no fact. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => !isObject(one)) ? value.map(String).sort() : value;
