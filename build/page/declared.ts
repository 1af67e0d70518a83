import { nearest } from "../findings/finding.ts";
import type { Path } from "../json/node.ts";
import { isObject, type JsonObject } from "../json/object.ts";
import { FieldReader } from "./declared-fields.ts";
import type { ReportMistake } from "./declared-kinds.ts";
import {
  asNoun,
  FLAG,
  NAMING,
  OBJECT,
  objectValue,
  TEXT,
  TEXTS,
  type DeclaredFields,
  type Keys,
} from "./declared-values.ts";
import { valueIn, type ObjectValue, type ValueModel } from "./model.ts";
import type { AddedFields, PageModel } from "./page.ts";
import { nameOf, PageTypes, type PageType, type PageTypeRow, type ShownFields } from "./page-types.ts";

/* The page types and fields that a site declares in `_types.json` (docs/types.md). */

/** Maximum bytes of `_types.json`. */
export const MAX_TYPES_BYTES = 256 * 1024;
/** Maximum number of types of a site, besides those of the program. */
export const MAX_TYPES = 100;
const MAX_FIELDS = 2000;
const MAX_DEPTH = 12;

const KEYS: Keys = {
  $schema: { is: () => true, expected: "a text" },
  types: OBJECT,
  shapes: OBJECT,
  every: OBJECT,
  uses: TEXTS,
};
const KEYS_OF_EVERY: Keys = { meta: OBJECT, fields: OBJECT };
const KEYS_OF_TYPE: Keys = {
  label: TEXT,
  parents: TEXTS,
  fields: OBJECT,
  meta: OBJECT,
  short: TEXT,
  folder: FLAG,
  shown: OBJECT,
};
const KEYS_OF_SHOWN: Keys = { line: TEXT, date: TEXT, image: TEXT };

const silent: ReportMistake = () => undefined;

const objectsIn = (value: unknown): [name: string, one: JsonObject][] =>
  isObject(value) ? Object.entries(value).flatMap(([name, one]) => (isObject(one) ? [[name, one]] : [])) : [];

/**
 * The page types of a site, without their fields: those of the program that it uses, then its own.
 *
 * @param declared the object in `_types.json`, without mistakes
 */
export const declaredTypes = (declared: JsonObject, program: PageTypes): PageTypes =>
  new PageTypes(rowsOf(declared, program));

function rowsOf(all: JsonObject, program: PageTypes): Map<PageType, PageTypeRow> {
  const { types, uses } = all;
  const declared = new Map(objectsIn(types));
  const used = Array.isArray(uses) ? program.names.filter((name) => uses.includes(name)) : program.names;
  const names = [...used, ...[...declared.keys()].filter((name) => !program.has(name))];
  return new Map(
    names.map((name): [PageType, PageTypeRow] => {
      const { label, parents, short, folder, shown } = declared.get(name) ?? {};
      const known = program.has(name) ? program.of(name) : undefined;
      const above = [...(known?.parents ?? []), ...(TEXTS.is(parents) ? (parents as PageType[]) : [])];
      return [
        name,
        {
          ...known,
          label: textIn(label) ?? known?.label ?? name,
          shortName: textIn(short) ?? known?.shortName ?? shortOf(name),
          parents: present(above, names),
          ...(folder === true ? { isFolder: true } : {}),
          ...(isObject(shown) ? { shown: { ...shown, labels: shownLabels(all, name, shown) } } : {}),
        },
      ];
    }),
  );
}

const memberOf = (from: unknown, key: string): unknown => (isObject(from) ? from[key] : undefined);

