import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Failure } from "../../build/base/failure.ts";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { copy } from "../../build/change/create.ts";
import { move } from "../../build/change/page-actions.ts";
import { retire } from "../../build/change/page-actions.ts";
import { isObject, type JsonObject } from "../../build/source/json/object.ts";
import { runHere } from "../command.ts";
import { git, repository } from "./diff/repository.ts";
import { general, page, SITE, workplace, write, type Workplace } from "../site/site.ts";
import { readJson } from "../files.ts";

/* Commands on sources without some of their fields, or with empty ones: they may refuse them, but never crash. */

const FULL = readJson(
  PROGRAM_FOLDER,
  "test/cases/artwork-with-every-field/content/artworks/marsh.json",
) as JsonObject;

/** Copies of a value without one of its fields, at any depth. */
function* variants(value: JsonObject): Generator<JsonObject> {
  for (const [key, field] of Object.entries(value)) {
    const { [key]: _, ...rest } = value;
    yield rest;
    const [first] = Array.isArray(field) ? (field as unknown[]) : [];
    if (isObject(field)) for (const one of variants(field)) yield { ...value, [key]: one };
    else if (isObject(first)) for (const one of variants(first)) yield { ...value, [key]: [one] };
  }
}

const type = "artworks.ArtworkPage";
const SOURCES: unknown[] = [
  ...variants(FULL),
  ...Object.entries(FULL).map(([key, value]) => ({ [key]: value })),
  ...variants({ id: 7, meta: { type, go_live_at: "2030-02-30T00:00:00Z", expire_at: "soon" } }),
  { id: 7, meta: { type } },
  {},
  [],
  null,
  1,
  "",
  "{",
  '{"id": 7, "meta"',
];

const FIXED = {
  "_site.json": SITE,
  "index.json": page(1, "home.HomePage", "Home"),
  "visit/index.json": general(2, "Visit"),
  "works/index.json": page(3, "artworks.ArtworkIndexPage", "Works"),
};

const crashes = async (place: Workplace, ...[name = "", ...args]: string[]): Promise<boolean> =>
  /^\s+at /m.test((await runHere(name, args, { cwd: place.folder })).stderr);

let place: Workplace;
beforeAll(() => {
  const files = SOURCES.map((source, k) => [`works/_a/w${k}.json`, source]);
  place = repository("left-out", { ...FIXED, ...Object.fromEntries(files) });
  // Each source is also another version of the one before.
  for (const [k, source] of SOURCES.entries())
    place.put(`works/_a/w${(k + 1) % SOURCES.length}.json`, source);
  git(place.folder, "mv", "content/works/_a/w0.json", "content/works/_a/moved.json");
});

test.each([
  ["diff"],
  ["diff", "--at", "2030-01-01T00:00:00Z"],
  ["diff", "--reporter", "markdown"],
  ["schedule"],
  ["fix", "--dry-run", "--format"],
  ["fix", "--dry-run", "--ids", "works/_a"],
  ["new", "--list", "contributors"],
  ["new", "--list", "classifications"],
  ["new", "--list", "venues"],
  ["new", "general", "visit/cafe", "--title", "Café"],
  ["move", "visit", "tea", "--dry-run"],
  ["retire", "visit", "--dry-run"],
])("%s does not crash beside them", async (...call) => {
  expect(await crashes(place, ...call)).toBe(false);
});

test("move, retire and new --copy do not crash on one of them", () => {
  const { content } = workplace("left-out-one");
  for (const [file, value] of Object.entries(FIXED)) write(content, file, value);
  for (const source of SOURCES) {
    write(content, "works/w.json", source);
    const copied = { content, path: "visit/copy", draft: true, facts: {}, title: "Other" };
    const calls = {
      move: () => void move(content, join(content, "works/w"), join(content, "works/v"), { isDry: true }),
      retire: () => void retire(content, join(content, "works/w"), undefined, { isDry: true }),
      copy: () => rmSync(join(content, copy(join(content, "works/w"), copied).target.file)),
    };
    for (const [name, call] of Object.entries(calls))
      expect({ source, name, thrown: thrownBy(call) }).toEqual({ source, name, thrown: undefined });
  }
});

/** Any exception but a refusal. */
function thrownBy(call: () => void): unknown {
  try {
    call();
  } catch (cause) {
    if (!(cause instanceof Failure)) return cause;
  }
  return undefined;
}
