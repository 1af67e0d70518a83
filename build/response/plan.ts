import type * as z from "zod";
import type { Instant, Times } from "../base/instant.ts";
import { isObject, type JsonObject } from "../json/object.ts";
import type { ClaimCollector } from "../check/claims.ts";
import type { Derivation, Placement } from "../page/derive.ts";
import {
  definitionOf,
  dependsOnPlace,
  derivedFields,
  fallbacks,
  formatOf,
  htmlFields,
  identities,
  isPlainText,
  isTitle,
  occurring,
  sourceOnlyFields,
  unspecified,
  within,
  type Identity,
} from "../page/field.ts";
import { formats, type Format } from "../page/formats.ts";
import { checkFragment } from "../page/html.ts";
import { mediaProblem, mediaUrl } from "../page/media.ts";
import { rulesFor } from "../page/rules.ts";
import type { Site } from "../page/site.ts";
import { textProblem } from "../page/texts.ts";
import {
  bail,
  compileArray,
  compileNumber,
  compileTuple,
  hasSpaceAround,
  jsonOf,
  type Print,
} from "./print.ts";
import { ESCAPE, MARKUP, NON_ASCII } from "./scan.ts";
import { claimsOf, MAX_KNOWN_OBJECTS } from "./claims.ts";

/*
 * The compiled plan of a page type: functions made once from the schemas and rows of `page/`, which check a value and
 * print its JSON in the response. They report no findings: at any error, warning or unknown field they throw `BAIL_OUT`,
 * and the full path takes the page.
 */

/** The fields that are derived from a page's location, as JSON in latin1. */
export type PlaceJson = Record<keyof Placement, string>;

/** The value of an omitted field; undefined if the field is required or derived. */
const emptyOf = (schema: z.ZodType | undefined): unknown =>
  // Without JIT: each schema parses only one value.
  schema?.safeParse(undefined, { jitless: true }).data;

/** The schema at a path of field names. */
function schemaAlong(shape: Record<string, z.ZodType>, [name = "", ...rest]: readonly string[]): z.ZodType {
  const schema = shape[name] as z.ZodType;
  const definition = definitionOf(within(schema));
  return rest.length > 0 && definition.type === "object" ? schemaAlong(definition.shape, rest) : schema;
}

/** Returns the JSON of a derived field of an object. */
type Derive = (owner: JsonObject) => string;

/** How one field of an object is printed. */
interface FieldStep {
  name: string;
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
  values: unknown[];
  json: string;
  keys: number;
  /** The number of its claim; -1 if it makes none. */
  claim: number;
}

/** Compiles plans, and keeps the state of the current page for them. */
export class PlanCompiler {
  private readonly site: Site;
  private readonly claims: ClaimCollector;
  private readonly times: Times;
  /** The instants after `Times.floor` from which a rule that depends on time holds on this page. Few pages have any. */
  moments: Instant[] = [];
  /** The number of keys that the plan has read on this page. */
  keys = 0;
  /** Targets of the page's links, as written. */
  links: string[] = [];
  private place: PlaceJson = { response: "", address: "", slug: "", parent: "" };
  /** The flags of `scan`. */
  private signs = 0;

  constructor(site: Site, claims: ClaimCollector, times: Times) {
    this.site = site;
    this.claims = claims;
    this.times = times;
  }

  begin(place: PlaceJson, signs: number): void {
    this.keys = 0;
    if (this.links.length > 0) this.links = [];
    if (this.moments.length > 0) this.moments = [];
    this.place = place;
    this.signs = signs;
  }

  compile(schema: z.ZodType): Print {
    const at = within(schema);
    const definition = definitionOf(at);
    if (unspecified.has(at)) {
      const empty = JSON.stringify(emptyOf(schema));
      return (value) => (JSON.stringify(value) === empty ? empty : bail());
    }
    switch (definition.type) {
      case "object":
        return this.compileObject(definition.shape, identities.get(at));
      case "array":
        return compileArray(this.compile(definition.element));
      case "tuple":
        return compileTuple(definition.items.map((item) => this.compile(item)));
      case "string":
        return this.compileText(schema, at);
      case "number":
        return compileNumber(at);
      case "boolean":
        return (value) => (value === true ? "true" : value === false ? "false" : bail());
      case "literal": {
        const [literal] = definition.values;
        const json = JSON.stringify(literal);
        return (value) => (value === literal ? json : bail());
      }
      default:
        return bail;
    }
  }

  /** Decodes the texts of a value: needed if they are checked, not only copied. */
  private decode<T>(value: T): T {
    if ((this.signs & NON_ASCII) === 0) return value;
    if (typeof value === "string") return Buffer.from(value, "latin1").toString() as T;
    return Array.isArray(value) ? (value.map((item) => this.decode<unknown>(item)) as T) : value;
  }

