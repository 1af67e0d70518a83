import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { beforeAll, describe, expect, it } from "vitest";
import { plain } from "../../../build/outputs/contract/plain.ts";
import type { OpenApi } from "../../../build/outputs/contract/document.ts";
import { CONTRACT_FILES } from "../../../build/outputs/contract/names.ts";
import { responseSchema } from "../../../build/outputs/contract/responses.ts";
import type { JsonSchema } from "../../../build/model/json-schema.ts";
import type { Site } from "../../../build/model/site.ts";
import { build } from "../../../build/site/build.ts";
import { treeOf } from "../../files.ts";
import { FIXTURE_SITE } from "../../fixtures.ts";
import { scratch } from "../../scratch.ts";
import { cleanTree } from "../../site/clean.ts";
import { breaches, withElements } from "./breaches.ts";
import { isOpenApi, problems, ofResponses } from "./validators.ts";
import { programModel } from "../../../build/model/program-model.ts";

type Page = Record<string, unknown> & { id: number; meta: { type: string } };

const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

const folder = scratch("published");
const [content, out, cache] = [join(folder, "content"), join(folder, "out"), join(folder, "cache")];
const options = { content, out, cache };
const pages: Page[] = [];
let openapi: OpenApi;
let schema: JsonSchema;

beforeAll(async () => {
  cpSync(FIXTURE_SITE, content, { recursive: true });
  await build(options);
  for (const name of readdirSync(join(out, "api/v2/pages")))
    if (name !== "404.html") pages.push(read(join(out, "api/v2/pages", name, "index.json")) as Page);
  openapi = read(join(out, "openapi.json")) as OpenApi;
  schema = read(join(out, "schema/page.json")) as JsonSchema;
});

const firstOf = (type: string): Page | undefined =>
  pages.filter(({ meta }) => meta.type === type).sort((a, b) => a.id - b.id)[0];

const contract = (): string[] => CONTRACT_FILES.map((path) => readFileSync(join(out, path), "utf8"));
const stats = (): number[] => CONTRACT_FILES.map((path) => statSync(join(out, path)).ctimeMs);

