import * as fc from "fast-check";
import type { Arbitrary } from "fast-check";
import { valueIn, type ObjectValue, type TextValue, type ValueModel } from "../../../build/model/model.ts";
import { programModel } from "../../../build/model/program-model.ts";
import type { PageType } from "../../../build/model/page-types.ts";
import { anyValue } from "../../response/valid.ts";

/** Sites with extreme values, as the paths and the values of their sources. */

type Values = Record<string, unknown>;

const TEXTS = [
  "",
  " ",
  "\u0000\u001f\u007f",
  "é😀日本\u2028\u2029",
  '"\\/\b',
  "null",
  "</script>",
  "a".repeat(3000),
];
const text = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.constantFrom(...TEXTS));
const filled = text.filter((value) => value !== "");

const fragment = fc.constantFrom(
  "",
  "plain",
  "1 &lt; 2 &amp; 3",
  "<p>Marsh</p>",
  '<p><a href="/visit/">here</a> <em lang="fr">là</em></p>',
  "<ul><li>one</li><li>two</li></ul>",
  "😀\u2028",
);

const integer = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 1, -1, Number.MAX_SAFE_INTEGER, -9999));
const decimal = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 5e-324, 1e21, 1e-7, 0.1, 1.5),
  )
  .map((value) => (Object.is(value, -0) ? 0 : value));
const id = fc.oneof(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.integer({ min: 1, max: 999 }));

const key = fc.oneof(fc.constantFrom("__proto__", "constructor", "2", "1", "", "a b", "z"), text);

/** A map, because its members keep their order whatever their names are. */
const { any, object } = fc.letrec<{ any: unknown; object: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false),
    text,
    decimal,
    fc.array(tie("any"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc
    .uniqueArray(fc.tuple(key, tie("any")), { maxLength: 3, selector: ([name]) => name })
    .map((members) => new Map(members)),
}));

/** Extreme values. `media` is the site's media URL: the URLs of images begin with a slash or with it. */
const valueOf = (model: ValueModel, media: string): Arbitrary<unknown> =>
  anyValue(model, (of) => {
    const values = extremesOf(of, media);
    return of.isNullable && values !== undefined ? fc.option(values) : values;
  });

function extremesOf(model: ValueModel, media: string): Arbitrary<unknown> | undefined {
  switch (model.kind) {
    case "open":
      if (model.of === "any") return any;
      return model.of === "object" ? object : fc.array(model.of === "list" ? any : object, { maxLength: 2 });
    case "object":
      return model.fields.has("sizes") ? image(model, media) : undefined;
    case "number":
      return model.isId ? id : model.isInteger ? integer : decimal;
    case "text":
      return textOf(model, media);
    default:
      return undefined;
  }
}

function textOf({ isHtml, format, mayBeEmpty }: TextValue, media: string): Arbitrary<unknown> | undefined {
  if (isHtml) return fragment;
  if (format === undefined) return mayBeEmpty ? text : filled;
  if (format !== "media-url") return undefined;
  const path = fc.constantFrom("/a.jpg", "/b/ä/日本.jpg?x=1", "/c%20d.jpg", "/a/../b.jpg");
  return fc.tuple(path, fc.boolean()).map(([written, isWhole]) => (isWhole ? media + written : written));
}

/** An image whose default size is one of its sizes. */
function image(model: ObjectValue, media: string): Arbitrary<Values> {
  const size = valueIn(model, ["sizes", 0]) as ValueModel;
  const others = [...model.fields].filter(([name, { kind }]) => name !== "sizes" && kind !== "derived");
  const fields = fc.record(Object.fromEntries(others.map(([name, field]) => [name, valueOf(field, media)])));
  const sizes = fc.array(valueOf(size, media) as Arbitrary<unknown[]>, { minLength: 1, maxLength: 3 });
  return fc.tuple(fields, sizes, fc.nat()).map(([values, all, choice]) => {
    const [, current_size, default_url] = all[choice % all.length] ?? [];
    return Object.assign(values, { sizes: all, default_url, current_size });
  });
}

const slug = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,8}$/),
  fc.constantFrom("index", "home", "api", "0", "a".repeat(250), "constructor"),
);

/** A page that is live: its dates of going live have passed, and it does not expire. Other pages cannot be imported. */
const page = (type: PageType, media: string): Arbitrary<Values> =>
  (valueOf(programModel.of(type).source, media) as Arbitrary<Values>).map((values) => {
    delete (values["meta"] as Values)["expire_at"];
    return values;
  });

const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A tree with every page type. Works and general pages are added to it at random. */
const SKELETON: [path: string, type: PageType][] = [
  ["", "home.HomePage"],
  ["visit/", "standardpages.GeneralPage"],
  ["research/", "projects.ProjectIndexPage"],
  ["research/wet/", "projects.ProjectPage"],
  ["art/", "artworks.ArtworkIndexPage"],
];

export type Sources = Record<string, Values>;

const site = fc.record({
  base_url: fc.constantFrom("https://api.example.org", "http://localhost:8000/x"),
  site_url: fc.constantFrom("https://www.example.org", "https://example.org/en"),
  media_url: fc.constantFrom("https://media.example.org", "https://media.example.org/a/b"),
  append_slash: fc.boolean(),
});

const leaf = (name: string): string => (name === "index" ? "index/index.json" : `${name}.json`);

/** A site's sources by their paths, including `_site.json`. */
export const extremeSites: Arbitrary<Sources> = site.chain((addresses) => {
  const { media_url } = addresses;
  return fc
    .tuple(
      fc.tuple(...SKELETON.map(([, type]) => page(type, media_url))),
      fc.array(page("artworks.ArtworkPage", media_url), { maxLength: 4 }),
      fc.array(page("standardpages.GeneralPage", media_url), { maxLength: 4 }),
      fc.uniqueArray(id, { minLength: 16, maxLength: 16 }),
      fc.uniqueArray(
        slug.filter((name) => !DEVICES.test(name)),
        { minLength: 8, maxLength: 8, selector: (name) => name.toLowerCase() },
      ),
    )
    .map(([skeleton, works, generals, numbers, slugs]) => {
      const sources: Sources = { "_site.json": addresses };
      let next = 0;
      const put = (path: string, values: Values): void => {
        const meta = values["meta"] as Values | undefined;
        if (meta?.["external_id"] !== undefined) meta["external_id"] = `works:${next}`;
        sources[path] = { ...values, id: numbers[next++] ?? 0 };
      };
      for (const [i, [path]] of SKELETON.entries()) put(`${path}index.json`, skeleton[i] ?? {});
      for (const [i, work] of works.entries())
        put(`art/_works/${leaf(slugs[i] ?? "")}`, { ...work, acno: `N0000${i}` });
      for (const [i, general] of generals.entries()) put(`visit/${leaf(slugs[i + 4] ?? "")}`, general);
      return sources;
    });
});
