import type { Args, Code } from "../findings/catalogue/index.ts";
import { EARLIEST, instantAt, instantOf, type Instant } from "../base/instant.ts";
import type { FormatName } from "./formats.ts";
import type { ImageSize } from "./images.ts";
import { localHost } from "./address.ts";
import { mediaProblem, mediaUrl, ownSize, type MediaSite } from "./media.ts";

/** Applies to every object that has the fields, if each of them is valid by itself. */
export interface Rule {
  fields: readonly string[];
  /** The rule applies only to objects without this field. */
  lacks?: string;
  /** `values` are as written or by default, in the order of the fields; `at` is the build's instant. */
  isValid: (values: readonly unknown[], media: MediaSite, at: Instant) => boolean;
  /** If the passing of time makes the values valid: the instant from which they are. */
  validFrom?: (values: readonly unknown[]) => Instant;
  /** The finding if the values are not valid: its code, its field and, for a conflict, the other field. */
  code: Code;
  reportOn: string;
  comparedWith?: string;
  /** `full` gives the full name of a field of the object. */
  args: (values: readonly unknown[], full: (field: string) => string, media: MediaSite) => unknown;
}

/** Checks the types of a row's values and arguments. */
const rule = <V extends readonly unknown[], C extends Code>(row: {
  fields: { [K in keyof V]: string };
  lacks?: string;
  isValid: (values: V, media: MediaSite, at: Instant) => boolean;
  validFrom?: (values: V) => Instant;
  code: C;
  reportOn: string;
  comparedWith?: string;
  args: (values: V, full: (field: string) => string, media: MediaSite) => Args<C>;
}): Rule => row as unknown as Rule;

type MaybeText = string | null | undefined;

const fromInstant = <V extends readonly unknown[], C extends Code>(
  row: Omit<Parameters<typeof rule<V, C>>[0], "isValid" | "validFrom"> & {
    validFrom: (values: V) => Instant;
  },
): Rule => rule<V, C>({ ...row, isValid: (values, _, at) => row.validFrom(values) <= at });

type Ordered = string | number | null;

/** @param valueOf what is compared; the value itself by default */
const inOrder = (start: string, end: string, valueOf = (value: string): string | number => value): Rule =>
  rule<[from: Ordered, to: Ordered], "dates-reversed">({
    fields: [start, end],
    isValid: ([from, to]) => {
      if (from === null || to === null) return true;
      return typeof from === "string" && typeof to === "string" ? valueOf(from) <= valueOf(to) : from <= to;
    },
    code: "dates-reversed",
    reportOn: end,
    comparedWith: start,
    args: ([from, to], full) => ({
      start: full(start),
      end: full(end),
      startValue: String(from),
      endValue: String(to),
    }),
  });

/** Maximum year that is not reported as a typing mistake. */
const MAX_YEAR = 2200;

/** Reports a year with a digit too many, or with a digit too few if the years beside it have four. */
const likelyYear = (year: string, ...others: string[]): Rule =>
  rule<[year: number, ...others: number[]], "unlikely-year">({
    fields: [year, ...others],
    isValid: ([own, ...near]) =>
      own <= MAX_YEAR && (own <= 0 || own >= 1000 || near.some((other) => other < 1400)),
    code: "unlikely-year",
    reportOn: year,
    args: ([found, ...near], full) => ({
      field: full(year),
      found,
      near: near.length === 0 ? "any year of an acquisition" : `the other years (${near.join(", ")})`,
    }),
  });

/**
 * Limits of an image's height divided by its width. No scroll is flatter or taller. A larger number is a
 * percentage, or lacks its decimal point.
 */
const MIN_HEIGHT_RATIO = 0.02;
const MAX_HEIGHT_RATIO = 20;

type Sizes = [width: number, label: string, url: string][];

const urlsOf = (sizes: Sizes, media: MediaSite): string[] => sizes.map(([, , url]) => mediaUrl(url, media));

/**
 * Maximum difference between pixels as written and of an image: one pixel, or this part of the image if that
 * is more, because ratios and sizes are rounded.
 */
const MAX_DEVIATION = 0.02;
const isBeyond = (difference: number, pixels: number): boolean =>
  difference > Math.max(1, MAX_DEVIATION * pixels);

/** The widest image of the sizes, if the size of each is known. */
function widest(sizes: Sizes, media: MediaSite): ImageSize | undefined {
  if (media.images === undefined) return undefined;
  const known = sizes.map(([, , url]) => ownSize(url, media));
  const [first, ...others] = known.filter((size) => size !== undefined);
  if (first === undefined || known.includes(undefined)) return undefined;
  return others.reduce((one, other) => (other.width > one.width ? other : one), first);
}

/** The rule of a field that a site declares with `after`. */
export const after = (start: string, end: string, format: FormatName | undefined): Rule =>
  format === "date-time" ? inOrder(start, end, (text) => instantOf(text)) : inOrder(start, end);

