import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fg from "fast-glob";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkSiteConfig } from "../../../build/check/config.ts";
import { parseJson } from "../../../build/source/json/parse.ts";
import { isObject } from "../../../build/source/json/object.ts";
import { PageChecker } from "../../../build/check/page.ts";
import { isError } from "../../../build/findings/finding.ts";
import { SCHEMAS } from "../../../build/outputs/contract/location.ts";
import { schemaFiles } from "../../../build/outputs/contract/schemas.ts";
import { FIXTURE_SITE } from "../../fixtures.ts";
import { scratch } from "../../scratch.ts";
import { programModel } from "../../../build/model/program-model.ts";
import { problems, ofSources } from "./validators.ts";

const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

const page = ofSources(read(join(SCHEMAS, "page.schema.json")));
const site = ofSources(read(join(SCHEMAS, "site.schema.json")));

const sources = fg.sync("**/*.json", { cwd: FIXTURE_SITE, ignore: ["_site.json"] }).sort();
const samples = sources.map((path) => read(join(FIXTURE_SITE, path)) as Sample);
const fixtureSite = (): object => read(join(FIXTURE_SITE, "_site.json")) as object;

interface Sample {
  id: number;
  meta: { type: string } & Record<string, unknown>;
  [field: string]: unknown;
}

const sample = (type: string): Sample => {
  const found = samples.findLast((s) => s.meta.type === type && Object.keys(s).length > 2);
  if (found === undefined) throw new Error(`no sample of ${type}`);
  return structuredClone(found);
};

test.each([...schemaFiles(programModel)])(
  "%s is as generated: if not, run npm run generate:schema",
  (name, text) => {
    expect(readFileSync(join(SCHEMAS, name), "utf8")).toBe(text);
  },
);

test.each(sources)("%s is valid", (path) => {
  expect(problems(page, read(join(FIXTURE_SITE, path)))).toEqual([]);
});

test("_site.json is valid", () => {
  expect(problems(site, fixtureSite())).toEqual([]);
});

test("$schema is allowed in sources and in _site.json", () => {
  expect(page({ $schema: "x", ...sample("home.HomePage") })).toBe(true);
  expect(site({ $schema: "x", ...fixtureSite() })).toBe(true);
});

const artwork = (change: Record<string, unknown>) => ({ ...sample("artworks.ArtworkPage"), ...change });
const general = (change: Record<string, unknown>) => ({ ...sample("standardpages.GeneralPage"), ...change });

const days = { startDate: "2001-01-01", endDate: "2001-01-02" };
const exhibition = (leg: Record<string, unknown>) => ({
  id: 1,
  type: "Loan-out",
  ...days,
  exhibitionLegs: [{ id: 2, ...days, ...leg }],
});

test("null means no date or no address", () => {
  const meta = { type: "artworks.ArtworkPage", first_published_at: null };
  const source = artwork({ meta, exhibitions: [exhibition({ venueWebsiteUrl: null })] });
  expect(problems(page, source)).toEqual([]);
});

/** Values are translated as for responses, whose invalid ones are in `breaches.ts`. */
test.each<[string, unknown]>([
  ["a missing required field", artwork({ acno: undefined })],
  ["a field that does not exist", artwork({ tittle: "x" })],
  ["a derived field", artwork({ subject_tags: [] })],
  ["a derived field in meta", general({ meta: { type: "standardpages.GeneralPage", slug: "x" } })],
  ["no type", general({ meta: {} })],
  [
    "an empty string in place of null for no date",
    general({ meta: { type: "standardpages.GeneralPage", first_published_at: "" } }),
  ],
  ["an empty string for no address", artwork({ exhibitions: [exhibition({ venueWebsiteUrl: "" })] })],
  ["an address that is not complete", artwork({ shop_url: "shop.example.org" })],
  ["an address with a password", artwork({ shop_url: "https://user:password@shop.example.org/" })],
  ["no object", []],
])("invalid: %s", (_, source) => {
  expect(page(JSON.parse(JSON.stringify(source)))).toBe(false);
});

test.each([
  ["a slash at the end", { base_url: "https://api.example.org/" }],
  ["a query", { media_url: "https://media.example.org?x" }],
  ["a path", { site_url: "/art" }],
  ["another key", { siteurl: "https://www.example.org" }],
])("invalid in _site.json: %s", (_, change) => {
  expect(site({ ...fixtureSite(), ...change })).toBe(false);
});

