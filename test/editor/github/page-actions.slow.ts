import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readHistory } from "../../../build/change/pages.ts";
import { move, publishDraft, retire, withdraw } from "../../../build/change/page-actions.ts";
import type { GitHubStore } from "../../../build/editor/github/store.ts";
import type { Along } from "../../../build/editor/store.ts";
import type { History } from "../../../build/model/history.ts";
import { programModel } from "../../../build/model/program-model.ts";
import { HISTORY } from "../../../build/source/site-files.ts";
import { runHere } from "../../command.ts";
import { FIXTURE_SITE } from "../../fixtures.ts";
import { checkOut } from "./git.ts";
import type { FileChange } from "../../../build/change/change.ts";
import { FIXTURE_SETTINGS, movesOf, museumOfEachTest, TOKENS } from "./museum.ts";

const museum = museumOfEachTest();
const PROPOSAL = { title: "Move", body: "", draft: false };
const SITE = "https://www.aldermouth.example.org";

function linking(id: number, href: string): string {
  const file = "art/artworks/_d00/lear-corfu-from-ascension-d00033.json";
  const text = readFileSync(join(FIXTURE_SITE, file), "utf8");
  const acno = `D${String(id % 100_000).padStart(5, "0")}`;
  return text
    .replace(/"id": \d+/, `"id": ${id}`)
    .replace(/"acno": "[^"]*"/, `"acno": "${acno}"`)
    .replace("/about/collection-history/", href);
}

let store: GitHubStore;

beforeEach(() => {
  store = museum.open(TOKENS.writer);
});

