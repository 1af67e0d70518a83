import { nearest } from "../findings/finding.ts";
import { type Path, isObject, valueAt, type JsonObject } from "../source/json/object.ts";
import { FieldReader, type ReportMistake, type TakenBy } from "./declared-fields.ts";
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
import { object } from "./field.ts";
import { modelsIn, valueIn, type ValueModel } from "./model.ts";
import type { AddedFields, PageModel, PageTypeModel } from "./page.ts";
import { inWords } from "./names.ts";
import { nameOf, PageTypes, type PageType, type PageTypeRow, type ShownFields } from "./page-types.ts";
import { LIVE_FIELDS } from "./schedule.ts";

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
const KEYS_OF_SHOWN: Keys = { line: TEXT, date: TEXT, image: TEXT, searched: TEXTS };

const objectsIn = (value: unknown): [name: string, one: JsonObject][] =>
  isObject(value) ? Object.entries(value).flatMap(([name, one]) => (isObject(one) ? [[name, one]] : [])) : [];

/** The page types that the program and the site have, without what lists show of them. */
function rowsOf({ types, uses }: JsonObject, program: PageTypes): Map<PageType, PageTypeRow> {
  const declared = new Map(objectsIn(types));
  const used = Array.isArray(uses) ? program.names.filter((name) => uses.includes(name)) : program.names;
  const names = [...used, ...[...declared.keys()].filter((name) => !program.has(name))];
  return new Map(
    names.map((name): [PageType, PageTypeRow] => {
      const { label, parents, short, folder } = declared.get(name) ?? {};
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
        },
      ];
    }),
  );
}

/**
 * What lists show and the search finds: as it is declared, or as the program has it, and each field with a pattern, such as
 * an accession number.
 */
function shownOf(
  declared: unknown,
  { every, fields, meta }: AddedFields,
  known: ShownFields | undefined,
): ShownFields | undefined {
  const own = object({ ...Object.fromEntries([...every.fields, ...fields.fields]), meta });
  const coded = [...fields.fields, ...every.fields].flatMap(([name, one]) =>
    one.kind === "text" && one.pattern !== undefined && name !== "acno" ? [name] : [],
  );
  if (!isObject(declared) && coded.length === 0) return known;
  const shown = isObject(declared) ? (declared as ShownFields) : known;
  // In another form, they are a mistake, which is reported.
  const { line, date, searched } = shown ?? {};
  const texts = [...new Set([...(TEXTS.is(searched) ? (searched ?? []) : []), ...coded])];
  const labelOf = (path: string): string => {
    const steps = path.split(".").slice(0, path.startsWith("meta.") ? 2 : 1);
    const words = valueIn(own, steps)?.label ?? inWords(steps.at(-1) ?? "");
    return /^\p{Lu}\p{Ll}/u.test(words) ? words.slice(0, 1).toLowerCase() + words.slice(1) : words;
  };
  const paths = [...coded, ...(isObject(declared) ? [line, date, ...texts] : [])];
  const names = paths.flatMap((path) => (typeof path === "string" ? [labelOf(path)] : []));
  const labels = Object.entries({ line, date }).flatMap(([key, path]) => {
    const field = typeof path !== "string" ? undefined : shownIn(own, path.split("."));
    const choices = field?.kind === "text" || field?.kind === "number" ? field.choices : undefined;
    const values = choices?.labels?.map((label, k) => [String(choices.values[k]), label] as const);
    return values === undefined ? [] : [[key, Object.fromEntries(values)] as const];
  });
  return {
    ...shown,
    ...(texts.length > 0 && { searched: texts }),
    covers: [...new Set([...(isObject(declared) ? [] : (known?.covers ?? [])), ...names])],
    labels: Object.fromEntries(labels),
  };
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
  tell: ReportMistake = () => undefined,
): PageModel | undefined {
  let mistakes = 0;
  const report: ReportMistake = (...mistake) => {
    mistakes++;
    tell(...mistake);
  };
  // With a mistake in it, all types of the program are used, so that the others have no finding for it.
  const { uses } = declared;
  const isUsesRight = TEXTS.is(uses) && (uses as string[]).every((type) => program.has(type));
  const rows = rowsOf(isUsesRight ? declared : { ...declared, uses: undefined }, program);
  const shapes = isObject(declared["shapes"]) ? declared["shapes"] : {};
  const kinds = program.entities.map(({ identity }) => identity.kind);
  const reader = new FieldReader(report, new Set(rows.keys()), shapes, new Set(kinds));
  reader.hasOnlyKeys(declared, [], KEYS, "This file");
  if (TEXTS.is(uses)) reader.areTypes(uses as string[], ["uses"], new Set(program.names), "program");
  checkTypes(declared, program, rows, reader);
  if (![...rows.values()].some(({ parents }) => parents.length === 0))
    report([isUsesRight ? "uses" : "types"], { code: "no-home-type", args: {} });
  for (const name of Object.keys(shapes))
    if (reader.isNamed(name, ["shapes", name], NAMING.shape)) reader.readShape(name);
  const added = addedFields(declared, program, rows, reader);
  if (mistakes > 0) return undefined;
  for (const [type, row] of rows) {
    const fields = added.get(type);
    const shown = fields && shownOf(valueAt(declared, ["types", type, "shown"]), fields, row.shown);
    if (shown !== undefined) rows.set(type, { ...row, shown });
  }
  const model = program.extendedBy(new PageTypes(rows), added);
  checkShown(declared, model, reader);
  for (const name of Object.keys(shapes))
    if (!reader.usedShapes.has(name))
      report(["shapes", name], { code: "unused-shape", args: { name } }, "name");
  return model;
}

