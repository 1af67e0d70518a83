import { spelledOut } from "../findings/catalogue/declared.ts";
import type { ValueMistake } from "../findings/finding.ts";
import { nameOf } from "../findings/printable.ts";
import { printNode, fieldName, isObject, hasFields, type JsonObject } from "../source/json/object.ts";
import { MAX_DEPTH } from "../source/json/parse.ts";
import { checkFragment, linksIn } from "../model/html.ts";
import { mediaUrl } from "../model/media.ts";
import {
  formatOf,
  isPlainText,
  type Choices,
  type NumberValue,
  type OpenValue,
  type TextValue,
  dependsOnPlace,
  fieldsIn,
  valueIn,
  variantOf,
  type BlockValue,
  type ObjectValue,
  type ValueModel,
} from "../model/model.ts";
import { referenceTo, shownPage } from "../model/reference.ts";
import { mediaMistake, missingIn, mistakeIn } from "./mistakes.ts";
import { MARKUP, PageState, type Print, type Steps, ANY_SIGNS, EACH } from "./state.ts";
import { IdMap } from "../base/columns.ts";
import type { Derivation } from "../model/derive.ts";
import type { Rule } from "../model/rules.ts";

/* The functions that check and print values without fields of their own. */

/** Maximum number of problems in the HTML texts of a page that become findings. To locate each takes time. */
const MAX_HTML_PROBLEMS = 1000;

function compileNumber(page: PageState, model: NumberValue, path: Steps): Print {
  const { choices, isInteger, reference, max = Infinity } = model;
  const { min: least = model.isId ? 1 : -Infinity } = model;
  return (value) => {
    if (
      typeof value !== "number" ||
      !Number.isFinite(value) ||
      value < least ||
      value > max ||
      (isInteger && !Number.isSafeInteger(value))
    )
      return page.mistake(model, path, value);
    if (choices !== undefined && !isChoice(page, path, value, choices))
      return page.mistake(model, path, value);
    if (reference === undefined) return `${value}`;
    page.links.push(referenceTo(value, reference.types));
    if (reference.shows === undefined) return `${value}`;
    page.shown.push(value);
    return page.json(shownPage(value, page.options.pages?.get(value), reference.shows));
  };
}

/** Reports a new value of an open list. */
function isChoice(
  page: PageState,
  path: Steps,
  value: string | number,
  { values, isOpen }: Choices,
): boolean {
  if (values.includes(value)) return true;
  if (isOpen && page.options.onlyKinds !== true)
    page.warn(path, { code: "new-value", args: { found: String(value), known: spelledOut(values) } });
  return isOpen;
}

function compileText(page: PageState, model: TextValue, path: Steps): Print {
  const { media, printedMedia = media, onlyKinds } = page.options;
  const { choices, isHtml = false, isRaw = false, isTitle = false, max = Infinity } = model;
  const format = formatOf(model);
  const isMedia = model.format === "media-url";
  const isPlain = isPlainText(model);
  const isCopied = format === undefined && choices === undefined;

  const check = (text: string): string => {
    if (format?.matches(text) === false) return page.mistake(model, path, text);
    if (onlyKinds === true) return page.quoted(text);
    const unlikely = isMedia ? mediaMistake(text, media) : format?.unlikely?.(text);
    if (unlikely !== undefined) page.warn(path, unlikely);
    if (choices !== undefined && !isChoice(page, path, text, choices)) return page.mistake(model, path, text);
    if (isPlain) checkPlain(page, text, path, isTitle);
    if (isMedia) return page.json(mediaUrl(text, printedMedia));
    if (isHtml) checkHtml(page, text, path, isRaw);
    return page.quoted(text);
  };
  return (text) => {
    if (typeof text !== "string") return page.mistake(model, path, text);
    if (text.length > max) return page.mistake(model, path, text);
    if (text === "") return model.mayBeEmpty ? '""' : page.mistake(model, path, text);
    const { signs } = page;
    const mayBeWrong =
      !isCopied ||
      isHtml ||
      hasSpaceAround(text) ||
      (isTitle && INVISIBLE.test(text)) ||
      ((signs & MARKUP) !== 0 && /[<&*]|\]\(/.test(text));
    return mayBeWrong ? check(text) : page.quoted(text);
  };
}

