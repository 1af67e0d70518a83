import { expect, it } from "vitest";
import { hintOf, messageOf } from "../../build/findings/finding.ts";
import { findingsOf } from "../../build/editor/findings.ts";
import { checkTypes, modelFrom } from "../../build/model/types.ts";
import { derive, DERIVED } from "../../build/model/derive.ts";
import { programModel } from "../../build/model/program-model.ts";
import { ownImagesOf } from "../../build/model/media.ts";
import { listedFacts } from "../../build/outputs/browse/shown.ts";
import { parseJson } from "../../build/source/json/parse.ts";

const type = (declared: object): object => ({ parents: ["home.HomePage"], ...declared });

it.each<[what: string, types: object, message: string, hint: string]>([
  [
    "a derived short name that is another type's label",
    { "blog.BlogIndexPage": type({ label: "Blog" }), "blog.BlogPage": type({ label: "Blog post" }) },
    "The short name of blog.BlogPage, “blog”, is already the label of blog.BlogIndexPage.",
    'Give blog.BlogPage another short name, for example "short": "blog-page"',
  ],
  [
    "a label that is another type's derived short name",
    { "blog.BlogPage": type({ label: "Blog post" }), "blog.BlogIndexPage": type({ label: "Blog" }) },
    "The label of blog.BlogIndexPage, “Blog”, is already the short name of blog.BlogPage.",
    'Give blog.BlogPage another short name, for example "short": "blog-page"',
  ],
  [
    "two labels",
    { "a.APage": type({ label: "Talk" }), "b.BPage": type({ label: "talk" }) },
    "The label of b.BPage, “talk”, is already the label of a.APage.",
    "Choose another “label”",
  ],
  [
    "a path with an index in “shown”",
    {
      "a.APage": type({
        label: "Gallery",
        fields: { images: [{ fields: { image: "Image" } }] },
        shown: { image: "images[0].image", line: "images.image", date: "images.0.image" },
      }),
    },
    "“image”: “images[0].image” is not a field of this type, or a path such as images.image",
    "Did you mean “images.image”?",
  ],
])("names the types, the key and an allowed value: %s", (_what, types, message, hint) => {
  const { findings } = checkTypes(
    parseJson("_types.json", Buffer.from(JSON.stringify({ types }))),
    programModel,
  );
  const [found, ...others] = findings;
  expect(others).toEqual([]);
  expect(found && messageOf(found)).toContain(message);
  expect(found && hintOf(found)).toContain(hint);
});

it.each(["", "117"])("shows the example of a pattern, not the expression, for the value “%s”", (number) => {
  const field = { kind: "text!", pattern: "[0-9]{4}\\.[0-9]+", example: "2024.117" };
  const text = JSON.stringify({ types: { "a.APage": type({ label: "A", fields: { number: field } }) } });
  const page = { id: 7, meta: { type: "a.APage" }, title: "A", number };
  const found = findingsOf(modelFrom(text), "a.json", JSON.stringify(page), undefined);
  const said = found.filter(({ path }) => path === "number").map(({ message, hint }) => `${message} ${hint}`);
  expect(said).toEqual([expect.stringContaining("2024.117")]);
  expect(said.join()).not.toContain("[0-9]");
});

it("shows the first element of a list, by its path with or without an index", () => {
  const shown = { line: "texts", date: "pairs.day", image: "pairs.0.picture" };
  const fields = { texts: ["text"], pairs: [{ fields: { day: "text", picture: "text" } }] };
  const model = modelFrom(JSON.stringify({ types: { "a.APage": type({ label: "A", fields, shown }) } }));
  const page = { texts: ["one", "two"], pairs: [{ day: "Monday", picture: "x.png" }] };
  const name = model.names.find((one) => one === "a.APage") ?? model.usual;
  expect(listedFacts(model)(name, page)).toMatchObject({ line: "one", date: "Monday", image: "x.png" });
});

it("compares the members that belong to a picture with its file", () => {
  const image = { width: "width", height: "height", ratio: "ratio", alt: "text" };
  const numbers = { width: "integer?", height: "integer?", ratio: "number?", text: "text" };
  const fields = { plate: { fields: { file: { kind: "file", image }, ...numbers } } };
  const model = modelFrom(JSON.stringify({ types: { "a.APage": type({ label: "A", fields }) } }));
  const host = { base_url: "https://api.example.org", media_url: "https://api.example.org" };
  const images = ownImagesOf(host, [["marsh.png", { width: 480, height: 660 }]]);
  const codes = (plate: object): string[] =>
    findingsOf(model, "a.json", JSON.stringify({ id: 7, meta: { type: "a.APage" }, title: "A", plate }), {
      ...host,
      time_zone: undefined,
      images,
    }).map(({ code, path }) => `${code} ${path}`);
  const file = "/media/marsh.png";
  expect(codes({ file, width: 960, height: 330, ratio: 1.5 })).toEqual([
    "missing-alt-text plate.text",
    "image-width plate.width",
    "image-ratio plate.height",
    "image-ratio plate.ratio",
  ]);
  expect(codes({ file, width: 480, height: 660, ratio: 1.38, text: "A marsh" })).toEqual([]);
  expect([...codes({}), ...codes({ file, text: "A marsh" })]).toEqual([]);
});

it("finds the texts of the fields in “searched”, also inside of blocks, lists and HTML", () => {
  const fields = {
    number: "text",
    notes: [{ fields: { text: "text", picture: "file" } }],
    body: { blocks: { paragraph: "html", quote: { fields: { text: "text", by: "text" } } } },
  };
  const page = {
    number: "NMGW.Z.1990.005",
    notes: [{ text: "one", picture: "/media/one.png" }, { text: "two" }],
    body: [
      { type: "paragraph", value: "<p>Fish &amp; <b>otters</b></p>", id: null },
      { type: "quote", value: { text: "Quiet", by: "Ada" }, id: null },
    ],
  };
  const found = (searched: string[]): string[] => {
    const declared = type({ label: "A", fields, shown: { searched } });
    const model = modelFrom(JSON.stringify({ types: { "a.APage": declared } }));
    const name = model.names.find((one) => one === "a.APage") ?? model.usual;
    return listedFacts(model)(name, page).searched.split(/ +/).filter(Boolean);
  };
  expect(found(["number", "notes", "body"])).toEqual([
    page.number,
    "one",
    "two",
    "Fish",
    "&",
    "otters",
    "Quiet",
    "Ada",
  ]);
  expect(found(["notes.text", "body.quote.by"])).toEqual(["one", "two", "Ada"]);
});

it("covers in its search each text with a pattern, and names what it covers as the site does", () => {
  const code = { kind: "text", pattern: "N[0-9]+", example: "N1", label: "Specimen number" };
  const fields = { code, kind: { kind: "text", choices: ["a"], label: "Kind of thing" } };
  const shown = { line: "kind" };
  const uses = ["home.HomePage"];
  const types = { "a.APage": type({ label: "A", fields, shown }), "b.BPage": type({ label: "B", fields }) };
  const model = modelFrom(JSON.stringify({ uses, types }));
  const rows = ["a.APage", "b.BPage"].map((name) => model.of(name).shown);
  expect(rows.map((row) => row?.covers)).toEqual([["specimen number", "kind of thing"], ["specimen number"]]);
  expect(listedFacts(model)("b.BPage", { code: "N17" }).searched).toBe("N17");
});

it("derives null from an object that a site declares as null", () => {
  const placement = { response: "", address: "", slug: "", parent: null };
  expect(derive(DERIVED.classificationId, { classification: null }, placement)).toBe(null);
});
