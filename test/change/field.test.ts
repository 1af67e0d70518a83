import { beforeEach, describe, expect, it } from "vitest";
import { changeField } from "../../build/change/field.ts";
import { check } from "../../build/site/check.ts";
import { runHere } from "../command.ts";
import { treeOf } from "../files.ts";
import { laid } from "../laid.ts";
import { textsIn } from "../fixtures.ts";
import { general, page, SITE, workplace, type Workplace } from "../site/site.ts";
import { refusal } from "../refusal.ts";

const EVENT = "tides.TidePage";

const TEXTS = Object.fromEntries(Object.entries(textsIn("field")).map(([file, text]) => [file, laid(text)]));
const [TYPES = "", WALK = ""] = [TEXTS["_types.json"], TEXTS["walk.json"]];
const SAGA = (JSON.parse(TEXTS["about.json"] ?? "") as { saga: object[] }).saga;

let place: Workplace;
const FILES = ["_types.json", "walk.json", "about.json", "_draft.json"];
const texts = () => FILES.map(place.source);
const change = (of: string, to?: string, isDry = false) => changeField(place.content, of, to, { isDry });

beforeEach(() => {
  place = workplace("field");
  place.put("_site.json", { ...SITE, owned_paths: [] });
  place.putAll(TEXTS);
  place.put("index.json", page(1, "home.HomePage", "Home"));
  place.put("_draft.json", WALK.replace("20", "21").replace('"role"', String.raw`"r\u006fle"`));
});

const findings = async () => (await check({ content: place.content })).findings;

describe("renaming a field", () => {
  const ROLES: [before: string, after: string][] = [
    ['"name": "text", "role"', '"name": "text", "part"'],
    ...["x", "z", "w"].map((role): [string, string] => [`"role": "${role}"`, `"part": "${role}"`]),
  ];
  /** By the path of a field and its new name: what changes in the files, and the number of values. */
  const RENAMED: [field: string, to: string, changes: [before: string, after: string][], values: number][] = [
    ["Speaker.role", "part", ROLES, 4],
    ["standardpages.GeneralPage.saga.people.role", "part", ROLES, 4],
    [
      `${EVENT}.nested.role`,
      "part",
      [
        ['"role": "y"', '"part": "y"'],
        ['{ "role": "text" }', '{ "part": "text" }'],
        ["nested.role", "nested.part"],
      ],
      2,
    ],
    [`${EVENT}.opens`, "begins", [['"opens"', '"begins"']], 2],
    [
      "Venue.id",
      "number",
      [
        ['"key": "id"', '"key": "number"'],
        ['{ "id": "integer"', '{ "number": "integer"'],
        ['{ "id": 5', '{ "number": 5'],
      ],
      2,
    ],
    ["every.keywords", "words", [['"keywords"', '"words"']], 2],
    [`${EVENT}.meta.locale`, "language", [['"locale"', '"language"']], 2],
    ["every.meta.owner", "by", [['"owner"', '"by"']], 2],
    ["standardpages.GeneralPage.saga.quote.by", "author", [['"by"', '"author"']], 1],
    [
      "Body.quote",
      "words",
      [
        ['"quote": {', '"words": {'],
        ['"type": "quote"', '"type": "words"'],
      ],
      2,
    ],
    ["Body.head line", "heading", [['"head line"', '"heading"']], 1],
  ];

  it.each(RENAMED)("%s to %s changes only the names, everywhere", async (field, to, changes, values) => {
    const before = texts();
    const done = change(field, to);
    expect(done.values).toBe(values);
    expect(new Set(done.files)).toEqual(new Set(FILES.filter((file, i) => before[i] !== place.source(file))));
    expect(texts()).toEqual(
      before.map((text) => changes.reduce((now, [from, renamed]) => now.replaceAll(from, renamed), text)),
    );
    expect(await findings()).toEqual([]);
    // Nothing has the old name any more.
    expect(() => change(field, to)).toThrow("declares no field");
  });

  it("is undone by renaming it back", () => {
    const before = texts();
    change("Speaker.role", "part");
    expect(texts()).not.toEqual(before);
    change("Speaker.part", "role");
    expect(texts()).toEqual(before);
  });
});

