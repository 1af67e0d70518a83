import type { Args, Code } from "../findings/catalogue/index.ts";
import { EARLIEST, instantOf } from "../base/instant.ts";
import { localHost } from "./address.ts";
import { mediaProblem, mediaUrl } from "./media.ts";

/**
 * The rules between fields, one a row. A row is for every object that has its fields; both paths to a response ask it,
 * where each of the fields is sound by itself, whether it was written or left out.
 */
export interface Rule {
  fields: readonly string[];
  /** A field that the object does not have. */
  lacks?: string;
  /**
   * `values` are those of the fields, in their order; `media` is the media host's address, empty where it is not known;
   * `at` is the build's instant.
   */
  holds: (values: readonly unknown[], media: string, at: number) => boolean;
  /** If time makes the rule hold: from which instant on. */
  holdsFrom?: (values: readonly unknown[]) => number;
  /** What is found where it does not hold: at which of the fields, and, in a clash, against which. */
  code: Code;
  at: number;
  against?: number;
  /** `names` are the fields' whole names. */
  args: (values: readonly unknown[], names: readonly string[], media: string) => unknown;
}

/** Keeps the types of a row's values and facts together. */
const rule = <V extends readonly unknown[], C extends Code>(row: {
  fields: { [K in keyof V]: string };
  lacks?: string;
  holds: (values: V, media: string, at: number) => boolean;
  holdsFrom?: (values: V) => number;
  code: C;
  at: number;
  against?: number;
  args: (values: V, names: readonly string[], media: string) => Args<C>;
}): Rule => row as unknown as Rule;

/** A text, or none. */
type MaybeText = string | null | undefined;

/** A rule that holds from an instant on. */
const fromInstant = <V extends readonly unknown[], C extends Code>(
  row: Omit<Parameters<typeof rule<V, C>>[0], "holds" | "holdsFrom"> & { holdsFrom: (values: V) => number },
): Rule => rule<V, C>({ ...row, holds: (values, _, at) => row.holdsFrom(values) <= at });

const inOrder = (start: string, end: string): Rule =>
  rule<[from: string | number, to: string | number], "dates-reversed">({
    fields: [start, end],
    holds: ([from, to]) => from <= to,
    code: "dates-reversed",
    at: 1,
    against: 0,
    args: ([from, to], [first = "", second = ""]) => ({
      start: first,
      end: second,
      startValue: String(from),
      endValue: String(to),
    }),
  });

/** Maximum year that is no slip of the pen. */
const MAX_YEAR = 2200;

/** A year with a digit too many, or too few beside years that have four. */
const likelyYear = (year: string, ...others: string[]): Rule =>
  rule<[year: number, ...others: number[]], "unlikely-year">({
    fields: [year, ...others],
    holds: ([own, ...near]) =>
      own <= MAX_YEAR && (own <= 0 || own >= 1000 || near.some((other) => other < 1400)),
    code: "unlikely-year",
    at: 0,
    args: ([found, ...near], [field = ""]) => ({
      field,
      found,
      near: near.length === 0 ? "any year of an acquisition" : `the other years (${near.join(", ")})`,
    }),
  });

/**
 * Bounds of an image's height divided by its width: no scroll is flatter or taller. A larger number is a percentage, or
 * one without its point.
 */
const FLATTEST = 0.02;
const TALLEST = 20;

type Sizes = [width: number, label: string, url: string][];

const urlsOf = (sizes: Sizes, media: string): string[] => sizes.map(([, , url]) => mediaUrl(url, media));

