import { spelledOut } from "../findings/catalogue/declared.ts";
import type { Args } from "../findings/catalogue/index.ts";
import { nearest, type FieldMistake } from "../findings/finding.ts";
import { type Path, fieldName, isObject, type JsonObject } from "../source/json/object.ts";
import {
  ANY_TEXT,
  badExample,
  described,
  FLAG,
  INTEGER,
  NUMBER,
  TEXT,
  type KeyForm,
  type Keys,
  type NameForm,
  asNoun,
  blockValue,
  FIELD,
  FORMS,
  ICON,
  KEYS_OF_FIELDS,
  KINDS,
  MAX_BLOCKS,
  NAMING,
  objectValue,
  OBJECT,
  OWN_SHAPES,
  PICTURE_MEMBERS,
  sizeOf,
  withUse,
  type DeclaredField,
  type DeclaredFields,
  type Use,
} from "./declared-values.ts";
import type { PictureMembers } from "./media.ts";
import type { Choices, ValueModel, ObjectValue } from "./model.ts";
import type { PageType } from "./page-types.ts";
import { patternFormat, patternProblem } from "./pattern.ts";
import { SHOWABLE } from "./reference.ts";
import {
  decimal,
  derived,
  factsOf,
  flag,
  id,
  identified,
  list,
  literal,
  open,
  REQUIRED,
  requiredText,
  text,
} from "./field.ts";

/** Receives a mistake in `_types.json`, with its path; `on` is the wrong part, by default the value. */
export type ReportMistake = (path: Path, mistake: FieldMistake, on?: "name" | "start") => void;

/** The names in “image” are checked when the members beside it are known. */
const pictureIn = ({ image }: JsonObject): PictureMembers | undefined =>
  isObject(image) ? image : undefined;

/** The owner of the name of a field, and what to do if it is not to choose another name. */
export type TakenBy = Pick<Args<"name-taken">, "by" | "hint">;

/* Reads the fields that a site declares in `_types.json` (“Fields” in docs/types.md). */

type FormName = keyof typeof FORMS;
const FORM_NAMES = Object.keys(FORMS) as FormName[];

/** Of a misspelt key. Other keys, such as `min`, have other first letters. */
const formMeant = (key: string): string | undefined =>
  nearest(
    key,
    FORM_NAMES.filter((name) => name[0] === key[0]),
  );

const WITHIN = "a value within the limits of the field";

/** Whether a number, or the length of a text, is within the limits that a field declares. */
function isWithin(value: unknown, { min, max }: JsonObject): boolean {
  const size = typeof value === "string" ? value.length : Number(value);
  return !(size > Number(max)) && !(size < Number(min));
}

export class FieldReader {
  readonly report: ReportMistake;
  private readonly pageTypes: ReadonlySet<PageType>;
  private readonly shapes: JsonObject;
  private readonly taken: ReadonlySet<string>;
  private readonly read = new Map<string, DeclaredField | undefined>();
  private readonly reading: string[] = [];
  readonly usedShapes = new Set<string>();

  /** @param shapes as the site declares them. @param taken the kinds of entities of the program */
  constructor(
    report: ReportMistake,
    pageTypes: ReadonlySet<PageType>,
    shapes: JsonObject,
    taken: ReadonlySet<string>,
  ) {
    this.report = report;
    this.pageTypes = pageTypes;
    // In this order, messages list the shapes of the site before those that every site has.
    this.shapes = { ...shapes, ...OWN_SHAPES, ...shapes };
    this.taken = taken;
  }

  /** The fields of an object, without those that have a mistake. @param takenBy says which field has a name already */
  fields(
    declared: unknown,
    path: Path,
    takenBy: (name: string) => TakenBy | undefined = () => undefined,
  ): DeclaredFields {
    const fields = new Map<string, DeclaredField>();
    if (!this.is(OBJECT, declared, path)) return fields;
    for (const [name, one] of Object.entries(declared as JsonObject)) {
      const at = [...path, name];
      if (!this.isNamed(name, at, NAMING.field)) continue;
      const by = takenBy(name);
      if (by !== undefined) this.report(at, { code: "name-taken", args: { name, ...by } }, "name");
      const field = this.field(one, at);
      if (field !== undefined && by === undefined) fields.set(name, field);
    }
    for (const [name, field] of fields) this.checkBeside(fields, name, field, [...path, name]);
    return fields;
  }