describe("removing a field", () => {
  it("removes its values, and nothing else", async () => {
    expect(change("Speaker.role")).toMatchObject({ values: 4 });
    expect(place.source("walk.json")).toBe(WALK.replace(', "role": "x"', ""));
    expect(place.source("_types.json")).toBe(TYPES.replace(', "role": "text"', ""));
    expect(await findings()).toEqual([]);
  });

  it("removes the blocks of a type", async () => {
    expect(change("Body.quote")).toMatchObject({ values: 2, files: ["_types.json", "about.json"] });
    const { saga } = JSON.parse(place.source("about.json")) as { saga: object[] };
    expect(saga).toEqual(SAGA.slice(1, 3));
    expect(await findings()).toEqual([]);
  });
});

describe("a refused change writes nothing", () => {
  const REFUSED: [
    what: string,
    field: string,
    to: string | undefined,
    message: string,
    files?: Record<string, unknown>,
  ][] = [
    ["a field that is not declared", `${EVENT}.role`, "part", "declares no field"],
    ["a field of the program", "artworks.ArtworkPage.acno", "number", "a field of the program"],
    ["a name that is taken beside it", "Speaker.role", "name", "already"],
    ["a name that the type has", `${EVENT}.opens`, "title", "_types.json would then have an error"],
    ["a name with other characters", "Speaker.role", "the role", "_types.json would then have an error"],
    [
      "the removal of a field that another one names",
      `${EVENT}.opens`,
      undefined,
      "_types.json would then have an error",
    ],
    ["the removal of a key", "Venue.id", undefined, "_types.json would then have an error"],
    [
      "a source that has the new name too",
      "Speaker.role",
      "part",
      "z.json has",
      { "z.json": { ...general(30, "Z"), host: { name: "", role: "a", part: "b" } } },
    ],
    ["a source with errors", "Speaker.role", "part", "z.json has errors", { "z.json": '{"role": ' }],
    ["types with errors", "Speaker.role", "part", "_types.json:1:2", { "_types.json": '{"type": {}}' }],
  ];

  it.each(REFUSED)("%s", (_, field, to, message, files = {}) => {
    for (const [file, value] of Object.entries(files)) place.put(file, value);
    const before = treeOf(place.content);
    expect(() => change(field, to)).toThrow(message);
    expect(treeOf(place.content)).toEqual(before);
  });

  it("a dry run, which lists the same files", async () => {
    const before = treeOf(place.content);
    const dry = change("Speaker.role", "part", true);
    const args = ["--content", place.content, "--rename-field", "Speaker.role", "--to", "part"];
    const { stdout } = await runHere("fix", [...args, "--dry-run"]);
    expect(stdout).toMatch(/Nothing was written[^]*about\.json[^]*4 values/);
    expect(treeOf(place.content)).toEqual(before);
    expect(await runHere("fix", args)).toMatchObject({ status: 0, stderr: "" });
    expect(treeOf(place.content)).not.toEqual(before);
    expect(dry.files).toEqual(["_types.json", "_draft.json", "about.json", "walk.json"]);
  });
});

describe("npx page-api fix refuses", () => {
  it.each([
    [["--rename-field", "Speaker.role"], "--to"],
    [["--to", "x"], "--rename-field"],
    [["--remove-field", "Speaker.role", "--to", "x"], "--to"],
    [["--remove-field", "Speaker.role", "walk.json"], "name no files"],
    [["--rename-field", "Speaker.role", "--to", "x", "--format"], "--format"],
  ])("%j", async (args, message) => {
    expect(await runHere("fix", ["--content", place.content, ...args])).toMatchObject(refusal(message));
  });
});
