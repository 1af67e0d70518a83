import type { Args, Code } from "../findings/catalogue/index.ts";
import { EARLIEST, instantAt, instantOf, type Instant } from "../base/instant.ts";
import type { ImageSize } from "./images.ts";
import { localHost } from "./address.ts";
import { mediaProblem, mediaUrl, ownSize, type MediaSite } from "./media.ts";

/**
 * A rule between fields. It applies to every object that has its fields. Both paths to a response check it if each of
 * its fields is valid by itself, either as written or by default.
 */
export interface Rule {
  fields: readonly string[];
  /** The rule applies only to objects without this field. */
  lacks?: string;
  /**
   * `values` are the values of the fields, in order; `media` is the media host; `at`
   * is the build's instant.
   */
  holds: (values: readonly unknown[], media: MediaSite, at: Instant) => boolean;
  /** If the passing of time makes the rule hold: the instant from which it holds. */
  holdsFrom?: (values: readonly unknown[]) => Instant;
  /**
   * The finding if the rule does not hold: its code, the index of its field and, for a conflict, the index of the other
   * field.
   */
  code: Code;
  at: number;
  against?: number;
  /** `names` are the full names of the fields. */
  args: (values: readonly unknown[], names: readonly string[], media: MediaSite) => unknown;
}

/** Checks the types of a row's values and arguments. */
const rule = <V extends readonly unknown[], C extends Code>(row: {
  fields: { [K in keyof V]: string };
  lacks?: string;
  holds: (values: V, media: MediaSite, at: Instant) => boolean;
  holdsFrom?: (values: V) => Instant;
  code: C;
  at: number;
  against?: number;
  args: (values: V, names: readonly string[], media: MediaSite) => Args<C>;
}): Rule => row as unknown as Rule;

type MaybeText = string | null | undefined;

const fromInstant = <V extends readonly unknown[], C extends Code>(
  row: Omit<Parameters<typeof rule<V, C>>[0], "holds" | "holdsFrom"> & { holdsFrom: (values: V) => Instant },
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

/** Maximum year that is not reported as a typing mistake. */
const MAX_YEAR = 2200;

/** Reports a year with a digit too many, or with a digit too few if the years beside it have four. */
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
 * Limits of an image's height divided by its width. No scroll is flatter or taller. A larger number is a percentage, or
 * lacks its decimal point.
 */
const MIN_HEIGHT_RATIO = 0.02;
const MAX_HEIGHT_RATIO = 20;

type Sizes = [width: number, label: string, url: string][];

const urlsOf = (sizes: Sizes, media: MediaSite): string[] => sizes.map(([, , url]) => mediaUrl(url, media));

/**
 * Maximum difference between pixels as written and those of an image: the larger of one pixel and this part of the image,
 * because ratios and sizes are rounded.
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
    holdsFrom: ([year]) => (year < 1970 || year > MAX_YEAR ? EARLIEST : instantAt(Date.UTC(year, 0))),
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
    // The addresses of an unknown media host cannot be compared, and `outside-media` reports those of another host.
    holds: ([sizes, url], media) => {
      const urls = [url, ...sizes.map(([, , of]) => of)];
      const [own, ...all] = urls.map((one) => mediaUrl(one, media));
      if (all.includes(own ?? "")) return true;
      if (media.media_url === "") return urls.some((one) => one.startsWith("/") !== url.startsWith("/"));
      return urls.some((one) => mediaProblem(one, media) === "outside");
    },
    code: "not-among-sizes",
    at: 1,
    args: ([sizes, found], [, field = ""], media) => ({ field, found, known: listed(urlsOf(sizes, media)) }),
  }),
  rule<[ratio: number], "unlikely-ratio">({
    fields: ["height_ratio"],
    holds: ([ratio]) => ratio >= MIN_HEIGHT_RATIO && ratio <= MAX_HEIGHT_RATIO,
    code: "unlikely-ratio",
    at: 0,
    args: ([found], [field = ""]) => {
      const right = Number((found / 100).toPrecision(12));
      return { field, found, ...(found > MAX_HEIGHT_RATIO && right <= 3 ? { right } : {}) };
    },
  }),
  rule<[Sizes, ratio: number], "image-ratio">({
    fields: ["sizes", "height_ratio"],
    holds: ([sizes, ratio], media) => {
      const image = widest(sizes, media);
      // `unlikely-ratio` reports a ratio that no image has.
      if (image === undefined || ratio < MIN_HEIGHT_RATIO || ratio > MAX_HEIGHT_RATIO) return true;
      return !isBeyond(Math.abs(ratio * image.width - image.height), image.height);
    },
    code: "image-ratio",
    at: 1,
    args: ([sizes, found], [, field = ""], media) => {
      const { width, height } = widest(sizes, media) as ImageSize;
      return { field, found, width, height, right: Number((height / width).toFixed(3)) };
    },
  }),
  rule<[Sizes, width: number], "image-width">({
    fields: ["sizes", "max_width"],
    holds: ([sizes, max], media) => {
      const { width } = widest(sizes, media) ?? { width: max };
      return !isBeyond(width - max, width);
    },
    code: "image-width",
    at: 1,
    args: ([sizes, found], [, field = ""], media) => {
      const { width } = widest(sizes, media) as ImageSize;
      return { field, found, right: width };
    },
  }),
  rule<[text: string], "missing-alt-text">({
    fields: ["alt_text"],
    holds: ([text]) => text !== "",
    code: "missing-alt-text",
    at: 0,
    args: (_, [field = ""]) => ({ field }),
  }),
  // `src` has no format, which would check the host.
  rule<[src: string], "unlikely-host">({
    fields: ["src"],
    holds: ([src]) => localHost(src) === undefined,
    code: "unlikely-host",
    at: 0,
    args: ([found], [field = ""]) => ({ field, found, host: localHost(found) ?? "" }),
  }),
];

/** The rules that apply to an object. */
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