describe("openapi.json", () => {
  it("is OpenAPI 3.1 according to a third-party validator", async () => {
    expect(await isOpenApi(openapi)).toBe(true);
  });

  it("has the path, its methods, and every header of _headers in every response", () => {
    expect(Object.keys(openapi.paths)).toEqual(["/api/v2/pages/{page_id}/"]);
    const path = openapi.paths["/api/v2/pages/{page_id}/"];
    const names = readFileSync("_headers", "utf8")
      .split("/api/v2/pages/*")[1]
      ?.split(/\n\n|\n\//)[0]
      ?.match(/^ {2}[\w-]+(?=:)/gm)
      ?.map((line) => line.trim());
    expect(names?.length).toBeGreaterThan(5);
    expect(Object.keys(path?.get?.responses ?? {})).toEqual(["200", "404", "405"]);
    const { NotFound, MethodNotAllowed } = openapi.components.responses;
    const responses = [path?.get, path?.head, path?.options].flatMap((operation) =>
      Object.values(operation?.responses ?? {}).filter((one) => "headers" in one),
    );
    expect(responses.length).toBe(4);
    for (const response of [...responses, NotFound, MethodNotAllowed])
      expect(Object.keys(response?.headers ?? {})).toEqual(names);
    const allow = openapi.components.headers["Allow"];
    expect(allow?.schema.const).toBe("GET, HEAD, OPTIONS");
  });

  it("has the paths of a bulk download if the site has one", async () => {
    const place = { content, out: join(folder, "bulk"), cache: join(folder, "bulk-cache") };
    const openapiIn = () => read(join(place.out, "openapi.json")) as OpenApi;
    await build({ ...place, bulk: true });
    expect(Object.keys(openapiIn().paths)).toEqual([
      "/api/v2/pages/{page_id}/",
      "/bulk/index.json",
      "/bulk/shards/{name}.zip",
    ]);
    expect(await isOpenApi(openapiIn())).toBe(true);
    const success = plain(openapiIn()).paths["/bulk/index.json"]?.get?.responses["200"];
    const indexSchema = success && "content" in success && success.content?.["application/json"]?.schema;
    const accepts = ofResponses(indexSchema);
    expect(accepts(read(join(place.out, "bulk/index.json")))).toBe(true);
    expect(accepts({ format: 1, pages: 1, shards: [["x", 1]] })).toBe(false);
    await build(place);
    expect(Object.keys(openapiIn().paths)).toEqual(["/api/v2/pages/{page_id}/"]);
  });

  it("has the paths of the files and the lists for websites if the site has them", async () => {
    const copy = join(folder, "index-content");
    cpSync(content, copy, { recursive: true });
    const site = join(copy, "_site.json");
    writeFileSync(site, JSON.stringify({ ...(read(site) as object), index: true }));
    const place = { content: copy, out: join(folder, "index"), cache: join(folder, "index-cache") };
    await build(place);
    const description = read(join(place.out, "openapi.json")) as OpenApi;
    const { paths } = description;
    expect(Object.keys(paths)).toEqual([
      "/api/v2/pages/{page_id}/",
      "/api/v2/pages/",
      "/api/v2/pages/find/",
      "/index/index.json",
      "/index/pages/{page_id}.json",
      "/index/addresses/{digits}.json",
      "/index/changed.json",
    ]);
    expect(await isOpenApi(description)).toBe(true);
    const accepts = (path: string, value: unknown): boolean => {
      const success = plain(description).paths[path]?.get?.responses["200"];
      const own = success && "content" in success && success.content?.["application/json"]?.schema;
      return ofResponses(own)(value);
    };
    const index = join(place.out, "index");
    expect(accepts("/index/index.json", read(join(index, "index.json")))).toBe(true);
    const children = read(join(index, "pages/3.json")) as { children: object[] };
    expect(accepts("/index/pages/{page_id}.json", children)).toBe(true);
    expect(accepts("/index/pages/{page_id}.json", { id: 3, children: [{ id: 4 }] })).toBe(false);
    expect(accepts("/index/addresses/{digits}.json", { "/a/": { to: "/b/" } })).toBe(true);
    for (const name of readdirSync(join(index, "addresses")))
      expect(accepts("/index/addresses/{digits}.json", read(join(index, "addresses", name)))).toBe(true);
    expect(accepts("/index/changed.json", { changed: [["2026-11-26T12:00:00Z", [3, 10]]] })).toBe(true);
    expect(accepts("/api/v2/pages/", { meta: { total_count: 1 }, items: children.children })).toBe(true);
  });

  it("has only patterns that RE2 compiles, and says each constant as a value of enum, too", () => {
    const patterns: string[] = [];
    const alone: unknown[] = [];
    JSON.stringify(openapi, (key, value: unknown) => {
      if (key === "pattern" && typeof value === "string") patterns.push(value);
      const { const: only, enum: values } = (value ?? {}) as JsonSchema;
      if (typeof only === "string" && values?.[0] !== only) alone.push(value);
      return value;
    });
    expect(patterns.length).toBeGreaterThan(30);
    expect(patterns.filter((pattern) => /\(\?[=!<]|\\u/.test(pattern))).toEqual([]);
    expect(alone).toEqual([]);
  });

  it("has the URL of the service", () => {
    const { base_url } = read(join(content, "_site.json")) as { base_url: string };
    expect(openapi.servers).toEqual([{ url: base_url }]);
    expect(schema.$id).toBe(`${base_url}/schema/page.json`);
  });

  it("describes every field", () => {
    const without: string[] = [];
    const visit = (at: JsonSchema, path: string): void => {
      for (const [key, field] of Object.entries(at.properties ?? {})) {
        if (field === true || (field.description ?? "") === "") without.push(`${path}.${key}`);
        else visit(field, `${path}.${key}`);
      }
      if (at.items && !Array.isArray(at.items)) visit(at.items, `${path}[]`);
    };
    for (const [name, definition] of Object.entries(openapi.components.schemas)) visit(definition, name);
    expect(without).toEqual([]);
    expect(JSON.stringify(openapi)).not.toMatch(/left out where|may be left out|_site\.json/);
  });

  it("has the page with the smallest id of each type as its example, as it is published", () => {
    const media = openapi.paths["/api/v2/pages/{page_id}/"]?.get?.responses["200"];
    const examples = media && "content" in media ? media.content?.["application/json"]?.examples : undefined;
    const wanted = programModel.names.flatMap((type) => firstOf(type) ?? []);
    expect(wanted.length).toBeGreaterThan(5);
    expect(Object.values(examples ?? {}).map(({ value }) => value)).toEqual(wanted);
    const ofSchemas = Object.values(schema.$defs ?? {}).flatMap(({ examples: of }) => of ?? []);
    expect(ofSchemas).toEqual(wanted);
  });
});

describe("schema/page.json", () => {
  let validate: ValidateFunction;
  beforeAll(() => {
    validate = ofResponses(schema);
  });

  it("accepts every page, according to a third-party validator", () => {
    expect(pages.length).toBeGreaterThan(25);
    for (const page of pages) expect(problems(validate, page)).toEqual([]);
  });

  it.each(breaches)("refuses %s", (_, type, change) => {
    const page = pages.findLast(({ meta }) => meta.type === type);
    const broken = structuredClone(page) as Page;
    change(broken);
    expect(broken).not.toEqual(page);
    expect(validate(page)).toBe(true);
    expect(validate(broken)).toBe(false);
  });

  it("accepts the elements that the breaches break", () => {
    const page = structuredClone(firstOf("artworks.ArtworkPage"));
    withElements(page);
    expect(problems(validate, page)).toEqual([]);
  });

  it("accepts an html_url with a slash at its end, or without, as the site has them", () => {
    const { base_url, site_url } = read(join(content, "_site.json")) as Site;
    const work = pages.find(({ meta }) => meta.type === "artworks.ArtworkPage");
    const bare = JSON.parse(
      JSON.stringify(work).replaceAll(/("(?:html_url|url)":"https:\/\/[^"/]+\/[^"]+)\/"/g, '$1"'),
    ) as unknown;
    const accepts = (append_slash: boolean) =>
      [work, bare].map((page) =>
        ofResponses(responseSchema(programModel, { base_url, site_url, append_slash }, new Map()))(page),
      );
    expect(accepts(true)).toEqual([true, false]);
    expect(accepts(false)).toEqual([false, true]);
  });

  it("refuses every page without any one of its fields, or with an additional field", () => {
    for (const page of programModel.names.flatMap((type) => firstOf(type) ?? [])) {
      const missed = Object.keys(page).filter((field) => validate({ ...page, [field]: undefined }));
      expect(missed).toEqual([]);
      expect(validate({ ...page, another: 1 })).toBe(false);
    }
  });
});

describe("an incremental build", () => {
  it("writes the same as a clean one, and does not rewrite the contract if no example changes", async () => {
    const before = { text: contract(), stats: stats() };
    cpSync(join(content, "visit/access.json"), join(content, "visit/another.json"));
    const another = join(content, "visit/another.json");
    writeFileSync(another, readFileSync(another, "utf8").replace(/"id": \d+/, '"id": 99999991'));
    expect((await build(options)).published?.written).toBe(1);
    expect({ text: contract(), stats: stats() }).toEqual(before);
  });

  it("updates an example with a new title, and the site's address", async () => {
    const home = join(content, "index.json");
    writeFileSync(home, readFileSync(home, "utf8").replace(/"title": "[^"]*"/, '"title": "A new title"'));
    const place = { content, cache, baseUrl: "https://other.example.org" };
    await build({ ...place, out });
    for (const text of ['"title": "A new title"', place.baseUrl])
      expect(contract().every((file) => file.includes(text))).toBe(true);
    const headersFile = join(folder, "_headers");
    const block = "/api/v2/pages/*\n";
    writeFileSync(headersFile, readFileSync("_headers", "utf8").replace(block, `${block}  X-From: museum\n`));
    await build({ ...place, out, headersFile });
    expect(contract()[0]).toContain("X-From");
    expect(treeOf(out)).toEqual(await cleanTree(content, { baseUrl: place.baseUrl, headersFile }));
  });

  it("restores files that were changed or removed", async () => {
    await build(options);
    const before = contract();
    writeFileSync(join(out, "openapi.json"), "{}");
    await build(options);
    rmSync(join(out, "schema"), { recursive: true });
    await build(options);
    expect(contract()).toEqual(before);
  });

  it("refuses to write through a link, and names it", async () => {
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(elsewhere);
    renameSync(join(out, "schema"), join(folder, "aside"));
    symlinkSync(elsewhere, join(out, "schema"));
    await expect(build({ ...options, full: true })).rejects.toThrow("schema");
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});
