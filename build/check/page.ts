import type * as z from "zod";
import { finding, nearest, type Finding, type Place } from "../findings/finding.ts";
import { isExact } from "../json/exact.ts";
import { fieldName, nodeAt, valueOf, type Member, type Node, type Path } from "../json/node.ts";
import type { ParsedJson } from "../json/parse.ts";
import { placeOf, type SourceText } from "../json/place.ts";
import { definitionOf, derivedFields, formOf, ids, schemaAt, within } from "../page/field.ts";
import { forms, type Form } from "../page/forms.ts";
import { sourceSchemas, type SourcePage } from "../page/page.ts";
import { isPageType, PAGE_TYPES, type PageType } from "../page/types.ts";
import { capFindings, MAX_FINDINGS } from "../findings/cap.ts";
import { checkRules, type Link } from "./values.ts";
import { HISTORY, historySchema, type History } from "../page/history.ts";
import { SITE_URLS, siteSchema, type Site } from "../page/site.ts";

export interface CheckedPage {
  findings: Finding[];
  /** Absent where the page has errors. */
  page?: SourcePage;
  /** What other pages need to know of this one, as far as it is sound. */
  id?: number;
  type?: PageType;
  /** Objects of the page that are passed through, with their nodes, so that they are printed as written. */
  nodes: WeakMap<object, Node>;
}

/** What was found in one file, by its number. */
export interface PageFindings {
  file: number;
  findings: Finding[];
  /** Links whose targets are looked for when all pages are known. */
  links: Link[];
}

/** Nobody types a longer value off a hint. */
const MOST_SUGGESTED = 300;

/** So many issues of one file are looked into; the rest are counted. Each is looked up from the top of the file. */
const MOST_ISSUES = 1000;

/** Checks a parsed source as a page: its fields (zod), then the rules that span fields. One finding a defect. */
export function checkPage(parsed: ParsedJson, site: Pick<Site, "media_url"> | undefined): CheckedPage {
  const { unlisted, isCut, ...checked } = checkFields(parsed, site);
  return { ...checked, findings: capFindings(checked.findings, unlisted, isCut) };
}

function checkFields(
  parsed: ParsedJson,
  site: Pick<Site, "media_url"> | undefined,
): CheckedPage & { unlisted: number; isCut: boolean } {
  const { source, root } = parsed;
  const nodes = new WeakMap<object, Node>();
  const findings = [...parsed.findings];
  const checked: ReturnType<typeof checkFields> = { findings, nodes, unlisted: 0, isCut: false };
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
  const schema = sourceSchemas[type ?? "standardpages.GeneralPage"];
  const result = schema.safeParse(withoutSchemaKey(valueOf(root, nodes)));
  const issues = result.error?.issues ?? [];
  checked.unlisted = Math.max(0, issues.length - MOST_ISSUES);
  for (const issue of issues.slice(0, MOST_ISSUES)) {
    if (
      isTypeField(issue.path) ||
      (issue.code === "invalid_type" && issue.path.join(".") === "meta" && type === undefined)
    )
      continue;
    if (type === undefined && issue.code === "unrecognized_keys" && issue.path.length === 0) continue;
    for (const f of fromIssue(source, root, schema, issue)) findings.push(f);
  }
  if (type !== undefined) {
    const rules = checkRules(source, root, schema, site);
    for (const f of rules.findings) findings.push(f);
    checked.unlisted += rules.unlisted;
    checked.isCut = rules.isCut;
  }
  const id = nodeAt(root, ["id"]);
  if (id.found && id.node.type === "number" && Number.isSafeInteger(id.node.value) && id.node.value > 0)
    checked.id = id.node.value;
  if (result.success && type !== undefined) checked.page = result.data;
  return checked;
}

const isTypeField = (path: Path): boolean => path.length === 2 && path[0] === "meta" && path[1] === "type";

