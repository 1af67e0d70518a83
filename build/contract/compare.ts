import { METHODS, type Answer, type Header, type OpenApi, type Operation, type Ref } from "./openapi.ts";
import type { JsonSchema } from "./translate.ts";

/** One thing that the contract says otherwise than before. */
export interface Change {
  /** Whether a client that did right by the former contract may fail now. */
  breaks: boolean;
  /** What it is about: a field, a header, a method. */
  what: string;
  /** In words that follow on from it. */
  says: string;
  /** The page types or the answers that it is true of. */
  of: string[];
}

type Note = (breaks: boolean, what: string, says: string) => void;

/** What changed for clients between two contracts. What they read may become narrower, and what they send wider. */
export function compare(before: OpenApi, after: OpenApi): Change[] {
  const changes = new Changes();
  comparePages(before, after, changes);
  comparePaths(before, after, changes);
  return changes.all();
}

/** The same change in several places is one. */
class Changes {
  private readonly byWords = new Map<string, Change>();

  in(place: string): Note {
    return (breaks, what, says) => {
      const key = JSON.stringify([breaks, what, says]);
      const known = this.byWords.get(key);
      if (known === undefined) this.byWords.set(key, { breaks, what, says, of: [place] });
      else if (!known.of.includes(place)) known.of.push(place);
    };
  }

  /** Those that break a client first. */
  all(): Change[] {
    const changes = [...this.byWords.values()];
    return [...changes.filter(({ breaks }) => breaks), ...changes.filter(({ breaks }) => !breaks)];
  }
}

const UNION = "Page";

function comparePages(before: OpenApi, after: OpenApi, changes: Changes): void {
  for (const [name, was, is] of inEither(before.components.schemas, after.components.schemas)) {
    if (name === UNION) continue;
    const note = changes.in(pageTypeOf(was ?? is) ?? name);
    if (was === undefined)
      note(true, "pages of the type", "come: a client may not know what to do with them");
    else if (is === undefined) note(true, "pages of the type", "are gone");
    else compareSchemas(was, is, "", note);
  }
}

/** What `meta.type` is in the pages that a schema describes. */
export function pageTypeOf(schema: JsonSchema | undefined): string | undefined {
  const meta = schema?.properties?.["meta"];
  const type = typeof meta === "object" ? meta.properties?.["type"] : undefined;
  return typeof type === "object" && typeof type.const === "string" ? type.const : undefined;
}

function comparePaths(before: OpenApi, after: OpenApi, changes: Changes): void {
  for (const [path, was, is] of inEither(before.paths, after.paths)) {
    const note = changes.in(path);
    if (was === undefined) note(false, "the path", "comes");
    else if (is === undefined) note(true, "the path", "is gone");
    else {
      compareParameters(was.parameters, is.parameters, note);
      for (const method of METHODS) {
        const [former, now] = [was[method], is[method]];
        if (former === undefined && now !== undefined)
          note(false, `the method ${method.toUpperCase()}`, "comes");
        else if (former !== undefined && now === undefined)
          note(true, `the method ${method.toUpperCase()}`, "is gone");
        else if (former !== undefined && now !== undefined)
          compareAnswers([before, former], [after, now], method.toUpperCase(), changes);
      }
    }
  }
}

function compareParameters(
  before: OpenApi["paths"][string]["parameters"],
  after: OpenApi["paths"][string]["parameters"],
  note: Note,
): void {
  const byName = (all: typeof before) => Object.fromEntries(all.map((one) => [`${one.in} ${one.name}`, one]));
  for (const [, was, is] of inEither(byName(before), byName(after))) {
    const what = `the parameter “${(was ?? is)?.name}”`;
    if (was === undefined)
      note(is?.required === true, what, `comes${is?.required === true ? ", and must be given" : ""}`);
    else if (is === undefined) note(true, what, "is gone");
    else {
      if (is.required && !was.required) note(true, what, "must be given now");
      if (was.required && !is.required) note(false, what, "may be left out now");
      // A client sends it: read the other way round, what is narrower breaks it.
      compareSchemas(is.schema, was.schema, "", (breaks) =>
        note(breaks, what, breaks ? "allows less than before" : "allows more than before"),
      );
    }
  }
}

