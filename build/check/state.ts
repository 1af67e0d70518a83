import type { Instant, Times } from "../base/instant.ts";
import { fieldName, type Node, type JsonObject } from "../source/json/object.ts";
import type { Placement } from "../model/derive.ts";
import type { MediaSite } from "../model/media.ts";
import type { Identity, ObjectValue, ValueModel } from "../model/model.ts";
import type { FieldMistake } from "../findings/finding.ts";
import type { ShownPage } from "../model/reference.ts";
import { mistakeIn } from "./mistakes.ts";
import type { Report } from "../source/report.ts";

/* The kinds of characters in the texts of a source, as a sum of flags. */
/** A backslash. */
export const ESCAPE = 2;
/** A character that can belong to HTML or Markdown in a plain text. */
export const MARKUP = 4;
/** A character outside ASCII. */
export const WIDE = 8;
export const ANY_SIGNS = ESCAPE | MARKUP | WIDE;

/** The JSON of the fields that are derived from a page's location. */
export type PlaceJson = Record<keyof Placement, string>;

export const NO_PLACE: PlaceJson = {
  response: "null",
  address: "null",
  slug: "null",
  parent: "null",
  locale: "null",
  translations: "[]",
};

/** Receives what pages state about the entities that several pages describe. */
export interface ClaimLog {
  /** Records what an object states. @returns the number of the claim; -1 if the object states nothing */
  stateOf: (identity: Identity) => (object: JsonObject) => number;
  /** Records an earlier claim again, by its number. */
  addKnown: (claim: number) => void;
}

export interface EngineOptions {
  media: MediaSite;
  /** The media host of the response, if it is not the one with which addresses are checked. */
  printedMedia?: MediaSite | undefined;
  times: Times;
  /** The pages that references show, by id; only their ids are shown if it is left out. */
  pages?: ReadonlyMap<number, ShownPage> | undefined;
  claims?: ClaimLog | undefined;
  /** Encodes the JSON of values for the response; by default it stays a text. */
  encode?: ((json: string) => string) | undefined;
  /** Whether only kinds and formats are checked, as in `_site.json` and in a page of an unknown type. */
  onlyKinds?: boolean;
  /** The mistake of a name that no field of an object has. */
  unknown: (of: ObjectValue, path: Steps, name: string, value: unknown) => FieldMistake;
}

/** The steps of a path, with EACH for the index in a list. */
export type Steps = readonly (string | number)[];
export const EACH = -1;

/** Checks a value and returns its JSON. Texts are joined by V8 when the page is written. */
export type Print = (value: unknown) => string;

export class PageState {
  reports: Report[] = [];
  /** The number of values that are not of their kind or format. */
  mistakes = 0;
  /** The number of keys that were read on this page. */
  keys = 0;
  links: string[] = [];
  shown: number[] = [];
  /** The instants after `Times.knownSince` from which a rule that depends on time holds. Few pages have any. */
  changeInstants: Instant[] = [];
  /** The number of problems in HTML texts that were only counted; and whether not all of them were. */
  unlisted = 0;
  isCut = false;
  /** Whether the value cannot be printed as it is written, or is nested too deep, without the nodes of the source. */
  needsNodes = false;
  readonly options: EngineOptions;
  /** The current index in each list around the value. */
  readonly indices: number[] = [];
  htmlProblems = 0;
  place = NO_PLACE;
  signs = 0;
  nodes: WeakMap<object, Node> | undefined;

  readonly encode: (json: string) => string;

  constructor(options: EngineOptions) {
    this.options = options;
    this.encode = options.encode ?? ((json) => json);
  }

  json(value: unknown): string {
    return this.encode(JSON.stringify(value));
  }

  /** The JSON of a text of the source. If that has no backslash, no character of the text needs an escape. */
  quoted(text: string): string {
    const json = (this.signs & ESCAPE) === 0 ? `"${text}"` : JSON.stringify(text);
    // A test of the JSON itself would join its parts.
    return (this.signs & WIDE) !== 0 && /[^\0-\x7f]/.test(text) ? this.encode(json) : json;
  }

  /** @param nodes by object. Without them, unknown fields are found only by the number of keys. */
  begin(place: PlaceJson, nodes?: WeakMap<object, Node>, signs = ANY_SIGNS): void {
    if (this.reports.length > 0) this.reports = [];
    if (this.links.length > 0) this.links = [];
    if (this.shown.length > 0) this.shown = [];
    if (this.changeInstants.length > 0) this.changeInstants = [];
    this.mistakes = this.keys = this.unlisted = this.htmlProblems = 0;
    this.isCut = this.needsNodes = false;
    this.place = place;
    this.signs = signs;
    this.nodes = nodes;
  }

  steps(path: Steps): Steps {
    if (!path.includes(EACH)) return path;
    let depth = 0;
    return path.map((step) => (step === EACH ? (this.indices[depth++] as number) : step));
  }

  report(path: Steps, { code, args }: { code: Report["code"]; args: unknown }, on?: Report["on"]): void {
    this.reports.push({ code, args, path, on });
  }

  /** Reports something unlikely in a value of the right kind; the facts lack the field's name. */
  warn(path: Steps, { code, args }: { code: Report["code"]; args: object }, on?: Report["on"]): void {
    const steps = this.steps(path);
    this.report(steps, { code, args: { field: fieldName(steps), ...args } }, on);
  }

  mistake(model: ValueModel, path: Steps, value: unknown, on?: Report["on"]): string {
    const steps = this.steps(path);
    this.mistakes++;
    this.report(steps, mistakeIn(model, value, fieldName(steps)), on);
    return "null";
  }
}
