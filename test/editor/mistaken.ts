import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findingsOf, type FieldFinding } from "../../build/editor/findings.ts";
import type { Code } from "../../build/findings/catalogue/index.ts";
import { diagnosticOf } from "../../build/findings/reporters/json.ts";
import { check } from "../../build/pipeline/check.ts";
import type { PageType } from "../../build/page/page-types.ts";
import { random } from "../../scripts/bench/input/random.ts";
import { mutate } from "../fuzz/mutate.ts";
import { readCorpus } from "../fuzz/fuzz.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { NOT_OF_ONE_PAGE } from "../response/not-of-one-page.ts";
import { scratch } from "../scratch.ts";
import { programModel } from "../../build/page/program-model.ts";

/** Whether a finding needs other pages, or the file's position among them. */
const isOfOthers = (code: Code): boolean => code in NOT_OF_ONE_PAGE || code === "misplaced-type";

/** The pages above a page of a type, from the home page down. */
function parentsOf(type: PageType): PageType[] {
  const [first = programModel.root] = programModel.of(type).parents;
  return programModel.isRoot(type) || programModel.of(type).parents.includes(programModel.root)
    ? []
    : [...parentsOf(first), first];
}

/** A folder in which a page of a type is allowed, with a slash at its end unless it is the top. */
const folderOf = (types: readonly PageType[]): string =>
  types.map((type) => `${programModel.of(type).shortName}/`).join("");

const SITE = {
  base_url: "https://api.example.org",
  site_url: "https://www.example.org",
  media_url: "https://media.example.org",
};

export interface Compared {
  files: number;
  findings: number;
  codes: Set<string>;
  /** Files whose findings differ between the editor and the check. */
  different: { file: string; text: string; editor: unknown[]; check: unknown[] }[];
}

/** Makes sources with mistakes, and compares the findings of the check with those of the editor. */
export async function compareMistakes(count: number, seed: number): Promise<Compared> {
  const { pages } = readCorpus(FIXTURE_SITE, "_headers");
  const content = scratch("mistakes");
  const put = (file: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(content, file)), { recursive: true });
    writeFileSync(join(content, file), text);
  };
  const page = (file: string, id: number, type: PageType): void =>
    put(file, JSON.stringify({ id, meta: { type }, title: "A page" }));
  put("_site.json", JSON.stringify({ ...SITE, owned_paths: ["/"] }));
  page("index.json", 1, programModel.root);
  for (const [k, type] of programModel.names.entries()) {
    const parents = parentsOf(type);
    const parent = parents.at(-1);
    if (parent !== undefined) page(`${folderOf(parents)}index.json`, k + 2, parent);
  }
  const texts = new Map<string, string>();
  for (let n = 0; n < count; n++) {
    const draw = random(seed * 1_000_003 + n);
    const source = draw.pick(pages);
    const bytes = mutate(
      source.bytes,
      pages.map((one) => one.bytes),
      draw,
    );
    // A form gets the source as decoded text, so it never sees other bytes.
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const type = /"type"\s*:\s*"([\w.]+)"/.exec(text)?.[1];
    const folder = folderOf(parentsOf(programModel.has(type) ? type : source.type));
    const file = `${folder}${n % 5 === 0 ? "_" : ""}m${n}.json`;
    put(file, text);
    texts.set(file, text);
  }
  const { findings } = await check({ content });
  const compared: Compared = { files: texts.size, findings: 0, codes: new Set(), different: [] };
  for (const [file, text] of texts) {
    const found = findings.filter(({ place }) => place.file === file);
    // If a page's type is misplaced, the check omits the findings that depend on the type.
    if (found.some(({ code }) => code === "misplaced-type")) continue;
    const ofCheck = found.filter(({ code }) => !isOfOthers(code)).map(diagnosticOf);
    const ofEditor = findingsOf(programModel, file, text, SITE);
    compared.findings += ofCheck.length;
    for (const { code } of ofCheck) compared.codes.add(code);
    if (printed(ofCheck) !== printed(ofEditor))
      compared.different.push({ file, text, editor: ofEditor, check: ofCheck });
  }
  return compared;
}

/** Printed findings, sorted, as findings at one location have no order. The form has its own words for them. */
const printed = (findings: readonly Omit<FieldFinding, "path">[]): string =>
  findings
    .map(({ code, severity, line, column }) => JSON.stringify([line, column, code, severity]))
    .sort()
    .join("\n");