type Within<T> = [contract: OpenApi, value: T];

function compareAnswers(
  [before, former]: Within<Operation>,
  [after, now]: Within<Operation>,
  method: string,
  changes: Changes,
): void {
  for (const [status, was, is] of inEither(former.responses, now.responses)) {
    const note = changes.in(`${method} ${status}`);
    if (was === undefined) note(true, "the answer", "comes: a client may not know what to do with it");
    else if (is === undefined) note(true, "the answer", "is gone");
    else {
      const [a, b] = [answerOf(before, was), answerOf(after, is)];
      for (const [name, one, other] of inEither(byLowerCase(a.headers), byLowerCase(b.headers))) {
        const what = `the header ${name}`;
        if (one === undefined) note(false, what, "comes");
        else if (other === undefined) note(true, what, "is gone");
        else compareSchemas(headerOf(before, one).schema, headerOf(after, other).schema, what, note);
      }
      for (const [type, one, other] of inEither(a.content ?? {}, b.content ?? {})) {
        if (one === undefined) note(true, "the body", `comes as ${type}`);
        else if (other === undefined) note(true, "the body", `does not come as ${type} any more`);
        else compareSchemas(one.schema, other.schema, "", note);
      }
    }
  }
}

const byLowerCase = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key.toLowerCase(), value]));

const last = ({ $ref }: Ref): string => $ref.slice($ref.lastIndexOf("/") + 1);

const NO_ANSWER: Answer = { description: "", headers: {} };
const NO_HEADER: Header = { description: "", required: true, schema: {} };

const answerOf = ({ components }: OpenApi, one: Answer | Ref): Answer =>
  "$ref" in one ? (components.responses[last(one)] ?? NO_ANSWER) : one;

const headerOf = ({ components }: OpenApi, one: Header | Ref): Header =>
  "$ref" in one ? (components.headers[last(one)] ?? NO_HEADER) : one;

function* inEither<T>(before: Record<string, T>, after: Record<string, T>): Generator<[string, T?, T?]> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    yield [
      key,
      Object.hasOwn(before, key) ? before[key] : undefined,
      Object.hasOwn(after, key) ? after[key] : undefined,
    ] as [string, T?, T?];
}

/** What changes for somebody who reads values of a schema. */
function compareSchemas(before: JsonSchema, after: JsonSchema, path: string, note: Note): void {
  const what = path === "" ? "the body" : path.startsWith("the ") ? path : `“${path}”`;
  const [was, is] = [typesOf(before), typesOf(after)];
  const come = is.filter((type) => !was.some((one) => includes(one, type)));
  const gone = was.filter((type) => !is.some((one) => includes(one, type)));
  if (come.length > 0 && gone.length > 0 && !was.some((type) => type !== "null" && is.includes(type))) {
    note(true, what, `was ${listed(was)}, and is ${listed(is)}`);
    return;
  }
  if (come.length > 0) note(true, what, `is wider: it may be ${listed(come)} too`);
  if (gone.length > 0) note(false, what, `is narrower: it is not ${listed(gone)} any more`);
  compareValues(before, after, what, note);
  compareBounds(before, after, what, note);
  compareFields(before, after, path, note);
  compareElements(before, after, path, note);
}

const ANYTHING = "anything";

function typesOf({ type, anyOf, const: only, enum: values }: JsonSchema): string[] {
  if (type !== undefined) return [type].flat();
  if (anyOf !== undefined) return anyOf.flatMap(typesOf);
  if (only !== undefined || values !== undefined)
    return [...new Set((values ?? [only]).map((value) => (value === null ? "null" : typeof value)))];
  return [ANYTHING];
}

/** Whether whoever reckons with values of one type reckons with those of another. */
const includes = (one: string, other: string): boolean =>
  one === other || one === ANYTHING || (one === "number" && other === "integer");

