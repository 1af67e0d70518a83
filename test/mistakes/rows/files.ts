import { inFiles, type Files, type Misplaced, type Row } from "../row.ts";
import { ACCESS, general, VALID } from "../site.ts";

const valid = (file: string): string => VALID[file] ?? "";
const moved = (from: string, to: string): Files => ({ [from]: null, [to]: valid(from) });

/** A renamed file of the valid site. The hint leads back to its name. */
const named = (code: Row["code"], right: string, wrong: string, more: Misplaced[2] = {}): Misplaced => [
  code,
  moved(right, wrong),
  { after: { [right]: valid(right), [wrong]: null }, ...more },
];

/** A file with a name that cannot be part of an address. The hint leads to another name. */
const badlyNamed = (wrong: string, right: string, text = general(40, "Bar")): Misplaced => [
  "bad-slug",
  { [wrong]: text },
  { after: { [right]: text, [wrong]: null } },
];

const INDEX = "visit/hours/index.json";
const EASTER = "visit/hours/easter.json";

const NAMES = inFiles({
  "Index.json": named("wrong-case", INDEX, "visit/hours/Index.json"),
  "INDEX.JSON": named("wrong-case", INDEX, "visit/hours/INDEX.JSON"),
  ".JSON": named("wrong-case", EASTER, "visit/hours/easter.JSON"),
  ".json.json": named("bad-slug", EASTER, "visit/hours/easter.json.json"),
  "index.json.json": named("bad-slug", INDEX, "visit/hours/index.json.json"),
  ".json.txt": named("other-file", EASTER, "visit/hours/easter.json.txt"),
  ".jsn": named("other-file", EASTER, "visit/hours/easter.jsn"),
  ".jsonc": named("other-file", EASTER, "visit/hours/easter.jsonc"),
  "index.json.txt": named("index-missing", INDEX, `${INDEX}.txt`, { at: INDEX, beside: ["other-file"] }),
  "a home page called Index.json": named("wrong-case", "index.json", "Index.json"),
  "a home page called index.json.txt": named("home-missing", "index.json", "index.json.txt", {
    at: "index.json",
    beside: ["other-file"],
  }),
  "a home page made a draft": named("home-missing", "index.json", "_index.json", { at: "index.json" }),
  "Site.json for _site.json": named("wrong-case", "_site.json", "_Site.json"),
  "History.JSON for _history.json": named("wrong-case", "_history.json", "_History.JSON"),
  "spaces and letters with marks": badlyNamed("visit/Café & bar.json", "visit/cafe-and-bar.json"),
  "a copy made in a file manager": badlyNamed("visit/parking (1).json", "visit/parking-1.json"),
  "a letter that has no accent": badlyNamed("visit/Großer Saal.json", "visit/grosser-saal.json"),
  "a full stop in a name": badlyNamed("visit/st.ives.json", "visit/st-ives.json"),
  "an underscore too many in a draft": badlyNamed("visit/__ete.json", "visit/_ete.json"),
  "a folder named like a file": [
    "bad-slug",
    { "visit/shop.json/index.json": general(40, "Shop") },
    { after: { "visit/shop/index.json": general(40, "Shop"), "visit/shop.json/index.json": null } },
  ],
  "the name of a device on Windows": [
    "reserved-name",
    { "visit/Aux.json": general(40, "Auxiliaries") },
    { after: { "visit/Aux-page.json": general(40, "Auxiliaries"), "visit/Aux.json": null } },
  ],
  "a space in a folder's name": [
    "bad-slug",
    { "visit/Our shop/index.json": general(40, "Shop"), "visit/Our shop/toys.json": general(41, "Toys") },
    {
      after: {
        "visit/our-shop/index.json": general(40, "Shop"),
        "visit/our-shop/toys.json": general(41, "Toys"),
      },
    },
  ],
});

const TREE = inFiles({
  "a draft of a published page": ["id-clash", { "visit/_access.json": valid(ACCESS) }, { marked: "12" }],
  "a draft copied from a draft": [
    "id-clash",
    { "visit/_autumn.json": valid("visit/_winter.json") },
    { marked: "13", beside: ["id-clash"] },
  ],
  "a draft in a draft section with the id of a page": [
    "id-clash",
    { "visit/shop/toys.json": general(12, "Toys"), "visit/shop/_index.json": general(40, "Shop") },
    { marked: "12" },
  ],
  "a page copied from a page": [
    "id-clash",
    { "visit/parking.json": valid(ACCESS) },
    { marked: "12", beside: ["id-clash"] },
  ],
  "a draft that is not finished": [
    "unknown-field",
    { "visit/_cafe.json": general(40, "Café").replace('"title"', '"tittle"') },
    { marked: '"tittle"', after: { "visit/_cafe.json": general(40, "Café") } },
  ],
});

const encoded = (bytes: Buffer): Misplaced => [
  "invalid-utf8",
  { [ACCESS]: bytes },
  { not: ["another encoding"] },
];

const BYTES = inFiles({
  "a page in a list": ["not-an-object", { [ACCESS]: `[\n${valid(ACCESS)}]\n` }, { marked: "[" }],
  "UTF-16, as Notepad's “Unicode”": encoded(Buffer.from(`\ufeff${valid(ACCESS)}`, "utf16le")),
  "UTF-16, the other way round": encoded(Buffer.from(`\ufeff${valid(ACCESS)}`, "utf16le").swap16()),
  "UTF-16 without a mark": encoded(Buffer.from(valid(ACCESS), "utf16le")),
  "the encoding of old Windows": [
    "invalid-utf8",
    { [ACCESS]: Buffer.from(valid(ACCESS).replace("Access", "Café"), "latin1") },
    { after: { [ACCESS]: valid(ACCESS).replace("Access", "Café") } },
  ],
  "a byte order mark": ["byte-order-mark", { [ACCESS]: `\ufeff${valid(ACCESS)}` }],
  "a merge that is not finished, on Windows": [
    "json-syntax",
    {
      [ACCESS]: valid(ACCESS)
        .replace(
          '  "title": "Access"\n',
          '<<<<<<< HEAD\n  "title": "Access"\n=======\n  "title": "Entry"\n>>>>>>> main\n',
        )
        .replaceAll("\n", "\r\n"),
    },
    { marked: "<<<<<<< HEAD" },
  ],
  "a merge that is not finished in _site.json": [
    "json-syntax",
    {
      "_site.json": valid("_site.json").replace(
        /( {2}"owned.*\n)/,
        '<<<<<<< HEAD\n$1=======\n  "owned_paths": []\n>>>>>>> main\n',
      ),
    },
    { after: { "_site.json": valid("_site.json") } },
  ],
});

export const FILES: readonly Row[] = [...NAMES, ...TREE, ...BYTES];
