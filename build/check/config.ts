import * as z from "zod";
import { NO_FUTURE } from "../base/instant.ts";
import { thousands } from "../base/numbers.ts";
import { capFindings, finding, type Finding } from "../findings/finding.ts";
import {
  fieldName,
  nodeAt,
  valueOf,
  type Node,
  describeValue,
  isObject,
  type JsonObject,
} from "../source/json/object.ts";
import type { ParsedJson } from "../source/json/parse.ts";
import { placeOf } from "../source/json/place.ts";
import { HISTORY, SITE, SYNC } from "../source/site-files.ts";
import { id as idField, objectModel, requiredText } from "../model/field.ts";
import { formats } from "../model/formats.ts";
import { historySchema, type History } from "../model/history.ts";
import { languagesOf, LOCALE, LOCALE_PATH } from "../model/languages.ts";
import { NO_MEDIA } from "../model/media.ts";
import { MAX_LIMIT, siteSchema, URL_PATHS, type Site } from "../model/site.ts";
import { Engine } from "./engine.ts";
import { likeliest, unknownName } from "./mistakes.ts";
import { located } from "../source/report.ts";
import { NO_PLACE } from "./state.ts";

/** `site` is undefined if `_site.json` has errors. */
export function checkSiteConfig(parsed: ParsedJson): { site?: Site; findings: Finding[] } {
  const checked = checkObject(parsed, siteSchema, SITE);
  const locales = checked.value === undefined ? [] : findLocaleMistakes(parsed, checked.value);
  const findings = capFindings([...checked.findings, ...findTails(parsed), ...locales]);
  return checked.value !== undefined && findings.length === 0
    ? { site: checked.value, findings }
    : { findings };
}

/** Checks the file by itself. `history` is undefined if it has errors. */
export function checkHistoryFile(parsed: ParsedJson): { history?: History; findings: Finding[] } {
  const { value, findings } = checkObject(parsed, historySchema, HISTORY);
  return value === undefined ? { findings: capFindings(findings) } : { history: value, findings };
}

const byName = (value: unknown, schema: z.ZodType): z.ZodObject =>
  z.strictObject(Object.fromEntries(Object.keys(isObject(value) ? value : {}).map((name) => [name, schema])));

/** Checks `_sync.json`, in which the names of collection systems and the keys of records are members. */
export function checkSync(parsed: ParsedJson): Finding[] {
  const value = parsed.root === undefined ? undefined : valueOf(parsed.root);
  const ofNames = Object.entries(isObject(value) ? value : {}).map(([name, own]): [string, z.ZodType] => [
    name,
    z.strictObject({
      label: requiredText().optional(),
      encoding: requiredText().optional(),
      fields: z.array(requiredText()),
      retired: byName(isObject(own) ? own["retired"] : undefined, idField()).optional(),
    }),
  ]);
  return capFindings(checkObject(parsed, z.strictObject(Object.fromEntries(ofNames)), SYNC).findings);
}

/** `value` is undefined if there are errors. */
function checkObject<T>(
  { source, root, findings }: ParsedJson,
  schema: z.ZodType<T>,
  file: string,
): { value?: T; findings: Finding[] } {
  if (root === undefined) return { findings };
  const nodes = new WeakMap<object, Node>();
  const value = valueOf(root, nodes);
  if (!isObject(value)) {
    const args = { found: describeValue(value) };
    return {
      findings: [...findings, ...located(source, [{ code: "not-an-object", args, path: [], on: "start" }])],
    };
  }
  const engine = new Engine({
    media: NO_MEDIA,
    times: NO_FUTURE,
    onlyKinds: true,
    unknown: (of, path, name, written) => {
      const owner = path.length === 0 ? file : `“${fieldName(path)}”`;
      return unknownName(of, owner, name, written, likeliest(name, [...of.fields.keys()]));
    },
  });
  const print = engine.compile(objectModel(schema));
  engine.begin(NO_PLACE, nodes);
  print(value);
  const all = [...findings, ...located(source, engine.reports, findings)];
  const { $schema: _, ...settings } = value;
  if (all.length > 0) return { findings: all };
  const parsedValue = schema.safeParse(settings);
  if (parsedValue.success) return { value: parsedValue.data, findings: all };
  return {
    findings: located(
      source,
      parsedValue.error.issues.map(({ path }) =>
        path[0] === "locales" ? wrongLocale(settings, path as string[]) : wrongIndex(settings, path),
      ),
    ),
  };
}