  /** Checks the names of fields beside a field: the one that it comes after, and those that belong to its picture. */
  private checkBeside(
    fields: DeclaredFields,
    name: string,
    { model, kind, after }: DeclaredField,
    path: Path,
  ): void {
    const namesOf = (kinds: readonly (string | undefined)[]): string[] =>
      [...fields].flatMap(([other, one]) => (other !== name && kinds.includes(one.kind) ? [other] : []));
    this.isAmong(after, namesOf([kind]), [...path, "after"], "a field beside this one, of the same kind");
    const picture = model.kind === "text" ? model.picture : undefined;
    if (picture === undefined || !this.hasOnlyKeys(picture, [...path, "image"], KEYS_OF_PICTURE, "“image”"))
      return;
    for (const [key, kinds] of Object.entries(PICTURE_MEMBERS)) {
      const expected = `a field beside this one, of the kind ${kinds.join(" or ")}`;
      this.isAmong(picture[key as keyof PictureMembers], namesOf(kinds), [...path, "image", key], expected);
    }
  }

  /** Whether a key names one of these fields, or is left out. */
  private isAmong(name: string | undefined, names: readonly string[], path: Path, expected: string): boolean {
    if (name === undefined || names.includes(name)) return true;
    const args = { key: String(path.at(-1)), name, expected, nearest: nearest(name, names) };
    this.report(path, { code: "bad-after", args });
    return false;
  }

  /** Undefined if the declaration has a mistake. */
  field(value: unknown, path: Path): DeclaredField | undefined {
    if (!this.is(FIELD, value, path)) return undefined;
    if (typeof value === "string") return this.named(value, {}, path, path);
    if (Array.isArray(value)) {
      if (value.length === 1) return this.list({ list: value[0] as unknown }, path, [...path, 0]);
      const problem = "A list as the declaration of a field has exactly one element.";
      return this.malformed(path, problem, 'Write it like this: ["text"]');
    }
    const declared = value as JsonObject;
    const forms = FORM_NAMES.filter((name) => Object.hasOwn(declared, name));
    const [form] = forms;
    const misspelt = form === undefined && Object.keys(declared).find((key) => formMeant(key) !== undefined);
    if (typeof misspelt === "string") {
      const args = { key: misspelt, owner: "A field", nearest: formMeant(misspelt), known: FORM_NAMES };
      this.report([...path, misspelt], { code: "unknown-key", args }, "name");
      return undefined;
    }
    if (form === undefined || forms.length > 1)
      return this.malformed(
        path,
        `A field has exactly one of the keys ${FORM_NAMES.join(", ")}; this one has ${forms.join(" and ") || "none"}.`,
        form === undefined
          ? 'Add one of them, for example: "kind": "text"'
          : "Keep one of them, and delete the others.",
      );
    const at = [...path, form];
    switch (form) {
      case "kind":
        return this.is(TEXT, declared["kind"], at)
          ? this.named(declared["kind"] as string, declared, path, at)
          : undefined;
      case "list":
        return this.list(declared, path, at);
      case "fields": {
        const use = this.use(declared, path, FORMS.fields);
        const fields = this.fields(declared["fields"], at);
        return use && { ...sizeOf(fields.values()), model: withUse(objectValue(fields), use) };
      }
      case "blocks":
        return this.blocks(declared, path, at);
      default:
        return this.constant(declared, path);
    }
  }

