import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { catalogue } from "../../build/findings/catalogue/index.ts";
import { html as htmlCodes } from "../../build/findings/catalogue/html.ts";
import { MAX_VALUES } from "../../build/json/parse.ts";
import { PageValidator } from "../../scripts/fuzz/validate.ts";
import {
  definitionOf,
  derivedFields,
  formatOf,
  htmlFields,
  ids,
  isPlainText,
  isTitle,
  occurring,
  unspecified,
  within,
} from "../../build/page/field.ts";
import { LIVE_FIELDS } from "../../build/page/live.ts";
import { sourceSchemas } from "../../build/page/page.ts";
import { rulesFor } from "../../build/page/rules.ts";
import { PAGE_TYPES, type PageType } from "../../build/page/types.ts";
import { NOT_OF_ONE_PAGE } from "./not-of-one-page.ts";
import { site } from "./place.ts";
import { Members, placeName, planted, print, Raw, spotsIn } from "./plant.ts";
import { anyValue, fullValue, isRequired } from "./sound.ts";

/*
 * Compares both paths to a response: on simple pages, which the fast path takes, with one defect in each (every finding
 * that a page can have, at every field that can have it), and on valid pages with every combination of values. The
 * validator throws if the fast path takes a page with findings, or makes another response of it.
 */

/** Values that are wrong for some fields. Each is planted at every field. */
const VALUES = String.raw`
  null | true | false | 0 | -0 | -1 | 1.5 | 4 | 1e400 | 9007199254740993 | 12345678901234567890
  [] | {} | [{}] | [null] | [[]] | [1] | {"id": 1} | [{"id": 1}]
  "" | " " | "x" | "X" | "1" | "1  2" | "9-8" | "1-9" | "N0053" | "_A" | "\ud83d" | "\S" | "\u0041"
  "1990-01-01T00:00:00Z" | "2199-01-01T00:00:00Z" | 2199 | "2003-02-29" | "31.12.2026" | "1000-01-01" | "2001-02-30T00:00:00" | "2001-02-30T00:00:00Z" | "2001-02-30 00:00:00.0"
  "/a" | "//a" | "https://" | "https://user@www.example.org/" | "https://elsewhere.example/a.jpg" | "/../a.jpg" | "/..%2fa.jpg" | "/a/../b.jpg" | "http://localhost:3000/a"
  18480 | "n00530" | " x" | "x " | "<em>x</em>" | "a &amp; b" | "a **b**" | "a\u200bb" | "a\u00a0"
  "home.HomePage" | "artworks.ArtworkPage" | "standardpages.GeneralPage"
`
  .trim()
  .split(/ \| |\n +/)
  .concat('"\t"', `${"[".repeat(101)}${"]".repeat(101)}`, `[${'{"a": 1},'.repeat(101)}1]`);

/** A fragment for each code that a text of HTML can have. */
const FRAGMENTS = (Object.keys(htmlCodes) as (keyof typeof htmlCodes)[])
  .map((code) =>
    code === "html-nested-too-deep"
      ? `${"<div>".repeat(101)}${"</div>".repeat(101)}`
      : htmlCodes[code].example.wrong,
  )
  .concat(
    catalogue["unlikely-host"].example.wrong + "A</a>",
    "_A_",
    "## A",
    "*A*",
    "A&#60;em&#62;",
    "&amp;eacute;",
  );

interface Plant {
  place: string;
  source: Buffer;
}

