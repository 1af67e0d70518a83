import { describe, expect, it } from "vitest";
import { compare, type ContractChange } from "../../../build/outputs/contract/compare.ts";
import { plain } from "../../../build/outputs/contract/plain.ts";
import { openapi } from "../../../build/outputs/contract/openapi.ts";
import type { OpenApi } from "../../../build/outputs/contract/document.ts";
import type { JsonSchema } from "../../../build/model/json-schema.ts";
import { crossCheck } from "../../../build/outputs/contract/cross-check.ts";
import { readHeaders } from "../../../build/hosting/conformance.ts";
import { programModel } from "../../../build/model/program-model.ts";

const contract = () => structuredClone(plain(openapi({ model: programModel, rules: readHeaders().rules })));
const PATH = "/api/v2/pages/{page_id}/";

/** The schema of a page's field, by its names with dots between; `[]` leads into a list. */
function at(doc: OpenApi, path: string, page = "ArtworkPage"): JsonSchema {
  let schema: JsonSchema | undefined = doc.components.schemas[page];
  for (const step of path.split(".")) {
    const next: unknown = step === "[]" ? schema?.items : schema?.properties?.[step];
    schema = next as JsonSchema | undefined;
  }
  if (schema === undefined) throw new Error(path);
  return schema;
}

const fields = (doc: OpenApi, page = "ArtworkPage") => doc.components.schemas[page]?.properties ?? {};
/** Removes a field from an object's schema, as a schema without the field is generated. */
function remove(schema: JsonSchema | undefined, name: string): void {
  delete schema?.properties?.[name];
  if (schema?.required !== undefined) schema.required = schema.required.filter((one) => one !== name);
}

/** Breaking changes of a field of works, or of the elements of a list: the field, and its other keywords. */
const FIELDS: [name: string, path: string, change: object | ((schema: JsonSchema) => unknown)][] = [
  ["a number that becomes a string", "start_year", { type: "string" }],
  ["a string that may be null", "medium", { type: ["string", "null"] }],
  ["an added value", "meta.parent.meta.type", (schema) => schema.enum?.push("tests.AddedPage")],
  ["no pattern", "acno", (schema) => delete schema.pattern],
  ["no maximum", "start_year", (schema) => delete schema.maximum],
  ["a maximum length", "tga", { maxLength: 5 }],
  ["a size of four", "master_images.[].sizes.[]", { maxItems: 4 }],
];

/** Other changes: each has a name, the change, the expected `what`, and whether clients can ignore it. */
const PLANTED: [name: string, what: string, change: (doc: OpenApi) => unknown, isAddition?: boolean][] = [
  ...FIELDS.map(([name, path, change]): (typeof PLANTED)[number] => [
    name,
    `“${path.replaceAll(".[]", "[]")}”`,
    (doc) => (typeof change === "function" ? change(at(doc, path)) : Object.assign(at(doc, path), change)),
  ]),
  ["an added field", "“weight”", (doc) => (fields(doc)["weight"] = { type: "number" }), true],
  ["a removed field", "“medium”", (doc) => remove(doc.components.schemas["ArtworkPage"], "medium")],
  ["a removed field inside a list", "“subjects[].level”", (doc) => remove(at(doc, "subjects.[]"), "level")],
  ["a field that may be missing", "“id”", (doc) => doc.components.schemas["ArtworkPage"]?.required?.shift()],
  [
    "a size that begins with text",
    "“master_images[].sizes[][0]”",
    (doc) => Object.assign(at(doc, "master_images.[].sizes.[]").prefixItems?.[0] ?? {}, { type: "string" }),
  ],
  ["an object for a list", "“groups”", (doc) => Object.assign(fields(doc), { groups: { type: "object" } })],
  [
    "an added page type",
    "pages of the type",
    (doc) =>
      (doc.components.schemas["AddedPage"] = structuredClone({
        ...doc.components.schemas["HomePage"],
        properties: { meta: { properties: { type: { const: "home.AddedPage" }, parent: {} } } },
      })),
  ],
  ["a removed page type", "pages of the type", (doc) => delete doc.components.schemas["ProjectPage"]],
  [
    "a removed header",
    "the header vary",
    (doc) => {
      delete doc.components.headers["Vary"];
      for (const one of responses(doc)) delete one.headers["Vary"];
    },
  ],
  [
    "an added header",
    "the header x-more",
    (doc) => {
      for (const one of responses(doc))
        one.headers["X-More"] = { description: "", required: true, schema: { type: "string" } };
    },
    true,
  ],
  [
    "another value of a header",
    "the header access-control-allow-origin",
    ({ components }) =>
      Object.assign(components.headers["Access-Control-Allow-Origin"]?.schema ?? {}, {
        const: "https://a.example",
      }),
  ],
  ["a removed method", "the method OPTIONS", (doc) => delete doc.paths[PATH]?.options],
  [
    "another URL",
    "the path",
    (doc) => (doc.paths = { "/api/v3/pages/{page_id}/": doc.paths[PATH] ?? { parameters: [] } }),
  ],
  [
    "a required parameter",
    "the parameter “format”",
    (doc) => Object.assign(doc.paths[PATH]?.parameters[1] ?? {}, { required: true }),
  ],
  ["a removed response", "the response", (doc) => delete doc.paths[PATH]?.get?.responses["404"]],
  [
    "another body of a 404",
    "“message”",
    ({ components }) =>
      remove(components.responses["NotFound"]?.content?.["application/json"]?.schema, "message"),
  ],
];