function checkHtml(page: PageState, text: string, path: Steps, isRaw: boolean): void {
  const { problems, links, unlisted, isCut } = checkFragment(text, isRaw);
  // A fragment with problems has not all of its links.
  for (const { href } of problems.length === 0 ? links : linksIn(text)) page.links.push(href);
  const listed = problems.slice(0, MAX_HTML_PROBLEMS - page.htmlProblems);
  page.htmlProblems += listed.length;
  page.unlisted += problems.length - listed.length + unlisted;
  page.isCut ||= isCut;
  const steps = page.steps(path);
  for (const { start, end, ...problem } of listed) page.report(steps, problem, [start, end]);
}

function compileOpen(page: PageState, model: OpenValue, path: Steps): Print {
  const empty = page.json(model.empty);
  const anObject: OpenValue = { ...model, of: "object" };
  return (value) => {
    if (isSameEmpty(value, model.empty)) return empty;
    const { mistakes } = page;
    if (value === null && model.isRequired) return page.mistake(model, path, value);
    const isList = model.of === "list" || model.of === "objects";
    if (isList ? !Array.isArray(value) : model.of === "object" && !isObject(value))
      return page.mistake(model, path, value);
    if (model.of === "objects")
      for (const [i, item] of (value as unknown[]).entries())
        if (!isObject(item)) page.mistake(anObject, [...page.steps(path), i], item);
    if (mistakes < page.mistakes || !isPrintable(page, value, MAX_DEPTH - path.length)) return "null";
    if (page.options.onlyKinds !== true && !model.occurs(value))
      page.warn(path, { code: "unspecified-value", args: {} });
    const node = typeof value === "object" && value !== null ? page.nodes?.get(value) : undefined;
    return page.encode(node === undefined ? JSON.stringify(value) : printNode(node));
  };
}

/**
 * Counts the keys of a value that is printed as it is written. Without nodes, it must not be too deep, or
 * have names that are numbers, because JavaScript would put these first.
 */
function isPrintable(page: PageState, value: unknown, levels: number): boolean {
  if (page.nodes !== undefined || typeof value !== "object" || value === null) return true;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  page.keys += names.length;
  if (levels === 0 || names.some((name) => /^\d/.test(name))) return !(page.needsNodes = true);
  return Object.values(value).every((item) => isPrintable(page, item, levels - 1));
}

/** Without line breaks: texts from other systems often end in them, and no reader sees them. */
const AROUND = /^[ \t\u00a0]+|[ \t\u00a0]+$/;
const ALL_AROUND = new RegExp(AROUND, "g");

