import { LATEST, type Instant, type Period } from "../base/instant.ts";
import { capFindings } from "../findings/cap.ts";
import { finding, nearest, type Finding } from "../findings/finding.ts";
import { nodeAt, valueOf, type Node, type Path } from "../json/node.ts";
import type { ParsedJson } from "../json/parse.ts";
import { placeOf, type SourceText } from "../json/place.ts";
import {
  ALL_FIELDS,
  commonSchema,
  ownFields,
  sourceSchemas,
  typesWith,
  type SourcePage,
} from "../page/page.ts";
import type { MediaSite } from "../page/media.ts";
import { isPageType, PAGE_TYPES, USUAL_TYPE, type PageType } from "../page/types.ts";
import {
  found,
  fromIssue,
  misspelt,
  MAX_ISSUES,
  opening,
  shapeAt,
  wholeOf,
  withoutSchemaKey,
} from "./issues.ts";
import { checkRules } from "./values.ts";

export interface CheckedPage {
  findings: Finding[];
  /** Undefined if the page does not match its schema. */
  page?: SourcePage;
  /** The facts that other pages need, if they are valid. */
  id?: number;
  type?: PageType;
  /** The nodes of the page's objects, which print the objects that are passed through as they were written. */
  nodes: WeakMap<object, Node>;
  /** The instants at which time changes a finding of the page. */
  moments: Instant[];
}

/** The findings and links of one file; `file` is its number. */
export interface PageFindings {
  file: number;
  findings: Finding[];
  /** The distinct targets of links, which are looked up once all pages are known. */
  links: string[];
  /** The period in which the page is live according to its own dates; undefined if it has no such dates. */
  live?: Period;
  /**
   * The instants after the build's `Times.floor` at which time changes the page or a finding of it; undefined if there
   * are none.
   */
  moments?: Instant[];
}

/**
 * Checks a parsed source as a page: its fields (zod), then the rules between fields. Each mistake gives one finding.
 *
 * @param at the build's instant; by default no date is in the future.
 */
export function checkPage(parsed: ParsedJson, site: MediaSite | undefined, at = LATEST): CheckedPage {
  const { unlisted, isCut, ...checked } = checkFields(parsed, site, at);
  return { ...checked, findings: capFindings(checked.findings, unlisted, isCut) };
}

function checkFields(
  parsed: ParsedJson,
  site: MediaSite | undefined,
  at: Instant,
): CheckedPage & { unlisted: number; isCut: boolean } {
  const { source, root } = parsed;
  const nodes = new WeakMap<object, Node>();
  const findings = [...parsed.findings];
  const checked: ReturnType<typeof checkFields> = { findings, nodes, moments: [], unlisted: 0, isCut: false };
  if (root === undefined) return checked;
  if (root.type !== "object") {
    findings.push(
      finding(
        "not-an-object",
        { found: found(root), isPage: true },
        placeOf(source, root.start, root.start + 1),
      ),
    );
    return checked;
  }
  const type = pageType(source, root, findings);
  if (type !== undefined) checked.type = type;
  // If the type is unknown, only the fields of every page can be checked.
  const schema = type === undefined ? commonSchema : sourceSchemas[type];
  const result = schema.safeParse(withoutSchemaKey(valueOf(root, nodes)));
  const issues = result.error?.issues ?? [];
  checked.unlisted = Math.max(0, issues.length - MAX_ISSUES);
  for (const issue of issues.slice(0, MAX_ISSUES)) {
    if (
      isTypeField(issue.path) ||
      (issue.code === "invalid_type" && issue.path.join(".") === "meta" && type === undefined)
    )
      continue;
    if (type === undefined && issue.code === "unrecognized_keys" && issue.path.length === 0) continue;
    for (const f of fromIssue(source, root, schema, issue)) findings.push(f);
  }
  if (type !== undefined) {
    const rules = checkRules(source, root, schema, site, at);
    for (const f of rules.findings) findings.push(f);
    checked.unlisted += rules.unlisted;
    checked.isCut = rules.isCut;
    checked.moments = rules.moments;
  }
  const id = nodeAt(root, ["id"]);
  if (id.found && id.node.type === "number" && Number.isSafeInteger(id.node.value) && id.node.value > 0)
    checked.id = id.node.value;
  if (result.success && type !== undefined) checked.page = result.data;
  return checked;
}

