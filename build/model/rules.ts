import { shortened } from "../base/shortened.ts";
import type { Args, Code } from "../findings/catalogue/index.ts";
import { EARLIEST, instantAt, instantOf, type Instant } from "../base/instant.ts";
import type { FormatName } from "./formats.ts";
import type { ImageSize } from "../source/image-kinds.ts";
import { localHost } from "../source/address.ts";
import { mediaProblem, mediaUrl, ownSize, type MediaSite, type PictureMembers } from "./media.ts";

/** Applies to every object that has the fields, if each of them is valid by itself. */
export interface Rule {
  fields: readonly string[];
  /** The rule applies only to objects without this field. */
  lacks?: string;
  /** If the passing of time makes the values valid: the instant from which they are. */
  validFrom?: (values: readonly unknown[]) => Instant;
  /** The finding if the values are not valid: its code, its field (the last one by default) and, for a conflict, the other one. */
  code: Code;
  reportOn?: string;
  comparedWith?: string;
  /**
   * The facts of the finding; undefined if the values are valid. `values` are as written or by default, in the order
   * of the fields; `full` gives the full name of a field of the object. Not called once time has made the values valid.
   */
  fault: (values: readonly unknown[], full: FullName, media: MediaSite) => unknown;
}

type FullName = (field: string) => string;

interface TypedRule<C extends Code, V extends readonly unknown[]> extends Pick<
  Rule,
  "lacks" | "reportOn" | "comparedWith"
> {
  fields: { [K in keyof V]: string };
  validFrom?: (values: V) => Instant;
  fault: (values: V, full: FullName, media: MediaSite) => Args<C> | undefined;
}

const rule =
  <C extends Code>(code: C) =>
  <V extends readonly unknown[]>(row: TypedRule<C, V>): Rule =>
    ({ code, ...row }) as unknown as Rule;

type MaybeText = string | null | undefined;

type Ordered = string | number | null;

/** @param valueOf what is compared; the value itself by default */
const inOrder = (start: string, end: string, valueOf = (value: string): string | number => value): Rule =>
  rule("dates-reversed")<[from: Ordered, to: Ordered]>({
    fields: [start, end],
    comparedWith: start,
    fault: ([from, to], full) => {
      if (from === null || to === null) return undefined;
      const areTexts = typeof from === "string" && typeof to === "string";
      if (areTexts ? valueOf(from) <= valueOf(to) : from <= to) return undefined;
      return { start: full(start), end: full(end), startValue: String(from), endValue: String(to) };
    },
  });

/** Maximum year that is not reported as a typing mistake. */
const MAX_YEAR = 2200;

/** Reports a year with a digit too many, or with a digit too few if the years beside it have four. */
const likelyYear = (year: string, ...others: string[]): Rule =>
  rule("unlikely-year")<[year: number, ...others: number[]]>({
    fields: [year, ...others],
    reportOn: year,
    fault: ([found, ...beside], full) => {
      if (found <= MAX_YEAR && (found <= 0 || found >= 1000 || beside.some((other) => other < 1400)))
        return undefined;
      const near =
        beside.length === 0 ? "any year of an acquisition" : `the other years (${beside.join(", ")})`;
      return { field: full(year), found, near };
    },
  });

/**
 * Limits of an image's height divided by its width. No scroll is flatter or taller. A larger number is a
 * percentage, or lacks its decimal point.
 */
const MIN_HEIGHT_RATIO = 0.02;
const MAX_HEIGHT_RATIO = 20;
const isRatio = (ratio: number): boolean => ratio >= MIN_HEIGHT_RATIO && ratio <= MAX_HEIGHT_RATIO;

type Sizes = [width: number, label: string, url: string][];

/**
 * Maximum difference between pixels as written and of an image: one pixel, or this part of the image if that
 * is more, because ratios and sizes are rounded.
 */
const MAX_DEVIATION = 0.02;
const isBeyond = (difference: number, pixels: number): boolean =>
  difference > Math.max(1, MAX_DEVIATION * pixels);

const ratioOf = ({ width, height }: ImageSize): number => Number((height / width).toFixed(3));

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

/** The rules of a declared address of a picture, for the members that belong to it. */
export function ofPicture(address: string, { width, height, alt, ratio }: PictureMembers): Rule[] {
  /** @param pixels those that one unit of the value stands for */
  const measured = (
    code: "image-ratio" | "image-width",
    member: string,
    rightOf: (size: ImageSize) => number,
    pixels: (size: ImageSize) => number = () => 1,
  ): Rule =>
    // The facts of `image-width` are among those of `image-ratio`.
    rule(code as "image-ratio")<[url: string | null, found: number | null]>({
      fields: [address, member],
      fault: ([url, found], full, media) => {
        const size = url === null ? undefined : ownSize(url, media);
        if (size === undefined || found === null) return undefined;
        const right = rightOf(size);
        if (!isBeyond(Math.abs(found - right) * pixels(size), right * pixels(size))) return undefined;
        return { field: full(member), found, right, width: size.width, height: size.height };
      },
    });
  return [
    ...(width === undefined ? [] : [measured("image-width", width, (size) => size.width)]),
    ...(height === undefined ? [] : [measured("image-ratio", height, (size) => size.height)]),
    ...(ratio === undefined ? [] : [measured("image-ratio", ratio, ratioOf, (size) => size.width)]),
    ...(alt === undefined
      ? []
      : [
          rule("missing-alt-text")<[url: string | null, text: string | null]>({
            fields: [address, alt],
            fault: ([url, text], full) =>
              (url ?? "") !== "" && (text ?? "") === "" ? { field: full(alt) } : undefined,
          }),
        ]),
  ];
}