/** The labels of the choices of fields that lists show. Only the declarations are read: most builds need no model. */
function shownLabels(all: JsonObject, type: PageType, shown: JsonObject): NonNullable<ShownFields["labels"]> {
  const owners = [memberOf(all["types"], type), all["every"]];
  // A shape in itself is a mistake, which is reported.
  const resolved = (one: unknown, depth = 0): JsonObject => {
    if (Array.isArray(one)) return { list: one[0] };
    if (typeof one === "string" && depth < MAX_DEPTH)
      return resolved(memberOf(all["shapes"], one.replace(/[?!]$/, "")), depth + 1);
    return isObject(one) ? { ...resolved(one["kind"], depth + 1), ...one } : {};
  };
  const choicesAt = (path: unknown): unknown => {
    const steps = String(path).split(".");
    const key = steps[0] === "meta" ? "meta" : "fields";
    const [first = "", ...rest] = key === "meta" ? steps.slice(1) : steps;
    let field = resolved(owners.map((one) => memberOf(memberOf(one, key), first)).find(Boolean));
    for (const step of rest) field = resolved(field["list"] ?? memberOf(field["fields"], step));
    return field["choices"];
  };
  const labels = (["line", "date"] as const).flatMap((key) => {
    const choices = choicesAt(shown[key]);
    return isObject(choices) ? [[key, choices as Record<string, string>] as const] : [];
  });
  return Object.fromEntries(labels);
}

/** Undefined if the value has another form, which is reported. */
const textIn = (value: unknown): string | undefined => (TEXT.is(value) ? (value as string) : undefined);

/** The parents that the site has. A type that it cannot have anywhere is no type of the home page. */
function present(parents: readonly PageType[], names: readonly PageType[]): PageType[] {
  const found = parents.filter((type) => names.includes(type));
  return [...new Set(found.length === 0 ? parents : found)];
}

/** `events.EventIndexPage` in commands: `event-index`. */
export const shortOf = (type: PageType): string =>
  asNoun(nameOf(type).replace(/(.)Page$/, "$1"))
    .trim()
    .replaceAll(/[^a-z0-9]+/g, "-") || "page";

/** @param tell receives each mistake; @returns undefined if there is any */
export function declaredModel(
  declared: JsonObject,
  program: PageModel,
  tell: ReportMistake = silent,
): PageModel | undefined {
  let mistakes = 0;
  const report: ReportMistake = (...mistake) => {
    mistakes++;
    tell(...mistake);
  };
  const rows = rowsOf(declared, program);
  const reader = new FieldReader(
    report,
    new Set(rows.keys()),
    isObject(declared["shapes"]) ? declared["shapes"] : {},
    new Set(program.entities.map(({ identity }) => identity.kind)),
  );
  reader.hasOnlyKeys(declared, [], KEYS, "This file");
  checkTypes(declared, program, rows, reader, report);
  if (![...rows.values()].some(({ parents }) => parents.length === 0)) {
    report([Array.isArray(declared["uses"]) ? "uses" : "types"], { code: "no-home-type", args: {} });
    return undefined;
  }
  checkShapes(declared["shapes"], reader);
  const added = addedFields(declared, program, rows, reader, report);
  if (mistakes > 0) return undefined;
  const model = program.extendedBy(new PageTypes(rows), added);
  checkShown(declared, model, reader, report);
  for (const name of Object.keys(isObject(declared["shapes"]) ? declared["shapes"] : {}))
    if (!reader.usedShapes.has(name))
      report(["shapes", name], { code: "unused-shape", args: { name } }, "name");
  return model;
}

