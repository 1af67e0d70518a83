import type { Files, Row } from "../row.ts";
import { ACCESS, VALID } from "../site.ts";

const valid = (file: string): string => VALID[file] ?? "";
const moved = (from: string, to: string): Files => ({ [from]: null, [to]: valid(from) });

/** A row for a renamed file of the valid site. The hint leads back to its name. */
const named = (did: string, right: string, wrong: string, code: Row["code"]): Row => ({
  did,
  before: moved(right, wrong),
  code,
  at: [wrong],
  after: { [right]: valid(right), [wrong]: null },
});

const general = (id: number, title: string): string => `{
  "id": ${id},
  "meta": { "type": "standardpages.GeneralPage" },
  "title": "${title}"
}
`;
const EASTER = "visit/hours/easter.json";

const NAMES: Row[] = [
  named("Index.json", "visit/hours/index.json", "visit/hours/Index.json", "wrong-case"),
  named("INDEX.JSON", "visit/hours/index.json", "visit/hours/INDEX.JSON", "wrong-case"),
  named(".JSON", EASTER, "visit/hours/easter.JSON", "wrong-case"),
  named(".json.json", EASTER, "visit/hours/easter.json.json", "bad-slug"),
  named("index.json.json", "visit/hours/index.json", "visit/hours/index.json.json", "bad-slug"),
  named(".json.txt", EASTER, "visit/hours/easter.json.txt", "other-file"),
  named(".jsn", EASTER, "visit/hours/easter.jsn", "other-file"),
  named(".jsonc", EASTER, "visit/hours/easter.jsonc", "other-file"),
  {
    did: "index.json.txt",
    before: moved("visit/hours/index.json", "visit/hours/index.json.txt"),
    code: "index-missing",
    at: ["visit/hours/index.json"],
    beside: ["other-file"],
    after: { "visit/hours/index.json": valid("visit/hours/index.json"), "visit/hours/index.json.txt": null },
  },
  named("a home page called Index.json", "index.json", "Index.json", "wrong-case"),
  {
    did: "a home page called index.json.txt",
    before: moved("index.json", "index.json.txt"),
    code: "home-missing",
    at: ["index.json"],
    beside: ["other-file"],
    after: { "index.json": valid("index.json"), "index.json.txt": null },
  },
  {
    did: "a home page made a draft",
    before: moved("index.json", "_index.json"),
    code: "home-missing",
    at: ["index.json"],
    after: { "index.json": valid("index.json"), "_index.json": null },
  },
  {
    did: "Site.json for _site.json",
    before: moved("_site.json", "_Site.json"),
    code: "wrong-case",
    at: ["_Site.json"],
    after: { "_site.json": valid("_site.json") },
  },
  ...(
    [
      ["spaces and letters with marks", "visit/Café & bar.json", "visit/cafe-and-bar.json"],
      ["a copy made in a file manager", "visit/parking (1).json", "visit/parking-1.json"],
      ["a letter that has no accent", "visit/Großer Saal.json", "visit/grosser-saal.json"],
      ["a full stop in a name", "visit/st.ives.json", "visit/st-ives.json"],
      ["an underscore too many in a draft", "visit/_été.json", "visit/_ete.json"],
    ] as const
  ).map(([did, wrong, right]): Row => ({
    did,
    before: { [wrong]: general(40, "Bar") },
    code: "bad-slug",
    at: [wrong],
    after: { [right]: general(40, "Bar"), [wrong]: null },
  })),
  {
    did: "the name of a device on Windows",
    before: { "visit/Aux.json": general(40, "Auxiliaries") },
    code: "reserved-name",
    at: ["visit/Aux.json"],
    after: { "visit/Aux-page.json": general(40, "Auxiliaries"), "visit/Aux.json": null },
  },
  {
    did: "a space in a folder's name",
    before: {
      "visit/Our shop/index.json": general(40, "Shop"),
      "visit/Our shop/toys.json": general(41, "Toys"),
    },
    code: "bad-slug",
    at: ["visit/Our shop/index.json"],
    after: {
      "visit/our-shop/index.json": general(40, "Shop"),
      "visit/our-shop/toys.json": general(41, "Toys"),
    },
  },
  {
    did: "a picture among the pages",
    before: { "visit/plan.jpg": Buffer.from("ffd8ff", "hex") },
    code: "other-file",
    at: ["visit/plan.jpg"],
    byHand: ["is not a page source", "move other files out of the content folder"],
    after: { "visit/plan.jpg": null },
  },
];