export const RULES: readonly Rule[] = [
  inOrder("startDate", "endDate"),
  inOrder("start_year", "end_year"),
  likelyYear("start_year", "end_year", "mltYear"),
  likelyYear("end_year", "start_year", "mltYear"),
  likelyYear("mltYear", "start_year", "end_year"),
  likelyYear("acquisitionYear"),
  fromInstant<[year: number], "future-acquisition">({
    fields: ["acquisitionYear"],
    // An unlikely year has that for its defect.
    holdsFrom: ([year]) => (year < 1970 || year > MAX_YEAR ? EARLIEST : Date.UTC(year, 0)),
    code: "future-acquisition",
    at: 0,
    args: ([year], [field = ""]) => ({ field, year }),
  }),
  fromInstant<[published: MaybeText, live: MaybeText], "future-publication">({
    fields: ["first_published_at", "go_live_at"],
    holdsFrom: ([published, live]) => (published == null || live != null ? EARLIEST : instantOf(published)),
    code: "future-publication",
    at: 0,
    args: ([found], [field = "", live = ""]) => ({ field, live, found: found ?? "" }),
  }),
  fromInstant<[published: MaybeText], "future-publication">({
    fields: ["first_published_at"],
    lacks: "go_live_at",
    holdsFrom: ([published]) => (published == null ? EARLIEST : instantOf(published)),
    code: "future-publication",
    at: 0,
    args: ([found], [field = ""]) => ({ field, found: found ?? "" }),
  }),
  rule<[live: MaybeText, expires: MaybeText], "expires-too-early">({
    fields: ["go_live_at", "expire_at"],
    holds: ([live, expires]) => live == null || expires == null || instantOf(live) < instantOf(expires),
    code: "expires-too-early",
    at: 1,
    against: 0,
    args: ([live, expires], [start = "", end = ""]) => ({
      start,
      end,
      startValue: live ?? "",
      endValue: expires ?? "",
    }),
  }),
  rule<[Sizes, label: string], "not-among-sizes">({
    fields: ["sizes", "current_size"],
    holds: ([sizes, current]) => sizes.some(([, label]) => label === current),
    code: "not-among-sizes",
    at: 1,
    args: ([sizes, found], [, field = ""]) => ({
      field,
      found,
      known: listed(sizes.map(([, label]) => label)),
    }),
  }),
  rule<[Sizes, url: string], "not-among-sizes">({
    fields: ["sizes", "default_url"],
    // One outside of the media host has that for its defect.
    holds: ([sizes, url], media) =>
      urlsOf(sizes, media).includes(mediaUrl(url, media)) ||
      (media !== "" && mediaProblem(url, media) === "outside"),
    code: "not-among-sizes",
    at: 1,
    args: ([sizes, found], [, field = ""], media) => ({ field, found, known: listed(urlsOf(sizes, media)) }),
  }),
  rule<[ratio: number], "unlikely-ratio">({
    fields: ["height_ratio"],
    holds: ([ratio]) => ratio >= FLATTEST && ratio <= TALLEST,
    code: "unlikely-ratio",
    at: 0,
    args: ([found], [field = ""]) => {
      const right = Number((found / 100).toPrecision(12));
      return { field, found, ...(found > TALLEST && right <= 3 ? { right } : {}) };
    },
  }),
  rule<[text: string], "missing-alt-text">({
    fields: ["alt_text"],
    holds: ([text]) => text !== "",
    code: "missing-alt-text",
    at: 0,
    args: (_, [field = ""]) => ({ field }),
  }),
  // The image's own address, which has no form.
  rule<[src: string], "unlikely-host">({
    fields: ["src"],
    holds: ([src]) => localHost(src) === undefined,
    code: "unlikely-host",
    at: 0,
    args: ([found], [field = ""]) => ({ field, found, host: localHost(found) ?? "" }),
  }),
];

/** The rows for objects that have certain fields. */
export const rulesFor = (shape: object): Rule[] =>
  RULES.filter(
    ({ fields, lacks }) =>
      fields.every((field) => Object.hasOwn(shape, field)) &&
      (lacks === undefined || !Object.hasOwn(shape, lacks)),
  );

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text);

const listed = (values: string[]): string =>
  values.length === 0
    ? "(sizes is empty)"
    : values.slice(0, 5).map(short).join(", ") + (values.length > 5 ? ", …" : "");
