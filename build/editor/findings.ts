import { PageChecker } from "../check/page.ts";
import { byPlace, correctionOf, hintOf, isError, messageOf } from "../findings/finding.ts";
import type { Correction, Severity } from "../findings/entry.ts";
import type { Code } from "../findings/catalogue/index.ts";
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
  return new PageChecker({ media: site })
    .check(parsed)
    .findings.sort(byPlace)
    .map((found): FieldFinding => ({
      path: pathText((found.path ?? []) as FieldPath),
      code: found.code,
      severity: isError(found) && !isDraft ? "error" : "warning",
      message: messageOf(found),
      hint: hintOf(found),
      correction: correctionOf(found),
      line: found.place.line,
      column: found.place.column,
    }));
}
