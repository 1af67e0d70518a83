import { spelledOut } from "../findings/catalogue/declared.ts";
import { nearest, type FieldMistake } from "../findings/finding.ts";
import { type Path, describeValue, isObject, type JsonObject } from "../source/json/object.ts";
import {
  ANY_TEXT,
  badExample,
  factsOf,
  FLAG,
  INTEGER,
  momentValue,
  numberValue,
  TEXT,
  textValue,
  type KeyForm,
  type Keys,
  type NameForm,
} from "./declared-values.ts";
import type { PictureMembers } from "./media.ts";
import type { Choices, ValueModel } from "./model.ts";
import type { PageType } from "./page-types.ts";
import { patternFormat, patternProblem } from "./pattern.ts";
import { SHOWABLE } from "./reference.ts";

/** Receives a mistake in `_types.json`, with its path; `on` is the wrong part, by default the value. */
export type ReportMistake = (path: Path, mistake: FieldMistake, on?: "name" | "start") => void;

/** The names in “image” are checked when the members beside it are known. */
const pictureIn = ({ image }: JsonObject): PictureMembers | undefined =>
  isObject(image) ? image : undefined;

/** Reads the kinds of values that a site declares in `_types.json` (“Kinds” in docs/types.md). */
export class KindReader {
  readonly report: ReportMistake;
  private readonly pageTypes: ReadonlySet<PageType>;

  constructor(report: ReportMistake, pageTypes: ReadonlySet<PageType>) {
    this.report = report;
    this.pageTypes = pageTypes;
  }

  protected ofKind(kind: string, declared: JsonObject, path: Path): ValueModel | undefined {
    switch (kind) {
      case "text":
        return this.text(declared, path);
      case "integer":
      case "number":
        return this.number(declared, path, kind === "integer");
      case "html":
        return textValue({ isHtml: true, isRaw: declared["raw"] === true });
      case "raw-html":
        return textValue({ isUnchecked: true, isMultiline: true });
      case "url":
        return textValue({ format: "address", picture: pictureIn(declared) });
      case "file":
        return textValue({ format: "media-url", picture: pictureIn(declared) });
      case "boolean":
        return this.withDefault({ ...factsOf(false), kind: "boolean" }, declared, path, FLAG);
      case "page":
        return this.reference(declared, path);
      case "json":
        return { ...factsOf(null), kind: "open", of: "any", occurs: () => true };
      default:
        return momentValue(kind as "date" | "time" | "date-time");
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
      const value = textValue({ ...factsOf(undefined), max, choices, mayBeEmpty });
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
      return this.withDefault(textValue({ max, isMultiline }), declared, path, ANY_TEXT);
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
    const matching = {
      is: (value: unknown) => typeof value === "string" && format.matches(value),
      expected: "a text that matches the pattern",
    };
    if (matching.is(example))
      return this.withDefault(textValue({ max, pattern: format }), declared, path, matching);
    this.report([...path, "example"], badExample("example", example, matching.expected));
    return undefined;
  }

  private number(declared: JsonObject, path: Path, isInteger: boolean): ValueModel | undefined {
    const of = isInteger ? INTEGER : { is: Number.isFinite, expected: "a number" };
    const choices = this.choices(declared, path, of);
    const limits = this.limits(declared, path);
    if (choices === "wrong" || limits === undefined) return undefined;
    const { min = -Infinity, max = Infinity } = limits;
    const outside = choices?.values.findIndex((value) => Number(value) < min || Number(value) > max) ?? -1;
    if (outside !== -1) {
      const wrong = badExample("choices", choices?.values[outside], "within the limits of the field");
      const step = isObject(declared["choices"]) ? String(choices?.values[outside]) : outside;
      this.report([...path, "choices", step], wrong);
      return undefined;
    }
    return this.withDefault(numberValue({ isInteger, choices, ...limits }), declared, path, of);
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
    return numberValue({ isId: true, reference: { types: names, shows: shown } });
  }

  areTypes(names: readonly string[], path: Path): boolean {
    const wrong = names.findIndex((type) => !this.pageTypes.has(type));
    if (wrong === -1) return true;
    const type = names[wrong] as string;
    const args = { type, nearest: nearest(type, this.pageTypes), known: [...this.pageTypes] };
    this.report([...path, wrong], { code: "unknown-type", args });
    return false;
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
    const { max = Infinity } = model.kind === "text" || model.kind === "number" ? model : {};
    const { min = -Infinity } = model.kind === "number" ? model : {};
    const size = typeof value === "string" ? value.length : Number(value);
    const isChoice = choices === undefined || choices.isOpen || choices.values.includes(value as string);
    const isWithin = model.kind === "boolean" || (size <= max && (size >= min || typeof value === "string"));
    if (of.is(value) && isChoice && isWithin) return { ...model, empty: value, isRequired: false };
    const expected = !of.is(value)
      ? of.expected
      : isChoice
        ? "within the limits of the field"
        : `one of its choices: ${spelledOut(choices.values)}`;
    this.report([...path, "default"], badExample("default", value, expected));
    return undefined;
  }

  private choices({ choices, open }: JsonObject, path: Path, of: KeyForm): Choices | undefined | "wrong" {
    if (choices === undefined) {
      if (open !== true) return undefined;
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
    const wrong = values.findIndex((value) => !of.is(value));
    const unlabelled = labels?.findIndex((label) => !TEXT.is(label)) ?? -1;
    const stepTo = (k: number): string | number => keys?.[k] ?? k;
    if (wrong !== -1)
      this.report([...at, stepTo(wrong)], badExample("choices", keys?.[wrong] ?? values[wrong], of.expected));
    else if (unlabelled !== -1) this.is(TEXT, labels?.[unlabelled], [...at, stepTo(unlabelled)]);
    else
      return {
        values: values as (string | number)[],
        labels: labels as string[] | undefined,
        isOpen: open === true,
      };
    return "wrong";
  }

  /** Undefined if the minimum is above the maximum. */
  protected limits(
    declared: JsonObject,
    path: Path,
  ): { min: number | undefined; max: number | undefined } | undefined {
    const { min, max } = declared as { min?: number; max?: number };
    if (min === undefined || max === undefined || min <= max) return { min, max };
    this.report([...path, "max"], badExample("max", max, `at least ${min}, which is “min”`));
    return undefined;
  }

  is({ is, expected }: KeyForm, value: unknown, path: Path): boolean {
    if (is(value)) return true;
    const args = { field: String(path.at(-1)), found: describeValue(value), expected };
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
        const args = { key, owner, nearest: nearest(key, known), known };
        this.report(at, { code: "unknown-key", args }, "name");
      }
      if (check === undefined || !this.is(check, one, at)) isRight = false;
    }
    return isRight;
  }

  protected malformed(path: Path, problem: string, hint: string): undefined {
    this.report(path, { code: "field-form", args: { problem, hint } }, "start");
  }
}
