import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findingsOf, responseOf, type FieldFinding } from "../../build/editor/findings.ts";
import { catalogue, type Code } from "../../build/findings/catalogue/index.ts";
import { inWordsOfForm } from "../../build/findings/catalogue/in-form.ts";
import { startOf } from "../../build/findings/finding.ts";
import { inWords } from "../../build/model/names.ts";
import { files } from "../../build/findings/catalogue/files.ts";
import { hosting } from "../../build/findings/catalogue/hosting.ts";
import { json } from "../../build/findings/catalogue/json.ts";
import { parseJson } from "../../build/source/json/parse.ts";
import { KEYS } from "../fuzz/material.ts";
import { HTML } from "../mistakes/rows/html.ts";
import { SYNTAX } from "../mistakes/rows/syntax.ts";
import { NOT_OF_ONE_PAGE } from "../response/not-of-one-page.ts";
import { FormModel } from "../../build/editor/form/model.ts";
import { DATES } from "../mistakes/rows/dates.ts";
import { FIELDS } from "../mistakes/rows/fields.ts";
import { VALID, WORK as WORK_FILE } from "../mistakes/site.ts";
import { CASES, stated } from "../golden.ts";
import { filesBelow } from "../files.ts";
import type { Site } from "../../build/model/site.ts";
import type { PageResponse } from "../../build/model/page.ts";
import { runsOf } from "../runs.ts";
import { declaredModel } from "../../build/model/declared.ts";
import { programModel } from "../../build/model/program-model.ts";
import { diagnosticOf } from "../../build/findings/reporters.ts";
import { check } from "../../build/site/check.ts";
import type { PageType } from "../../build/model/page-types.ts";
import { random } from "../random.ts";
import { mutate } from "../fuzz/mutate.ts";
import { readCorpus } from "../fuzz/fuzz.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { scratch } from "../scratch.ts";

const RUNS = runsOf(1000);

/** Whether a finding needs other pages, or the file's position among them. */
const isOfOthers = (code: Code): boolean => NOT_OF_ONE_PAGE.has(code) || code === "misplaced-type";

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

const SETTINGS = {
  base_url: "https://api.example.org",
  site_url: "https://www.example.org",
  media_url: "https://media.example.org",
};

async function compareMistakes(count: number) {
  const { pages } = readCorpus(FIXTURE_SITE, "_headers");
  const content = scratch("mistakes");
  const put = (file: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(content, file)), { recursive: true });
    writeFileSync(join(content, file), text);
  };
  const page = (file: string, id: number, type: PageType): void =>
    put(file, JSON.stringify({ id, meta: { type }, title: "A page" }));
  put("_site.json", JSON.stringify({ ...SETTINGS, owned_paths: ["/"] }));
  page("index.json", 1, programModel.root);
  for (const [k, type] of programModel.names.entries()) {
    const parents = parentsOf(type);
    const parent = parents.at(-1);
    if (parent !== undefined) page(`${folderOf(parents)}index.json`, k + 2, parent);
  }
  const texts = new Map<string, string>();
  for (let n = 0; n < count; n++) {
    const draw = random(1_000_003 + n);
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
  const codes: string[] = [];
  /** Files whose findings differ between the editor and the check. */
  const different: object[] = [];
  for (const [file, text] of texts) {
    const found = findings.filter(({ place }) => place.file === file);
    // If a page's type is misplaced, the check omits the findings that depend on the type.
    if (found.some(({ code }) => code === "misplaced-type")) continue;
    const ofCheck = found.filter(({ code }) => !isOfOthers(code)).map(diagnosticOf);
    const ofEditor = findingsOf(programModel, file, text, SETTINGS);
    codes.push(...ofCheck.map(({ code }) => code));
    if (printed(ofCheck) !== printed(ofEditor)) different.push({ file, text, ofEditor, ofCheck });
  }
  return { codes, different };
}