export const RULES: readonly Rule[] = [
  inOrder("startDate", "endDate"),
  inOrder("start_year", "end_year"),
  likelyYear("start_year", "end_year", "mltYear"),
  likelyYear("end_year", "start_year", "mltYear"),
  likelyYear("mltYear", "start_year", "end_year"),
  likelyYear("acquisitionYear"),
  rule("future-acquisition")<[year: number]>({
    fields: ["acquisitionYear"],
    // `unlikely-year` reports a year after MAX_YEAR.
    validFrom: ([year]) => (year < 1970 || year > MAX_YEAR ? EARLIEST : instantAt(Date.UTC(year, 0))),
    fault: ([year], full) => ({ field: full("acquisitionYear"), year }),
  }),
  rule("future-publication")<[published: MaybeText, live: MaybeText]>({
    fields: ["first_published_at", "go_live_at"],
    validFrom: ([published, live]) => (published == null || live != null ? EARLIEST : instantOf(published)),
    reportOn: "first_published_at",
    fault: ([found], full) => ({
      field: full("first_published_at"),
      live: full("go_live_at"),
      found: found ?? "",
    }),
  }),
  rule("future-publication")<[published: MaybeText]>({
    fields: ["first_published_at"],
    lacks: "go_live_at",
    validFrom: ([published]) => (published == null ? EARLIEST : instantOf(published)),
    fault: ([found], full) => ({ field: full("first_published_at"), found: found ?? "" }),
  }),
  rule("expires-too-early")<[live: MaybeText, expires: MaybeText]>({
    fields: ["go_live_at", "expire_at"],
    comparedWith: "go_live_at",
    fault: ([live, expires], full) =>
      live == null || expires == null || instantOf(live) < instantOf(expires)
        ? undefined
        : { start: full("go_live_at"), end: full("expire_at"), startValue: live, endValue: expires },
  }),
  rule("not-among-sizes")<[Sizes, label: string]>({
    fields: ["sizes", "current_size"],
    fault: ([sizes, found], full) => {
      const labels = sizes.map(([, label]) => label);
      return labels.includes(found)
        ? undefined
        : { field: full("current_size"), found, known: listed(labels) };
    },
  }),
  rule("not-among-sizes")<[Sizes, url: string]>({
    fields: ["sizes", "default_url"],
    fault: ([sizes, found], full, media) => {
      const urls = [found, ...sizes.map(([, , url]) => url)];
      const [own = "", ...known] = urls.map((url) => mediaUrl(url, media));
      if (known.includes(own)) return undefined;
      // The addresses of an unknown media host cannot be compared, and `outside-media` reports those of another host.
      const isUnknown = (url: string): boolean =>
        media.media_url === ""
          ? url.startsWith("/") !== found.startsWith("/")
          : mediaProblem(url, media) === "outside";
      return urls.some(isUnknown) ? undefined : { field: full("default_url"), found, known: listed(known) };
    },
  }),
  rule("unlikely-ratio")<[ratio: number]>({
    fields: ["height_ratio"],
    fault: ([found], full) => {
      if (isRatio(found)) return undefined;
      const right = Number((found / 100).toPrecision(12));
      const isPercentage = found > MAX_HEIGHT_RATIO && right <= 3;
      return { field: full("height_ratio"), found, ...(isPercentage ? { right } : {}) };
    },
  }),
  rule("image-ratio")<[Sizes, ratio: number]>({
    fields: ["sizes", "height_ratio"],
    fault: ([sizes, found], full, media) => {
      const image = widest(sizes, media);
      // `unlikely-ratio` reports a ratio that no image has.
      if (image === undefined || !isRatio(found)) return undefined;
      const { width, height } = image;
      return isBeyond(Math.abs(found * width - height), height)
        ? { field: full("height_ratio"), found, width, height, right: ratioOf(image) }
        : undefined;
    },
  }),
  rule("image-width")<[Sizes, width: number]>({
    fields: ["sizes", "max_width"],
    fault: ([sizes, found], full, media) => {
      const { width: right } = widest(sizes, media) ?? { width: found };
      return isBeyond(right - found, right) ? { field: full("max_width"), found, right } : undefined;
    },
  }),
  rule("missing-alt-text")<[text: string]>({
    fields: ["alt_text"],
    fault: ([text], full) => (text === "" ? { field: full("alt_text") } : undefined),
  }),
  // `src` has no format, which would check the host.
  rule("unlikely-host")<[src: string]>({
    fields: ["src"],
    fault: ([found], full) => {
      const host = localHost(found);
      return host === undefined ? undefined : { field: full("src"), found, host };
    },
  }),
];

export const rulesFor = (fields: ReadonlyMap<string, unknown>): Rule[] =>
  RULES.filter(
    (row) =>
      row.fields.every((name) => fields.has(name)) && (row.lacks === undefined || !fields.has(row.lacks)),
  );

const listed = (values: string[]): string =>
  values.length === 0
    ? "(sizes is empty)"
    : values
        .slice(0, 5)
        .map((value) => shortened(value, 80))
        .join(", ") + (values.length > 5 ? ", …" : "");
