import type * as z from "zod";
import type { Instant } from "../base/instant.ts";
import { finding, nearest, type Finding, type Place } from "../findings/finding.ts";
import { fieldName, nodeAt, valueOf, type Node, type Path } from "../json/node.ts";
import { placeInString, placeOf, type SourceText } from "../json/place.ts";
import {
  definitionOf,
  formatOf,
  htmlFields,
  isPlainText,
  isTitle,
  occurring,
  unspecified,
  within,
} from "../page/field.ts";
import { formats, type Format, type FormatName } from "../page/formats.ts";
import { checkFragment, linksIn } from "../page/html.ts";
import {
  hasImages,
  mediaProblem,
  NO_MEDIA,
  ownImage,
  withoutDots,
  writtenAs,
  type MediaSite,
  type OwnImages,
} from "../page/media.ts";
import { rulesFor } from "../page/rules.ts";
import type { Site } from "../page/site.ts";
import { isOwned, linkPath, ownOriginLength } from "../sources/tree.ts";
import { textProblem } from "../page/texts.ts";
import { isPageType, type PageType } from "../page/types.ts";

export interface CheckedRules {
  findings: Finding[];
  /** The instants from which rules hold that depend on time. */
  moments: Instant[];
  /**
   * The number of problems in HTML texts that were only counted, and whether the check of such a text stopped before
   * its end.
   */
  unlisted: number;
  isCut: boolean;
}

/**
 * Maximum number of problems in a file's HTML texts that become findings. Each is located from the beginning of its
 * text, which takes time.
 */
const MAX_HTML_PROBLEMS = 1000;

/**
 * Checks the rules that a schema does not express: HTML fragments, open lists of values, unspecified fields, the media
 * host, and the rows of `page/rules.ts`. They are checked on the written values, even if the page has other errors.
 */
export function checkRules(
  source: SourceText,
  root: Node,
  schema: z.ZodType,
  site: MediaSite | undefined,
  instant: Instant,
): CheckedRules {
  const checked: CheckedRules = { findings: [], moments: [], unlisted: 0, isCut: false };
  const { findings, moments } = checked;
  const around: Around = { media: site ?? NO_MEDIA, at: instant, moments };
  let ofHtml = 0;
  walk(schema, root, [], (at, node, path) => {
    for (const f of checkValue(source, at, node, path, around)) findings.push(f);
    if (node.type !== "string" || !htmlFields.has(at)) return;
    const { problems, unlisted, isCut } = checkFragment(node.value);
    const listed = problems.slice(0, MAX_HTML_PROBLEMS - ofHtml);
    ofHtml += listed.length;
    checked.unlisted += problems.length - listed.length + unlisted;
    checked.isCut ||= isCut;
    for (const { code, args, start, end } of listed)
      findings.push(finding(code, args as never, placeInString(source, node, start, end)));
  });
  return checked;
}

/** A link in an HTML field. */
export interface Link {
  href: string;
  place: Place;
}

/** Gives a function that returns whether a link leads to this website, below an owned path. */
export function leadsBelowOwned(site: Site): (href: string) => boolean {
  const isBelowOwned = isOwned(site);
  return (href) => {
    const origin = ownOriginLength(href, site);
    return origin !== undefined && isBelowOwned(linkPath(href.slice(origin)));
  };
}

/** The links in a source's HTML fields. */
export function linksOf(source: SourceText, root: Node, schema: z.ZodType): Link[] {
  const links: Link[] = [];
  walk(schema, root, [], (at, node) => {
    if (node.type !== "string" || !htmlFields.has(at)) return;
    for (const { href, start, end } of linksIn(node.value))
      links.push({ href, place: placeInString(source, node, start, end) });
  });
  return links;
}

/** The page type that a source names, if that type exists. */
export function typeOf(root: Node): PageType | undefined {
  const { node, found } = nodeAt(root, ["meta", "type"]);
  return found && node.type === "string" && isPageType(node.value) ? node.value : undefined;
}

/** Visits every value that the schema describes, with its schema. */
export function walk(
  schema: z.ZodType,
  node: Node,
  path: Path,
  visit: (schema: z.ZodType, node: Node, path: Path) => void,
): void {
  const at = within(schema);
  visit(at, node, path);
  const definition = definitionOf(at);
  if (unspecified.has(at)) return;
  if (node.type === "object" && definition.type === "object") {
    for (const { key, value } of node.members) {
      const field = Object.hasOwn(definition.shape, key) ? definition.shape[key] : undefined;
      if (field !== undefined) walk(field, value, [...path, key], visit);
    }
  } else if (node.type === "array" && definition.type === "array") {
    for (const [i, item] of node.items.entries()) walk(definition.element, item, [...path, i], visit);
  } else if (node.type === "array" && definition.type === "tuple") {
    for (const [i, item] of definition.items.entries())
      if (node.items[i] !== undefined) walk(item, node.items[i], [...path, i], visit);
  }
}