  /** A value of a kind, or of a shape. @param at the path of its name */
  private named(name: string, declared: JsonObject, path: Path, at: Path): DeclaredField | undefined {
    const mark = name.endsWith("?") ? "null" : name.endsWith("!") ? "required" : undefined;
    const bare = mark === undefined ? name : name.slice(0, -1);
    const keys = Object.hasOwn(KINDS, bare) ? KINDS[bare] : undefined;
    if (keys === undefined && !Object.hasOwn(this.shapes, bare)) {
      const known = [...Object.keys(KINDS), ...Object.keys(this.shapes)];
      this.report(at, { code: "unknown-kind", args: { name: bare, nearest: nearest(bare, known), known } });
      return undefined;
    }
    const use = this.use(declared, path, { ...FORMS.kind, ...keys }, mark);
    if (use === undefined) return undefined;
    if (keys === undefined) {
      this.usedShapes.add(bare);
      const shape = this.readShape(bare);
      return shape && { ...shape, model: withUse(shape.model, use) };
    }
    const model = this.ofKind(bare, declared, path);
    const { after } = declared as { after?: string };
    return model && { model: withUse(model, use), kind: bare, after, size: 1, depth: 1 };
  }

  /** Reads a shape, to find its mistakes. */
  readShape(name: string): DeclaredField | undefined {
    const at = ["shapes", name];
    if (this.reading.includes(name)) {
      const way = [...this.reading.slice(this.reading.indexOf(name)), name];
      this.report(at, { code: "shape-in-itself", args: { name, way } }, "name");
      return undefined;
    }
    if (!this.read.has(name)) {
      const declared = this.shapes[name];
      const { key, ...rest } = isObject(declared) ? declared : {};
      this.reading.push(name);
      const shape = this.field(isObject(declared) ? rest : declared, at);
      this.reading.pop();
      const model = shape?.model;
      const entity = model?.kind === "object" ? this.entity(name, model, key, at) : {};
      if (key !== undefined && model !== undefined && model.kind !== "object")
        this.hasOnlyKeys({ key }, at, {}, "A shape without fields");
      this.read.set(name, shape && { ...shape, model: { ...shape.model, name, ...entity } });
    }
    return this.read.get(name);
  }

  private entity(
    name: string,
    { fields }: ObjectValue,
    key: unknown,
    path: Path,
  ): Partial<Pick<ObjectValue, "identity" | "listed">> {
    if (key === undefined) return {};
    if (!this.is(TEXT, key, [...path, "key"])) return {};
    const flat = [...fields].filter(([, { kind }]) => ["text", "number", "boolean"].includes(kind));
    const keys = flat.filter(([, one]) => isKey(one)).map(([field]) => field);
    const expected = "a field of this shape: an integer, a text or a page";
    if (!this.isAmong(key as string, keys, [...path, "key"], expected)) return {};
    const values = flat.map(([field]) => field).filter((field) => field !== key);
    const noun = asNoun(name);
    const kind = this.taken.has(noun) ? name : noun;
    return identified(kind, key as string, values);
  }

  private list(declared: JsonObject, path: Path, at: Path): DeclaredField | undefined {
    const use = this.use(declared, path, FORMS.list);
    const limits = this.limits(declared, path);
    const field = this.field(declared["list"], at);
    if (use === undefined || limits === undefined || field === undefined) return undefined;
    if (use.filter === true && field.kind !== "text" && field.kind !== "page")
      return this.malformed(
        path,
        "A list with “filter” is one of texts or of pages.",
        "Delete “filter”, or write a list of texts or pages.",
      );
    return { ...sizeOf([field]), model: withUse(list(field.model, "", limits), use) };
  }

  private blocks(declared: JsonObject, path: Path, at: Path): DeclaredField | undefined {
    const use = this.use(declared, path, FORMS.blocks);
    const limits = this.limits(declared, path);
    if (use === undefined || limits === undefined) return undefined;
    const all = Object.entries(declared["blocks"] as JsonObject);
    if (all.length === 0)
      return this.malformed(
        at,
        "A list of blocks needs a type of block.",
        'Write one, for example: "paragraph": "html"',
      );
    if (all.length > MAX_BLOCKS) {
      const args = { what: "types of blocks", found: all.length, limit: MAX_BLOCKS };
      this.report([...at, all[MAX_BLOCKS]?.[0] ?? ""], { code: "types-too-large", args }, "name");
      return undefined;
    }
    const values = new Map<string, DeclaredField>();
    const variants = new Map<string, ObjectValue>();
    for (const [name, one] of all) {
      if (!this.isNamed(name, [...at, name], NAMING.block)) continue;
      const { icon, ...rest } = isObject(one) ? one : {};
      if (icon !== undefined && !this.is(ICON, icon, [...at, name, "icon"])) continue;
      const value = this.field(isObject(one) ? rest : one, [...at, name]);
      if (value === undefined) continue;
      values.set(name, value);
      variants.set(name, blockValue(name, value, icon as string | undefined));
    }
    const element: ValueModel = { ...factsOf("", undefined), kind: "block", variants };
    return { ...sizeOf(values.values()), model: withUse(list(element, "", limits), use) };
  }