/** The sources below a folder, by path, without `_history.json`. */
const sourcesIn = (content: string): Map<string, string> =>
  new Map(
    readdirSync(content, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json") && file !== HISTORY)
      .sort()
      // The command writes where the schema is from this checkout, and drops a byte order mark.
      .map((file) => [
        file,
        readFileSync(join(content, file), "utf8").replace(/"\$schema": "[^"]*"|^\ufeff/g, ""),
      ]),
  );

/** Changes pages in the proposal and by commands: both must write the same files. */
async function bothWays(command: (content: string) => unknown, propose: () => Promise<unknown>) {
  const { git } = museum.repository;
  const written = checkOut(git, "main");
  command(written);
  await propose();
  const { head } = await store.propose(PROPOSAL);
  const proposed = checkOut(git, head);
  expect(sourcesIn(proposed)).toEqual(sourcesIn(written));
  const [was, is] = [written, proposed].map((content) => readHistory(content)) as [History, History];
  expect(new Set(is.moved)).toEqual(new Set(was.moved));
  expect(new Set(is.retired)).toEqual(new Set(was.retired));
  return proposed;
}

const checked = (content: string) => runHere("check", ["--content", content]);

async function moveBothWays(from: string, to: string): Promise<string> {
  const proposed = await bothWays(
    (content) => move(content, join(content, from), join(content, to)),
    () => movesOf(museum, store).move(from, to),
  );
  expect(await checked(proposed)).toMatchObject({ status: 0 });
  return proposed;
}

it("changes the links to a section that moves, and owned paths, as the command does", async () => {
  const drafts = {
    "content/art/artworks/_plan.json": linking(41_000_001, "/about/collection-history/?a=1#b"),
    // A page that was merged after the site was published.
    "content/art/artworks/later.json": linking(41_000_002, `${SITE}/about/`),
    "content/art/artworks/other.json": linking(41_000_003, "https://elsewhere.example/about/"),
    "content/art/artworks/_marked.json": `\ufeff${linking(41_000_004, "/about/#x")}`,
  };
  museum.repository.git.change("main", drafts);
  const proposed = await moveBothWays("about/index.json", "visit/about/index.json");
  const history = [...sourcesIn(proposed).values()].join("");
  expect(history).not.toMatch(/href=\\?"(?:https:\/\/www\.aldermouth\.example\.org)?\/about\//);
  expect(history.match(/\/visit\/about\/collection-history\//g)?.length).toBeGreaterThan(9);
  expect(readFileSync(join(proposed, "_site.json"), "utf8")).toContain('"/visit/about/"');
});

it("changes the links in a page that moves", async () => {
  const drafts = Object.fromEntries(
    ["index", "part"].map((name, k) => [
      `content/art/artworks/new/${name}.json`,
      linking(41_000_001 + k, "/art/artworks/new/part/?x"),
    ]),
  );
  museum.repository.git.change("main", drafts);
  const moves = movesOf(museum, store);
  await moves.move("art/artworks/new/index.json", "art/artworks/old/index.json");
  for (const name of ["index", "part"])
    expect(await store.read(`art/artworks/old/${name}.json`)).toContain("/art/artworks/old/part/?x");
});

it("changes links in collected changes, and again if the page moves again", async () => {
  const moves = movesOf(museum, store);
  const page = linking(41_000_005, "/visit/access/");
  await store.save({ file: "art/artworks/new.json", before: null, after: page });
  expect((await moves.linking("visit/access.json")).sources.map(({ file }) => file)).toContain(
    "art/artworks/new.json",
  );
  await moves.move("visit/access.json", "about/access.json");
  expect(await store.read("art/artworks/new.json")).toBe(page.replace("/visit/access/", "/about/access/"));
  await moves.move("about/access.json", "about/step-free.json");
  expect(await store.read("art/artworks/new.json")).toBe(page.replace("/visit/access/", "/about/step-free/"));
  const moved = (): Promise<unknown> =>
    store.read(HISTORY).then((text) => (JSON.parse(text ?? "{}") as { moved: unknown }).moved);
  expect(await moved()).toEqual([{ id: 12, address: "/visit/access/" }]);
  // The page returns to its published address.
  await moves.move("about/step-free.json", "visit/access.json");
  expect(await moved()).toEqual([]);
  expect(await store.read("art/artworks/new.json")).toBe(page);
  store.discard(["art/artworks/new.json"], programModel, undefined);
  expect(store.changes.map(({ file }) => file)).toEqual([HISTORY]);
});

const retitled = (text: string): string => text.replace('"title": "', '"title": "New ');
const sorted = (changes: readonly FileChange[]) => changes.toSorted((a, b) => (a.file < b.file ? -1 : 1));

it("takes a move back whole, with the links and the history, and keeps later edits", async () => {
  const edited = "art/artworks/_plan.json";
  const plan = linking(41_000_001, "/visit/access/");
  museum.repository.git.change("main", { [`content/${edited}`]: plan });
  const moves = movesOf(museum, store);
  await moves.move("visit/access.json", "about/access.json");
  const text = (await store.read(edited)) ?? "";
  expect(text).toContain("/about/access/");
  await store.save({ file: edited, before: text, after: retitled(text) });
  await moves.move("about/index.json", "visit/about/index.json");
  store.discard(["visit/access.json", "visit/about/access.json"], programModel, FIXTURE_SETTINGS);
  expect(store.changes).toEqual([{ file: edited, before: plan, after: retitled(plan) }]);
});

it("takes one of two moves back", async () => {
  const moves = movesOf(museum, store);
  await moves.move("visit/access.json", "about/access.json");
  await moves.move("visit/getting-here/index.json", "about/getting-here/index.json");
  const alone = museum.open(TOKENS.writer);
  await movesOf(museum, alone).move("visit/getting-here/index.json", "about/getting-here/index.json");
  store.discard(["about/access.json"], programModel, FIXTURE_SETTINGS);
  expect(sorted(store.changes)).toEqual(sorted(alone.changes));
});

it("refuses to retire a page to which another page refers, or to an address without a page", async () => {
  museum.repository.git.change("main", { "content/art/artworks/_plan.json": linking(41_000_001, "page:12") });
  const moves = movesOf(museum, store);
  await expect(moves.retire("visit/access.json", undefined)).rejects.toThrow(
    /_plan\.json:\d+:\d+ refers to the page 12/,
  );
  await expect(moves.retire("visit/history.json", "/visit/nowhere/")).rejects.toThrow(
    "no page has this address",
  );
  // The form shows these pages instead, with links.
  const { sources } = await moves.linking("visit/access.json");
  expect(sources.filter((one) => one.isReference)).toMatchObject([{ file: "art/artworks/_plan.json" }]);
  museum.repository.git.change("main", { "content/art/artworks/plan.json": linking(41_000_002, "page:12") });
  await expect(moves.withdraw("visit/access.json")).rejects.toThrow(/\/plan\.json:\d+:\d+ refers/);
  expect(store.changes).toEqual([]);
});

const places = (links: readonly { href: string; place: { file: string } }[]): string[] =>
  links.map(({ href, place }) => `${place.file} ${href}`);

it("lists the links to a retired page and to a page that becomes a draft", async () => {
  museum.repository.git.change("main", {
    "content/art/artworks/_plan.json": linking(41_000_001, "/visit/access/"),
  });
  const moves = movesOf(museum, store);
  const retired = places(await moves.retire("visit/access.json", undefined));
  expect(retired).toContain("art/artworks/_plan.json /visit/access/");
  store = museum.open(TOKENS.writer);
  const links = await movesOf(museum, store).withdraw("visit/access.json");
  expect(store.changes.map(({ file }) => file)).toEqual(["visit/access.json", "visit/_access.json"]);
  expect(places(links)).toEqual(retired);
  await expect(movesOf(museum, store).withdraw("visit/history.json")).rejects.toThrow("history/_index.json");
});

it("lists each file that cannot be read, and moves the page without it", async () => {
  const { git } = museum.repository;
  git.change("main", {
    "content/art/_one.json": linking(41_000_001, "/visit/access/"),
    "content/art/_two.json": linking(41_000_002, "/visit/access/"),
  });
  const moves = movesOf(museum, store);
  const all = await moves.linking("visit/access.json");
  expect(all.unread).toEqual([]);
  museum.github.plant({ operation: "git/get-blob", status: 502, body: "<h1>Bad gateway</h1>" });
  const one = await moves.linking("visit/access.json");
  expect(one.unread).toEqual([
    { file: expect.stringMatching(/^art\/_(?:one|two)\.json$/), reason: expect.any(String) },
  ]);
  expect(one.sources).toHaveLength(all.sources.length - 1);
  await moves.move("visit/access.json", "about/access.json", { linking: one });
  const [left = ""] = one.unread.map(({ file }) => file);
  expect(store.changes.map(({ file }) => file)).not.toContain(left);
  expect(await store.read(left)).toContain("/visit/access/");
});

it("stops reading when GitHub requires a pause", async () => {
  const files = Array.from(
    { length: 30 },
    (_, k) => [`content/art/_${k}.json`, linking(41_000_000 + k, "/visit/access/")] as const,
  );
  museum.repository.git.change("main", Object.fromEntries(files));
  const fault = {
    status: 403,
    headers: { "retry-after": "60" },
    body: { message: "You have exceeded a secondary rate limit" },
  };
  museum.github.plant({ operation: "git/get-blob", skip: 5, times: 30, ...fault });
  const { unread } = await movesOf(museum, store).linking("visit/access.json");
  expect(unread.length).toBeGreaterThan(20);
  expect(new Set(unread.map(({ reason }) => reason)).size).toBe(1);
  const blobs = museum.github.operations.filter((operation) => operation === "git/get-blob");
  expect(blobs.length).toBeLessThan(20);
});

const live = (k: number): string => `visit/p${k}.json`;

it("moves at most 50 pages, and changes the links of at most 50 others, which it lists", async () => {
  const files = Array.from(
    { length: 51 },
    (_, k) => [`content/${live(k)}`, linking(42_000_000 + k, "/visit/access/")] as const,
  );
  museum.repository.git.change("main", Object.fromEntries(files));
  const moves = movesOf(museum, store);
  const section = "visit/index.json";
  await expect(moves.move(section, "about/visit/index.json")).rejects.toThrow("at most 50 pages");
  const drafts = await moves.linking("visit/access.json");
  expect(drafts.sources).toHaveLength(50);
  expect(drafts.unread[0]?.reason).toBe("Links are changed in at most 50 pages at once here.");
  for (const [k] of files.entries()) {
    museum.live.set(42_000_000 + k, live(k));
    museum.links.set(live(k), ["/visit/access"]);
  }
  museum.github.reset();
  const published = await moves.linking("visit/access.json");
  expect(published.sources).toHaveLength(50);
  expect(published.unread.length).toBeGreaterThan(0);
  const read = museum.github.operations.filter((operation) => operation === "repos/get-content");
  expect(read.length).toBeLessThan(55);
  await expect(moves.withdraw(section)).rejects.toThrow("at most 50 pages");
});

it("reads at most 1,000 files that are no live pages, and lists the others", async () => {
  const files = Array.from({ length: 1001 }, (_, k) => [`content/art/_${k}.json`, "{}"] as const);
  museum.repository.git.change("main", Object.fromEntries(files));
  // Quicker than the texts.
  museum.github.plant({ operation: "git/get-blob", times: 2000, status: 502, body: "" });
  const { unread } = await movesOf(museum, store).linking("visit/access.json");
  const limited = unread.filter(({ reason }) => reason === "At most 1000 files are searched.");
  expect(unread.length - limited.length).toBeLessThanOrEqual(1000);
  expect(limited.length).toBeGreaterThan(0);
});

it("reports that GitHub does not list all files", async () => {
  museum.github.world.maxEntries = 3;
  const { unread } = await movesOf(museum, store).linking("visit/access.json");
  expect(unread).toContainEqual({ file: "content", reason: "GitHub does not list all files." });
});

describe("on a site in two languages", () => {
  const LOCALES = { ...FIXTURE_SETTINGS, locales: { en: "English", cy: "Cymraeg" } };
  const GENERAL = "standardpages.GeneralPage";
  const welsh = (id: number, title: string, meta: object = {}) => ({
    $schema: "",
    id,
    meta: { type: GENERAL, ...meta },
    title,
  });
  /** About and a page of it are drafts in Welsh. Others are at the same path, or at another one. */
  const WELSH: Record<string, object> = {
    "cy/index.json": { ...welsh(9001, "Hafan"), meta: { type: "home.HomePage" } },
    "cy/visit/index.json": welsh(9010, "Ymweld"),
    "cy/visit/access.json": welsh(9012, "Mynediad"),
    "cy/visit/oriau.json": welsh(9013, "Oriau", { translation_of: 11 }),
    "cy/about/_index.json": welsh(9030, "Amdanom"),
    "cy/about/_cysylltu.json": welsh(9033, "Cysylltu", { translation_of: 33 }),
    "cy/visit/_getting-here.json": welsh(9014, "Cyrraedd"),
    "cy/research/index.json": welsh(9020, "Ymchwil"),
  };
  const ROWS = [
    [3, 9001],
    [10, 9010],
    [12, 9012],
    [11, 9013],
    [50, 9020],
  ];
  const moves = () => movesOf(museum, store, LOCALES, ROWS);
  const both = { translations: true };
  type Operation = (file: string, to?: string, more?: Along) => Promise<unknown>;
  const COMMANDS = { move, retire, publish: publishDraft, withdraw } as Record<
    "move" | "retire" | "publish" | "withdraw",
    (content: string, file: string, to?: string, more?: Along) => unknown
  >;

  beforeEach(() => {
    const sources = Object.entries({ "_site.json": LOCALES, ...WELSH }).map(
      ([file, source]) => [`content/${file}`, JSON.stringify(source, null, 2)] as const,
    );
    museum.repository.git.change("main", Object.fromEntries(sources));
    for (const [file, source] of Object.entries(WELSH))
      if (!file.includes("/_")) museum.live.set((source as { id: number }).id, file);
  });

  it.each<[title: string, operation: keyof typeof COMMANDS, file: string, to?: string, more?: Along]>([
    ["a page that moves alone", "move", "visit/access.json", "about/step-free.json"],
    [
      "a page that moves to the path of its translation",
      "move",
      "visit/opening-times.json",
      "visit/oriau.json",
    ],
    ["a page whose translations are drafts", "move", "about/index.json", "us/index.json"],
    ["a draft that moves", "move", "cy/visit/_getting-here.json", "cy/_teithio.json"],
    ["a draft section that moves", "move", "cy/about/_index.json", "cy/visit/about/_index.json"],
    [
      "a section that moves with its translation",
      "move",
      "visit/index.json",
      "research/visit/index.json",
      both,
    ],
    ["a page that is retired alone", "retire", "visit/opening-times.json"],
    [
      "a page that is retired with its translation, for another page in each language",
      "retire",
      "visit/opening-times.json",
      "/visit/",
      both,
    ],
    ["a page that becomes a draft", "withdraw", "visit/opening-times.json"],
    ["a draft that becomes a page", "publish", "cy/visit/_getting-here.json"],
  ])("keeps translations as the command does: %s", async (_, operation, file, to, more) => {
    const own = moves();
    const run = own[operation].bind(own) as Operation;
    const proposed = await bothWays(
      (content) => COMMANDS[operation](content, file, to, more),
      () => run(file, to, more),
    );
    expect(await checked(proposed)).toMatchObject({ status: 0 });
  });
});