const responses = ({ paths, components }: OpenApi) => [
  ...Object.values(components.responses),
  ...[paths[PATH]?.get, paths[PATH]?.head, paths[PATH]?.options].flatMap((operation) =>
    Object.values(operation?.responses ?? {}).filter((one) => "headers" in one),
  ),
];

describe("two contracts", () => {
  it("have no differences if they are the same", () => {
    expect(compare(contract(), contract())).toEqual([]);
  });

  it("have no differences if only descriptions and examples differ", () => {
    const other = contract();
    other.info.description = "Otherwise";
    Object.assign(at(other, "medium"), { description: "Otherwise", examples: ["Oil"] });
    expect(compare(contract(), other)).toEqual([]);
  });

  it.each(PLANTED)("differ in %s", (_, what, change, isAddition = false) => {
    const after = contract();
    change(after);
    const changes = compare(contract(), after);
    const found = changes.filter((one) => one.what === what);
    expect(found.some((one) => one.breaking)).toBe(!isAddition);
    expect(found.length).toBeGreaterThan(0);
    // No other change is listed. The path is an exception: a changed path is a removed one and an added one.
    expect(changes.filter((one) => one.what !== what)).toEqual([]);
  });

  it("list a change of every page only once", () => {
    const after = contract();
    for (const type of programModel.names)
      remove(after.components.schemas[type.split(".")[1] ?? ""], "title");
    expect(compare(contract(), after)).toEqual([
      { breaking: true, what: "“title”", message: "was removed", of: [...programModel.names] },
    ] satisfies ContractChange[]);
  });
});

describe("the cross-check", () => {
  const page = (change: object) =>
    Buffer.from(JSON.stringify({ id: 7, title: "A", ...change, meta: { ...META, type: "home.HomePage" } }));
  const META = {
    detail_url: "https://a.example/api/v2/pages/7/",
    html_url: "https://www.a.example/",
    slug: "home",
    show_in_menus: false,
    seo_title: "",
    search_description: "",
    first_published_at: null,
    alias_of: null,
    parent: null,
  };

  it("lists the fields that the old schema refuses, and ignores unknown fields", () => {
    const pages = [page({}), page({ another: 1 }), page({ title: "" }), page({ title: "", id: 8 })];
    expect(crossCheck(contract(), pages)).toEqual({
      pages: 4,
      failed: 2,
      mismatches: [
        { type: "home.HomePage", at: "title", message: expect.any(String) as string, pages: 2, id: 7 },
      ],
    });
  });

  it("refuses pages of a new type", () => {
    const former = contract();
    delete former.components.schemas["HomePage"];
    expect(crossCheck(former, [page({})]).mismatches).toMatchObject([{ at: "meta.type", pages: 1 }]);
  });
});