/** `$schema` is for editors' programs; the build does not look at it. */
function withoutSchemaKey(value: unknown): unknown {
  const { $schema: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** So many fields that only another type has are no slips: the type is the one defect. */
const MANY_FIELDS = 3;

/** The fields that not every page has. */
export const ownFields = (type: PageType): string[] => {
  const common = shapeAt(sourceSchemas["home.HomePage"], []);
  return Object.keys(shapeAt(sourceSchemas[type], [])).filter((field) => !Object.hasOwn(common, field));
};

/** The type that the fields of a page suggest, and those that only this type has. */
function suggestedType(root: Node): { type: PageType; fields: string[] } | undefined {
  const written = new Set(root.type === "object" ? root.members.map(({ key }) => key) : []);
  for (const type of PAGE_TYPES) {
    const fields = ownFields(type).filter((field) => written.has(field));
    if (fields.length >= MANY_FIELDS) return { type, fields };
  }
  return undefined;
}

/** `meta.type` decides which schema holds, so it is read before any schema is. Absent where it cannot be trusted. */
function pageType(source: SourceText, root: Node, findings: Finding[]): PageType | undefined {
  const meta = nodeAt(root, ["meta"]);
  const suggested = suggestedType(root);
  const likely = suggested?.type ?? "standardpages.GeneralPage";
  const known = Object.keys(shapeAt(sourceSchemas["artworks.ArtworkPage"], []));
  const slip = meta.found ? undefined : misspelt(root, "meta", known);
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
    const fields = Object.keys(shapeAt(sourceSchemas["home.HomePage"], ["meta"]));
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

/** `_site.json`, checked. `site` is absent where it has errors. */
export function checkSiteConfig(parsed: ParsedJson): { site?: Site; findings: Finding[] } {
  const { unlisted, ...checked } = checkWholeSite(parsed);
  return { ...checked, findings: capFindings(checked.findings, unlisted) };
}

/** `_history.json`, checked by itself. `history` is absent where it has errors. */
export function checkHistoryFile(parsed: ParsedJson): { history?: History; findings: Finding[] } {
  const { value, findings, unlisted } = checkObject(parsed, historySchema);
  const capped = capFindings(findings, unlisted);
  return value === undefined ? { findings: capped } : { history: value, findings: capped };
}

/** A file with one schema, whatever stands in it. `value` is absent where the schema does not hold. */
function checkObject<T>(
  parsed: ParsedJson,
  schema: z.ZodType<T>,
): { value?: T; findings: Finding[]; unlisted: number } {
  const { source, root } = parsed;
  const findings = [...parsed.findings];
  if (root === undefined) return { findings, unlisted: 0 };
  if (root.type !== "object") {
    findings.push(
      finding("not-an-object", { found: found(root) }, placeOf(source, root.start, root.start + 1)),
    );
    return { findings, unlisted: 0 };
  }
  const { success, data, error } = schema.safeParse(withoutSchemaKey(valueOf(root)));
  const issues = error?.issues ?? [];
  for (const issue of issues.slice(0, MOST_ISSUES))
    for (const f of fromIssue(source, root, schema, issue)) findings.push(f);
  const unlisted = Math.max(0, issues.length - MOST_ISSUES);
  return success && findings.length === 0 ? { value: data, findings, unlisted } : { findings, unlisted };
}

function checkWholeSite(parsed: ParsedJson): { site?: Site; findings: Finding[]; unlisted: number } {
  const { source, root } = parsed;
  const { value, findings, unlisted } = checkObject(parsed, siteSchema);
  if (root?.type !== "object") return { findings, unlisted };
  for (const field of SITE_URLS) {
    const { node, found: given } = nodeAt(root, [field]);
    if (!given || node.type !== "string" || !forms["absolute-url"].holds(node.value)) continue;
    if (node.value.endsWith("/")) {
      findings.push(finding("site-slash", { field, found: node.value }, wholeOf(source, node)));
    } else if (/[?#]/.test(node.value)) {
      const { example } = forms["absolute-url"];
      const wanted = "an address without a query (?) or a fragment (#)";
      findings.push(
        finding(
          "bad-form",
          { field, found: node.value, wanted, example: example.slice(0, -7) },
          wholeOf(source, node),
        ),
      );
    }
  }
  return value !== undefined && findings.length === 0
    ? { site: value, findings, unlisted }
    : { findings, unlisted };
}

function* fromIssue(
  source: SourceText,
  root: Node,
  schema: z.ZodType,
  issue: z.core.$ZodIssue,
): Generator<Finding> {
  const { path } = issue;
  const at = nodeAt(root, path);
  const field = fieldName(path);
  if (issue.code === "unrecognized_keys") {
    if (at.node.type !== "object") return;
    const known = Object.keys(shapeAt(schema, path));
    const whole =
      schema === siteSchema ? "_site.json" : schema === historySchema ? HISTORY : "a page of this type";
    const owner = path.length === 0 ? whole : `“${field}”`;
    const unknown = new Set(issue.keys);
    let listed = 0;
    for (const member of at.node.members) {
      if (!unknown.has(member.key)) continue;
      const like = listed++ < MAX_FINDINGS ? meant(schema, path, member.key, known) : undefined;
      const place = placeOf(source, member.keyStart, member.keyEnd);
      const why = path.length === 0 && schema !== siteSchema ? whyUnknown(schema, member.key) : undefined;
      const args = { field: member.key, nearest: why === undefined ? like : undefined, owner, why };
      yield finding("unknown-field", args, place);
    }
    return;
  }
  const wanted = schemaAt(schema, path);
  if (!at.found) {
    const missing = String(path.at(-1));
    if (misspelt(at.node, missing, Object.keys(shapeAt(schema, path.slice(0, -1)))) !== undefined) return;
    yield finding("missing-field", { field, wanted: exampleOf(wanted) }, opening(source, at.node));
    return;
  }
  const mark = wanted && derivedFields.get(wanted);
  if (mark) {
    const place = at.member
      ? placeOf(source, at.member.keyStart, at.member.keyEnd)
      : wholeOf(source, at.node);
    yield finding("derived-field", { field, from: mark.row.from }, place);
    return;
  }
  const place = wholeOf(source, at.node);
  const { node } = at;
  // One defect, one finding: a number that cannot be kept has its own already.
  if (node.type === "number" && !isExact(source.text.slice(node.start, node.end), node.value)) return;
  if (node.type === "number" && wanted && ids.has(wanted)) {
    yield finding("bad-id", { field, found: String(node.value) }, place);
  } else if (node.type === "string" && issue.code === "custom") {
    const { form, orNull } = (wanted && formOf.get(wanted)) ?? {};
    if (node.value === "" || form === undefined) {
      const text = form ? forms[form].wanted : "a text";
      yield finding("empty-field", { field, wanted: orNull ? `${text}, or null` : text }, place);
    } else {
      const { wanted: general, wantedOf, example, rightOf }: Form = forms[form];
      const says = wantedOf?.(node.value) ?? general;
      const suggested = rightOf?.(node.value);
      const isHelp =
        suggested !== undefined && suggested.length <= MOST_SUGGESTED && forms[form].holds(suggested);
      const right = isHelp ? suggested : undefined;
      const args = {
        field,
        found: node.value,
        wanted: says,
        example: right ?? example,
        isSame: right !== undefined,
      };
      yield finding("bad-form", args, place);
    }
  } else {
    yield finding("wrong-type", { field, found: found(node), wanted: kindOf(wanted) }, place);
  }
}

/** Names under which people look for the text of a page. */
const TEXTS =
  /^(?:body|content|contents|text|intro|introduction|summary|description|html|sections|blocks|streamfield)$/i;

/** Why a page of a type without fields of its own has not this one. */
function whyUnknown(schema: z.ZodType, key: string): "artwork" | "text" | undefined {
  if (schema === sourceSchemas["artworks.ArtworkPage"]) return undefined;
  if (TEXTS.test(key)) return "text";
  return ownFields("artworks.ArtworkPage").includes(key) ? "artwork" : undefined;
}

/** A field of `meta` that was written outside of it, or the nearest of those that there are. */
function meant(schema: z.ZodType, path: Path, key: string, known: string[]): string | undefined {
  const inMeta = path.length === 0 ? shapeAt(schema, ["meta"]) : {};
  const field = Object.hasOwn(inMeta, key) ? inMeta[key] : undefined;
  return field !== undefined && !derivedFields.has(field) ? `meta.${key}` : nearest(key, known);
}

/** The member of an object by which a field that it lacks was meant: one defect, told at the misspelt name. */
function misspelt(owner: Node, missing: string, known: string[]): Member | undefined {
  if (owner.type !== "object" || owner.members.length > MAX_FINDINGS) return undefined;
  return owner.members.find(({ key }) => !known.includes(key) && nearest(key, known) === missing);
}

const shapeAt = (schema: z.ZodType, path: Path): Record<string, z.ZodType> => {
  const definition = definitionOf(schemaAt(schema, path) ?? schema);
  return definition.type === "object" ? definition.shape : {};
};

const wholeOf = (source: SourceText, node: Node): Place => placeOf(source, node.start, node.end);
const opening = (source: SourceText, node: Node): Place => placeOf(source, node.start, node.start + 1);

function found(node: Node): string {
  switch (node.type) {
    case "object":
      return "an object";
    case "array":
      return "a list";
    case "string":
      return node.value === ""
        ? "an empty text"
        : `the text “${node.value.length > 40 ? `${node.value.slice(0, 37)}…` : node.value}”`;
    case "number":
      return `the number ${node.value}`;
    default:
      return String(node.value);
  }
}

function kindOf(schema: z.ZodType | undefined): string {
  if (schema === undefined) return "another value";
  const definition = definitionOf(within(schema));
  switch (definition.type) {
    case "string":
      return "a text in quotation marks";
    case "number":
      return ids.has(schema) || (schema.def !== undefined && "format" in schema.def)
        ? "a whole number"
        : "a number";
    case "boolean":
      return "true or false";
    case "array":
      return "a list in square brackets";
    case "tuple":
      return 'a list of three: width, range and address, such as [600, "0-599", "/a.jpg"]';
    case "null":
      return "null";
    default:
      return "an object in curly brackets";
  }
}

function exampleOf(schema: z.ZodType | undefined): string {
  const form = schema && formOf.get(schema)?.form;
  if (form !== undefined) return `"${forms[form].example}"`;
  if (schema !== undefined && ids.has(schema)) return "a positive whole number";
  return kindOf(schema);
}