const listed = (types: readonly string[]): string =>
  types
    .map((type) =>
      type === "null" || type === ANYTHING ? type : `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`,
    )
    .join(" or ");

function compareValues(before: JsonSchema, after: JsonSchema, what: string, note: Note): void {
  const [was, is] = [before, after].map((one) =>
    (one.const === undefined ? one.enum : [one.const])?.map((value) => JSON.stringify(value)),
  );
  if (was === undefined && is === undefined) return;
  if (was === undefined) note(false, what, `is narrower: it is one of ${is?.join(", ")}`);
  else if (is === undefined)
    note(true, what, `is wider: it was one of ${was.join(", ")}, and may be another value now`);
  else if (was.length === 1 && is.length === 1) {
    if (was[0] !== is[0]) note(true, what, `was ${was[0]}, and is ${is[0]}`);
  } else {
    for (const value of is) if (!was.includes(value)) note(true, what, `is wider: it may be ${value} too`);
    for (const value of was)
      if (!is.includes(value)) note(false, what, `is narrower: it is not ${value} any more`);
  }
}

const AT_LEAST = ["minimum", "exclusiveMinimum", "minLength", "minItems"] as const;
const AT_MOST = ["maximum", "maxItems"] as const;

function compareBounds(before: JsonSchema, after: JsonSchema, what: string, note: Note): void {
  const bound = (key: string, was: number | undefined, is: number | undefined, sign: 1 | -1): void => {
    if (was === is) return;
    const isWider = is === undefined || (was !== undefined && sign * is < sign * was);
    note(
      isWider,
      what,
      `is ${isWider ? "wider" : "narrower"}: its ${key} was ${was ?? "not stated"}, and is ${is ?? "not stated any more"}`,
    );
  };
  for (const key of AT_LEAST) bound(key, before[key], after[key], 1);
  for (const key of AT_MOST) bound(key, before[key], after[key], -1);

  const [was, is] = [before.pattern, after.pattern];
  if (was === is) return;
  if (was === undefined) note(false, what, `is narrower: it has a form now, ${is}`);
  else if (is === undefined) note(true, what, `is wider: it had a form, ${was}, and has none now`);
  else if (was === `${OR_EMPTY}${is}`) note(false, what, "is narrower: it is not empty any more");
  else if (is === `${OR_EMPTY}${was}`) note(true, what, "is wider: it may be empty");
  else note(true, what, `has another form: it was ${was}, and is ${is}`);
}

const OR_EMPTY = "^$|";

function compareFields(before: JsonSchema, after: JsonSchema, path: string, note: Note): void {
  for (const [key, was, is] of inEither(before.properties ?? {}, after.properties ?? {})) {
    const field = path === "" ? key : `${path}.${key}`;
    if (was === undefined) note(false, `“${field}”`, "comes");
    else if (is === undefined) note(true, `“${field}”`, "is gone");
    else {
      const [must, mustNow] = [before, after].map(({ required = [] }) => required.includes(key));
      if (must && !mustNow) note(true, `“${field}”`, "may be left out");
      if (!must && mustNow) note(false, `“${field}”`, "is always there");
      compareSchemas(was === true ? {} : was, is === true ? {} : is, field, note);
    }
  }
}

function compareElements(before: JsonSchema, after: JsonSchema, path: string, note: Note): void {
  const [was, is] = [before, after].map(({ items }) =>
    Array.isArray(items) || items === false ? {} : (items ?? {}),
  );
  if (before.items !== undefined || after.items !== undefined)
    compareSchemas(was ?? {}, is ?? {}, `${path}[]`, note);
  const [first, now] = [before.prefixItems ?? [], after.prefixItems ?? []];
  // How many there are, minItems and maxItems say.
  for (let i = 0; i < Math.min(first.length, now.length); i++)
    compareSchemas(first[i] ?? {}, now[i] ?? {}, `${path}[${i}]`, note);
}