function checkTypes(
  { types }: JsonObject,
  program: PageModel,
  rows: ReadonlyMap<PageType, PageTypeRow>,
  reader: FieldReader,
): void {
  if (!isObject(types)) return;
  const own = Object.keys(types).filter((name) => !program.has(name));
  if (own.length > MAX_TYPES) {
    const args = { what: "types", found: own.length, limit: MAX_TYPES };
    reader.report(["types", own[MAX_TYPES] ?? ""], { code: "types-too-large", args }, "name");
  }
  const taken = new Map<string, TakenWord>();
  for (const [type, { label, shortName }] of rows)
    if (program.has(type)) {
      taken.set(label.toLowerCase(), { type, of: "label" });
      taken.set(shortName.toLowerCase(), { type, of: "short name" });
    }
  for (const [name, declared] of Object.entries(types)) {
    const path = ["types", name];
    const isOwn = !program.has(name);
    if (!isOwn && !rows.has(name)) {
      const args = { type: name, nearest: undefined, known: [...rows.keys()] };
      reader.report(path, { code: "unknown-type", args }, "name");
    }
    const isNamed = !isOwn || reader.isNamed(name, path, NAMING.type);
    if (!reader.is(OBJECT, declared, path)) continue;
    const keys = declared as JsonObject;
    reader.hasOnlyKeys(keys, path, KEYS_OF_TYPE, "A page type");
    if (isOwn) checkRequired(keys, name, rows, reader);
    const { label, parents, short } = keys;
    if (TEXTS.is(parents)) reader.areTypes(parents as string[], [...path, "parents"]);
    if (typeof short === "string") reader.isNamed(short, [...path, "short"], NAMING.short);
    const row = rows.get(name);
    for (const [key, written, word, of] of [
      ["label", label, row?.label, "label"],
      ["short", short, row?.shortName, "short name"],
    ] as const) {
      // A new type has a short name even if it declares none.
      if (word === undefined || (written === undefined && !(isOwn && isNamed && key === "short"))) continue;
      const other = taken.get(word.toLowerCase());
      if (other !== undefined && other.type !== name) {
        const args = { name: word, by: `the ${other.of} of ${other.type}`, ...clashOf(name, of, other) };
        if (written === undefined) reader.report(path, { code: "name-taken", args }, "name");
        else reader.report([...path, key], { code: "name-taken", args });
      }
      taken.set(word.toLowerCase(), { type: name, of });
    }
  }
}

/** A label or short name, which no two types share. */
interface TakenWord {
  type: PageType;
  of: "label" | "short name";
}

/** What two types call themselves alike, and the key that ends it. */
function clashOf(type: string, of: TakenWord["of"], other: TakenWord): { as: string; hint: string } {
  const short = [{ type, of }, other].find((one) => one.of === "short name");
  const hint =
    short === undefined
      ? "Choose another “label” for one of the two types."
      : `Give ${short.type} another short name, for example "short": "${asNoun(nameOf(short.type)).replaceAll(/[^a-z0-9]+/g, "-")}", or choose another label.`;
  return { as: `The ${of} of ${type}`, hint };
}