const isTypeField = (path: Path): boolean => path.length === 2 && path[0] === "meta" && path[1] === "type";

/** Minimum number of fields of another type for the page's type to be reported, instead of each field. */
const MIN_FOREIGN_FIELDS = 3;

/** The type that the fields of a page suggest, and the fields that only this type has. */
function suggestedType(root: Node): { type: PageType; fields: string[] } | undefined {
  const written = new Set(root.type === "object" ? root.members.map(({ key }) => key) : []);
  for (const type of PAGE_TYPES) {
    const fields = ownFields(type).filter((field) => written.has(field) && typesWith(field).length === 1);
    if (fields.length >= MIN_FOREIGN_FIELDS) return { type, fields };
  }
  return undefined;
}

/** The page's type, read first because it determines the schema. Undefined, with a finding, if it cannot be trusted. */
function pageType(source: SourceText, root: Node, findings: Finding[]): PageType | undefined {
  const meta = nodeAt(root, ["meta"]);
  const suggested = suggestedType(root);
  const likely = suggested?.type ?? USUAL_TYPE;
  const slip = meta.found ? undefined : misspelt(root, "meta", ALL_FIELDS);
  if (slip !== undefined) {
    const args = { field: slip.key, nearest: "meta", owner: "a page of this type" };
    findings.push(finding("unknown-field", args, placeOf(source, slip.keyStart, slip.keyEnd)));
    return undefined;
  }
  const { found: isBeside, member: beside } = nodeAt(root, ["type"]);
  if (!meta.found && isBeside && beside !== undefined) {
    const args = { field: "type", nearest: "meta.type", owner: "a page of this type" };
    findings.push(finding("unknown-field", args, placeOf(source, beside.keyStart, beside.keyEnd)));
    return undefined;
  }
  if (!meta.found) {
    const expected = `{"type": "${likely}"}, or another page type`;
    findings.push(finding("missing-field", { field: "meta", expected }, opening(source, root)));
    return undefined;
  }
  if (meta.node.type !== "object") {
    findings.push(
      finding(
        "wrong-type",
        { field: "meta", found: found(meta.node), expected: "an object in curly brackets" },
        wholeOf(source, meta.node),
      ),
    );
    return undefined;
  }
  const { node, found: given } = nodeAt(root, ["meta", "type"]);
  if (!given) {
    const fields = Object.keys(shapeAt(commonSchema, ["meta"]));
    if (misspelt(meta.node, "type", fields) !== undefined) return undefined;
    const expected = `"${likely}", or another page type`;
    findings.push(finding("missing-field", { field: "meta.type", expected }, opening(source, meta.node)));
    return undefined;
  }
  if (node.type === "string" && isPageType(node.value)) {
    if (suggested === undefined || ownFields(node.value).length > 0) return node.value;
    const args = { found: node.value, likely, names: suggested.fields };
    findings.push(finding("unlikely-type", args, wholeOf(source, node)));
  } else if (node.type === "string") {
    const args = {
      found: node.value,
      nearest:
        suggested?.type ??
        PAGE_TYPES.find((type) => type.endsWith(`.${node.value}`)) ??
        nearest(node.value, PAGE_TYPES),
      known: PAGE_TYPES.join(", "),
    };
    findings.push(finding("unknown-page-type", args, wholeOf(source, node)));
  } else {
    const args = { field: "meta.type", found: found(node), expected: "one of the page types, as a text" };
    findings.push(finding("wrong-type", args, wholeOf(source, node)));
  }
  return undefined;
}
