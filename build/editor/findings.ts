import { checkPage } from "../check/page.ts";
import { byPlace, correctionOf, hintOf, isError, messageOf, type Finding } from "../findings/finding.ts";
import type { Correction, Severity } from "../findings/entry.ts";
import type { Code } from "../findings/catalogue/index.ts";
import type { Node } from "../json/node.ts";
import { parseJson } from "../json/parse.ts";
import type { MediaSite } from "../page/media.ts";
import type { FieldPath } from "./form/fields.ts";
import { pathText } from "./form/values.ts";

/** A finding of `npm run check` at a field of the form. */
export interface FieldFinding {
  /**
   * The path in the source, as in `data-path`; empty if the finding is about the whole page. It may be longer than the
   * field's path: the field is the longest beginning of the path that has a control.
   */
  path: string;
  code: Code;
  severity: Severity;
  message: string;
  hint: string;
  /** The correction that the hint describes, if the form can carry it out. */
  correction?: Correction | undefined;
  line: number;
  column: number;
}

/**
 * The findings of one source, in order of location: those of `npm run check`, except findings that need other pages.
 *
 * @param file its path below the content folder.
 * @param site undefined if `_site.json` has errors or is not known.
 * @param isDraft whether it is a draft, whose findings are warnings; derived from `file` by default.
 */
export function findingsOf(
  file: string,
  text: string,
  site: MediaSite | undefined,
  isDraft = /(?:^|\/)_[^/]*$/.test(file),
): FieldFinding[] {
  const parsed = parseJson(file, new TextEncoder().encode(text));
  const { root, source } = parsed;
  const lines = lineStarts(source.text);
  return checkPage(parsed, site)
    .findings.sort(byPlace)
    .map((found): FieldFinding => {
      const { line, column } = found.place;
      const offset = (lines[line - 1] ?? 0) + column - 1;
      return {
        path: fieldOf(found, root === undefined ? "" : pathAt(root, offset)),
        code: found.code,
        severity: isError(found) && !isDraft ? "error" : "warning",
        message: messageOf(found),
        hint: hintOf(found),
        correction: correctionOf(found),
        line,
        column,
      };
    });
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The path of the innermost value at an offset; the name of a member belongs to its value. */
function pathAt(node: Node, offset: number, path: FieldPath = []): string {
  if (node.type === "object") {
    const member = node.members.find(({ keyStart, value }) => keyStart <= offset && offset < value.end);
    if (member !== undefined) return pathAt(member.value, offset, [...path, member.key]);
  } else if (node.type === "array") {
    const index = node.items.findIndex(({ start, end }) => start <= offset && offset < end);
    const item = node.items[index];
    if (item !== undefined) return pathAt(item, offset, [...path, index]);
  }
  return pathText(path);
}

/** A finding at the beginning of an object may name a field that the object does not have. */
function fieldOf({ args }: Finding, path: string): string {
  const { field } = args as { field?: unknown };
  if (typeof field !== "string") return path;
  const named = field.replace(/\[(\d+)\]/g, ".$1");
  return path === "" || named.startsWith(`${path}.`) ? named : path;
}
