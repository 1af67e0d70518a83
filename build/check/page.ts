import { LATEST, type Period } from "../base/instant.ts";
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
import type { Site } from "../page/site.ts";
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
  /** Absent where the page has errors. */
  page?: SourcePage;
  /** What other pages need to know of this one, as far as it is sound. */
  id?: number;
  type?: PageType;
  /** Objects of the page that are passed through, with their nodes, so that they are printed as written. */
  nodes: WeakMap<object, Node>;
  /** When time changes a finding of the page. */
  moments: number[];
}

/** What was found in one file, by its number. */
export interface PageFindings {
  file: number;
  findings: Finding[];
  /** Targets of links, each once, that are looked up when all pages are known. */
  links: string[];
  /** The time in which the page is live as far as its own dates say; absent if it has none. */
  live?: Period;
  /** After the build's `Times.floor`: when time changes the page or a finding of it. Absent if there is none. */
  moments?: number[];
}

/**
 * Checks a parsed source as a page: its fields (zod), then the rules that span fields. One finding a defect.
 *
 * @param at the build's instant; by default no date is in the future.
 */
export function checkPage(
  parsed: ParsedJson,
  site: Pick<Site, "media_url"> | undefined,
  at = LATEST,
): CheckedPage {
  const { unlisted, isCut, ...checked } = checkFields(parsed, site, at);
  return { ...checked, findings: capFindings(checked.findings, unlisted, isCut) };
}

function checkFields(
  parsed: ParsedJson,
  site: Pick<Site, "media_url"> | undefined,
  at: number,
): CheckedPage & { unlisted: number; isCut: boolean } {
  const { source, root } = parsed;
  const nodes = new WeakMap<object, Node>();
  const findings = [...parsed.findings];
  const checked: ReturnType<typeof checkFields> = { findings, nodes, moments: [], unlisted: 0, isCut: false };
  if (root === undefined) return checked;
  if (root.type !== "object") {
    findings.push(
      finding("not-an-object", { found: found(root) }, placeOf(source, root.start, root.start + 1)),
    );
    return checked;
  }
  const type = pageType(source, root, findings);
  if (type !== undefined) checked.type = type;
  // With an unknown type only the fields that every page has can be judged.
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

/** So many fields that only another type has are no slips: the type is the one defect. */
const MANY_FIELDS = 3;

/** The type that the fields of a page suggest, and those that only this type has. */
function suggestedType(root: Node): { type: PageType; fields: string[] } | undefined {
  const written = new Set(root.type === "object" ? root.members.map(({ key }) => key) : []);
  for (const type of PAGE_TYPES) {
    const fields = ownFields(type).filter((field) => written.has(field) && typesWith(field).length === 1);
    if (fields.length >= MANY_FIELDS) return { type, fields };
  }
  return undefined;
}

/** `meta.type` decides which schema holds, so it is read before any schema is. Absent where it cannot be trusted. */
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
    const wanted = `{"type": "${likely}"}, or another page type`;
    findings.push(finding("missing-field", { field: "meta", wanted }, opening(source, root)));
    return undefined;
  }
  if (meta.node.type !== "object") {
    findings.push(
      finding(
        "wrong-type",
        { field: "meta", found: found(meta.node), wanted: "an object in curly brackets" },
        wholeOf(source, meta.node),
      ),
    );
    return undefined;
  }
  const { node, found: given } = nodeAt(root, ["meta", "type"]);
  if (!given) {
    const fields = Object.keys(shapeAt(commonSchema, ["meta"]));
    if (misspelt(meta.node, "type", fields) !== undefined) return undefined;
    const wanted = `"${likely}", or another page type`;
    findings.push(finding("missing-field", { field: "meta.type", wanted }, opening(source, meta.node)));
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
    const args = { field: "meta.type", found: found(node), wanted: "one of the page types, as a text" };
    findings.push(finding("wrong-type", args, wholeOf(source, node)));
  }
  return undefined;
}
