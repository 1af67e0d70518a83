import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { beforeAll, describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../../build/base/folders.ts";
import { SCHEMAS } from "../../../build/outputs/contract/location.ts";
import { build } from "../../../build/site/build.ts";
import { runHere } from "../../command.ts";
import { readJson } from "../../files.ts";
import { SITE, workplace, write } from "../../site/site.ts";
import { EVERY_KIND, SOURCES } from "./every-kind.ts";
import { isOpenApi, problems, ofResponses, ofSources, STRICT, tsc } from "./validators.ts";

const place = workplace("declared");
const responseOf = (id: number) => place.response(id) as Record<string, unknown>;
const ids = Object.values(SOURCES).map(({ id }) => id);

let built: Awaited<ReturnType<typeof build>> | undefined;

beforeAll(async () => {
  place.put("_site.json", { ...SITE, owned_paths: [] });
  place.put("_types.json", EVERY_KIND);
  for (const [path, source] of Object.entries(SOURCES)) place.put(path, source);
  built = await build(place);
});

it("has no findings", () => {
  expect(built?.findings).toEqual([]);
});

describe("the types of a site with every kind of value", () => {
  const USE = `
    import { isBlock, isPage, type Block, type TidePage, type Page, type PageByType, type TalksTidePage } from "./pages.ts";
    import type { Body, HeadingBlock, Image, ParagraphBlock, PictureBlock, RecordsBlock, Size } from "./pages.ts";
    import type { TalksTidePageHeadingBlock } from "./pages.ts";
    type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
    const all: Same<Body, Array<HeadingBlock | ParagraphBlock | RecordsBlock | PictureBlock>> = true;
    const size: Same<Size, "S" | "M"> = true;
    const types: Same<TidePage["meta"]["type"], "tides.TidePage"> = true;
    const talks: Same<PageByType["talks.TidePage"], TalksTidePage> = true;
    type Values = Pick<TidePage,
      | "home" | "homes" | "short_note" | "floor" | "related" | "all_related" | "data" | "other_size" | "image" | "grid" | "sizes"
      | "nothing" | "one" | "yes" | "nested" | "parts" | "audience">;
    const values: Same<Values, {
      short_note: string | null; floor: 0 | 1 | 2; related: number | null; all_related: number[]; data: unknown;
      other_size: Size | null; image: Image | null; grid: number[][]; sizes: Array<Array<Size | null>>;
      home: { id: number; meta: { type: string; detail_url: string }; title: string } | null;
      homes: { id: number; title: string }[]; nothing: null; one: 1; yes: true; nested: { deep: { note: string } | null }; parts: Body; audience: string;
    }> = true;
    const locale: TidePage["meta"]["locale"] = "en";
    const note = (page: TidePage): string => page.same.note + page.class.map((one) => one.note).join();
    const text = (body: Body): string =>
      body.map((block) => block.type === "heading" ? block.value
        : block.type === "records" ? block.value.map((one) => one.note).join()
        : block.type === "picture" ? block.value.meta.download_url : block.value.trim()).join();
    const level = (page: TalksTidePage): number[] =>
      page.parts.flatMap((block) => (block.type === "heading" ? [block.value.level] : []));
    const title = (page: Page): string =>
      isPage(page, "wagtailcore.Page") || isPage(page, "events.string") ? page.keywords.join() : page.title;
    const said = (block: Block): string =>
      isBlock(block, "paragraph") ? block.value.trim() : block.type === "picture" ? block.value.title : block.type;
    declare const heading: TalksTidePageHeadingBlock;
    console.log(all, size, types, talks, values, locale, note, text, level, title, said, heading.value.text);`;

  it("compile, keep different things apart, and narrow a block by its type", async () => {
    write(place.folder, "package.json", { type: "module" });
    const out = join(place.folder, "pages.ts");
    expect(await runHere("types", ["--out", out, "--content", place.content])).toMatchObject({ status: 0 });
    writeFileSync(join(place.folder, "use.ts"), USE);
    expect(tsc(place.folder, ...STRICT, "pages.ts", "use.ts")).toBe("");
  });
});

const part = (change: object) => (page: Record<string, unknown>) =>
  (page["parts"] = [{ type: "heading", value: "A", id: null, ...change }]);

const withField = (field: unknown) => ({
  $schema: "x",
  types: { "a.B": { label: "B", parents: [], fields: { one: field } } },
});

describe("the schema of _types.json", () => {
  const accepts = ofSources(readJson(SCHEMAS, "types.schema.json"));
  const examples = Array.from(
    readFileSync(join(PROGRAM_FOLDER, "docs/types.md"), "utf8").matchAll(
      /```json\n(\{\n {2}"types"[^]*?\n\})\n```/g,
    ),
    ([, text = ""]) => JSON.parse(text) as object,
  );
  it("accepts every kind of value, and the examples of the documentation", () => {
    expect(examples.length).toBeGreaterThan(2);
    for (const types of [EVERY_KIND, ...examples]) expect(problems(accepts, types)).toEqual([]);
  });

  it.each([
    ["a kind that is not known", "txt"],
    ["a kind with two marks", "text?!"],
    ["a key that is not known", { kind: "text", maximum: 3 }],
    ["a key of another kind", { kind: "date", max: 3 }],
    ["a field that consists of nothing", { label: "A" }],
    ["a field that consists of two things", { kind: "text", list: "text" }],
    ["a list of two fields", ["text", "text"]],
    ["a key of a shape", { fields: { id: "integer" }, key: "id" }],
    ["another value for a key", { kind: "text", label: 3 }],
    ["a field of a page that cannot be shown", { kind: "page", types: ["a.B"], shows: ["id"] }],
    ["the same deep inside", { blocks: { a: [{ fields: { b: "txt" } }] } }],
  ])("refuses %s", (_, field) => {
    expect(accepts(withField("text"))).toBe(true);
    expect(accepts(withField(field))).toBe(false);
  });

  it("refuses other keys, and a new type without a label", () => {
    for (const types of [
      { type: {} },
      { types: { "a.B": { parents: [] } } },
      { uses: ["a.B"] },
      { every: { field: {} } },
    ])
      expect(accepts(types)).toBe(false);
    expect(accepts({ types: { "home.HomePage": { fields: { one: "text" } } } })).toBe(true);
    expect(accepts({ shapes: { One: { fields: { id: "integer" }, key: "id" } } })).toBe(true);
  });
});

describe("the schema of the site's sources", () => {
  it("is written by the commands, accepts every source, and refuses an unknown field", async () => {
    await runHere("fix", ["--content", place.content]);
    const path = place.file(".schema/page.json");
    const accepts = ofSources(readJson(path));
    for (const file of Object.keys(SOURCES)) {
      const source = place.json(file) as { $schema: string };
      expect(place.file(source.$schema)).toBe(path);
      expect(problems(accepts, source)).toEqual([]);
      expect(accepts({ ...source, another: 1 })).toBe(false);
      expect(accepts({ ...source, keywords: "a" })).toBe(false);
    }
    expect(accepts({ ...SOURCES["full.json"], floor: 3 })).toBe(false);
    expect(accepts({ ...SOURCES["full.json"], parts: [{ type: "heading", value: [] }] })).toBe(false);
  });
});

describe("the published contract of a site with every kind of value", () => {
  let validate: ValidateFunction;
  beforeAll(() => {
    validate = ofResponses(place.publishedJson("schema/page.json"));
  });

  it("is OpenAPI 3.1 according to a third-party validator, and has one schema for each type", async () => {
    expect(await isOpenApi(place.publishedJson("openapi.json"))).toBe(true);
    const { components } = place.publishedJson("openapi.json") as { components: { schemas: object } };
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(["Page", "TidePage", "TalksTidePage", "WagtailcorePage", "HomePage"]),
    );
  });

  it.each(ids)("accepts the response of the page %i", (id) => {
    expect(problems(validate, responseOf(id))).toEqual([]);
  });

  const BROKEN: [what: string, change: (page: Record<string, unknown>) => unknown][] = [
    ["a number that is no choice", (page) => (page["floor"] = 3)],
    ["a text that is no choice", (page) => (page["size"] = "L")],
    ["a choice that may not be null", (page) => (page["size"] = null)],
    ["a text that is too long", (page) => (page["short_note"] = "x".repeat(21))],
    ["a text that does not match the pattern", (page) => (page["code"] = "ABC")],
    ["a number that is too large", (page) => (page["places"] = 501)],
    ["another constant", (page) => (page["one"] = 2)],
    ["an id of a page that is shown", (page) => (page["home"] = 1)],
    ["a shown page without its title", (page) => delete (page["home"] as { title?: string }).title],
    ["a list instead of a list of lists", (page) => (page["grid"] = [1])],
    ["a missing member", (page) => (page["same"] = {})],
    ["an image without an id", (page) => delete (page["image"] as { id?: unknown }).id],
    ["a block of an unknown type", part({ type: "headings" })],
    ["a block with the value of another", part({ value: [{ note: "x" }] })],
    ["a block without an id", part({ id: undefined })],
    ["a block with another member", part({ level: 1 })],
  ];

  it.each(BROKEN)("refuses %s", (_, change) => {
    const page = responseOf(2);
    change(page);
    expect(validate(JSON.parse(JSON.stringify(page)))).toBe(false);
  });
});