/** A new type needs a label and parents. */
function checkRequired(
  declared: JsonObject,
  name: PageType,
  rows: ReadonlyMap<PageType, PageTypeRow>,
  reader: FieldReader,
): void {
  const known = Object.keys(KEYS_OF_TYPE);
  const meant = new Set(
    Object.keys(declared).map((key) => (known.includes(key) ? key : nearest(key, known))),
  );
  const noun = shortOf(name).replaceAll("-", " ");
  const root = [...rows.keys()].find((type) => rows.get(type)?.parents.length === 0 && type !== name);
  const examples = { label: noun[0]?.toUpperCase() + noun.slice(1), parents: root ? [root] : [] };
  for (const [key, one] of Object.entries(examples)) {
    // A misspelt key is one mistake.
    if (meant.has(key)) continue;
    const args = { key, owner: "A new page type", example: `"${key}": ${JSON.stringify(one)}` };
    reader.report(["types", name], { code: "missing-key", args }, "start");
  }
}

type Taken = (name: string) => TakenBy | undefined;

/** The fields of a type or of every page, and those of its `meta`. @param takenBy gets names such as `meta.order` */
function fieldsAndMeta(owner: unknown, path: Path, reader: FieldReader, takenBy: Taken) {
  const read = (part: "fields" | "meta", prefix: string): DeclaredFields => {
    const declared = isObject(owner) ? owner[part] : undefined;
    if (!isObject(declared)) return new Map();
    const fields = reader.fields(declared, [...path, part], (name) => takenBy(prefix + name));
    checkSize(fields, [...path, part], reader);
    return fields;
  };
  return { fields: read("fields", ""), meta: read("meta", "meta.") };
}

function addedFields(
  { types, every: declared }: JsonObject,
  program: PageModel,
  rows: ReadonlyMap<PageType, PageTypeRow>,
  reader: FieldReader,
): Map<PageType | undefined, AddedFields> {
  if (isObject(declared)) reader.hasOnlyKeys(declared, ["every"], KEYS_OF_EVERY, "“every”");
  const inCommon: Taken = (name) => {
    if (valueIn(program.common, name.split(".")) === undefined && !OF_SUBPAGES.has(name)) return undefined;
    return OF_LANGUAGES.has(name) ? BY_LOCALES : { by: "a field that every page has" };
  };
  const typeWith = (name: string): PageType | undefined =>
    [...rows.keys()].find((type) => program.has(type) && valueIn(program.of(type).source, name.split(".")));
  const every = fieldsAndMeta(declared, ["every"], reader, (name) => {
    const type = typeWith(name);
    return inCommon(name) ?? (type === undefined ? undefined : { by: `a field of ${type}` });
  });
  const addedBy = (own: typeof every, replaced: Replaced): AddedFields => ({
    every: objectValue(every.fields),
    fields: objectValue(own.fields),
    meta: objectValue(new Map([...every.meta, ...own.meta])),
    replaced,
  });
  const none = { fields: new Map(), meta: new Map() };
  const added = new Map<PageType | undefined, AddedFields>([[undefined, addedBy(none, new Map())]]);
  for (const name of rows.keys()) {
    const known = program.has(name) ? program.of(name) : undefined;
    const ofType = isObject(types) ? types[name] : undefined;
    const { replaced, rest } = redeclared(ofType, known, reader, name);
    const taken: Taken = (field) => {
      const isOfEvery = field.startsWith("meta.")
        ? every.meta.has(field.slice("meta.".length))
        : every.fields.has(field);
      if (isOfEvery) return { by: "a field of “every”" };
      const isOfType = known !== undefined && valueIn(known.source, field.split(".")) !== undefined;
      return inCommon(field) ?? (isOfType ? { by: `a field of ${name}` } : undefined);
    };
    added.set(name, addedBy(fieldsAndMeta(rest, ["types", name], reader, taken), replaced));
  }
  return added;
}

/** Fields of every page but the home page. */
const OF_SUBPAGES = new Set(LIVE_FIELDS.map((name) => `meta.${name}`));
const OF_LANGUAGES = new Set(["meta.locale", "meta.translations", "meta.translation_of"]);
const BY_LOCALES: TakenBy = {
  by: "a field that every page has, because _site.json has “locales”",
  hint: "Delete this field: pages have it without a declaration.",
};

function checkSize(fields: DeclaredFields, path: Path, reader: FieldReader): void {
  let count = 0;
  for (const [name, { size, depth }] of fields) {
    const tooLarge = (what: string, found: number, limit: number): void =>
      reader.report(
        [...path, name],
        { code: "types-too-large", args: { what, found, limit, of: name } },
        "name",
      );
    if (depth > MAX_DEPTH) tooLarge("levels of fields in fields", depth, MAX_DEPTH);
    count += size;
    if (count <= MAX_FIELDS) continue;
    tooLarge("fields, with those before it", count, MAX_FIELDS);
    return;
  }
}

