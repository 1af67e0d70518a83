import type * as z from "zod";
import { finding, type Finding, type Place } from "../findings/finding.ts";
import { fieldName, nodeAt, type Node, type Path } from "../json/node.ts";
import { placeInString, placeOf, type SourceText } from "../json/place.ts";
import { definitionOf, htmlFields, occurring, unspecified, within } from "../page/field.ts";
import { forms } from "../page/forms.ts";
import { checkFragment, siteRelativeLinks } from "../page/html.ts";
import { ORDERED_FIELDS } from "../page/page.ts";
import { isBelowMedia, mediaUrl } from "../page/media.ts";
import type { Site } from "../page/site.ts";

export interface CheckedRules {
  findings: Finding[];
  /** Problems of texts of HTML that were only counted, and whether such a text was left before its end. */
  unlisted: number;
  isCut: boolean;
}

/** So many problems of a file's texts of HTML become findings; each is looked up from the beginning of its text. */
const MOST_OF_HTML = 1000;

/**
 * The rules that a schema does not state: HTML fragments, open lists of values, fields that the interface leaves
 * unspecified, and fields that depend on each other. They are judged on what was written, also beside other errors.
 */
export function checkRules(
  source: SourceText,
  root: Node,
  schema: z.ZodType,
  site: Pick<Site, "media_url"> | undefined,
): CheckedRules {
  const checked: CheckedRules = { findings: [], unlisted: 0, isCut: false };
  const { findings } = checked;
  let ofHtml = 0;
  walk(schema, root, [], (at, node, path) => {
    for (const f of checkValue(source, at, node, path)) findings.push(f);
    if (node.type !== "string" || !htmlFields.has(at)) return;
    const { problems, unlisted, isCut } = checkFragment(node.value);
    const listed = problems.slice(0, MOST_OF_HTML - ofHtml);
    ofHtml += listed.length;
    checked.unlisted += problems.length - listed.length + unlisted;
    checked.isCut ||= isCut;
    for (const { code, args, start, end } of listed)
      findings.push(finding(code, args as never, placeInString(source, node, start, end)));
  });
  for (const [image, path] of items(root, ["master_images"]))
    for (const f of checkImage(source, image, path, site)) findings.push(f);
  return checked;
}

/** A site-relative link in an HTML field. */
export interface Link {
  href: string;
  place: Place;
}