/** Valid and invalid values of the fields of `repository` in `_site.json`. */
const REPOSITORY: [field: string, held: string, refused: string][] = [
  [
    "name",
    "a/b aldermouth-2/site_pages.v2 octo_corp/.github",
    "a /a a/ a/b/c a/.. a/. -a/b a/b.git https://github.com/a/b a/b?c ä/b",
  ],
  [
    "branch",
    "main release/2026.1 täglich a@b #1",
    "-a /a a/ a..b a//b .a a/.b a.lock a. @ a@{1} a~1 a^ a:b a\\b",
  ],
  [
    "content",
    "content . sites/museum .content",
    "/content content/ .. ../content a/../b a/./b a//b a\\b a\0",
  ],
  [
    "api_url",
    "https://api.github.com https://git.example.org:8443/api/v3 http://localhost:8080 http://127.0.0.1 http://[::1]:3",
    "http://git.example.org http://localhost.example.org git.example.org https:// https://u@h.example https://a.example/ https://a.example?x ftp://a.example http://127.0.0.1.example.org",
  ],
];
/** Values with a space, which separates the others. */
const SPACED = [
  ["name", "a b/c", false],
  ["branch", "a b", false],
  ["content", "Site content", true],
] as const;

const siteIn = (source: object) =>
  checkSiteConfig(parseJson("_site.json", Buffer.from(JSON.stringify(source)))).site;

const VALUES = REPOSITORY.flatMap(([field, held, refused]) =>
  `${held} ${refused}`.split(" ").map((value, k) => [field, value, k < held.split(" ").length] as const),
);

test.each([...VALUES, ...SPACED])(
  "repository.%s %j: %s, for the build and for VS Code",
  (field, value, isHeld) => {
    const source = { ...fixtureSite(), repository: { name: "a/b", [field]: value } };
    expect(site(source)).toBe(isHeld);
    expect(siteIn(source) !== undefined).toBe(isHeld);
  },
);

test("repository needs only a name", () => {
  const source = { ...fixtureSite(), repository: { name: "aldermouth/pages" } };
  expect(problems(site, source)).toEqual([]);
  expect(siteIn(source)?.repository).toEqual({
    name: "aldermouth/pages",
    branch: "main",
    content: "content",
    web_url: "https://github.com",
    api_url: "https://api.github.com",
  });
});

/** The path of every value inside a value. */
function places(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]))];
}

function replaced(value: unknown, [step, ...rest]: (string | number)[], by: unknown): unknown {
  if (step === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[step] = replaced(copy[step], rest, by);
  return copy;
}

const checker = new PageChecker({ model: programModel });
const isAccepted = (source: object): boolean =>
  !checker.check(parseJson("x.json", Buffer.from(JSON.stringify(source)))).findings.some(isError);

test("VS Code underlines no value that the build accepts", () => {
  const replacement = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      "",
      0,
      1,
      -1,
      1.5,
      true,
      null,
      {},
      [],
      "/a",
      "https://a.example/b",
      "2026-02-28",
      "D00001",
      "0-9",
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.nat(), replacement, (source, at, by) => {
      const all = places(source);
      const changed = replaced(source, all[at % all.length] ?? [], by) as Sample;
      // The build ignores `$schema`.
      if (!isObject(changed) || !["string", "undefined"].includes(typeof changed.$schema)) return;
      if (!isAccepted(changed)) return;
      expect(problems(page, changed)).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test("VS Code finds the schemas without configuration, and applies the page schema to no other file", () => {
  const folder = scratch("schemas");
  cpSync(FIXTURE_SITE, join(folder, "content"), { recursive: true });
  writeFileSync(join(folder, "content/_history.json"), "{}");
  const settings = read(".vscode/settings.json") as {
    "json.schemas": { fileMatch: string[]; url: string }[];
  };
  const urls = settings["json.schemas"].map(({ url }) => resolve(url));
  const names = ["page", "site", "types"].map((name) => join(SCHEMAS, `${name}.schema.json`));
  expect(urls).toEqual(names);
  const [pages, ownSite] = settings["json.schemas"].map(({ fileMatch }) =>
    fileMatch.map((p) => p.replace("/", "")),
  );
  const [ignored = [], matched = []] = [
    pages?.filter((p) => p.startsWith("!")),
    pages?.filter((p) => !p.startsWith("!")),
  ];
  const found = fg.sync(matched, { cwd: folder, ignore: ignored.map((p) => p.slice(1)) }).sort();
  expect(found).toEqual(sources.map((path) => `content/${path}`));
  expect(fg.sync(ownSite ?? [], { cwd: folder })).toEqual(["content/_site.json"]);
});