  private compileText(schema: z.ZodType, at: z.ZodType): Print {
    const media = this.site;
    const { owned_paths: owned } = media;
    const values = occurring.get(at)?.values;
    const formName = formatOf.get(at)?.format;
    const form: Format | undefined = formName && formats[formName];
    const isMedia = formName === "media-url";
    const isNullable = schema.safeParse(null, { jitless: true }).success;
    const mayBeEmpty = at.safeParse("", { jitless: true }).success;
    const isHtml = htmlFields.has(at);
    const isPlain = isPlainText(at);
    const title = isTitle(at);
    const isCopied = form === undefined && values === undefined;
    // If the source has no backslash, no character of the text needs an escape.
    const quoted = (written: string): string =>
      (this.signs & ESCAPE) === 0 ? `"${written}"` : JSON.stringify(written);

    const check = (written: string): string => {
      const text = this.decode(written);
      if (form?.matches(text) === false || form?.unlikely?.(text) !== undefined) return bail();
      if (values?.includes(text) === false) return bail();
      if (isPlain && textProblem(text, title) !== undefined) return bail();
      if (isMedia) return mediaProblem(text, media) === undefined ? jsonOf(mediaUrl(text, media)) : bail();
      if (isHtml) {
        const { problems, links } = checkFragment(text);
        if (problems.length > 0) return bail();
        if (owned.length > 0) for (const { href } of links) this.links.push(href);
      }
      return quoted(written);
    };
    return (written) => {
      if (typeof written !== "string") return written === null && isNullable ? "null" : bail();
      if (written === "") return mayBeEmpty ? '""' : bail();
      const { signs } = this;
      const mayBeWrong =
        !isCopied ||
        isHtml ||
        title ||
        hasSpaceAround(written) ||
        ((signs & MARKUP) !== 0 && /[<&*]|\]\(/.test(written));
      return mayBeWrong ? check(written) : quoted(written);
    };
  }

  private compileObject(shape: Record<string, z.ZodType>, identity: Identity | undefined): Print {
    const entries = Object.entries(shape);
    const steps = entries
      .filter(([, schema]) => !sourceOnlyFields.has(schema))
      .map(([name, schema], k) => this.step(name, schema, shape, k === 0));
    const unprinted = entries
      .filter(([, schema]) => sourceOnlyFields.has(schema))
      .map(([name, schema]) => ({ name, check: this.compile(schema) }));
    const rules = rulesFor(shape).map(({ fields, holds, holdsFrom }) => ({
      holds,
      holdsFrom,
      fields: fields.map((name) => ({ name, empty: emptyOf(shape[name]) })),
    }));
    const media = this.site;
    const { at, floor } = this.times;
    const count = steps.length;
    const between = omittedBetween(steps);

    const print = (object: JsonObject): string => {
      let json = "";
      let next = 0;
      for (let k = 0; k < count; k++) {
        const step = steps[k] as FieldStep;
        const value = step.print === undefined ? undefined : object[step.name];
        if (value === undefined && step.omitted !== undefined) continue;
        json += between(next, k);
        next = k + 1;
        if (value !== undefined) {
          this.keys++;
          json += (step.print as Print)(value);
        } else if (step.derive !== undefined) json += step.derive(object);
        else json += step.print !== undefined && step.isNested ? step.print({}) : bail();
      }
      for (let k = 0; k < unprinted.length; k++) {
        const { name, check } = unprinted[k] as (typeof unprinted)[number];
        if (object[name] === undefined) continue;
        this.keys++;
        check(object[name]);
      }
      for (let k = 0; k < rules.length; k++) {
        const { holds, holdsFrom, fields } = rules[k] as (typeof rules)[number];
        const values: unknown[] = [];
        for (let i = 0; i < fields.length; i++) {
          const { name, empty } = fields[i] as (typeof fields)[number];
          values.push(this.decode(object[name]) ?? empty);
        }
        if (!holds(values, media, at)) bail();
        const moment = holdsFrom?.(values) ?? floor;
        if (moment > floor) this.moments.push(moment);
      }
      return json + between(next, count);
    };
    if (identity === undefined) return (value) => print(isObject(value) ? value : bail());
    const state = claimsOf(identity, this.claims, (text) => this.decode(text));
    const isFlat = Object.values(shape).every(
      (schema) =>
        !["object", "array", "tuple"].includes(definitionOf(within(schema)).type) &&
        derivedFields.get(schema)?.row.kind !== "place",
    );
    if (isFlat) return this.knownObjects(steps, identity.key, print, state);
    return (value) => {
      const json = print(isObject(value) ? value : bail());
      state(value as JsonObject);
      return json;
    };
  }

