/**
 * The contradictions between a source and its response, field by field. A value of the source must be in the response
 * as it was written; any other field must be empty or derived. The comparison uses plain values, without the schemas.
 */
export function* disagreements(
  source: Value,
  response: Value,
  media: string,
  declared: DeclaredPaths = NOTHING_DECLARED,
): Generator<string> {
  yield* compareObject(source as Fields, response as Fields, "", { media, declared });
}

/** The paths of the fields that a site declares, such as `.body[].value.size`, and those whose values are not the source's own. */
export interface DeclaredPaths {
  all: ReadonlySet<string>;
  /** A constant, or a default of an omitted field. */
  derived: ReadonlySet<string>;
  /** An address of the media host. */
  media: ReadonlySet<string>;
  /** Any value, passed through. */
  passed: ReadonlySet<string>;
  /** An id of which the response shows the page. */
  shown: ReadonlySet<string>;
}

const NOTHING_DECLARED: DeclaredPaths = {
  all: new Set(),
  derived: new Set(),
  media: new Set(),
  passed: new Set(),
  shown: new Set(),
};

interface Rules {
  /** The address of the media host. */
  media: string;
  declared: DeclaredPaths;
}

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
type Fields = Record<string, Value>;

const isFields = (value: Value | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Fields that are derived from the page's location or from other fields. */
export const DERIVED: ReadonlySet<string> = new Set(
  ".meta.detail_url .meta.html_url .meta.slug .meta.alias_of .meta.parent .meta.locale .meta.translations .url .classificationId .subject_tags .resources[].slug_name .resources[].display_name".split(
    " ",
  ),
);
/** Fields that no response contains: they set when the page is live, its position, and what it translates. */
const OF_SOURCES = new Set([".meta.go_live_at", ".meta.expire_at", ".meta.order", ".meta.translation_of"]);
const UNSPECIFIED = new Set(
  ".displayLocation .iiif_info .iiif_id .additional_images .location .map_spaces .related_media .related_texts .related_events .location_card.card_rules.exclude_parents".split(
    " ",
  ),
);
const MEDIA = new Set([".master_images[].default_url", ".master_images[].sizes[][]"]);

function* compareObject(source: Fields, response: Fields, path: string, rules: Rules): Generator<string> {
  for (const [key, value] of Object.entries(source)) {
    if (path === "" && key === "$schema") continue;
    if (OF_SOURCES.has(`${path}.${key}`)) {
      if (Object.hasOwn(response, key)) yield `${path}.${key} is published`;
    } else if (!Object.hasOwn(response, key)) yield `${path}.${key} is lost`;
    else yield* compare(value, response[key] ?? null, `${path}.${key}`, rules);
  }
  for (const [key, value] of Object.entries(response)) {
    const at = `${path}.${key}`;
    if (at === ".meta.first_published_at" && !Object.hasOwn(source, key)) {
      if (value !== (source["go_live_at"] ?? null)) yield `${at} is not go_live_at`;
    } else if (!Object.hasOwn(source, key) && !DERIVED.has(at) && !isEmpty(value) && !isDeclared(at, rules))
      yield `${at} has no origin`;
  }
}

/** Whether a field, or an object around it, has a value without a source. */
const isDeclared = (path: string, { declared: { derived } }: Rules): boolean =>
  derived.has(path) || [...derived].some((one) => one.startsWith(`${path}.`));

function* compare(source: Value, response: Value, path: string, rules: Rules): Generator<string> {
  const { media, declared } = rules;
  if (declared.shown.has(path)) {
    if (source === null ? response !== null : !isFields(response) || response["id"] !== source)
      yield `${path} shows another page`;
  } else if (declared.all.has(path) ? declared.passed.has(path) : UNSPECIFIED.has(path)) {
    if (!isSame(source, response)) yield `${path} is not passed through`;
  } else if (Array.isArray(source)) {
    if (!Array.isArray(response) || response.length !== source.length) yield `${path} has another length`;
    else
      for (const [i, item] of source.entries()) yield* compare(item, response[i] ?? null, `${path}[]`, rules);
  } else if (isFields(source)) {
    if (isFields(response)) yield* compareObject(source, response, path, rules);
    else yield `${path} is no object`;
  } else {
    const isMedia =
      (MEDIA.has(path) || declared.media.has(path)) && typeof source === "string" && source.startsWith("/");
    if (!Object.is(isMedia ? media + source : source, response)) yield `${path} is another value`;
  }
}

/** Whether two values are the same, with their keys in the same order, as far as JavaScript keeps that order. */
const isSame = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether a value is the default of a field that was left out. */
function isEmpty(value: Value): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isFields(value)) return Object.values(value).every(isEmpty);
  return value === "" || value === false || value === null || value === 0;
}