/** Printed findings, sorted, as findings at one location have no order. The form has its own words for them. */
const printed = (findings: readonly Omit<FieldFinding, "path">[]): string =>
  findings
    .map(({ code, severity, line, column }) => JSON.stringify([line, column, code, severity]))
    .sort()
    .join("\n");

test("finds in one file the same as the check, but for what needs other pages", async () => {
  const { codes, different } = await compareMistakes(RUNS);
  expect(different).toEqual([]);
  expect(codes.length).toBeGreaterThan(RUNS / 2);
  expect(new Set(codes).size).toBeGreaterThan(10);
  // The bundle leaves out the messages of these codes.
  for (const code of [...Object.keys(files), ...Object.keys(hosting)]) expect(codes).not.toContain(code);
});

const found = (text: string): [string, string][] =>
  findingsOf(programModel, "visit/access.json", text, { media_url: "https://media.example.org" }).map(
    ({ path, code, line, column }) => [`${path} ${line}:${column}`, code],
  );

const WORK = `{"id": 1, "meta": {"type": "artworks.ArtworkPage"}, "title": "A", "acno": "N00001",
"acquisitionYear": 1900, "start_year": 1900, "end_year": 1900, "mltYear": 1900, "classification": {}}`;

test("names the field of each finding", () => {
  expect(found(WORK)).toEqual([["classification.id 2:99", "missing-field"]]);
  expect(found(WORK.replace("{}}", `{"id": 1},\n"subjects": [{"id": 1, "name": 2}]}`)).at(-1)).toEqual([
    "subjects.0.name 3:32",
    "wrong-type",
  ]);
  expect(found(`{"id": 1, "meta": {"type": "standardpages.GeneralPage"}}`)).toEqual([
    ["title 1:1", "missing-field"],
  ]);
  expect(
    found(`{"id": 1,\n"meta": {"type": "standardpages.GeneralPage", "titel": ""}, "title": "A"}`),
  ).toEqual([["meta.titel 2:47", "unknown-field"]]);
  expect(found(`{"id": 1,`)).toEqual([[" 1:10", "json-syntax"]]);
});

test("completes a date with the offset of the site's time zone", () => {
  const text = `{"id": 1, "meta": {"type": "standardpages.GeneralPage", "go_live_at": "1 June 2027 09:00"}, "title": "A"}`;
  const site = { media_url: "https://media.example.org" };
  const [first] = findingsOf(programModel, "a.json", text, { ...site, time_zone: "Europe/London" });
  expect(first).toMatchObject({
    message: "“Go live at”: expected a date and time, found “1 June 2027 09:00”.",
    hint: "Write 01/06/2027 09:00",
    correction: { write: "2027-06-01T09:00:00+01:00" },
  });
});

test.each([
  ["04/09/2018", "en", " (the time is missing)", "Write 04/09/2018 00:00", "2018-09-04T00:00:00+01:00"],
  ["04/09/2018", "en-US", " (the time is missing)", "Write 04/09/2018 12:00 AM", "2018-04-09T00:00:00+01:00"],
  [
    "2018-02-30T09:00:00Z",
    "de",
    " (February 2018 has 28 days)",
    "Write it like this: 31.12.2026 09:30",
    undefined,
  ],
  ["soon", "en", "", "Write it like this: 31/12/2026 09:30", undefined],
])("tells the mistake in the date %s as its readers write dates (%s)", (date, code, why, hint, write) => {
  const text = `{"id": 1, "meta": {"type": "standardpages.GeneralPage", "go_live_at": "${date}"}, "title": "A"}`;
  const [first] = findingsOf(programModel, "a.json", text, {
    media_url: "https://media.example.org",
    time_zone: "Europe/London",
    locales: { [code]: "The language" },
  });
  expect(first?.message).toContain(`${why}, found “${date}”.`);
  expect(first?.message).not.toMatch(/offset|year-month/);
  expect(first?.hint.replace("\u202f", " ")).toBe(hint);
  expect(first?.correction).toEqual(write && { write });
});

