import { IdMap } from "../base/columns.ts";
import { fieldName } from "../source/json/node.ts";
import { hasFields, isObject, type JsonObject } from "../source/json/object.ts";
import type { Derivation } from "../model/derive.ts";
import {
  dependsOnPlace,
  fieldsIn,
  valueIn,
  variantOf,
  type BlockValue,
  type ObjectValue,
  type ValueModel,
} from "../model/model.ts";
import type { Rule } from "../model/rules.ts";
import { missingIn, mistakeIn } from "./mistakes.ts";
import { ANY_SIGNS, EACH, PageState, type Print, type Steps } from "./state.ts";
import { compileNumber, compileOpen, compileText } from "./values.ts";

/*
 * The engine: functions, compiled once from a model, that check a value and print its JSON in the response.
 * After a mistake the engine continues, but what it prints is of no use.
 */

/** Returns the JSON of a derived field of an object. */
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
        const instant = validFrom?.(values) ?? knownSince;
        if (instant > knownSince) this.changeInstants.push(instant);
        const args = fault(values, full, media, at);
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
        return (object) => {
          const elements = object[row.list] ?? [];
          if (!Array.isArray(elements)) return "null";
          return this.json(elements.map((one) => (isObject(one) ? (one[row.field] ?? field.empty) : null)));
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
  return (from, to) => (texts[from * width + to] ??= text(from, to));
}