function wrongLocale(settings: JsonObject, path: readonly string[]) {
  const found = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), settings);
  const [expected, example] =
    path.length === 1
      ? ["an object with the label of each language, by its code", '{"en": "English", "cy": "Cymraeg"}']
      : path.length === 2
        ? ["a label, or an object with “label” and “path”", '{"label": "Cymraeg", "path": "/cy/"}']
        : ["a text", '"Cymraeg"'];
  const args = {
    field: fieldName(path),
    found: describeValue(found),
    expected,
    example: { written: example },
  };
  return { code: "wrong-type" as const, path: [...path], args };
}

/** Finds codes and paths of languages that are wrong, or that two languages share. */
function findLocaleMistakes({ source, root }: ParsedJson, site: Site): Finding[] {
  const mistakes: Finding[] = [];
  const taken = new Set<string>();
  const report = (path: string[], found: string, expected: string, example: string): void => {
    if (root === undefined) return;
    const { node: at } = nodeAt(root, path);
    const args = { field: fieldName(path), found, expected, example };
    mistakes.push(finding("bad-form", args, placeOf(source, at.start, at.end)));
  };
  if (site.locales !== undefined && Object.keys(site.locales).length === 0)
    report(["locales"], "{}", "at least one language", '{"en": "English"}');
  for (const [code, written] of Object.entries(site.locales ?? {})) {
    const path = ["locales", code];
    if (!LOCALE.test(code)) report(path, code, "the BCP 47 code of a language", "cy");
    if (typeof written !== "string" && written.path !== undefined && !LOCALE_PATH.test(written.path))
      report([...path, "path"], written.path, "a path that begins and ends in a slash", "/cy/");
  }
  for (const { code, path: at, folder } of mistakes.length > 0 ? [] : languagesOf(site)) {
    const isTaken = taken.has(at) || taken.has(`folder ${folder}`);
    taken.add(at).add(`folder ${folder}`);
    const written = site.locales?.[code];
    const path = typeof written === "string" ? ["locales", code] : ["locales", code, "path"];
    if (isTaken)
      report(path, at === "" ? "/" : at, "a path that no other language has", `/${code.toLowerCase()}/`);
  }
  return mistakes;
}

/** The only value that can be of several kinds. */
function wrongIndex({ index }: JsonObject, path: readonly PropertyKey[]) {
  const args = isObject(index)
    ? {
        found: describeValue(index),
        expected: `an object with “limit”, a number from 1 to ${thousands(MAX_LIMIT)}`,
        example: { written: '{"limit": 100}' },
      }
    : { found: describeValue(index), expected: "true or false" };
  return {
    code: "wrong-type" as const,
    path: path.slice(0, 1) as string[],
    args: { field: "index", ...args },
  };
}

/** Finds addresses in `_site.json` that end in a slash, a query or a fragment. */
function findTails({ source, root }: ParsedJson): Finding[] {
  return URL_PATHS.flatMap((path): Finding[] => {
    const { node, found: given } = root === undefined ? { node: root, found: false } : nodeAt(root, path);
    if (!given || node?.type !== "string" || !formats["site-url"].matches(node.value)) return [];
    const field = fieldName(path);
    const place = placeOf(source, node.start, node.end);
    if (node.value.endsWith("/")) return [finding("site-slash", { field, found: node.value }, place)];
    if (!/[?#]/.test(node.value)) return [];
    const { example } = formats["site-url"];
    const expected = "an address without a query (?) or a fragment (#)";
    return [finding("bad-form", { field, found: node.value, expected, example }, place)];
  });
}