const TREE: Row[] = [
  {
    did: "a folder without its page",
    before: { "visit/shop/toys.json": general(41, "Toys") },
    code: "index-missing",
    at: ["visit/shop/index.json"],
    byHand: ["“shop” contains pages but is not a page itself", "Add shop/index.json", "would move its pages"],
    not: ["rename it to _"],
    after: { "visit/shop/index.json": general(40, "Shop") },
  },
  {
    did: "a page in a group",
    before: { "visit/_more/index.json": general(40, "More") },
    code: "index-in-group",
    at: ["visit/_more/index.json"],
    byHand: ["only groups files", "rename this file", "at other addresses"],
    after: { "visit/_more/index.json": null, "visit/_more/more.json": general(40, "More") },
  },
  {
    did: "a page and a folder of the same name",
    before: { "visit/hours.json": general(40, "Hours") },
    code: "slug-clash",
    at: ["visit/hours.json"],
    byHand: ["would have the address “hours”", "visit/hours/index.json", "another name is another address"],
    beside: ["slug-clash"],
    after: { "visit/hours.json": null },
  },
  {
    did: "two pages that differ in a capital letter",
    before: { "visit/Access.json": general(40, "Access") },
    code: "slug-clash",
    at: ["visit/Access.json"],
    byHand: ["Upper and lower case count as the same"],
    beside: ["slug-clash"],
    after: { "visit/Access.json": null },
  },
  {
    did: "a work beside the others' folder",
    before: {
      "art/fen-d00009.json": valid("art/works/_d/fen-d00003.json")
        .replace("33", "40")
        .replace("D00003", "D00009"),
    },
    code: "misplaced-type",
    at: ["art/fen-d00009.json", '"artworks.ArtworkPage"'],
    byHand: ["cannot be below", "artworks.ArtworkIndexPage"],
    after: { "art/fen-d00009.json": null },
  },
  {
    did: "no home page",
    before: { "index.json": null },
    code: "home-missing",
    at: ["index.json"],
    byHand: ["There is no home page", "home.HomePage"],
    after: { "index.json": valid("index.json") },
  },
  {
    did: "a draft of a page that is published",
    before: { "visit/_access.json": valid(ACCESS) },
    code: "id-clash",
    at: ["visit/_access.json", "12"],
  },
  {
    did: "a draft copied from a draft",
    before: { "visit/_autumn.json": valid("visit/_winter.json") },
    code: "id-clash",
    at: ["visit/_autumn.json", "13"],
    beside: ["id-clash"],
  },
  {
    did: "a draft in a draft section with the id of a page",
    before: { "visit/shop/_index.json": general(40, "Shop"), "visit/shop/toys.json": general(12, "Toys") },
    code: "id-clash",
    at: ["visit/shop/toys.json", "12"],
  },
  {
    did: "a page copied from a page",
    before: { "visit/parking.json": valid(ACCESS) },
    code: "id-clash",
    at: ["visit/parking.json", "12"],
    beside: ["id-clash"],
  },
  {
    did: "a draft that is not finished",
    before: {
      "visit/_cafe.json":
        '{\n  "id": 40,\n  "meta": { "type": "standardpages.GeneralPage" },\n  "tittle": "Café"\n}\n',
    },
    code: "unknown-field",
    at: ["visit/_cafe.json", '"tittle"'],
    after: { "visit/_cafe.json": general(40, "Café") },
  },
];

/** Valid JSON, but not a page. */
const LISTED: Row = {
  did: "a page in a list",
  before: { [ACCESS]: `[\n${valid(ACCESS)}]\n` },
  code: "not-an-object",
  at: [ACCESS, "["],
};

const CRLF = (text: string): string => text.replaceAll("\n", "\r\n");

const BYTES: Row[] = [
  ...(
    [
      ["UTF-16, as Notepad's “Unicode”", Buffer.from(`\ufeff${valid(ACCESS)}`, "utf16le")],
      ["UTF-16, the other way round", Buffer.from(`\ufeff${valid(ACCESS)}`, "utf16le").swap16()],
      ["UTF-16 without a mark", Buffer.from(valid(ACCESS), "utf16le")],
    ] as const
  ).map(([did, bytes]): Row => ({
    did,
    before: { [ACCESS]: bytes },
    code: "invalid-utf8",
    at: [ACCESS],
    not: ["another encoding"],
  })),
  {
    did: "the encoding of old Windows",
    before: { [ACCESS]: Buffer.from(valid(ACCESS).replace("Access", "Café"), "latin1") },
    code: "invalid-utf8",
    at: [ACCESS],
    after: { [ACCESS]: valid(ACCESS).replace("Access", "Café") },
  },
  {
    did: "a byte order mark",
    before: { [ACCESS]: `\ufeff${valid(ACCESS)}` },
    code: "byte-order-mark",
    at: [ACCESS],
  },
  {
    did: "a merge that is not finished, on Windows",
    before: {
      [ACCESS]: CRLF(
        valid(ACCESS).replace(
          '  "title": "Access"\n',
          '<<<<<<< HEAD\n  "title": "Access"\n=======\n  "title": "Entry"\n>>>>>>> main\n',
        ),
      ),
    },
    code: "json-syntax",
    at: [ACCESS, "<<<<<<< HEAD"],
  },
  {
    did: "a merge that is not finished in _site.json",
    before: {
      "_site.json": valid("_site.json").replace(
        /( {2}"owned.*\n)/,
        '<<<<<<< HEAD\n$1=======\n  "owned_paths": []\n>>>>>>> main\n',
      ),
    },
    code: "json-syntax",
    at: ["_site.json"],
    after: { "_site.json": valid("_site.json") },
  },
];

export const FILES: readonly Row[] = [...NAMES, ...TREE, LISTED, ...BYTES];
