import { describe, expect, it } from "vitest";
import { compare, type ContractChange } from "../../build/contract/compare.ts";
import { openapi, type OpenApi } from "../../build/contract/openapi.ts";
import type { JsonSchema } from "../../build/contract/translate.ts";
import { crossCheck } from "../../build/contract/cross-check.ts";
import { readHeaders } from "../../build/hosting/read.ts";
import { programModel } from "../../build/page/program-model.ts";

const contract = (): OpenApi => structuredClone(openapi({ model: programModel, rules: readHeaders().rules }));
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
const header = (doc: OpenApi, name: string) => doc.components.headers[name]?.schema ?? {};

/** Changes of the contract: each has a name, the change, whether it is breaking, and the expected `what`. */
const PLANTED: [name: string, change: (doc: OpenApi) => void, breaking: boolean, what: string][] = [
  ["an added field", (doc) => (fields(doc)["weight"] = { type: "number" }), false, "“weight”"],
  ["a removed field", (doc) => remove(doc.components.schemas["ArtworkPage"], "medium"), true, "“medium”"],
  [
    "a removed field inside a list",
    (doc) => remove(at(doc, "subjects.[]"), "level"),
    true,
    "“subjects[].level”",
  ],
  ["a number that becomes a string", (doc) => (at(doc, "start_year").type = "string"), true, "“start_year”"],
  ["a string that may be null", (doc) => (at(doc, "medium").type = ["string", "null"]), true, "“medium”"],
  [
    "a string that is no longer null",
    (doc) => (at(doc, "exhibitions.[].exhibitionLegs.[].venueWebsiteUrl").type = "string"),
    true,
    "“exhibitions[].exhibitionLegs[].venueWebsiteUrl”",
  ],
  [
    "an integer that may have a fraction",
    (doc) => (at(doc, "popularity").type = "number"),
    true,
    "“popularity”",
  ],
  [
    "a number that is always an integer",
    (doc) => (at(doc, "master_images.[].height_ratio").type = "integer"),
    true,
    "“master_images[].height_ratio”",
  ],
  [
    "an added value",
    (doc) => at(doc, "meta.parent.meta.type").enum?.push("tests.AddedPage"),
    true,
    "“meta.parent.meta.type”",
  ],
  ["a removed value", (doc) => at(doc, "meta.parent.meta.type").enum?.pop(), true, "“meta.parent.meta.type”"],
  [
    "any value in place of some values",
    (doc) => delete at(doc, "meta.parent.meta.type").enum,
    true,
    "“meta.parent.meta.type”",
  ],
  [
    "some values in place of any value",
    (doc) => (at(doc, "cisStatus").enum = ["accessioned work"]),
    true,
    "“cisStatus”",
  ],
  [
    "a field that may be missing",
    (doc) => doc.components.schemas["ArtworkPage"]?.required?.shift(),
    true,
    "“id”",
  ],
  ["another pattern", (doc) => (at(doc, "acno").pattern = "^[A-Z]+$"), true, "“acno”"],
  ["no pattern", (doc) => delete at(doc, "acno").pattern, true, "“acno”"],
  [
    "a pattern that matches no value",
    (doc) => (at(doc, "acno").pattern = `^$|${at(doc, "acno").pattern}`),
    true,
    "“acno”",
  ],
  ["a new pattern", (doc) => (at(doc, "tga").pattern = "^\\d+$"), true, "“tga”"],
  ["a title that may be empty", (doc) => delete at(doc, "title").minLength, true, "“title”"],
  ["a smaller maximum", (doc) => (at(doc, "start_year").maximum = 9999), true, "“start_year”"],
  ["no maximum", (doc) => delete at(doc, "start_year").maximum, true, "“start_year”"],
  ["a maximum length", (doc) => Object.assign(at(doc, "tga"), { maxLength: 5 }), true, "“tga”"],
  [
    "a list without elements",
    (doc) => delete at(doc, "master_images.[].sizes").minItems,
    true,
    "“master_images[].sizes”",
  ],
  [
    "a size of four",
    (doc) => {
      Object.assign(at(doc, "master_images.[].sizes.[]"), { maxItems: 4 });
    },
    true,
    "“master_images[].sizes[]”",
  ],
  [
    "a size that begins with text",
    (doc) => {
      Object.assign(at(doc, "master_images.[].sizes.[]").prefixItems?.[0] ?? {}, { type: "string" });
    },
    true,
    "“master_images[].sizes[][0]”",
  ],
  [
    "a list that is an object",
    (doc) => {
      Object.assign(fields(doc), { groups: { type: "object" } });
    },
    true,
    "“groups”",
  ],
  [
    "an added page type",
    (doc) => (doc.components.schemas["AddedPage"] = { type: "object" }),
    true,
    "pages of the type",
  ],
  ["a removed page type", (doc) => delete doc.components.schemas["ProjectPage"], true, "pages of the type"],
  [
    "a removed header",
    (doc) => {
      delete doc.components.headers["Vary"];
      for (const one of answers(doc)) delete one.headers["Vary"];
    },
    true,
    "the header vary",
  ],
  [
    "an added header",
    (doc) => {
      for (const one of answers(doc))
        one.headers["X-More"] = { description: "", required: true, schema: { type: "string" } };
    },
    false,
    "the header x-more",
  ],
  [
    "another value of a header",
    (doc) => (header(doc, "Access-Control-Allow-Origin").const = "https://a.example"),
    true,
    "the header access-control-allow-origin",
  ],
  ["a removed method", (doc) => delete doc.paths[PATH]?.options, true, "the method OPTIONS"],
  [
    "another URL",
    (doc) => {
      doc.paths = { "/api/v3/pages/{page_id}/": doc.paths[PATH] ?? { parameters: [] } };
    },
    true,
    "the path",
  ],
  [
    "a required parameter",
    (doc) => {
      Object.assign(doc.paths[PATH]?.parameters[1] ?? {}, { required: true });
    },
    true,
    "the parameter “format”",
  ],
  [
    "fewer ids",
    (doc) => {
      Object.assign(doc.paths[PATH]?.parameters[0]?.schema ?? {}, { maximum: 1000 });
    },
    true,
    "the parameter “page_id”",
  ],
  ["a removed response", (doc) => delete doc.paths[PATH]?.get?.responses["404"], true, "the response"],
  [
    "another body of a 404",
    (doc) => {
      const body = doc.components.responses["NotFound"]?.content?.["application/json"];
      remove(body?.schema, "message");
    },
    true,
    "“message”",
  ],
];

const answers = ({ paths, components }: OpenApi) => [
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

  it.each(PLANTED)("differ in %s", (_, change, breaking, what) => {
    const after = contract();
    change(after);
    const changes = compare(contract(), after);
    const found = changes.filter((one) => one.what === what);
    expect(found.some((one) => one.breaking)).toBe(breaking);
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