/** Sources that differ from a valid one at one position. */
function* plantsIn(schema: z.ZodType, sound: unknown): Generator<Plant> {
  for (const { path, schema: wrapped, value } of spotsIn(schema, sound)) {
    const page = path[0] === undefined ? sound : pageWith(schema, sound, String(path[0]));
    const plant = (by: unknown, place = path): Plant => ({
      place: placeName(place),
      source: Buffer.from(print(planted(page, path, by))),
    });
    for (const other of VALUES) yield plant(new Raw(other));
    const at = within(wrapped);
    if (htmlFields.has(at)) for (const text of FRAGMENTS) yield plant(text);
    const definition = definitionOf(at);
    if (definition.type !== "object") continue;
    const members = Object.entries(value as object);
    for (const member of members) {
      const place = [...path, member[0]];
      yield plant(new Members(members.filter((m) => m !== member)), place);
      yield plant(new Members([...members, member]), place);
    }
    for (const name of Object.keys(definition.shape).filter(
      (field) => !Object.hasOwn(value as object, field),
    ))
      yield plant(new Members([...members, [name, null]]), [...path, name]);
    // The rule may concern another field.
    for (const { fields, at: k } of rulesFor(definition.shape)) {
      const field = fields[k] as string;
      const others = members.filter(([name]) => !fields.includes(name));
      const later: [string, unknown] = [field, "2199-01-01T00:00:00Z"];
      if (typeof (value as Record<string, unknown>)[field] === "string")
        yield plant(new Members([...others, later]), [...path, field]);
    }
    if (path[0] === "meta")
      for (const name of LIVE_FIELDS.filter((field) => !Object.hasOwn(definition.shape, field)))
        yield plant(new Members([...members, [name, null]]), [...path, name]);
    yield plant(new Members([...members, ["another", null]]));
    yield plant(new Members([...members, ...VALUES.map((_, k): [string, null] => [`other${k}`, null])]));
  }
}

/** A page with one field, the fields of the same rules, and the required fields. A short page is parsed faster. */
function pageWith(schema: z.ZodType, page: unknown, field: string): unknown {
  const definition = definitionOf(schema);
  const shape = definition.type === "object" ? definition.shape : {};
  const needed = new Set([field, ...rulesFor(shape).flatMap(({ fields }) => fields)]);
  return Object.fromEntries(
    Object.entries(page as object).filter(
      ([name]) => needed.has(name) || isRequired(shape[name] as z.ZodType),
    ),
  );
}

/** Files that differ from a valid one as a whole. */
function* brokenFiles(written: string): Generator<Plant> {
  const place = "";
  yield { place, source: Buffer.from(`\ufeff${written}`) };
  yield { place, source: Buffer.from(written.replace(",", "")) };
  yield { place, source: Buffer.from(written.replace('"title": "', '"title": "\u00e9'), "latin1") };
  const values = `[${"{},".repeat(MAX_VALUES)}{}]`;
  yield { place, source: Buffer.from(written.replace("{", `{"location": ${values}, `)) };
  const many = Array.from({ length: 101 }, (_, k) => `"other${k}": 0, `).join("");
  yield { place, source: Buffer.from(written.replace("{", `{${many}`)) };
}

/** The findings that a page of a type can have, each with its possible positions. */
function* possible(schema: z.ZodType, sound: unknown): Generator<string> {
  for (const { path, schema: wrapped } of spotsIn(schema, sound)) {
    const [at, place] = [within(wrapped), placeName(path)];
    const definition = definitionOf(at);
    const { type } = definition;
    if (type !== "unknown" && path.length > 0) yield `wrong-type ${place}`;
    if (unspecified.has(at)) yield `unspecified-value ${place}`;
    if (type === "number" || type === "unknown") yield `inexact-number ${place}`;
    if (ids.has(at)) yield `bad-id ${place}`;
    if (occurring.has(at)) yield `new-value ${place}`;
    if (type === "literal") yield `unknown-page-type ${place}`;
    if (type === "string") {
      for (const code of ["lone-surrogate", "json-escape"]) yield `${code} ${place}`;
      if (!at.safeParse("").success) yield `empty-field ${place}`;
      if (htmlFields.has(at))
        for (const code of [...Object.keys(htmlCodes), "unlikely-host"]) yield `${code} ${place}`;
      const form = formatOf.get(at)?.format;
      if (form === "acno") yield `acno-case ${place}`;
      if (isPlainText(at)) for (const code of ["space-around", "markup-in-text"]) yield `${code} ${place}`;
      if (isTitle(at)) yield `invisible-in-title ${place}`;
      if (form !== undefined) yield `bad-form ${place}`;
      if (form === "absolute-url") yield `unlikely-host ${place}`;
      if (form === "media-url")
        for (const code of ["outside-media", "unlikely-path"]) yield `${code} ${place}`;
    }
    if (type !== "object") continue;
    yield `unknown-field ${place}`;
    for (const [name, field] of Object.entries(definition.shape)) {
      const member = placeName([...path, name]);
      if (derivedFields.has(field)) yield `derived-field ${member}`;
      else {
        yield `duplicate-key ${member}`;
        if (isRequired(field)) yield `missing-field ${member}`;
      }
    }
    for (const { code, fields, at: field } of rulesFor(definition.shape))
      if (!(code in NOT_OF_ONE_PAGE)) yield `${code} ${placeName([...path, fields[field] as string])}`;
  }
}

