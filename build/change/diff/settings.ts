import { checkSiteConfig } from "../../check/config.ts";
import { checkTypes } from "../../model/types.ts";
import { Failure } from "../../base/failure.ts";
import { fieldChanges, type FieldChange } from "../../source/json/changes.ts";
import { valueOf } from "../../source/json/node.ts";
import { isObject, type JsonObject } from "../../source/json/object.ts";
import type { ParsedJson } from "../../source/json/parse.ts";
import { TYPES } from "../../source/site-files.ts";
import type { PageModel } from "../../model/page.ts";
import type { Site } from "../../model/site.ts";

/**
 * Compares `_site.json` in both versions; undefined means that there is none. If one of them has errors, the other
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
 * Compares `_types.json` in both versions; undefined means that there is none. If one of them has errors, the other is
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
  const [declared, declares] = [declaredIn(before), declaredIn(after)];
  const changes = isComparable ? fieldChanges(declared, declares) : [];
  return {
    // The same model, so that both versions share a checker.
    before: changes.length === 0 ? now : former,
    after: now,
    changes,
    /** Tells whether the page of a source may differ; undefined if none does. */
    mayDiffer: isComparable ? typeMentions(declared, declares) : undefined,
    /** Whether responses may contain facts of other pages. */
    showsPages: [declared, declares].some((one) => JSON.stringify(one).includes('"shows":')),
    findings: is?.findings ?? [],
  };
}

function declaredIn(parsed: ParsedJson | undefined): JsonObject {
  const value = parsed?.root === undefined ? {} : valueOf(parsed.root);
  return isObject(value) ? value : {};
}

/** Whether a source mentions a type whose declaration differs; changes of anything else concern all types. */
function typeMentions(before: JsonObject, after: JsonObject): ((bytes: Buffer) => boolean) | undefined {
  const [was, is] = [typesOf(before), typesOf(after)];
  if (!isSame({ ...before, types: {} }, { ...after, types: {} })) return () => true;
  const names = Object.keys({ ...was, ...is }).filter((name) => !isSame(was[name], is[name]));
  // A name may be spelled with escapes.
  return names.length === 0 ? undefined : (bytes) => [...names, "\\u"].some((text) => bytes.includes(text));
}

const typesOf = ({ types }: JsonObject): JsonObject => (isObject(types) ? types : {});

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Tells whether a source contains one of some numbers, in any place. */
export const mentions =
  (ids: ReadonlySet<number | undefined>) =>
  (bytes: Buffer): boolean =>
    (bytes.toString("latin1").match(/\d+/g) ?? []).some((digits) => ids.has(Number(digits)));
