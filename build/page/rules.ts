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
  /** The finding if the values are not valid: its code, its field (the last one by default) and, for a conflict, the other one. */
  code: Code;
  reportOn?: string;
  comparedWith?: string;
  /** `full` gives the full name of a field of the object. */
  args: (values: readonly unknown[], full: (field: string) => string, media: MediaSite) => unknown;
}

/** A row whose values and facts have these types. */
interface TypedRule<C extends Code, V extends readonly unknown[]> extends Pick<
  Rule,
  "lacks" | "reportOn" | "comparedWith"
> {
  fields: { [K in keyof V]: string };
  isValid: (values: V, media: MediaSite, at: Instant) => boolean;
  validFrom?: (values: V) => Instant;
  args: (values: V, full: (field: string) => string, media: MediaSite) => Args<C>;
}

const rule =
  <C extends Code>(code: C) =>
  <V extends readonly unknown[]>(row: TypedRule<C, V>): Rule =>
    ({ code, ...row }) as unknown as Rule;

type MaybeText = string | null | undefined;

/** A row that time makes valid. */
const fromInstant =
  <C extends Code>(code: C) =>
  <V extends readonly unknown[]>(
    row: Omit<TypedRule<C, V>, "isValid" | "validFrom"> & { validFrom: (values: V) => Instant },
  ): Rule =>
    rule(code)<V>({ ...row, isValid: (values, _, at) => row.validFrom(values) <= at });

type Ordered = string | number | null;

/** @param valueOf what is compared; the value itself by default */
const inOrder = (start: string, end: string, valueOf = (value: string): string | number => value): Rule =>
  rule("dates-reversed")<[from: Ordered, to: Ordered]>({
    fields: [start, end],
    isValid: ([from, to]) => {
      if (from === null || to === null) return true;
      return typeof from === "string" && typeof to === "string" ? valueOf(from) <= valueOf(to) : from <= to;
    },
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
  rule("unlikely-year")<[year: number, ...others: number[]]>({
    fields: [year, ...others],
    isValid: ([own, ...near]) =>
      own <= MAX_YEAR && (own <= 0 || own >= 1000 || near.some((other) => other < 1400)),
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
  fromInstant("future-acquisition")<[year: number]>({
    fields: ["acquisitionYear"],
    // `unlikely-year` reports a year after MAX_YEAR.
    validFrom: ([year]) => (year < 1970 || year > MAX_YEAR ? EARLIEST : instantAt(Date.UTC(year, 0))),
    args: ([year], full) => ({ field: full("acquisitionYear"), year }),
  }),
  fromInstant("future-publication")<[published: MaybeText, live: MaybeText]>({
    fields: ["first_published_at", "go_live_at"],
    validFrom: ([published, live]) => (published == null || live != null ? EARLIEST : instantOf(published)),
    reportOn: "first_published_at",
    args: ([found], full) => ({
      field: full("first_published_at"),
      live: full("go_live_at"),
      found: found ?? "",
    }),
  }),
  fromInstant("future-publication")<[published: MaybeText]>({
    fields: ["first_published_at"],
    lacks: "go_live_at",
    validFrom: ([published]) => (published == null ? EARLIEST : instantOf(published)),
    args: ([found], full) => ({ field: full("first_published_at"), found: found ?? "" }),
  }),
  rule("expires-too-early")<[live: MaybeText, expires: MaybeText]>({
    fields: ["go_live_at", "expire_at"],
    isValid: ([live, expires]) => live == null || expires == null || instantOf(live) < instantOf(expires),
    comparedWith: "go_live_at",
    args: ([live, expires], full) => ({
      start: full("go_live_at"),
      end: full("expire_at"),
      startValue: live ?? "",
      endValue: expires ?? "",
    }),
  }),
  rule("not-among-sizes")<[Sizes, label: string]>({
    fields: ["sizes", "current_size"],
    isValid: ([sizes, current]) => sizes.some(([, label]) => label === current),
    args: ([sizes, found], full) => ({
      field: full("current_size"),
      found,
      known: listed(sizes.map(([, label]) => label)),
    }),
  }),
  rule("not-among-sizes")<[Sizes, url: string]>({
    fields: ["sizes", "default_url"],
    // The addresses of an unknown media host cannot be compared, and `outside-media` reports those of another host.
    isValid: ([sizes, url], media) => {
      const urls = [url, ...sizes.map(([, , of]) => of)];
      const [own, ...all] = urls.map((one) => mediaUrl(one, media));
      if (all.includes(own ?? "")) return true;
      if (media.media_url === "") return urls.some((one) => one.startsWith("/") !== url.startsWith("/"));
      return urls.some((one) => mediaProblem(one, media) === "outside");
    },
    args: ([sizes, found], full, media) => ({
      field: full("default_url"),
      found,
      known: listed(urlsOf(sizes, media)),
    }),
  }),
  rule("unlikely-ratio")<[ratio: number]>({
    fields: ["height_ratio"],
    isValid: ([ratio]) => ratio >= MIN_HEIGHT_RATIO && ratio <= MAX_HEIGHT_RATIO,
    args: ([found], full) => {
      const field = full("height_ratio");
      const right = Number((found / 100).toPrecision(12));
      return { field, found, ...(found > MAX_HEIGHT_RATIO && right <= 3 ? { right } : {}) };
    },
  }),
  rule("image-ratio")<[Sizes, ratio: number]>({
    fields: ["sizes", "height_ratio"],
    isValid: ([sizes, ratio], media) => {
      const image = widest(sizes, media);
      // `unlikely-ratio` reports a ratio that no image has.
      if (image === undefined || ratio < MIN_HEIGHT_RATIO || ratio > MAX_HEIGHT_RATIO) return true;
      return !isBeyond(Math.abs(ratio * image.width - image.height), image.height);
    },
    args: ([sizes, found], full, media) => {
      const field = full("height_ratio");
      const { width, height } = widest(sizes, media) as ImageSize;
      return { field, found, width, height, right: Number((height / width).toFixed(3)) };
    },
  }),
  rule("image-width")<[Sizes, width: number]>({
    fields: ["sizes", "max_width"],
    isValid: ([sizes, max], media) => {
      const { width } = widest(sizes, media) ?? { width: max };
      return !isBeyond(width - max, width);
    },
    args: ([sizes, found], full, media) => {
      const field = full("max_width");
      const { width } = widest(sizes, media) as ImageSize;
      return { field, found, right: width };
    },
  }),
  rule("missing-alt-text")<[text: string]>({
    fields: ["alt_text"],
    isValid: ([text]) => text !== "",
    args: (_, full) => ({ field: full("alt_text") }),
  }),
  // `src` has no format, which would check the host.
  rule("unlikely-host")<[src: string]>({
    fields: ["src"],
    isValid: ([src]) => localHost(src) === undefined,
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
