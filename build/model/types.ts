import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { statIfThere } from "../base/file.ts";
import { capFindings, finding, isError, messageOf, startOf, type Finding } from "../findings/finding.ts";
import { valueOf, describeValue, isObject, type JsonObject } from "../source/json/object.ts";
import type { ParsedJson } from "../source/json/parse.ts";
import { languagesIn } from "./languages.ts";
import { declaredModel, MAX_TYPES_BYTES } from "./declared.ts";
import { SITE, TYPES } from "../source/site-files.ts";
import type { PageModel } from "./page.ts";
import { programModel } from "./program-model.ts";
import { SourceReader } from "../source/read.ts";
import { located, type Report } from "../source/report.ts";

/** The last types without findings, by the program's: a command reads them several times. */
const known = new WeakMap<PageModel, { text: string; model: PageModel }>();

/** `model` is undefined if `_types.json` has errors. */
export function checkTypes(
  { source, root, findings }: ParsedJson,
  program: PageModel,
): { model?: PageModel; findings: Finding[] } {
  const last = known.get(program);
  if (last?.text === source.text && findings.length === 0) return { model: last.model, findings };
  const size = Buffer.byteLength(source.text);
  if (size > MAX_TYPES_BYTES) {
    const args = { what: "bytes", found: size, limit: MAX_TYPES_BYTES };
    return { findings: [finding("types-too-large", args, startOf(TYPES))] };
  }
  if (root === undefined) return { findings };
  const value = valueOf(root);
  const reports: Report[] = [];
  let model: PageModel | undefined;
  if (!isObject(value))
    reports.push({ code: "not-an-object", args: { found: describeValue(value) }, path: [], on: "start" });
  else
    model = declaredModel(value, program, (path, { code, args }, on) =>
      reports.push({ code, args, path, on }),
    );
  const all = capFindings([...findings, ...located(source, reports, findings)]);
  if (model === undefined || all.some(isError)) return { findings: all };
  if (all.length === 0) known.set(program, { text: source.text, model });
  return { model, findings: all };
}

/** The model of a site. @param text of `_types.json`, which has no mistakes; undefined if there is none */
export function modelFrom(text: string | undefined, program: PageModel = programModel): PageModel {
  if (text === undefined) return program;
  const last = known.get(program);
  return last?.text === text
    ? last.model
    : (declaredModel(JSON.parse(text) as JsonObject, program) ?? program);
}

/** The model of the site in a content folder, if there is one. @throws Failure if its `_types.json` has errors */
export function modelOf(content: string | undefined, program: PageModel = programModel): PageModel {
  if (content === undefined) return program;
  const localized = localizedIn(content, program);
  if (!existsSync(join(content, TYPES))) return localized;
  return modelIn(new SourceReader().read(content, TYPES).parsed(), localized);
}

/** The program's page types in the languages of the site in a content folder. */
export function localizedIn(content: string, program: PageModel = programModel): PageModel {
  // A device or a link in its place is reported with the other names of files.
  const hasSettings = statIfThere(join(content, SITE))?.type === "file";
  return program.inLanguages(
    languagesIn(hasSettings ? new SourceReader().read(content, SITE).bytes : undefined),
  );
}

/** @param file its name in errors; @throws Failure if the declarations have errors */
export function modelIn(parsed: ParsedJson, program: PageModel = programModel, file = TYPES): PageModel {
  const { model, findings } = checkTypes(parsed, program);
  const first = findings.find(isError);
  if (model !== undefined || first === undefined) return model ?? program;
  const { line, column } = first.place;
  const more = file === TYPES ? " npm run check shows all mistakes." : "";
  throw new Failure(`${file}:${line}:${column}: ${messageOf(first)}${more}`);
}
