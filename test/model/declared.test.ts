import { expect, it } from "vitest";
import { hintOf, messageOf } from "../../build/findings/finding.ts";
import { findingsOf } from "../../build/editor/findings.ts";
import { checkTypes, modelFrom } from "../../build/model/types.ts";
import { programModel } from "../../build/model/program-model.ts";
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
  expect(listedFacts(model)(name, page)).toMatchObject({
    line: "one",
    date: "Monday",
    image: "x.png",
  });
});