/** The findings on which both paths agree, as codes with positions. */
function raisedBy(validator: PageValidator, type: PageType, plants: Iterable<Plant>): Set<string> {
  const raised = new Set<string>();
  for (const { place, source } of plants) {
    let findings;
    try {
      findings = validator.findings(source, type);
    } catch (cause) {
      throw new Error(`${place}: ${String(cause)}: ${source.toString()}`, { cause });
    }
    for (const { code } of findings) raised.add(`${code} ${place}`);
  }
  return raised;
}

describe("both paths to a response", () => {
  const raised = new Map<PageType, Set<string>>();

  describe.each(PAGE_TYPES)("on a simple page of type %s", (type) => {
    const schema = sourceSchemas[type];
    const sound = fullValue(schema);
    const written = print(sound);

    it("agree that it is valid: the fast path takes it", () => {
      const validator = new PageValidator(site);
      expect(validator.findings(Buffer.from(written), type)).toEqual([]);
      expect(validator.fast).toBe(1);
    });

    it("agree on every finding at every field", () => {
      const validator = new PageValidator(site);
      const found = raisedBy(validator, type, plantsIn(schema, sound));
      raised.set(type, found);
      expect([...new Set(possible(schema, sound))].filter((one) => !found.has(one))).toEqual([]);
    });

    it("agree on broken files, and on a page below a parent that its type does not allow", () => {
      const validator = new PageValidator(site);
      const found = raisedBy(validator, type, brokenFiles(written));
      for (const other of PAGE_TYPES)
        for (const one of raisedBy(validator, other, [{ place: "", source: Buffer.from(written) }]))
          found.add(one);
      raised.set(type, new Set([...(raised.get(type) ?? []), ...found]));
      const codes = Array.from(found, (one) => one.trim());
      expect(codes).toEqual(
        expect.arrayContaining([
          "byte-order-mark",
          "invalid-utf8",
          "json-syntax",
          "misplaced-type",
          "more-findings",
          "too-many-values",
        ]),
      );
    });
  });

  it("were tested with every code of the catalogue that one page can have", () => {
    const codes = new Set(
      [...raised.values()].flatMap((found) => Array.from(found, (one) => one.split(" ")[0])),
    );
    const others = Object.keys(catalogue).filter((code) => !codes.has(code));
    expect(others.sort()).toEqual(Object.keys(NOT_OF_ONE_PAGE).sort());
  });

  it.each(PAGE_TYPES)("agree on valid pages of type %s, whatever their fields contain", (type) => {
    const validator = new PageValidator(site);
    const runs = type === "artworks.ArtworkPage" ? 250 : 50;
    fc.assert(
      fc.property(anyValue(sourceSchemas[type]), (page) => {
        validator.findings(Buffer.from(JSON.stringify(page)), type);
      }),
      { numRuns: runs, seed: 1, endOnFailure: true },
    );
    expect(validator.fast).toBeGreaterThan(0.9 * runs);
  });

  it("agree on links that may have to be looked up", () => {
    const owned = new PageValidator({ ...site, owned_paths: ["/a"] });
    const type = "artworks.ArtworkPage";
    const schema = sourceSchemas[type];
    const sound = planted(fullValue(schema), ["meta", "seo_title"], "A");
    let pages = 0;
    for (const { path, schema: field } of spotsIn(schema, sound)) {
      if (!htmlFields.has(within(field))) continue;
      for (const link of [
        '<a href="/a/">A</a>',
        "<A HREF=/a>A</A>",
        "<p>\n<a\tclass='b' href='/a'>A</a></p>",
        '<p><a href="/a/?b&amp;c#d">A</a> <a href="/é/">B</a> <a href="/a/">C</a></p>',
        '<figure><img src="/a/b.jpg" alt=""></figure><p><a name="b">C</a></p>',
      ]) {
        const text = JSON.stringify(link);
        for (const written of [
          text,
          text.replaceAll("<", String.raw`\u003c`),
          text.replaceAll("/", String.raw`\/`),
        ]) {
          owned.findings(Buffer.from(print(planted(sound, path, new Raw(written)))), type);
          pages++;
        }
      }
    }
    expect(owned.fast).toBe(pages);
  });

  it("agree on addresses of images that are kept with the pages", () => {
    const media_url = "http://localhost:3000/media";
    const paths = new Map([
      ["a.jpg", { width: 1, height: 1 }],
      ["a b/é.png", { width: 480, height: 660 }],
    ]);
    const validator = new PageValidator({
      ...site,
      media_url,
      images: { base: `${media_url}/`, paths },
    });
    const found = (url: string): string[] => {
      const sizes = [[1, "0-1", url]];
      const image = {
        sizes,
        default_url: url,
        current_size: "0-1",
        height_ratio: 1,
        max_width: 1,
        alt_text: "A",
      };
      const page = {
        ...(fullValue(sourceSchemas["artworks.ArtworkPage"]) as object),
        master_images: [image],
      };
      return validator
        .findings(Buffer.from(JSON.stringify(page)), "artworks.ArtworkPage")
        .map(({ code }) => code);
    };
    const right = ["/a.jpg", "/a.jpg?v=2", `${media_url}/a.jpg`];
    expect(found("/a%20b/%C3%A9.png")).toEqual(["image-ratio", "image-width"]);
    for (const url of right) expect([url, found(url)]).toEqual([url, []]);
    expect(validator.fast).toBe(right.length);
    const missing = ["media-missing", "media-missing"];
    for (const url of ["/b.jpg", "/a%20b%2f%C3%A9.png", "/", "/A.jpg", "/%FF.jpg"])
      expect([url, found(url)]).toEqual([url, missing]);
    expect(found("https://api.example.org/a.jpg")).toEqual(["outside-media", "outside-media"]);
  });

  it("agree on an id that cannot be converted to a string", () => {
    const page = { id: { toString: 1 }, meta: { type: "standardpages.GeneralPage" }, title: "A" };
    const findings = new PageValidator(site).findings(
      Buffer.from(JSON.stringify(page)),
      "standardpages.GeneralPage",
    );
    expect(findings.map(({ code }) => code)).toEqual(["wrong-type"]);
  });

  it("agree if the media host has a path and addresses end without a slash", () => {
    const other = { ...site, media_url: "https://media.example.org/b.jpg", append_slash: false };
    const validator = new PageValidator(other);
    const page = anyValue(sourceSchemas["artworks.ArtworkPage"]);
    fc.assert(
      fc.property(page, (source) => {
        validator.findings(Buffer.from(JSON.stringify(source)), "artworks.ArtworkPage");
      }),
      { numRuns: 100, seed: 2, endOnFailure: true },
    );
    expect(validator.fast).toBeGreaterThan(10);
  });
});