export const RULES: readonly Rule[] = [
  inOrder("startDate", "endDate"),
  inOrder("start_year", "end_year"),
  likelyYear("start_year", "end_year", "mltYear"),
  likelyYear("end_year", "start_year", "mltYear"),
  likelyYear("mltYear", "start_year", "end_year"),
  likelyYear("acquisitionYear"),
  fromInstant<[year: number], "future-acquisition">({
    fields: ["acquisitionYear"],
    // `unlikely-year` reports a year after MAX_YEAR.
    validFrom: ([year]) => (year < 1970 || year > MAX_YEAR ? EARLIEST : instantAt(Date.UTC(year, 0))),
    code: "future-acquisition",
    reportOn: "acquisitionYear",
    args: ([year], full) => ({ field: full("acquisitionYear"), year }),
  }),
  fromInstant<[published: MaybeText, live: MaybeText], "future-publication">({
    fields: ["first_published_at", "go_live_at"],
    validFrom: ([published, live]) => (published == null || live != null ? EARLIEST : instantOf(published)),
    code: "future-publication",
    reportOn: "first_published_at",
    args: ([found], full) => ({
      field: full("first_published_at"),
      live: full("go_live_at"),
      found: found ?? "",
    }),
  }),
  fromInstant<[published: MaybeText], "future-publication">({
    fields: ["first_published_at"],
    lacks: "go_live_at",
    validFrom: ([published]) => (published == null ? EARLIEST : instantOf(published)),
    code: "future-publication",
    reportOn: "first_published_at",
    args: ([found], full) => ({ field: full("first_published_at"), found: found ?? "" }),
  }),
  rule<[live: MaybeText, expires: MaybeText], "expires-too-early">({
    fields: ["go_live_at", "expire_at"],
    isValid: ([live, expires]) => live == null || expires == null || instantOf(live) < instantOf(expires),
    code: "expires-too-early",
    reportOn: "expire_at",
    comparedWith: "go_live_at",
    args: ([live, expires], full) => ({
      start: full("go_live_at"),
      end: full("expire_at"),
      startValue: live ?? "",
      endValue: expires ?? "",
    }),
  }),
  rule<[Sizes, label: string], "not-among-sizes">({
    fields: ["sizes", "current_size"],
    isValid: ([sizes, current]) => sizes.some(([, label]) => label === current),
    code: "not-among-sizes",
    reportOn: "current_size",
    args: ([sizes, found], full) => ({
      field: full("current_size"),
      found,
      known: listed(sizes.map(([, label]) => label)),
    }),
  }),
  rule<[Sizes, url: string], "not-among-sizes">({
    fields: ["sizes", "default_url"],
    // The addresses of an unknown media host cannot be compared, and `outside-media` reports those of another host.
    isValid: ([sizes, url], media) => {
      const urls = [url, ...sizes.map(([, , of]) => of)];
      const [own, ...all] = urls.map((one) => mediaUrl(one, media));
      if (all.includes(own ?? "")) return true;
      if (media.media_url === "") return urls.some((one) => one.startsWith("/") !== url.startsWith("/"));
      return urls.some((one) => mediaProblem(one, media) === "outside");
    },
    code: "not-among-sizes",
    reportOn: "default_url",
    args: ([sizes, found], full, media) => ({
      field: full("default_url"),
      found,
      known: listed(urlsOf(sizes, media)),
    }),
  }),
  rule<[ratio: number], "unlikely-ratio">({
    fields: ["height_ratio"],
    isValid: ([ratio]) => ratio >= MIN_HEIGHT_RATIO && ratio <= MAX_HEIGHT_RATIO,
    code: "unlikely-ratio",
    reportOn: "height_ratio",
    args: ([found], full) => {
      const field = full("height_ratio");
      const right = Number((found / 100).toPrecision(12));
      return { field, found, ...(found > MAX_HEIGHT_RATIO && right <= 3 ? { right } : {}) };
    },
  }),
  rule<[Sizes, ratio: number], "image-ratio">({
    fields: ["sizes", "height_ratio"],
    isValid: ([sizes, ratio], media) => {
      const image = widest(sizes, media);
      // `unlikely-ratio` reports a ratio that no image has.
      if (image === undefined || ratio < MIN_HEIGHT_RATIO || ratio > MAX_HEIGHT_RATIO) return true;
      return !isBeyond(Math.abs(ratio * image.width - image.height), image.height);
    },
    code: "image-ratio",
    reportOn: "height_ratio",
    args: ([sizes, found], full, media) => {
      const field = full("height_ratio");
      const { width, height } = widest(sizes, media) as ImageSize;
      return { field, found, width, height, right: Number((height / width).toFixed(3)) };
    },
  }),
  rule<[Sizes, width: number], "image-width">({
    fields: ["sizes", "max_width"],
    isValid: ([sizes, max], media) => {
      const { width } = widest(sizes, media) ?? { width: max };
      return !isBeyond(width - max, width);
    },
    code: "image-width",
    reportOn: "max_width",
    args: ([sizes, found], full, media) => {
      const field = full("max_width");
      const { width } = widest(sizes, media) as ImageSize;
      return { field, found, right: width };
    },
  }),
  rule<[text: string], "missing-alt-text">({
    fields: ["alt_text"],
    isValid: ([text]) => text !== "",
    code: "missing-alt-text",
    reportOn: "alt_text",
    args: (_, full) => ({ field: full("alt_text") }),
  }),
  // `src` has no format, which would check the host.
  rule<[src: string], "unlikely-host">({
    fields: ["src"],
    isValid: ([src]) => localHost(src) === undefined,
    code: "unlikely-host",
    reportOn: "src",
    args: ([found], full) => ({ field: full("src"), found, host: localHost(found) ?? "" }),
  }),
];

export const rulesFor = (fields: ReadonlyMap<string, unknown>): Rule[] =>
  RULES.filter(
    (row) =>
      row.fields.every((name) => fields.has(name)) && (row.lacks === undefined || !fields.has(row.lacks)),
  );

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text);

const listed = (values: string[]): string =>
  values.length === 0
    ? "(sizes is empty)"
    : values.slice(0, 5).map(short).join(", ") + (values.length > 5 ? ", …" : "");