/** The inputs of rules besides the values. */
interface Around {
  media: MediaSite;
  at: Instant;
  /** Collects the instants from which rules hold. */
  moments: Instant[];
}

function* checkValue(
  source: SourceText,
  schema: z.ZodType,
  node: Node,
  path: Path,
  around: Around,
): Generator<Finding> {
  const { media } = around;
  const definition = definitionOf(schema);
  if (node.type === "object" && definition.type === "object") {
    yield* checkFields(source, definition.shape, node, path, around);
    return;
  }
  if (
    node.type === "string" &&
    formatOf.get(schema)?.format === "media-url" &&
    media.media_url !== "" &&
    formats["media-url"].matches(node.value)
  ) {
    const { value: found } = node;
    const place = placeOf(source, node.start, node.end);
    const problem = mediaProblem(found, media);
    if (problem === "outside") yield finding("outside-media", { found, media: media.media_url }, place);
    else if (problem === "missing" && hasImages(media)) yield missingImage(found, media, place);
    else if (problem === "detour")
      yield finding("unlikely-path", { found, right: withoutDots(found, media) }, place);
  }
  if (node.type === "string" && definition.type === "string") yield* checkText(source, schema, node, path);
  const values = occurring.get(schema)?.values;
  if (
    values !== undefined &&
    (node.type === "string" || node.type === "number") &&
    !values.includes(node.value)
  ) {
    // A value that does not match the schema already has an error.
    if (schema.safeParse(node.value).success)
      yield finding(
        "new-value",
        { field: fieldName(path), found: String(node.value), known: values.join(", ") },
        placeOf(source, node.start, node.end),
      );
  }
  const open = unspecified.get(schema);
  if (open === undefined) return;
  const value = valueOf(node);
  // A value of a wrong type already has an error.
  if (!open.occurs(value) && schema.safeParse(value).success)
    yield finding("unspecified-value", { field: fieldName(path) }, placeOf(source, node.start, node.end));
}

/** Maximum number of images among which the nearest is searched. */
const MAX_COMPARED = 2000;

function missingImage(found: string, site: MediaSite & { images: OwnImages }, place: Place): Finding {
  const { base, paths } = site.images;
  const path = ownImage(found, site);
  const like = path === undefined || paths.size > MAX_COMPARED ? undefined : nearest(path, paths.keys());
  const args = { found, path, base, nearest: like && writtenAs(like, found, site) };
  return finding("media-missing", args, place);
}

/** Reports probable mistakes in a text that has the required format. */
function* checkText(
  source: SourceText,
  schema: z.ZodType,
  node: Node & { type: "string" },
  path: Path,
): Generator<Finding> {
  const field = fieldName(path);
  const form: Format | undefined = formats[formatOf.get(schema)?.format as FormatName];
  if (form !== undefined) {
    const problem = form.matches(node.value) ? form.unlikely?.(node.value) : undefined;
    if (problem !== undefined)
      yield finding(problem.code, { field, ...problem.args } as never, placeOf(source, node.start, node.end));
  } else if (isPlainText(schema)) {
    const problem = textProblem(node.value, isTitle(schema));
    if (problem === undefined) return;
    const { code, args, start, end } = problem;
    yield finding(code, { field, ...args } as never, placeInString(source, node, start, end));
  }
}

function* checkFields(
  source: SourceText,
  shape: Record<string, z.ZodType>,
  owner: Node,
  path: Path,
  { media, at: instant, moments }: Around,
): Generator<Finding> {
  for (const { fields, holds, holdsFrom, code, at, against, args } of rulesFor(shape)) {
    const written = fields.map((field) => nodeAt(owner, [field]));
    const judged = fields.map((field, i) => {
      const { found, node } = written[i] ?? { found: false, node: owner };
      return (shape[field] as z.ZodType).safeParse(found ? valueOf(node) : undefined);
    });
    // The rule is skipped if one of its fields has an error of its own.
    if (!judged.every(({ success }) => success)) continue;
    const values = judged.map(({ data }) => data);
    if (holdsFrom !== undefined) moments.push(holdsFrom(values));
    if (holds(values, media, instant)) continue;
    const names = fields.map((field) => fieldName([...path, field]));
    const placeAt = (i: number): Place => {
      const { found, node } = written[i] ?? { found: false, node: owner };
      return placeOf(source, node.start, found ? node.end : node.start + 1);
    };
    yield finding(
      code,
      args(values, names, media) as never,
      placeAt(at),
      against === undefined ? undefined : placeAt(against),
    );
  }
}