function checkTypes(
  { types, uses }: JsonObject,
  program: PageModel,
  rows: ReadonlyMap<PageType, PageTypeRow>,
  reader: FieldReader,
  report: ReportMistake,
): void {
  for (const [k, name] of (Array.isArray(uses) ? uses : []).entries())
    if (typeof name === "string" && !program.has(name)) {
      const args = { type: name, nearest: nearest(name, program.names), known: program.names };
      report(["uses", k], { code: "unknown-type", args });
    }
  if (!isObject(types)) return;
  const own = Object.keys(types).filter((name) => !program.names.includes(name));
  if (own.length > MAX_TYPES) {
    const args = { what: "types", found: own.length, limit: MAX_TYPES };
    report(["types", own[MAX_TYPES] ?? ""], { code: "types-too-large", args }, "name");
  }
  const taken = new Map<string, PageType>();
  for (const [name, { label, shortName }] of rows)
    if (!own.includes(name)) for (const word of [label, shortName]) taken.set(word.toLowerCase(), name);
  for (const [name, declared] of Object.entries(types)) {
    const path = ["types", name];
    if (program.has(name) && !rows.has(name)) {
      const args = { type: name, nearest: undefined, known: [...rows.keys()] };
      report(path, { code: "unknown-type", args }, "name");
    }
    if (own.includes(name)) reader.isNamed(name, path, NAMING.type);
    if (!reader.is(OBJECT, declared, path)) continue;
    const { label, parents, short } = declared as JsonObject;
    reader.hasOnlyKeys(declared as JsonObject, path, KEYS_OF_TYPE, "A page type");
    if (own.includes(name)) {
      const others = Object.keys(declared as JsonObject).filter((key) => !Object.hasOwn(KEYS_OF_TYPE, key));
      const lacks = (key: string, example: string): void => {
        // A misspelt key is one mistake.
        if (others.some((other) => nearest(other, Object.keys(KEYS_OF_TYPE)) === key)) return;
        report(path, { code: "missing-key", args: { key, owner: "A new page type", example } }, "start");
      };
      const noun = shortOf(name).replaceAll("-", " ");
      const root = [...rows.keys()].find((type) => rows.get(type)?.parents.length === 0 && type !== name);
      if (label === undefined)
        lacks("label", `"label": ${JSON.stringify(noun[0]?.toUpperCase() + noun.slice(1))}`);
      if (parents === undefined) lacks("parents", `"parents": ${JSON.stringify(root ? [root] : [])}`);
    }
    if (TEXTS.is(parents)) reader.areTypes(parents as string[], [...path, "parents"]);
    if (typeof short === "string") reader.isNamed(short, [...path, "short"], NAMING.short);
    const row = rows.get(name);
    const words = own.includes(name)
      ? [...(label === undefined ? [] : [["label", row?.label]]), ["short", row?.shortName]]
      : Object.entries({ label, short }).filter(([, word]) => word !== undefined);
    for (const [key, word] of words as [string, string][]) {
      const by = taken.get(word.toLowerCase());
      const at = key in (declared as JsonObject) ? [...path, key] : path;
      if (by !== undefined && by !== name)
        report(
          at,
          { code: "name-taken", args: { name: word, by: `the type ${by}` } },
          key in (declared as JsonObject) ? undefined : "name",
        );
      taken.set(word.toLowerCase(), name);
    }
  }
}

function checkShapes(shapes: unknown, reader: FieldReader): void {
  for (const name of Object.keys(isObject(shapes) ? shapes : {}))
    if (reader.isNamed(name, ["shapes", name], NAMING.shape)) reader.readShape(name);
}

function addedFields(
  { types, every }: JsonObject,
  program: PageModel,
  rows: ReadonlyMap<PageType, PageTypeRow>,
  reader: FieldReader,
  report: ReportMistake,
): Map<PageType | undefined, AddedFields> {
  if (isObject(every)) reader.hasOnlyKeys(every, ["every"], KEYS_OF_EVERY, "“every”");
  const read =
    (owner: unknown, path: Path, taken: Parameters<FieldReader["fields"]>[2]) => (part: "fields" | "meta") =>
      isObject(owner) && isObject(owner[part])
        ? reader.fields(owner[part], [...path, part], (name) =>
            taken?.(`${part === "meta" ? "meta." : ""}${name}`),
          )
        : (new Map() as DeclaredFields);
  const inCommon = (name: string): string | undefined =>
    valueIn(program.common, name.split(".")) !== undefined ||
    ["meta.go_live_at", "meta.expire_at"].includes(name)
      ? "a field that every page has"
      : undefined;
  const ofEvery = read(every, ["every"], inCommon);
  const [everyFields, everyMeta] = [ofEvery("fields"), ofEvery("meta")];
  const added = new Map<PageType | undefined, AddedFields>();
  const add = (
    type: PageType | undefined,
    fields: DeclaredFields,
    meta: DeclaredFields,
    replaced: Replaced,
  ): void =>
    void added.set(type, {
      every: objectValue(everyFields),
      fields: objectValue(fields),
      meta: objectValue(new Map([...everyMeta, ...meta])),
      replaced,
    });
  add(undefined, new Map(), new Map(), new Map());
  for (const name of rows.keys()) {
    const declared = isObject(types) ? types[name] : undefined;
    const own = program.has(name) ? program.of(name).source : undefined;
    const { replaced, rest } = redeclared(
      declared,
      own,
      program.has(name) ? program.of(name) : {},
      reader,
      report,
      name,
    );
    const taken = (field: string): string | undefined => {
      const isOfEvery = field.startsWith("meta.") ? everyMeta.has(field.slice(5)) : everyFields.has(field);
      if (isOfEvery) return "a field of “every”";
      return inCommon(field) ?? (own && valueIn(own, field.split(".")) ? `a field of ${name}` : undefined);
    };
    const ofType = read(rest, ["types", name], taken);
    const [fields, meta] = [ofType("fields"), ofType("meta")];
    for (const [part, all] of [
      ["fields", fields],
      ["meta", meta],
    ] as const)
      checkSize(all, ["types", name, part], report);
    add(name, fields, meta, replaced);
  }
  for (const [part, all] of [
    ["fields", everyFields],
    ["meta", everyMeta],
  ] as const)
    checkSize(all, ["every", part], report);
  return added;
}