test.each(['"kind": ""', '"text": ""'])("offers the choices of a field that has none yet (%s)", (field) => {
  const choices = { a: "Animals", p: "Plants" };
  const types = { "standardpages.GeneralPage": { fields: { kind: { kind: "text", choices } } } };
  const pages = declaredModel({ types }, programModel) ?? programModel;
  const text = `{"id": 1, "meta": {"type": "standardpages.GeneralPage"}, "title": "A", ${field}}`;
  const site = { media_url: "https://media.example.org" };
  const first = findingsOf(pages, "a.json", text, site).find(({ code }) => code !== "unknown-field");
  expect(first?.hint).toBe("Choose one of these: Animals, Plants.");
});

const SITE = JSON.parse(VALID["_site.json"] ?? "") as { media_url: string };
const WITH_SIZES = {
  base: `${SITE.media_url}/`,
  paths: new Map([
    ["images/marsh-600.jpg", { width: 600, height: 372 }],
    ["images/marsh-900.jpg", { width: 900, height: 558 }],
  ]),
};

/** Names of fields that their labels do not contain. */
const NAMES = KEYS.filter((name) => /[a-z](?:_|[A-Z])/.test(name));
const OF_SOURCES =
  /[[\]{}]|\b(?:lines?|column) \d|leave the field out|npm run|_site\.json|curly|square brackets/;

function unlikeForm({ code, message, hint }: Pick<FieldFinding, "code" | "message" | "hint">): string[] {
  const text = `${message} ${hint}`;
  const isHtml = code.startsWith("html-") || code === "unlikely-markup";
  const names = NAMES.filter((name) => new RegExp(`(?<![\\w.])${name}(?![\\w])`).test(text));
  // A text in HTML has signs of its own.
  const isOfSource = !isHtml && (OF_SOURCES.test(text) || text.includes("quotation marks"));
  return names.length > 0 || isOfSource ? [`${code}: ${text} (${names.join(", ")})`] : [];
}

test("has words of the form, for every mistake that a form can show", () => {
  const seen = new Set<string>();
  const wrong: string[] = [];
  const look = (text: string): void => {
    if (parseJson("", Buffer.from(text)).root?.type !== "object") return;
    for (const one of findingsOf(programModel, "art/works/a.json", text, { ...SITE, images: WITH_SIZES })) {
      seen.add(one.code);
      wrong.push(...unlikeForm(one));
    }
  };
  for (const { before } of [...FIELDS, ...DATES, ...HTML, ...SYNTAX])
    for (const [file, text] of Object.entries(before))
      if (typeof text === "string" && file.endsWith(".json") && !/(?:^|\/)_[^/]*$/.test(file)) look(text);
  for (const field of ["alt_text", "height_ratio", "max_width"])
    look((VALID[WORK_FILE] ?? "").replace(new RegExp(`"${field}": [^,\n]+`), `"${field}": 7`));
  look((VALID[WORK_FILE] ?? "").replaceAll("/images/", "https://elsewhere.example/"));
  look('{"id": 1, "meta": {"type": "home.HomePage", "go_live_at": "2027-03-01T10:00:00Z"}, "title": "A"}');
  look(`{"id": 1, "meta": {"type": "standardpages.GeneralPage"}, "title": "\\ud800", "title": "A"}`);
  // The rest: other instants, texts that no row has. A source that is no object is edited as text.
  const words = {
    label: (field: string) => inWords(field.replace(/.*\./, "")),
    typeLabel: (type: string) => type,
    choiceLabel: (_: string, value: string) => value,
    isRequired: true,
  };
  for (const code of Object.keys(catalogue) as Code[]) {
    if (NOT_OF_ONE_PAGE.has(code) || code in json || code === "not-an-object" || seen.has(code)) continue;
    const { facts: args } = catalogue[code];
    wrong.push(...unlikeForm({ code, ...inWordsOfForm({ code, args, place: startOf("a.json") }, words) }));
  }
  expect(wrong).toEqual([]);
});

