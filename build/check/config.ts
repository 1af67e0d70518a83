import { NO_FUTURE } from "../base/instant.ts";
import { capFindings, type Finding } from "../findings/finding.ts";
import {
  fieldName,
  valueAt,
  valueOf,
  type Node,
  describeValue,
  isObject,
  type JsonObject,
} from "../source/json/object.ts";
import type { ParsedJson } from "../source/json/parse.ts";
import { HISTORY, SITE, SYNC } from "../source/site-files.ts";
import { flag, id as anId, integer, list, object, optional, REQUIRED, requiredText } from "../model/field.ts";
import { formats } from "../model/formats.ts";
import { historyModel, type History } from "../model/history.ts";
import { languagesOf, LOCALE, LOCALE_PATH } from "../model/languages.ts";
import { NO_MEDIA } from "../model/media.ts";
import { MAX_LIMIT, siteModel, URL_PATHS, type Site } from "../model/site.ts";
import { Engine } from "./engine.ts";
import { likeliest, unknownName } from "./mistakes.ts";
import { located, type Report } from "../source/report.ts";
import type { ObjectValue, ValueModel } from "../model/model.ts";
import { NO_PLACE } from "./state.ts";

/** `site` is undefined if `_site.json` has errors. */
export function checkSiteConfig(parsed: ParsedJson): { site?: Site; findings: Finding[] } {
  const written = parsed.root && valueOf(parsed.root);
  const { value, findings: all } = checkObject(parsed, settingsModel(written), SITE);
  const site = value as Site | undefined;
  const reports = [...tailsIn(written), ...(site === undefined ? [] : localeMistakes(site))];
  const findings = capFindings([...all, ...located(parsed.source, reports)]);
  return site !== undefined && findings.length === 0 ? { site, findings } : { findings };
}

/** Checks the file by itself. `history` is undefined if it has errors. */
export function checkHistoryFile(parsed: ParsedJson): { history?: History; findings: Finding[] } {
  const { value, findings } = checkObject(parsed, historyModel, HISTORY);
  return value === undefined
    ? { findings: capFindings(findings) }
    : { history: value as unknown as History, findings };
}

/** The model of an object whose members have any names. */
const byName = (value: unknown, modelOf: (member: unknown) => ValueModel): ObjectValue =>
  object(
    Object.fromEntries(
      Object.entries(isObject(value) ? value : {}).map(([name, member]) => [name, modelOf(member)]),
    ),
  );

/** Checks `_sync.json`, in which the names of collection systems and the keys of records are members. */
export function checkSync(parsed: ParsedJson): Finding[] {
  const value = parsed.root === undefined ? undefined : valueOf(parsed.root);
  const model = byName(value, (own) =>
    object({
      label: optional(requiredText()),
      encoding: optional(requiredText()),
      fields: list(requiredText(), "", REQUIRED),
      retired: optional(byName(isObject(own) ? own["retired"] : undefined, () => anId())),
    }),
  );
  return capFindings(checkObject(parsed, model, SYNC).findings);
}

/** `value` is undefined if there are errors. */
function checkObject(
  { source, root, findings }: ParsedJson,
  model: ObjectValue,
  file: string,
): { value?: JsonObject; findings: Finding[] } {
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
  const print = engine.compile(model);
  engine.begin(NO_PLACE, nodes);
  print(value);
  const all = [...findings, ...located(source, engine.reports, findings)];
  return all.length > 0 ? { findings: all } : { value: completed(model, value) as JsonObject, findings: all };
}

/** A valid value with the values of the fields that it leaves out. */
function completed(model: ValueModel, value: unknown): unknown {
  if (model.kind === "list") return (value as unknown[]).map((item) => completed(model.element, item));
  if (model.kind !== "object") return value;
  const fields = Array.from(model.fields, ([name, field]) => {
    const written = (value as JsonObject)[name];
    return [name, written === undefined ? field.empty : completed(field, written)] as const;
  });
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined));
}

const LIMITED = object({ limit: integer("", { min: 1, max: MAX_LIMIT }) });
const LANGUAGE = object({ label: requiredText(), path: optional(requiredText()) });

/** The model of the settings, two of which can be of several kinds. */
function settingsModel(value: unknown): ObjectValue {
  const { index, locales } = isObject(value) ? value : {};
  const languages = isObject(locales) ? locales : { en: "English" };
  return object({
    ...Object.fromEntries(siteModel.fields),
    index: optional(isObject(index) ? LIMITED : flag()),
    locales: optional(byName(languages, (one) => (isObject(one) ? LANGUAGE : requiredText()))),
  });
}

/** The codes and paths of languages that are wrong, or that two languages share. */
function localeMistakes(site: Site): Report[] {
  const { locales = {} } = site;
  const reports: Report[] = [];
  const taken = new Set<string>();
  const report = (path: string[], found: string, expected: string, example: string): void =>
    void reports.push({ code: "bad-form", args: { field: fieldName(path), found, expected, example }, path });
  if (site.locales !== undefined && Object.keys(locales).length === 0)
    report(["locales"], "{}", "at least one language", '{"en": "English"}');
  for (const [code, written] of Object.entries(locales)) {
    const path = ["locales", code];
    if (!LOCALE.test(code)) report(path, code, "the BCP 47 code of a language", "cy");
    if (typeof written !== "string" && written.path !== undefined && !LOCALE_PATH.test(written.path))
      report([...path, "path"], written.path, "a path that begins and ends in a slash", "/cy/");
  }
  for (const { code, path, folder } of reports.length > 0 ? [] : languagesOf(site)) {
    const isTaken = taken.has(path) || taken.has(`folder ${folder}`);
    taken.add(path).add(`folder ${folder}`);
    const at = ["locales", code, ...(isObject(locales[code]) ? ["path"] : [])];
    const example = `/${code.toLowerCase()}/`;
    if (isTaken) report(at, path || "/", "a path that no other language has", example);
  }
  return reports;
}

/** The addresses in `_site.json` that end in a slash, a query or a fragment. */
const tailsIn = (site: unknown): Report[] =>
  URL_PATHS.flatMap((path): Report[] => {
    const found = valueAt(site, path);
    if (typeof found !== "string" || !formats["site-url"].matches(found)) return [];
    const field = fieldName(path);
    if (found.endsWith("/")) return [{ code: "site-slash", args: { field, found }, path }];
    if (!/[?#]/.test(found)) return [];
    const { example } = formats["site-url"];
    const expected = "an address without a query (?) or a fragment (#)";
    return [{ code: "bad-form", args: { field, found, expected, example }, path }];
  });
