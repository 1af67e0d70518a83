import { describe, expect, it } from "vitest";
import { formats } from "../../build/model/formats.ts";
import { SourceChecker } from "../../build/check/source.ts";
import { modelFrom } from "../../build/model/types.ts";
import { parent, site } from "./place.ts";

const QUOTED = '“–” and "é" \\';

const model = modelFrom(
  JSON.stringify({
    types: {
      "shop.ProductPage": {
        label: "Product",
        parents: ["artworks.ArtworkIndexPage"],
        fields: {
          colour: { kind: "text", choices: ["grün", "rot"] },
          note: { kind: "text", default: QUOTED },
          text: "text?",
          parts: { blocks: { größe: { kind: "text", choices: ["klein –"] } } },
        },
      },
    },
  }),
);

const above = {
  ...parent,
  address: "https://www.kröller.example/größen/",
  ...(parent.summary && { summary: { ...parent.summary, title: "Größen – “all”" } }),
};

/** The response of a page in a site whose host has letters outside ASCII. */
function responseOf(fields: object) {
  const checker = new SourceChecker({ model, site: { ...site, site_url: "https://www.kröller.example" } });
  const page = { id: 7, meta: { type: "shop.ProductPage" }, title: "A thing", ...fields };
  const bytes = Buffer.from(JSON.stringify(page));
  const {
    response = "",
    findings,
    place,
  } = checker.check({ file: "thing.json", bytes, size: bytes.length }, { parent: above, slug: "thing" });
  const text = checker.encode(response).toString();
  return { text, response: JSON.parse(text) as Record<string, unknown>, findings, place };
}

describe("the characters of a response", () => {
  it.each([
    ["a source in ASCII", { colour: "rot" }],
    ["a source with other characters", { colour: "grün", text: "1757–1827 “x” \u{1f33f}" }],
    [
      "a block whose name and value have others",
      { colour: "rot", parts: [{ type: "größe", value: "klein –" }] },
    ],
  ])("are those of the source, of defaults and of the parent page: %s", (_, fields) => {
    const { text, response, findings } = responseOf(fields);
    expect(findings).toEqual([]);
    expect(response).toMatchObject({
      ...fields,
      note: QUOTED,
      meta: { html_url: "https://www.kröller.example/größen/thing/", parent: { title: "Größen – “all”" } },
    });
    expect(text).toBe(JSON.stringify(response));
  });

  it("are those of the website's address on the home page, whose slug may be a part of that address", () => {
    const checker = new SourceChecker({ model, site: { ...site, site_url: "https://home.kröller.example" } });
    const bytes = Buffer.from(JSON.stringify({ id: 1, meta: { type: "home.HomePage" }, title: "Home" }));
    const source = { file: "index.json", bytes, size: bytes.length };
    const { response = "" } = checker.check(source, { parent: "root", slug: "home" });
    expect(checker.encode(response).toString()).toContain('"html_url":"https://home.kröller.example/"');
  });

  it("are texts in the position of the page, from which lists of pages are made", () => {
    expect(responseOf({ colour: "rot" }).place?.address).toBe('"https://www.kröller.example/größen/thing/"');
  });
});

it.each([
  ["code", "A", "_A"],
  ["lowercase-code", "a", "-a"],
  ["id-list", "1", " 1"],
] as const)("of a very long %s do not exhaust the stack of a regular expression", (name, first, more) => {
  const text = first + more.repeat(5_000_000);
  expect(formats[name].matches(text)).toBe(true);
  expect(formats[name].matches(text + more.slice(0, 1))).toBe(false);
});