test("names a value in a list by the labels around it", () => {
  const text = (VALID[WORK_FILE] ?? "").replace(
    '"0-599", "/images/marsh-600.jpg"',
    '"0-599", "marsh 600.jpg"',
  );
  const [first] = findingsOf(programModel, WORK_FILE, text, SITE);
  expect(first?.message).toContain("“Master image 1, size 1, address”: expected");
  const noTitle = findingsOf(
    programModel,
    "a.json",
    '{"id": 1, "meta": {"type": "standardpages.GeneralPage"}, "title": null}',
    SITE,
  );
  expect(noTitle.map(({ hint }) => hint)).toEqual(["Write a text."]);
});

test("warns of a draft's mistakes", () => {
  const text = `{"id": 1, "meta": {"type": "standardpages.GeneralPage"}}`;
  const severity = (file: string): unknown => findingsOf(programModel, file, text, undefined)[0]?.severity;
  expect([severity("a.json"), severity("_a.json"), severity("b/_a.json"), severity("_b/a.json")]).toEqual([
    "error",
    "warning",
    "warning",
    "error",
  ]);
});

/** A page after the corrections of its findings; undefined if a finding has none. */
function corrected(file: string, text: string): { page: unknown; text: string; codes: string[] } | undefined {
  const findings = findingsOf(programModel, file, text, SITE);
  if (findings.length === 0 || findings.some(({ correction }) => correction === undefined)) return undefined;
  const model = new FormModel(programModel, text);
  for (const { path, correction } of findings)
    if (correction !== undefined)
      model.set(path.split("."), "write" in correction ? correction.write : undefined);
  return { page: model.page, text: model.text, codes: findings.map(({ code }) => code) };
}

test("corrects each mistake of the table that has only one correction as its hint says", () => {
  const rows = [...FIELDS, ...DATES].flatMap(({ did, before, after = {}, byHand }) =>
    Object.entries(byHand === undefined ? before : {}).flatMap(([file, text]) => {
      const done = typeof text === "string" && !file.startsWith("_") ? corrected(file, text) : undefined;
      return done === undefined ? [] : [{ did, file, ...done, expected: after[file] ?? done.text }];
    }),
  );
  for (const { did, file, page, text, expected } of rows) {
    expect([did, findingsOf(programModel, file, text, SITE)]).toEqual([did, []]);
    expect([did, page]).toEqual([did, JSON.parse(expected.toString())]);
  }
  const codes = ["acno-case", "bad-form", "derived-field", "space-around", "unknown-page-type", "wrong-type"];
  expect(rows.flatMap((row) => row.codes)).toEqual(expect.arrayContaining(codes));
});

test("prints the response of a page as the build does, and none of a page with errors", () => {
  const folder = join(CASES, "empty-response");
  const texts = filesBelow(join(folder, "content")).map((file) =>
    readFileSync(join(folder, "content", file), "utf8"),
  );
  const sources = new Map(texts.map((text) => [(JSON.parse(text) as { id?: number }).id ?? 0, text]));
  const site: Site = { ...(JSON.parse(sources.get(0) ?? "") as Site), append_slash: true };
  const pages = Array.from(stated(folder).files.values(), (text) => JSON.parse(text) as PageResponse);
  expect(pages.length).toBeGreaterThan(5);
  for (const page of pages) {
    const { detail_url: response, html_url: address, slug, parent } = page.meta;
    const place = { response, address, slug, parent };
    const text = sources.get(page.id) ?? "";
    expect(responseOf(programModel, text, site, place, "http://localhost")).toEqual(page);
    expect(
      responseOf(programModel, text.replace(/"title": ".*?"/, '"title": ""'), site, place, ""),
    ).toBeUndefined();
  }
});