type Replaced = ReadonlyMap<string, ValueModel>;

/** Whether a field that is declared again has its own form, without limits or choices, which would have no effect. */
function areAlike(model: ValueModel, before: ValueModel): boolean {
  if (model.kind === "object" && before.kind === "object")
    return [...model.fields.keys()].join() === [...before.fields.keys()].join();
  if (model.kind !== "number" || before.kind !== "number") return false;
  const { isInteger, min, max, choices } = model;
  return isInteger === before.isInteger && min === undefined && max === undefined && choices === undefined;
}

/** The fields of a type of the program that a site declares again, and the declaration without them. */
function redeclared(
  declared: unknown,
  known: PageTypeModel | undefined,
  reader: FieldReader,
  type: PageType,
): { replaced: Replaced; rest: unknown } {
  const replaced = new Map<string, ValueModel>();
  if (!isObject(declared) || !isObject(declared["fields"])) return { replaced, rest: declared };
  const fields = { ...declared["fields"] };
  for (const [name, how] of Object.entries(known?.redeclarable ?? {})) {
    const before = known?.source.fields.get(name);
    if (!Object.hasOwn(fields, name) || before === undefined) continue;
    const path = ["types", type, "fields", name];
    const value = fields[name];
    delete fields[name];
    const isOnlyNull = how === "null" && isObject(value) && value["kind"] === undefined;
    const model = isOnlyNull ? undefined : reader.field(value, path)?.model;
    const isNull = model?.isNullable === true || (isObject(value) && value["null"] === true);
    const isAlike = model === undefined || areAlike(model, before);
    const isPattern = model?.kind === "text" && model.pattern !== undefined && model.isRequired;
    if (how === "pattern" && isPattern && before.kind === "text") {
      const { pattern, max, uniqueIn, label = before.label } = model;
      replaced.set(name, { ...before, format: undefined, pattern, max, uniqueIn, label });
    } else if (how === "null" && isNull && isAlike)
      replaced.set(name, { ...before, isNullable: true, isRequired: false, empty: null });
    else {
      const ofNull = before.kind === "number" ? '"integer?"' : '{"null": true}';
      const example = how === "pattern" ? '{"kind": "text!", "pattern": "…", "example": "…"}' : ofNull;
      const problem = `“${name}” is a field of the program's own, which can only be declared again in one way.`;
      const args = { problem, hint: `Write ${example}, or delete it.` };
      reader.report(path, { code: "field-form", args }, "start");
    }
  }
  return { replaced, rest: { ...declared, fields } };
}

/** The value at a path of “shown”, which leads into the first element of a list, with or without its index. */
function shownIn(model: ValueModel, [step, ...rest]: readonly string[]): ValueModel | undefined {
  if (model.kind === "list")
    return shownIn(model.element, step === undefined || /^\d+$/.test(step) ? rest : [step, ...rest]);
  if (step === undefined) return model;
  const value =
    model.kind === "block" ? model.variants.get(step)?.fields.get("value") : valueIn(model, [step]);
  return value && shownIn(value, rest);
}

function checkShown({ types }: JsonObject, model: PageModel, reader: FieldReader): void {
  for (const [type, { shown }] of objectsIn(types)) {
    if (!isObject(shown) || !model.has(type)) continue;
    const path = ["types", type, "shown"];
    if (!reader.hasOnlyKeys(shown, path, KEYS_OF_SHOWN, "“shown”")) continue;
    const { source } = model.of(type);
    const { searched = [], ...others } = shown as Record<string, string> & { searched?: string[] };
    const written: [name: string, key: string, ...index: number[]][] = [
      ...Object.entries(others).map(([key, name]): [string, string] => [name, key]),
      ...searched.map((name, k): [string, string, number] => [name, "searched", k]),
    ];
    for (const [name, key, ...index] of written) {
      if (shownIn(source, name.split(".")) !== undefined) continue;
      const expected =
        "a field of this type, or a path such as images.image, which is that of a list's first element";
      const paths = [...modelsIn(source)].map(([, steps]) => steps.filter((step) => step !== "*").join("."));
      const plain = name.replaceAll(/\[\d+\]|\.\d+(?=\.|$)/g, "");
      const args = { key, name, expected, nearest: nearest(plain, paths) };
      reader.report([...path, key, ...index], { code: "bad-after", args });
    }
  }
}
