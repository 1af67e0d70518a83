import {
  METHODS,
  type ResponseObject,
  type HeaderObject,
  type OpenApi,
  type Operation,
  type Ref,
} from "./openapi.ts";
import { compareSchemas, inEither, type Note } from "./schema-changes.ts";
import type { JsonSchema } from "./translate.ts";

/** One difference between two contracts. */
export interface ContractChange {
  /** Whether a client that follows the former contract may fail now. */
  breaking: boolean;
  /** The subject: a field, a header, a method. */
  what: string;
  /** The predicate, to be read after the subject. */
  message: string;
  /** The page types or responses that have the difference. */
  of: string[];
}

/**
 * The changes for clients between two contracts. Values that clients read may become narrower, and values that
 * clients send may become wider.
 */
export function compare(before: OpenApi, after: OpenApi): ContractChange[] {
  const changes = new Changes();
  comparePages(before, after, changes);
  comparePaths(before, after, changes);
  return changes.all();
}

/** Collects changes. The same change in several places is one change. */
class Changes {
  private readonly byWords = new Map<string, ContractChange>();

  in(place: string): Note {
    return (breaking, what, message) => {
      const key = JSON.stringify([breaking, what, message]);
      const known = this.byWords.get(key);
      if (known === undefined) this.byWords.set(key, { breaking, what, message, of: [place] });
      else if (!known.of.includes(place)) known.of.push(place);
    };
  }

  /** Breaking changes first. */
  all(): ContractChange[] {
    const changes = [...this.byWords.values()];
    return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)];
  }
}

const UNION = "Page";

function comparePages(before: OpenApi, after: OpenApi, changes: Changes): void {
  for (const [name, was, is] of inEither(before.components.schemas, after.components.schemas)) {
    if (name === UNION) continue;
    const note = changes.in(pageTypeOf(was ?? is) ?? name);
    if (was === undefined) note(true, "pages of the type", "are new: a client may not know this type");
    else if (is === undefined) note(true, "pages of the type", "were removed");
    else compareSchemas(was, is, "", note);
  }
}

/** The `meta.type` of the pages that a schema describes. */
export function pageTypeOf(schema: JsonSchema | undefined): string | undefined {
  const meta = schema?.properties?.["meta"];
  const type = typeof meta === "object" ? meta.properties?.["type"] : undefined;
  return typeof type === "object" && typeof type.const === "string" ? type.const : undefined;
}

function comparePaths(before: OpenApi, after: OpenApi, changes: Changes): void {
  for (const [path, was, is] of inEither(before.paths, after.paths)) {
    const note = changes.in(path);
    if (was === undefined) note(false, "the path", "is new");
    else if (is === undefined) note(true, "the path", "was removed");
    else {
      compareParameters(was.parameters, is.parameters, note);
      for (const method of METHODS) {
        const [former, now] = [was[method], is[method]];
        if (former === undefined && now !== undefined)
          note(false, `the method ${method.toUpperCase()}`, "is new");
        else if (former !== undefined && now === undefined)
          note(true, `the method ${method.toUpperCase()}`, "was removed");
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
      note(is?.required === true, what, `is new${is?.required === true ? " and required" : ""}`);
    else if (is === undefined) note(true, what, "was removed");
    else {
      if (is.required && !was.required) note(true, what, "is now required");
      if (was.required && !is.required) note(false, what, "is now optional");
      // Clients send parameters, so a narrower schema breaks them: it is compared in the opposite direction.
      compareSchemas(is.schema, was.schema, "", (breaking) =>
        note(breaking, what, breaking ? "allows less than before" : "allows more than before"),
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
    if (was === undefined) note(true, "the response", "is new: a client may not know this status");
    else if (is === undefined) note(true, "the response", "was removed");
    else {
      const [a, b] = [answerOf(before, was), answerOf(after, is)];
      for (const [name, one, other] of inEither(byLowerCase(a.headers), byLowerCase(b.headers))) {
        const what = `the header ${name}`;
        if (one === undefined) note(false, what, "is new");
        else if (other === undefined) note(true, what, "was removed");
        else compareHeaders(headerOf(before, one), headerOf(after, other), what, note);
      }
      for (const [type, one, other] of inEither(a.content ?? {}, b.content ?? {})) {
        if (one === undefined) note(true, "the body", `may now have the type ${type}`);
        else if (other === undefined) note(true, "the body", `no longer has the type ${type}`);
        else compareSchemas(one.schema, other.schema, "", note);
      }
    }
  }
}

function compareHeaders(before: HeaderObject, after: HeaderObject, what: string, note: Note): void {
  if (before.required && !after.required) note(true, what, "may now be missing");
  compareSchemas(before.schema, after.schema, what, note);
}

const byLowerCase = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key.toLowerCase(), value]));

const last = ({ $ref }: Ref): string => $ref.slice($ref.lastIndexOf("/") + 1);

const NO_ANSWER: ResponseObject = { description: "", headers: {} };
const NO_HEADER: HeaderObject = { description: "", required: true, schema: {} };

const answerOf = ({ components }: OpenApi, one: ResponseObject | Ref): ResponseObject =>
  "$ref" in one ? (components.responses[last(one)] ?? NO_ANSWER) : one;

const headerOf = ({ components }: OpenApi, one: HeaderObject | Ref): HeaderObject =>
  "$ref" in one ? (components.headers[last(one)] ?? NO_HEADER) : one;