  private constant(declared: JsonObject, path: Path): DeclaredField | undefined {
    const use = this.use(declared, path, FORMS.const);
    if (use === undefined) return undefined;
    if (use.mark !== undefined)
      return this.malformed(
        path,
        "A constant field has no mark.",
        "Delete the mark: every page has the value.",
      );
    const value = declared["const"] as string | number | boolean | null;
    const row = {
      kind: "constant",
      from: "_types.json, where it is the same for every page",
      value,
    } as const;
    return { model: withUse(derived(literal([value]), row), use), size: 1, depth: 1 };
  }

  /** Checks the keys of a field, and reads those of every field; undefined if one of them is wrong. */
  private use(declared: JsonObject, path: Path, keys: Keys, written?: Use["mark"]): Use | undefined {
    const isRight = this.hasOnlyKeys(declared, path, { ...KEYS_OF_FIELDS, ...keys }, "A field");
    const { label, help, section, null: isNull, required, filter, unique } = declared;
    for (const [key, isThere] of Object.entries({ filter, unique }))
      if (isThere === true && !isOfPage(path))
        return this.malformed(
          path,
          `Only a field of a page can have “${key}”: a field in an object, a list or a shape cannot.`,
          `Delete “${key}”.`,
        );
    const uniqueIn = unique === true ? path.join(".") : undefined;
    const marks: Use["mark"][] = [];
    if (written !== undefined) marks.push(written);
    if (isNull === true) marks.push("null");
    if (required === true) marks.push("required");
    if (marks.length > 1 || (marks.length === 1 && Object.hasOwn(declared, "default"))) {
      const found = marks.length > 1 ? "two marks" : "a mark and a default";
      return this.malformed(
        path,
        `A field has at most one mark, and none if it has a default; this one has ${found}.`,
        "Delete one of them.",
      );
    }
    return isRight ? ({ label, help, section, mark: marks[0], filter, uniqueIn } as Use) : undefined;
  }

  private ofKind(kind: string, declared: JsonObject, path: Path): ValueModel | undefined {
    switch (kind) {
      case "text":
        return this.text(declared, path);
      case "integer":
      case "number":
        return this.number(declared, path, kind === "integer");
      case "html":
        return text("", { isHtml: true, isRaw: declared["raw"] === true });
      case "raw-html":
        return text("", { isUnchecked: true, isMultiline: true });
      case "url":
        return text("", { format: "address", picture: pictureIn(declared) });
      case "file":
        return text("", { format: "media-url", picture: pictureIn(declared) });
      case "boolean":
        return this.withDefault(flag(), declared, path, FLAG);
      case "page":
        return this.reference(declared, path);
      case "json":
        return open("any", { occurs: () => true });
      default:
        return requiredText("", { format: kind as "date" | "time" | "date-time" });
    }
  }