function checkSize(fields: DeclaredFields, path: Path, report: ReportMistake): void {
  let count = 0;
  for (const [name, { size, depth }] of fields) {
    const at = [...path, name];
    const tooLarge = (what: string, found: number, limit: number): void =>
      report(at, { code: "types-too-large", args: { what, found, limit, of: name } }, "name");
    if (depth > MAX_DEPTH) tooLarge("levels of fields in fields", depth, MAX_DEPTH);
    count += size;
    if (count <= MAX_FIELDS) continue;
    tooLarge("fields, with those before it", count, MAX_FIELDS);
    return;
  }
}

type Replaced = ReadonlyMap<string, ValueModel>;

/** The fields of a type of the program that a site declares again, and the declaration without them. */
function redeclared(
  declared: unknown,
  source: ObjectValue | undefined,
  { redeclarable = {} }: Pick<PageTypeRow, "redeclarable">,
  reader: FieldReader,
  report: ReportMistake,
  type: PageType,
): { replaced: Replaced; rest: unknown } {
  const replaced = new Map<string, ValueModel>();
  if (!isObject(declared) || !isObject(declared["fields"])) return { replaced, rest: declared };
  const fields = { ...declared["fields"] };
  for (const [name, how] of Object.entries(redeclarable)) {
    if (!Object.hasOwn(fields, name)) continue;
    const [value, path, before] = [fields[name], ["types", type, "fields", name], source?.fields.get(name)];
    delete fields[name];
    const model =
      how === "null" && isObject(value) && value["kind"] === undefined
        ? undefined
        : reader.field(value, path)?.model;
    const isNull =
      how === "null" &&
      (isObject(value) ? value["null"] === true || model?.isNullable === true : model?.isNullable === true);
    if (before === undefined) continue;
    if (
      how === "pattern" &&
      model?.kind === "text" &&
      model.pattern !== undefined &&
      model.isRequired &&
      before.kind === "text"
    )
      replaced.set(name, {
        ...before,
        format: undefined,
        pattern: model.pattern,
        max: model.max,
        label: model.label ?? before.label,
      });
    else if (isNull && (model === undefined || model.kind === before.kind))
      replaced.set(name, { ...before, isNullable: true, isRequired: false, empty: null });
    else {
      const example =
        how === "pattern"
          ? '{"kind": "text!", "pattern": "…", "example": "…"}'
          : before.kind === "number"
            ? '"integer?"'
            : '{"null": true}';
      const problem = `“${name}” is a field of the program's own, which can only be declared again in one way.`;
      report(
        path,
        { code: "field-form", args: { problem, hint: `Write ${example}, or delete it.` } },
        "start",
      );
    }
  }
  return { replaced, rest: { ...declared, fields } };
}

/** Checks that `shown` names fields. */
function checkShown(
  { types }: JsonObject,
  model: PageModel,
  reader: FieldReader,
  report: ReportMistake,
): void {
  for (const [type, { shown }] of objectsIn(types)) {
    if (!isObject(shown) || !model.has(type)) continue;
    const path = ["types", type, "shown"];
    if (!reader.hasOnlyKeys(shown, path, KEYS_OF_SHOWN, "“shown”")) continue;
    const { source } = model.of(type);
    for (const [key, name] of Object.entries(shown) as [string, string][]) {
      if (valueIn(source, name.split(".")) !== undefined) continue;
      const args = {
        key,
        name,
        expected: "the path of a field of this type",
        nearest: nearest(name, source.fields.keys()),
      };
      report([...path, key], { code: "bad-after", args });
    }
  }
}