const MARKUP_FORMS: [pattern: RegExp, kind: string][] = [
  [/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i, "an HTML tag"],
  [/&(?:[a-z][a-z0-9]{1,7}|#\d{2,6}|#x[0-9a-f]{2,6});/i, "an HTML entity"],
  [/\*\*[^\s*][^*]*\*\*|\[[^\][]+\]\((?:https?:|\/)[^()\s]*\)/, "Markdown"],
];

/**
 * Control characters, and characters that are invisible or change the direction of text. Joiners are allowed
 * because words and emoji contain them.
 */
const INVISIBLE = /(?!\u200c|\u200d|[\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function checkPlain(page: PageState, text: string, path: Steps, isTitle: boolean): void {
  const warn = (
    { index, 0: { length } }: RegExpExecArray,
    mistake: ValueMistake<"space-around" | "markup-in-text" | "invisible-in-title">,
  ): void => page.warn(path, mistake, [index, index + length]);
  const around = AROUND.exec(text);
  if (around !== null)
    return warn(around, {
      code: "space-around",
      args: { right: text.replaceAll(ALL_AROUND, "") },
    });
  for (const [pattern, kind] of MARKUP_FORMS) {
    const found = pattern.exec(text);
    if (found !== null) return warn(found, { code: "markup-in-text", args: { found: found[0], kind } });
  }
  const unseen = isTitle ? INVISIBLE.exec(text) : null;
  if (unseen !== null) warn(unseen, { code: "invisible-in-title", args: { name: nameOf(unseen[0]) } });
}

const hasSpaceAround = (text: string): boolean => {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  return isSpace(first) || isSpace(last);
};

const isSpace = (c: number): boolean => c === 0x20 || c === 0x09 || c === 0xa0;

const isSameEmpty = (value: unknown, empty: unknown): boolean =>
  Array.isArray(empty)
    ? Array.isArray(value) && value.length === 0
    : isObject(empty)
      ? isObject(value) && Object.keys(value).length === 0
      : value === empty;

/*
 * The engine: functions, compiled once from a model, that check a value and print its JSON in the response.
 * After a mistake the engine continues, but what it prints is of no use.
 */

type Derive = (owner: JsonObject) => string;

interface FieldStep {
  name: string;
  model: ValueModel;
  /** The comma or brace, the key and the colon. */
  prefix: string;
  /** Absent if no source may have the field. */
  print: Print | undefined;
  /** How the field is derived if it is omitted. */
  derive: Derive | undefined;
  /** The JSON of the omitted field; absent if it is required, derived, or depends on the page's location. */
  omitted: string | undefined;
  /** Whether the field is an object. If it is omitted, it is printed as if the source had `{}`. */
  isNested: boolean;
}

/** An object that many pages contain, such as a subject: checked and printed once. */
interface Known {
  names: readonly string[];
  values: readonly unknown[];
  json: string;
  keys: number;
  claim: number;
}

/** Maximum number of objects of one kind that are kept in memory to recognise them on later pages. */
const MAX_KNOWN_OBJECTS = 1 << 14;

export class Engine extends PageState {
  compile(model: ValueModel, path: Steps = []): Print {
    const print = this.compileKind(model, path);
    return model.isNullable ? (value) => (value === null ? "null" : print(value)) : print;
  }

  private compileKind(model: ValueModel, path: Steps): Print {
    switch (model.kind) {
      case "object":
        return this.compileObject(model, path);
      case "list": {
        const { min = 0, max = Infinity } = model;
        const item = this.compile(model.element, [...path, EACH]);
        const print = this.compileList(item, path, (value) => this.mistake(model, path, value));
        if (model.min === undefined && model.max === undefined) return print;
        return (value) => {
          if (Array.isArray(value) && (value.length < min || value.length > max))
            this.mistake(model, path, value);
          return print(value);
        };
      }
      case "block":
        return this.compileBlock(model, path);
      case "tuple": {
        const items = model.items.map((item, i) => this.compile(item, [...path, i]));
        return (value) => {
          if (!Array.isArray(value) || value.length < items.length) return this.mistake(model, path, value);
          if (value.length > items.length) this.mistake(model, path, value);
          return `[${items.map((item, i) => item(value[i])).join(",")}]`;
        };
      }
      case "text":
        return compileText(this, model, path);
      case "number":
        return compileNumber(this, model, path);
      case "boolean":
        return (value) =>
          value === true ? "true" : value === false ? "false" : this.mistake(model, path, value);
      case "literal": {
        const texts = new Map<unknown, string>(model.values.map((value) => [value, this.json(value)]));
        return (value) => texts.get(value) ?? this.mistake(model, path, value);
      }
      case "open":
        return compileOpen(this, model, path);
      default:
        return (value) => this.mistake(model, path, value, "name");
    }
  }

  private compileBlock(model: BlockValue, path: Steps): Print {
    const variants = new Map(
      Array.from(model.variants.values(), (variant) => [variant, this.compile(variant, path)]),
    );
    return (value) => {
      const variant = variantOf(model, value);
      if (variant !== undefined) return (variants.get(variant) as Print)(value);
      if (!isObject(value) || typeof value["type"] !== "string") return this.mistake(model, path, value);
      const steps = this.steps(path);
      this.mistakes++;
      this.report([...steps, "type"], mistakeIn(model, value, fieldName(steps)));
      return "null";
    };
  }

  private missing(owner: JsonObject, of: ObjectValue, path: Steps, name: string): void {
    const steps = [...this.steps(path), name];
    this.mistakes++;
    const mistake = missingIn(owner, of, name, fieldName(steps));
    if (mistake !== undefined) this.report(steps, mistake);
  }

  /** @param otherwise prints a value that is not a list */
  private compileList(item: Print, path: Steps, otherwise: Print): Print {
    const depth = path.filter((step) => step === EACH).length;
    return (value) => {
      if (!Array.isArray(value)) return otherwise(value);
      let json = "[";
      for (let i = 0; i < value.length; i++) {
        this.indices[depth] = i;
        json += i === 0 ? item(value[i]) : `,${item(value[i])}`;
      }
      return `${json}]`;
    };
  }

  private compileObject(model: ObjectValue, path: Steps): Print {
    const { identity } = model;
    const entries = [...model.fields];
    const printed = entries.filter(([, field]) => !field.isSourceOnly);
    const steps = [...printed, ...entries.filter(([, field]) => field.isSourceOnly)].map(([name, field], k) =>
      this.step(name, field, model, path, k === 0),
    );
    const count = printed.length;
    const between = omittedBetween(steps.slice(0, count));
    const absent = Array.from<unknown>({ length: steps.length + 1 });
    const places = new Map(steps.map(({ name }, k) => [name, k]));
    const checkRules = this.options.onlyKinds === true ? undefined : this.compileRules(model, places, path);
    // The order of the last object's fields: most objects have the same.
    const lastNames = [...places.keys()];
    const lastPlaces = [...places.values()];

    const print = (object: JsonObject): string => {
      let json = "";
      let next = 0;
      let { mistakes } = this;
      let wrong: Set<string> | undefined;
      const values = absent.slice();
      let at = 0;
      for (const name in object) {
        if (lastNames[at] !== name) {
          lastNames[at] = name;
          lastPlaces[at] = places.get(name) ?? steps.length;
        }
        values[lastPlaces[at++] as number] = object[name];
      }
      for (let k = 0; k < steps.length; k++) {
        const step = steps[k] as FieldStep;
        const value = step.print === undefined ? undefined : values[k];
        if (value === undefined && step.omitted !== undefined) continue;
        if (k < count) {
          json += between(next, k);
          next = k + 1;
        }
        if (value !== undefined) {
          this.keys++;
          const own = (step.print as Print)(value);
          if (k < count) json += own;
        } else if (step.derive !== undefined) {
          if (this.nodes !== undefined && step.print === undefined && Object.hasOwn(object, step.name))
            this.mistake(step.model, [...path, step.name], object[step.name], "name");
          json += step.derive(object);
        } else if (step.isNested) json += (step.print as Print)({});
        else this.missing(object, model, path, step.name);
        if (this.mistakes !== mistakes) {
          (wrong ??= new Set()).add(step.name);
          ({ mistakes } = this);
        }
      }
      if (this.nodes !== undefined) this.checkNames(object, model, path);
      checkRules?.(values, wrong);
      return json + between(next, count);
    };
    const state = identity && this.options.claims?.stateOf(identity);
    const isFlat = entries.every(([, field]) => isFlatValue(field));
    if (identity !== undefined && isFlat && !dependsOnPlace(model))
      return this.knownObjects(model, path, identity.key, print, state);
    return (value) => {
      if (!isObject(value)) return this.mistake(model, path, value);
      const { mistakes } = this;
      const json = print(value);
      if (mistakes === this.mistakes) state?.(value);
      return json;
    };
  }

  private checkNames(object: JsonObject, model: ObjectValue, path: Steps): void {
    for (const name of Object.keys(object)) {
      if (model.fields.has(name) || (path.length === 0 && name === "$schema")) continue;
      const steps = this.steps(path);
      this.mistakes++;
      this.report([...steps, name], this.options.unknown(model, steps, name, object[name]), "name");
    }
  }

  private compileRules(
    model: ObjectValue,
    places: ReadonlyMap<string, number>,
    path: Steps,
  ): ((object: readonly unknown[], wrong: ReadonlySet<string> | undefined) => void) | undefined {
    const { rules } = model;
    if (rules.length === 0) return undefined;
    const { media } = this.options;
    const { at, knownSince } = this.options.times;
    const full = (name: string): string => fieldName([...this.steps(path), name]);
    const inputs = rules.map(({ fields }) =>
      fields.map((name) => ({ place: places.get(name) as number, empty: model.fields.get(name)?.empty })),
    );
    return (object, wrong) => {
      for (let k = 0; k < rules.length; k++) {
        const { fields, validFrom, code, reportOn, comparedWith, fault } = rules[k] as Rule;
        if (wrong !== undefined && fields.some((name) => wrong.has(name))) continue;
        const values = (inputs[k] as (typeof inputs)[number]).map(
          ({ place, empty }) => object[place] ?? empty,
        );
        if (validFrom !== undefined) {
          const instant = validFrom(values);
          if (instant > knownSince) this.changeInstants.push(instant);
          if (instant <= at) continue;
        }
        const args = fault(values, full, media);
        if (args === undefined) continue;
        const steps = this.steps(path);
        this.reports.push({
          code,
          args,
          path: [...steps, reportOn ?? (fields.at(-1) as string)],
          other: comparedWith === undefined ? undefined : [...steps, comparedWith],
        });
      }
    };
  }

  private step(
    name: string,
    model: ValueModel,
    owner: ObjectValue,
    path: Steps,
    isFirst: boolean,
  ): FieldStep {
    const prefix = `${isFirst ? "{" : ","}${this.json(name)}:`;
    const isDerived = model.kind === "derived";
    const derivation = isDerived ? model.row : model.fallback;
    const print = isDerived ? undefined : this.compile(model, [...path, name]);
    const { empty, isRequired } = model;
    const isNested = isObject(empty) && model.kind === "object";
    const isFixed = derivation === undefined && !isRequired && !(isNested && dependsOnPlace(model));
    let omitted = model.isSourceOnly === true ? "" : undefined;
    if (isFixed && print !== undefined && omitted === undefined) {
      // A field of a settings file that has no value if it is omitted.
      const json = empty === undefined ? "null" : this.quietly(print, isNested ? {} : empty);
      omitted = json && prefix + json;
    }
    const derive = derivation && this.compileDerivation(derivation, owner, path);
    return { name, model, prefix, print, derive, isNested, omitted };
  }

  private knownObjects(
    model: ObjectValue,
    path: Steps,
    key: string,
    print: (object: JsonObject) => string,
    state: ((object: JsonObject) => number) | undefined,
  ): Print {
    const { claims } = this.options;
    const known = new IdMap<Known>();
    let names: readonly string[] = [];
    return (value) => {
      if (!isObject(value)) return this.mistake(model, path, value);
      const before = known.get(value[key]);
      // With nodes, unknown fields are looked for in each object.
      if (before !== undefined && this.nodes === undefined && hasFields(value, before.names, before.values)) {
        this.keys += before.keys;
        if (before.claim !== -1) claims?.addKnown(before.claim);
        return before.json;
      }
      const { keys, mistakes, reports } = this;
      const { length } = reports;
      const json = print(value);
      if (mistakes !== this.mistakes) return json;
      const claim = state?.(value) ?? -1;
      if (reports.length > length || known.size >= MAX_KNOWN_OBJECTS) return json;
      const values = Object.values(value);
      // Most objects of a kind have the same names, which are kept once.
      if (!hasFields(value, names, values)) names = Object.keys(value);
      known.set(value[key], {
        names,
        values,
        json: flat(json),
        keys: this.keys - keys,
        claim,
      });
      return json;
    };
  }

  private compileDerivation(row: Derivation, owner: ObjectValue, path: Steps): Derive {
    switch (row.kind) {
      case "constant": {
        const json = this.json(row.value);
        return () => json;
      }
      case "place":
        return () => this.place[row.part];
      case "copy": {
        const field = valueIn(owner, row.path);
        const print = field && this.compile(field, [...path, ...row.path]);
        return (object) => {
          let value: unknown = object;
          for (const name of row.path) value = isObject(value) ? value[name] : undefined;
          return (print && this.quietly(print, value ?? field.empty ?? null)) ?? "null";
        };
      }
      case "each": {
        const list = owner.fields.get(row.list);
        const field = list?.kind === "list" ? fieldsIn(list.element).get(row.field) : undefined;
        if (field === undefined || !isFlatValue(field)) return () => "null";
        const print = (one: unknown): string => {
          const value = isObject(one) ? one[row.field] : undefined;
          return typeof value === "string" ? this.quoted(value) : this.json(value ?? field.empty ?? null);
        };
        return (object) => {
          const elements = object[row.list] ?? [];
          return Array.isArray(elements) ? `[${elements.map(print).join(",")}]` : "null";
        };
      }
      default: {
        const fields = row.fields.map((name) => ({ name, empty: owner.fields.get(name)?.empty }));
        return (object) =>
          this.mistakes > 0
            ? "null"
            : this.json(row.text(fields.map(({ name, empty }) => object[name] ?? empty)));
      }
    }
  }

  /** Prints a value that is checked elsewhere; undefined if it is not of its kind. */
  private quietly(print: Print, value: unknown): string | undefined {
    const { keys, links, shown, mistakes, reports, unlisted, htmlProblems, isCut, signs } = this;
    // A default value is not from the source.
    this.signs = ANY_SIGNS;
    this.links = [];
    this.shown = [];
    this.reports = [];
    const json = print(value);
    const isValid = mistakes === this.mistakes;
    this.keys = keys;
    this.links = links;
    this.shown = shown;
    this.mistakes = mistakes;
    this.reports = reports;
    this.unlisted = unlisted;
    this.htmlProblems = htmlProblems;
    this.isCut = isCut;
    this.signs = signs;
    return isValid ? json : undefined;
  }
}

/** Whether a value has neither fields of its own nor links. */
const isFlatValue = (model: ValueModel): boolean =>
  model.kind === "text"
    ? !model.isHtml
    : model.kind === "number"
      ? model.reference === undefined
      : !["object", "list", "tuple", "block", "open"].includes(model.kind);

/** One text instead of the parts that V8 joins only when it needs them, which it would do again for each page. */
const flat = (json: string): string => JSON.parse(JSON.stringify(json)) as string;

/** The JSON between the end of a field and the value of the next: the omitted fields and the next key. */
function omittedBetween(steps: FieldStep[]): (from: number, to: number) => string {
  const width = steps.length + 1;
  // Filled, because V8 reads a list with gaps slowly.
  const texts = Array.from<string | undefined>({ length: width * width });
  // A loop, because V8 puts it into each function that prints objects.
  const text = (from: number, to: number): string => {
    let json = "";
    for (let k = from; k < to; k++) json += steps[k]?.omitted ?? "";
    return json + (steps[to]?.prefix ?? (steps.length === 0 ? "{}" : "}"));
  };
  return (from, to) => (texts[from * width + to] ??= flat(text(from, to)));
}