  private text(declared: JsonObject, path: Path): ValueModel | undefined {
    const { pattern, example } = declared;
    const max = declared["max"] as number | undefined;
    const choices = this.choices(declared, path, ANY_TEXT);
    if (choices === "wrong") return undefined;
    if (choices !== undefined && pattern !== undefined)
      return this.malformed(
        [...path, "pattern"],
        "A text with choices needs no pattern.",
        "Delete the pattern and its example, or the choices.",
      );
    if (choices !== undefined) {
      const mayBeEmpty = choices.values.includes("") || declared["default"] === "";
      const value = text("", { ...REQUIRED, max, choices, mayBeEmpty });
      return this.withDefault(value, declared, path, ANY_TEXT);
    }
    if (pattern === undefined) {
      if (example !== undefined)
        return this.malformed(
          [...path, "example"],
          "An example is only needed with a pattern.",
          "Delete it, or add a pattern.",
        );
      const isMultiline = !(Number(max) <= 255);
      return this.withDefault(text("", { max, isMultiline }), declared, path, ANY_TEXT);
    }
    const problem = patternProblem(pattern as string);
    if (problem !== undefined) {
      this.report([...path, "pattern"], { code: "bad-pattern", args: { problem } });
      return undefined;
    }
    if (example === undefined) {
      const args = { key: "example", owner: "A pattern", example: '"example": "2024.117"' };
      this.report(path, { code: "missing-key", args }, "start");
      return undefined;
    }
    const format = patternFormat(pattern as string, example as string);
    const matches = (value: unknown): boolean => typeof value === "string" && format.matches(value);
    const expected = "a text that matches the pattern";
    if (matches(example) && isWithin(example, declared))
      return this.withDefault(text("", { max, pattern: format }), declared, path, {
        is: (value) => value === "" || matches(value),
        expected,
      });
    this.report([...path, "example"], badExample("example", example, matches(example) ? WITHIN : expected));
    return undefined;
  }

  private number(declared: JsonObject, path: Path, isInteger: boolean): ValueModel | undefined {
    const of = isInteger ? INTEGER : NUMBER;
    const choices = this.choices(declared, path, of);
    const limits = this.limits(declared, path);
    if (choices === "wrong" || limits === undefined) return undefined;
    return this.withDefault(decimal("", { isInteger, choices, ...limits }), declared, path, of);
  }

  private reference({ types, shows }: JsonObject, path: Path): ValueModel | undefined {
    const [names, shown] = [types, shows] as (string[] | undefined)[];
    const wrong = shown?.findIndex((name) => !SHOWABLE.some((one) => one === name)) ?? -1;
    if (shown !== undefined && wrong !== -1) {
      const found = shown[wrong] as string;
      const args = { key: found, owner: "“shows”", nearest: nearest(found, SHOWABLE), known: SHOWABLE };
      this.report([...path, "shows", wrong], { code: "unknown-key", args });
      return undefined;
    }
    if (shown !== undefined && names === undefined) {
      const example = `"types": ${JSON.stringify([...this.pageTypes].slice(-1))}`;
      const args = { key: "types", owner: "A reference with “shows”", example };
      this.report(path, { code: "missing-key", args }, "start");
      return undefined;
    }
    if (names !== undefined && !this.areTypes(names, [...path, "types"])) return undefined;
    return id("", { reference: { types: names, shows: shown } });
  }

  areTypes(names: readonly string[], path: Path, known = this.pageTypes, owner?: string): boolean {
    for (const [k, type] of names.entries()) {
      const args = { type, nearest: nearest(type, known), known: [...known], owner };
      if (!known.has(type)) this.report([...path, k], { code: "unknown-type", args });
    }
    return names.every((type) => known.has(type));
  }

  private withDefault(
    model: ValueModel,
    declared: JsonObject,
    path: Path,
    of: KeyForm,
  ): ValueModel | undefined {
    if (!Object.hasOwn(declared, "default")) return model;
    const value = declared["default"];
    const choices = model.kind === "text" || model.kind === "number" ? model.choices : undefined;
    const isChoice = choices === undefined || choices.isOpen || choices.values.includes(value as string);
    if (of.is(value) && isChoice && isWithin(value, declared))
      return { ...model, empty: value, isRequired: false };
    const expected = !of.is(value)
      ? of.expected
      : isChoice
        ? WITHIN
        : `one of its choices: ${spelledOut(choices.values)}`;
    this.report([...path, "default"], badExample("default", value, expected));
    return undefined;
  }

