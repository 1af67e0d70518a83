import { checkSiteConfig } from "../../check/config.ts";
import { checkTypes } from "../../model/types.ts";
import { Failure } from "../../base/failure.ts";
import { grouped } from "../../base/grouped.ts";
import { MAX_FINDINGS } from "../../findings/cap.ts";
import { isError, type Finding } from "../../findings/finding.ts";
import { fieldChanges, type FieldChange } from "../../source/json/changes.ts";
import { valueOf } from "../../source/json/node.ts";
import type { ParsedJson } from "../../source/json/parse.ts";
import { TYPES } from "../../source/site-files.ts";
import type { PageModel } from "../../model/page.ts";
import type { Site } from "../../model/site.ts";
import type { ChangedPage, RetypedPages } from "./comparison.ts";
import type { Pair } from "./pairing.ts";
import type { Loaded, Snapshot } from "./snapshot.ts";

/**
 * Compares `_site.json` in both snapshots; undefined means that there is none. If one of them has errors, the other
 * is used for both.
 *
 * @throws Failure if neither is valid.
 */
export function compareSites(before: ParsedJson | undefined, after: ParsedJson | undefined) {
  const old = before && checkSiteConfig(before).site;
  const checked = after && checkSiteConfig(after);
  const now = checked?.site ?? old;
  if (now === undefined)
    throw new Failure(
      "_site.json is missing or has errors, both before and after the change: see npm run check.",
    );
  /** The actual settings before the change. */
  const former = old ?? now;
  return {
    // The new settings, so that each changed address is reported only once, but with the former `media_url`, as the
    // addresses in the sources before the change are below it.
    before: { ...now, media_url: former.media_url },
    after: now,
    former,
    changes: old === undefined && checked?.site !== undefined ? added(now) : fieldChanges(former, now),
    findings: checked?.findings ?? [],
  };
}

const added = (site: Site): FieldChange[] =>
  Object.entries(site).map(([field, value]) => ({ field, new: value }));

/**
 * Compares `_types.json` in both snapshots; undefined means that there is none. If one of them has errors, the other is
 * used for both.
 *
 * @throws Failure if neither is valid.
 */
export function compareTypes(
  before: ParsedJson | undefined,
  after: ParsedJson | undefined,
  program: PageModel,
) {
  const [was, is] = [before, after].map((parsed) =>
    parsed === undefined ? { model: program, findings: [] } : checkTypes(parsed, program),
  );
  const [former, now] = [was?.model ?? is?.model, is?.model ?? was?.model];
  if (former === undefined || now === undefined)
    throw new Failure(`${TYPES} has errors, both before and after the change: see npx page-api check.`);
  const isComparable = was?.model !== undefined && is?.model !== undefined;
  return {
    before: former,
    after: now,
    changes: isComparable ? fieldChanges(declaredIn(before), declaredIn(after)) : [],
    /** Whether responses may contain facts of other pages. */
    showsPages: [before, after].some((one) => JSON.stringify(declaredIn(one)).includes('"shows":')),
    findings: is?.findings ?? [],
  };
}

const declaredIn = (parsed: ParsedJson | undefined): unknown =>
  parsed?.root === undefined ? {} : valueOf(parsed.root);

/** Whether a source contains one of some numbers, in any place. */
const mentions = (bytes: Buffer | undefined, ids: ReadonlySet<number | undefined>): boolean =>
  Array.from(bytes?.toString("latin1").matchAll(/\d+/g) ?? []).some(([digits]) => ids.has(Number(digits)));

/**
 * The pages that were not edited, but differ because the types or the pages that they show do. It reads every source.
 *
 * @param ids the changed pages, if only pages that show one of them can differ.
 */
export function* uneditedPairs(
  before: Snapshot,
  after: Snapshot,
  edited: ReadonlySet<string>,
  ids?: ReadonlySet<number | undefined>,
): Generator<Pair> {
  let listed = 0;
  for (const file of after.files.keys()) {
    if (edited.has(file) || !before.files.has(file)) continue;
    if (ids !== undefined && !mentions(after.bytesOf(file), ids)) continue;
    const [was, is] = [before.load(file), after.load(file)];
    if (isSame(was, is)) continue;
    const findings = newFindings(was, is).slice(0, MAX_FINDINGS - listed);
    listed += findings.length;
    yield { file, before: was, after: { ...is, findings } };
  }
}

function isSame(was: Loaded, is: Loaded): boolean {
  if (was.kind === "page" && is.kind === "page") return was.response.equals(is.response);
  return was.kind === is.kind;
}

/** Findings that the types cause: not those of the same page before. */
function newFindings(was: Loaded, is: Loaded): Finding[] {
  const known = new Set(was.findings.map(codeAndPlace));
  return is.findings.filter((one) => isError(one) || !known.has(codeAndPlace(one)));
}

const codeAndPlace = ({ code, place }: Finding): string => `${code} ${place.line}:${place.column}`;

/** Pages of one type with the same changes are one entry. */
export function groupRetyped(pages: readonly ChangedPage[]): RetypedPages[] {
  const parts = pages.map(({ fields, ...page }) => ({ type: page.type, fields, page }));
  const groups = grouped(parts, ({ type, fields }) => JSON.stringify([type, fields]));
  return Array.from(groups.values()).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { page, ...shared } = first;
    return [{ ...shared, pages: [page, ...others.map((one) => one.page)] }];
  });
}