  private step(
    name: string,
    schema: z.ZodType,
    shape: Record<string, z.ZodType>,
    isFirst: boolean,
  ): FieldStep {
    const prefix = `${isFirst ? "{" : ","}${JSON.stringify(name)}:`;
    const derivation = derivedFields.get(schema)?.row ?? fallbacks.get(schema);
    const print = derivedFields.has(schema) ? undefined : this.compile(schema);
    const derive = derivation && this.compileDerivation(derivation, shape);
    const empty = derivation === undefined ? emptyOf(schema) : undefined;
    const isNested = isObject(empty) && !unspecified.has(within(schema));
    const isFixed = empty !== undefined && print !== undefined && !(isNested && dependsOnPlace(schema));
    return {
      name,
      prefix,
      print,
      derive,
      isNested,
      omitted: isFixed ? prefix + print(isNested ? {} : empty) : undefined,
    };
  }

  private knownObjects(
    steps: FieldStep[],
    key: string,
    print: (object: JsonObject) => string,
    state: (object: JsonObject) => number,
  ): Print {
    const names = steps.map(({ name }) => name);
    const known = new Map<unknown, Known>();
    const isSame = (object: JsonObject, values: unknown[]): boolean => {
      for (let k = 0; k < names.length; k++) if (object[names[k] as string] !== values[k]) return false;
      return true;
    };
    return (value) => {
      if (!isObject(value)) bail();
      const before = known.get(value[key]);
      if (before !== undefined && isSame(value, before.values)) {
        this.keys += before.keys;
        if (before.claim !== -1) this.claims.again(before.claim);
        return before.json;
      }
      const keys = this.keys;
      const json = flat(print(value));
      const claim = state(value);
      if (known.size < MAX_KNOWN_OBJECTS)
        known.set(value[key], {
          values: names.map((name) => value[name]),
          json,
          keys: this.keys - keys,
          claim,
        });
      return json;
    };
  }

  private compileDerivation(row: Derivation, shape: Record<string, z.ZodType>): Derive {
    switch (row.kind) {
      case "constant": {
        const json = jsonOf(row.value);
        return () => json;
      }
      case "place":
        return () => this.place[row.part];
      case "copy": {
        const schema = schemaAlong(shape, row.path);
        const print = this.uncounted(this.compile(schema));
        const empty = emptyOf(schema);
        return (owner) => {
          let value: unknown = owner;
          for (const name of row.path)
            value = value === undefined ? undefined : isObject(value) ? value[name] : bail();
          return print(value ?? empty ?? null);
        };
      }
      case "each": {
        const list = definitionOf(within(shape[row.list] as z.ZodType));
        const element = list.type === "array" ? definitionOf(within(list.element)) : list;
        const schema = element.type === "object" ? element.shape[row.field] : undefined;
        const print = this.uncounted(compileArray(schema === undefined ? bail : this.compile(schema)));
        const empty = emptyOf(schema);
        return (owner) => {
          const elements = owner[row.list] ?? [];
          if (!Array.isArray(elements)) bail();
          return print(elements.map((one) => (isObject(one) ? (one[row.field] ?? empty) : bail())));
        };
      }
      default: {
        const fields = row.fields.map((name) => ({
          name,
          empty: emptyOf(shape[name]),
          print: this.uncounted(this.compile(shape[name] as z.ZodType)),
        }));
        return (owner) => {
          const values = fields.map(({ name, empty, print }) => {
            const published: unknown = JSON.parse(print(owner[name] ?? empty));
            return this.decode(published);
          });
          return jsonOf(row.text(values));
        };
      }
    }
  }

  /** Prints a value that is also printed elsewhere, without counting its keys and links a second time. */
  private uncounted(print: Print): Print {
    return (value) => {
      const { keys, links } = this;
      this.links = [];
      const json = print(value);
      this.keys = keys;
      this.links = links;
      return json;
    };
  }
}

/** One text instead of the parts that V8 joins only when it needs them, which it would do again for each page. */
const flat = (json: string): string => Buffer.from(json, "latin1").toString("latin1");

/** The JSON between the end of one field in the source and the value of the next: the omitted fields and the next key. */
function omittedBetween(steps: FieldStep[]): (from: number, to: number) => string {
  const width = steps.length + 1;
  const texts: (string | undefined)[] = [];
  const text = (from: number, to: number): string => {
    const omitted = steps.slice(from, to).map((step) => step.omitted);
    return omitted.join("") + (steps[to]?.prefix ?? "}");
  };
  return (from, to) => (texts[from * width + to] ??= text(from, to));
}