  private choices(declared: JsonObject, path: Path, of: KeyForm): Choices | undefined | "wrong" {
    const { choices, open: mayBeOther } = declared;
    if (choices === undefined) {
      if (mayBeOther !== true) return undefined;
      this.malformed(
        [...path, "open"],
        "Only a field with choices can be open.",
        "Delete it, or add “choices”.",
      );
      return "wrong";
    }
    const at = [...path, "choices"];
    const [keys, labels]: [string[] | undefined, unknown[] | undefined] = isObject(choices)
      ? [Object.keys(choices), Object.values(choices)]
      : [undefined, undefined];
    // The keys of an object are texts, also for a field of numbers.
    const values = keys?.map((key): unknown => (of.is(key) ? key : Number(key))) ?? (choices as unknown[]);
    for (const [k, value] of values.entries()) {
      const step = [...at, keys?.[k] ?? k];
      const isRepeated = values.indexOf(value) < k;
      const isRight = of.is(value) && !isRepeated && isWithin(value, declared);
      if (isRight && (labels === undefined || this.is(TEXT, labels[k], step))) continue;
      const expected = !of.is(value) ? of.expected : isRepeated ? "a value that no other choice has" : WITHIN;
      if (!isRight) this.report(step, badExample("choices", keys?.[k] ?? value, expected));
      return "wrong";
    }
    return {
      values: values as (string | number)[],
      labels: labels as string[] | undefined,
      isOpen: mayBeOther === true,
    };
  }

  /** Undefined if the minimum is above the maximum. */
  private limits(
    declared: JsonObject,
    path: Path,
  ): { min: number | undefined; max: number | undefined } | undefined {
    const { min, max } = declared as { min?: number; max?: number };
    if (min === undefined || max === undefined || min <= max) return { min, max };
    this.report([...path, "max"], badExample("max", max, `a number of at least ${min}, which is “min”`));
    return undefined;
  }

  is({ is, expected, element }: KeyForm, value: unknown, path: Path): boolean {
    if (is(value)) return true;
    const wrong = element && Array.isArray(value) ? value.findIndex((one) => !element.is(one)) : -1;
    if (element && wrong !== -1) return this.is(element, (value as unknown[])[wrong], [...path, wrong]);
    const field = fieldName(path.slice(typeof path.at(-1) === "number" ? -2 : -1));
    const args = { field, found: described(value), expected };
    this.report(path, { code: "wrong-type", args });
    return false;
  }

  isNamed(name: string, path: Path, { is, ...args }: NameForm): boolean {
    if (is(name)) return true;
    this.report(path, { code: "bad-name", args: { name, ...args } }, "name");
    return false;
  }

  /** Whether an object has only known keys, each with a value of its form. @param owner begins a sentence */
  hasOnlyKeys(value: JsonObject, path: Path, keys: Keys, owner: string): boolean {
    const known = Object.keys(keys);
    let isRight = true;
    for (const [key, one] of Object.entries(value)) {
      const at = [...path, key];
      const check = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (check === undefined) {
        const meant = KEYS_OF_KINDS.has(key) ? undefined : nearest(key, known);
        this.report(at, { code: "unknown-key", args: { key, owner, nearest: meant, known } }, "name");
      }
      if (check === undefined || !this.is(check, one, at)) isRight = false;
    }
    return isRight;
  }

  private malformed(path: Path, problem: string, hint: string): undefined {
    this.report(path, { code: "field-form", args: { problem, hint } }, "start");
  }
}

/** A key of another kind is not misspelt. */
const KEYS_OF_KINDS = new Set([...Object.values(KINDS), ...Object.values(FORMS)].flatMap(Object.keys));

const KEYS_OF_PICTURE: Keys = Object.fromEntries(Object.keys(PICTURE_MEMBERS).map((key) => [key, TEXT]));

/** Whether a field can identify an entity: as an integer, a plain text or a page. */
const isKey = (field: ValueModel): boolean =>
  field.kind === "text"
    ? field.format === undefined && field.isHtml !== true && field.isUnchecked !== true
    : field.kind === "number" && field.isInteger;

/** Whether a declaration is that of a field of pages, at `types.TYPE.fields.NAME` or `every.fields.NAME`. */
const isOfPage = ([part, ...path]: Path): boolean =>
  (part === "types" && path.length === 3 && path[1] === "fields") ||
  (part === "every" && path.length === 2 && path[0] === "fields");
