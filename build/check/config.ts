import type * as z from "zod";
import { capFindings } from "../findings/cap.ts";
import { finding, type Finding } from "../findings/finding.ts";
import { fieldName, nodeAt, valueOf } from "../json/node.ts";
import type { ParsedJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import { formats } from "../page/formats.ts";
import { historySchema, type History } from "../page/history.ts";
import { siteSchema, URL_PATHS, type Site } from "../page/site.ts";
import { found, fromIssue, MAX_ISSUES, wholeOf, withoutSchemaKey } from "./issues.ts";

/** Checks `_site.json`. `site` is undefined if it has errors. */
export function checkSiteConfig(parsed: ParsedJson): { site?: Site; findings: Finding[] } {
  const { unlisted, ...checked } = checkWholeSite(parsed);
  return { ...checked, findings: capFindings(checked.findings, unlisted) };
}

/** Checks `_history.json` by itself. `history` is undefined if it has errors. */
export function checkHistoryFile(parsed: ParsedJson): { history?: History; findings: Finding[] } {
  const { value, findings, unlisted } = checkObject(parsed, historySchema);
  const capped = capFindings(findings, unlisted);
  return value === undefined ? { findings: capped } : { history: value, findings: capped };
}

/** Checks a file of any content against a schema. `value` is undefined if there are errors. */
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
  for (const issue of issues.slice(0, MAX_ISSUES))
    for (const f of fromIssue(source, root, schema, issue)) findings.push(f);
  const unlisted = Math.max(0, issues.length - MAX_ISSUES);
  return success && findings.length === 0 ? { value: data, findings, unlisted } : { findings, unlisted };
}

function checkWholeSite(parsed: ParsedJson): { site?: Site; findings: Finding[]; unlisted: number } {
  const { source, root } = parsed;
  const { value, findings, unlisted } = checkObject(parsed, siteSchema);
  if (root?.type !== "object") return { findings, unlisted };
  for (const path of URL_PATHS) {
    const { node, found: given } = nodeAt(root, path);
    if (!given || node.type !== "string" || !formats["site-url"].matches(node.value)) continue;
    const field = fieldName(path);
    if (node.value.endsWith("/")) {
      findings.push(finding("site-slash", { field, found: node.value }, wholeOf(source, node)));
    } else if (/[?#]/.test(node.value)) {
      const { example } = formats["site-url"];
      const expected = "an address without a query (?) or a fragment (#)";
      findings.push(
        finding("bad-form", { field, found: node.value, expected, example }, wholeOf(source, node)),
      );
    }
  }
  return value !== undefined && findings.length === 0
    ? { site: value, findings, unlisted }
    : { findings, unlisted };
}