/** The links of a source that lie below paths of which every page comes from the sources. */
export function ownedLinks(
  source: SourceText,
  root: Node,
  schema: z.ZodType,
  ownedPaths: readonly string[],
): Link[] {
  const links: Link[] = [];
  if (ownedPaths.length === 0) return links;
  const owned = ownedPaths.map((path) => path.replace(/\/$/, ""));
  walk(schema, root, [], (at, node) => {
    if (node.type !== "string" || !htmlFields.has(at)) return;
    for (const { href, start, end } of siteRelativeLinks(node.value))
      if (owned.some((path) => href.startsWith(`${path}/`) || href.replace(/[?#].*$/s, "") === path))
        links.push({ href, place: placeInString(source, node, start, end) });
  });
  return links;
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
  }
}

function* checkValue(source: SourceText, schema: z.ZodType, node: Node, path: Path): Generator<Finding> {
  if (node.type === "object" && definitionOf(schema).type === "object") {
    for (const [start, end] of ORDERED_FIELDS) yield* checkOrder(source, node, path, start, end);
    return;
  }
  const values = occurring.get(schema)?.values;
  if (
    values !== undefined &&
    (node.type === "string" || node.type === "number") &&
    !values.includes(node.value)
  ) {
    // A value that is not even of the right form has its error already.
    if (schema.safeParse(node.value).success)
      yield finding(
        "new-value",
        { field: fieldName(path), found: String(node.value), known: values.join(", ") },
        placeOf(source, node.start, node.end),
      );
  }
  if (unspecified.has(schema) && !isBare(node) && schema.safeParse(plainKind(node)).success)
    yield finding("unspecified-value", { field: fieldName(path) }, placeOf(source, node.start, node.end));
}

/** Null, an empty list or object, or a list of empty objects: what the interface shows in unspecified fields. */
function isBare(node: Node): boolean {
  if (node.type === "array")
    return node.items.every((item) => item.type === "object" && item.members.length === 0);
  if (node.type === "object") return node.members.length === 0;
  return node.type === "literal" && node.value === null;
}

/** A value of the node's kind, enough for the schemas of unspecified fields, which look no deeper. */
function plainKind(node: Node): unknown {
  if (node.type === "array")
    return node.items.map((item) => (item.type === "object" ? {} : item.type === "array" ? [] : item.value));
  return node.type === "object" ? {} : node.value;
}

function* items(node: Node, path: Path): Generator<[item: Node, path: Path]> {
  const list = nodeAt(node, path);
  if (!list.found || list.node.type !== "array") return;
  for (const [i, item] of list.node.items.entries()) if (item.type === "object") yield [item, [...path, i]];
}

const stringAt = (node: Node, path: Path): (Node & { type: "string" }) | undefined => {
  const at = nodeAt(node, path);
  return at.found && at.node.type === "string" ? at.node : undefined;
};

function* checkImage(
  source: SourceText,
  image: Node,
  path: Path,
  site: Pick<Site, "media_url"> | undefined,
): Generator<Finding> {
  const media = site?.media_url ?? "";
  const sizes = nodeAt(image, ["sizes"]);
  const labels: string[] = [];
  const urls: string[] = [];
  const addresses: (Node & { type: "string" })[] = [];
  if (sizes.found && sizes.node.type === "array") {
    for (const size of sizes.node.items) {
      const label = stringAt(size, [1]);
      const url = stringAt(size, [2]);
      if (label) labels.push(label.value);
      if (url) urls.push(mediaUrl(url.value, media));
      if (url) addresses.push(url);
    }
  }
  const defaultUrl = stringAt(image, ["default_url"]);
  if (defaultUrl) addresses.push(defaultUrl);
  for (const node of addresses)
    if (site !== undefined && forms["media-url"].holds(node.value) && !isBelowMedia(node.value, media))
      yield finding("outside-media", { found: node.value, media }, placeOf(source, node.start, node.end));
  // Without any sizes to compare with, the sizes are the defect.
  if (!sizes.found || sizes.node.type !== "array") return;
  const current = stringAt(image, ["current_size"]);
  if (current && forms.range.holds(current.value) && !labels.includes(current.value))
    yield finding(
      "not-among-sizes",
      { field: fieldName([...path, "current_size"]), found: current.value, known: known(labels) },
      placeOf(source, current.start, current.end),
    );
  const isSound = defaultUrl && forms["media-url"].holds(defaultUrl.value);
  if (
    isSound &&
    (site === undefined || isBelowMedia(defaultUrl.value, media)) &&
    !urls.includes(mediaUrl(defaultUrl.value, media))
  )
    yield finding(
      "not-among-sizes",
      { field: fieldName([...path, "default_url"]), found: defaultUrl.value, known: known(urls) },
      placeOf(source, defaultUrl.start, defaultUrl.end),
    );
}

const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text);

const known = (values: string[]): string =>
  values.length === 0
    ? "(sizes is empty)"
    : values.slice(0, 5).map(short).join(", ") + (values.length > 5 ? ", …" : "");

function* checkOrder(
  source: SourceText,
  owner: Node,
  path: Path,
  start: string,
  end: string,
): Generator<Finding> {
  const [from, to] = [nodeAt(owner, [start]), nodeAt(owner, [end])];
  if (!from.found || !to.found) return;
  const [a, b] = [from.node, to.node];
  const reversed =
    (a.type === "number" && b.type === "number" && b.value < a.value) ||
    (a.type === "string" &&
      b.type === "string" &&
      forms.date.holds(a.value) &&
      forms.date.holds(b.value) &&
      b.value < a.value);
  if (!reversed) return;
  yield finding(
    "dates-reversed",
    {
      start: fieldName([...path, start]),
      end: fieldName([...path, end]),
      startValue: String(a.value),
      endValue: String(b.value),
    },
    placeOf(source, b.start, b.end),
    placeOf(source, a.start, a.end),
  );
}
