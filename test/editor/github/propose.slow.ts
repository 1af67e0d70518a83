import { programModel } from "../../../build/model/program-model.ts";
import { expect, it } from "vitest";
import { readHistory } from "../../../build/change/pages.ts";
import { Conflict } from "../../../build/editor/store.ts";
import { runHere } from "../../command.ts";
import { general, pngOf } from "../../site/site.ts";
import { changed, checkOut } from "./git.ts";
import type { ChangeCollection } from "../../../build/editor/github/store.ts";
import { collectionOf, movesOf, museumOfEachTest, NAME, openMuseum, TOKENS } from "./museum.ts";

const museum = museumOfEachTest();

const PROPOSAL = { title: "Change the opening times", body: "For the winter.", draft: false };
const now = (): number => Date.UTC(2026, 10, 23);
const MAIN = "refs/heads/main";

async function checksOut(commit: string, expected = 0): Promise<void> {
  const content = checkOut(museum.repository.git, commit);
  const { status, stdout } = await runHere("check", ["--content", content]);
  expect({ status, stdout }).toMatchObject({ status: expected });
}

it("proposes several changes as one commit, one branch and one pull request, which the check accepts", async () => {
  const { repository, github } = museum;
  const { git } = repository;
  const base = git.resolve(MAIN);
  const store = museum.open(TOKENS.writer, { now, random: () => 1 });

  const edit = async (id: number, change: (text: string) => string | null): Promise<void> => {
    const { file, text } = (await store.open(id)) ?? { file: "", text: "" };
    await store.save({ file, before: text, after: change(text) });
  };
  await edit(12, (text) => text.replace('"title": "Access"', '"title": "Zugänglichkeit ✓"'));
  await edit(17, () => null);
  const after = `${JSON.stringify(general(41_234_567, "Cloakroom"))}\n`;
  await store.save({ file: "visit/cloakroom.json", before: null, after });
  expect(store.changes.map(({ file }) => file)).toEqual([
    "visit/access.json",
    "visit/_winter-closure.json",
    "visit/cloakroom.json",
  ]);

  const pull = await store.propose(PROPOSAL);
  // GitHub limits the requests with content: short texts are sent together.
  expect(github.operations).not.toContain("git/create-blob");
  expect(pull).toEqual({
    number: 1,
    url: `https://github.com/${NAME}/pull/1`,
    head: git.resolve("refs/pull/1/head"),
  });
  expect([...git.branches]).toEqual([
    ["main", base],
    ["edit/2026-11-23-access-bbbb", pull.head],
  ]);
  expect(github.world.pulls).toMatchObject([{ ...PROPOSAL, base: "main" }]);
  expect(git.commit(pull.head)).toMatchObject({
    parents: [base],
    message: "Change the opening times\n\nFor the winter.",
  });
  expect(changed(git, "main", pull.head)).toEqual([
    "D 100644→000000 content/visit/_winter-closure.json",
    "M 100644→100644 content/visit/access.json",
    "A 000000→100644 content/visit/cloakroom.json",
  ]);
  expect(store.changes).toEqual([]);

  await checksOut(pull.head);
});

it("proposes an image with its page, and refuses the name of another image", async () => {
  const { git } = museum.repository;
  const store = museum.open(TOKENS.writer);
  const image = pngOf(4, 3);
  await store.addImage("maps/ground-floor.png", image.toString("base64"));
  expect(await store.images()).toContain("maps/ground-floor.png");
  await expect(store.addImage("formats/marsh.png", "")).rejects.toThrow("already");
  await store.save({ file: "visit/map.json", before: null, after: JSON.stringify(general(41_234, "Map")) });
  const { head } = await store.propose(PROPOSAL);
  expect(changed(git, "main", head)).toEqual([
    "A 000000→100644 content/_media/maps/ground-floor.png",
    "A 000000→100644 content/visit/map.json",
  ]);
  expect(git.readAt(head, "content/_media/maps/ground-floor.png").equals(image)).toBe(true);
});

it("moves, retires, publishes and withdraws pages, and records their addresses", async () => {
  const { git } = museum.repository;
  const store = museum.open(TOKENS.writer);
  const moves = movesOf(museum, store);
  expect(await moves.subpages("visit/index.json")).toBeGreaterThan(3);
  await expect(moves.retire("visit/index.json", undefined)).rejects.toThrow("visit/_winter-closure.json");
  expect(store.changes).toEqual([]);
  await moves.move("visit/access.json", "visit/study-room/access.json");
  await moves.retire("about/image-use.json", "/about/");
  await moves.publish("visit/_winter-closure.json");
  await moves.withdraw("about/contact.json");
  const { head } = await store.propose(PROPOSAL);
  expect(changed(git, "main", head)).toEqual([
    expect.stringMatching(/^[AM] .* content\/_history.json$/),
    "A 000000→100644 content/about/_contact.json",
    "D 100644→000000 content/about/contact.json",
    "D 100644→000000 content/about/image-use.json",
    "D 100644→000000 content/visit/_winter-closure.json",
    "D 100644→000000 content/visit/access.json",
    "D 100644→000000 content/visit/study-room.json",
    "A 000000→100644 content/visit/study-room/access.json",
    "A 000000→100644 content/visit/study-room/index.json",
    "A 000000→100644 content/visit/winter-closure.json",
  ]);
  const content = checkOut(git, head);
  expect(readHistory(content)).toMatchObject({
    moved: [{ id: 12, address: "/visit/access/" }],
    retired: [{ id: 32, address: "/about/image-use/", to: "/about/" }],
  });
  await checksOut(head);
  // A page that returns leaves no change.
  const again = museum.open(TOKENS.writer);
  const back = movesOf(museum, again);
  await back.withdraw("visit/getting-here/by-train.json");
  await back.publish("visit/getting-here/_by-train.json");
  expect(again.changes).toEqual([]);
});

it("moves no page of a section if one cannot move, and retires all of them", async () => {
  const store = museum.open(TOKENS.writer);
  const moves = movesOf(museum, store);
  // The last of the files is taken.
  await store.save({ file: "about/travel/by-train.json", before: null, after: "{}" });
  const collected = store.changes;
  await expect(moves.move("visit/getting-here/index.json", "about/travel/index.json")).rejects.toThrow(
    Conflict,
  );
  expect(store.changes).toEqual(collected);

  store.discard(["about/travel/by-train.json"], programModel, undefined);
  await moves.retire("visit/getting-here/index.json", "/visit/");
  expect(
    store.changes
      .map(({ file, after }) => (after === null ? file : ""))
      .filter(Boolean)
      .sort(),
  ).toEqual(["by-ferry", "by-train", "index"].map((name) => `visit/getting-here/${name}.json`));
});

it("turns the file of a parent into a folder in the same commit, with its collected change", async () => {
  const { git } = museum.repository;
  const before = git.readAt("main", "content/visit/access.json").toString();
  const store = museum.open(TOKENS.writer);
  const text = before
    .replace('"title": "', '"title": "New: ')
    .replace('"$schema"', String.raw`"\u0024schema"`);
  await store.save({ file: "visit/access.json", before, after: text });
  expect(await store.giveFolder("visit/access.json")).toBe("visit/access/index.json");
  expect(await store.open(12)).toMatchObject({ file: "visit/access/index.json" });
  const schema = await store.schemaReference("visit/access/lift.json");
  expect(schema).toBe("../../../build/contract/page.schema.json");
  const page = { $schema: schema, ...general(41_234_567, "Lift") };
  await store.save({ file: "visit/access/lift.json", before: null, after: JSON.stringify(page) });
  const { head } = await store.propose(PROPOSAL);
  expect(changed(git, "main", head)).toEqual([
    "D 100644→000000 content/visit/access.json",
    "A 000000→100644 content/visit/access/index.json",
    "A 000000→100644 content/visit/access/lift.json",
  ]);
  const [own] = /"\\u0024schema": "[^"]*"/.exec(text) ?? [];
  expect(own).toBeDefined();
  expect(git.readAt(head, "content/visit/access/index.json").toString()).toBe(
    text.replace(own ?? "", (own ?? "").replace('"../', '"../../')),
  );
  await checksOut(head);
});

it("gives no folder to a page that has changed or is gone, nor one that is taken", async () => {
  const { git } = museum.repository;
  const store = museum.open(TOKENS.writer);
  await expect(store.giveFolder("visit/nothing.json")).rejects.toThrow(/not in the repository any more/);
  git.change("main", { "content/visit/access/index.json": "{}\n" });
  await expect(store.giveFolder("visit/access.json")).rejects.toThrow(Conflict);
  expect(store.changes).toEqual([]);
});

it("keeps the bytes of every file, read and written", async () => {
  const { git } = museum.repository;
  const texts = [
    '{\r\n  "id": 100\r\n}\r\n',
    '\ufeff{"id": 101}\n',
    '{"id": 102}',
    '{"id": 103, "title": "Übergröße – 北斎 — 🖼 \\ud83d"}\n',
    '{"id": 104,}',
    // GitHub omits the content of a file that is larger than 1 MiB.
    `{"id": 105, "x": "${"x".repeat(4 * 2 ** 20 - 22)}"}\n`,
  ];
  const files = texts.map((_, i) => `visit/odd-${i}.json`);
  for (const [i, file] of files.entries()) museum.live.set(100 + i, file);
  git.change("main", Object.fromEntries(texts.map((text, i) => [`content/${files[i]}`, text])));
  const store = museum.open(TOKENS.writer);
  for (const [i, text] of texts.entries()) {
    expect(await store.open(100 + i)).toEqual({ file: files[i], text });
    await store.save({ file: files[i] ?? "", before: text, after: text.replace('"id": ', '"id":') });
  }
  await store.save({ file: "visit/nothing.json", before: null, after: "" });
  const { head } = await store.propose(PROPOSAL);
  const read = (file = ""): string => git.readAt(head, `content/${file}`).toString();
  for (const [i, text] of texts.entries()) expect(read(files[i])).toBe(text.replace('"id": ', '"id":'));
  expect(read("visit/nothing.json")).toBe("");
});

it("keeps the mode of a file, and names with spaces, umlauts, # and %", async () => {
  const { git } = museum.repository;
  const odd = "content/visit/_Grüße & 100 % #1?.json";
  git.change(
    "main",
    { "content/visit/access.json": '{"id": 12}', [odd]: '{"id": 77}' },
    { "content/visit/access.json": "100755" },
  );
  const store = museum.open(TOKENS.writer);
  await store.save({ file: "visit/access.json", before: '{"id": 12}', after: '{"id": 12 }' });
  const found = await store.open(77);
  expect(found).toEqual({ file: "visit/_Grüße & 100 % #1?.json", text: '{"id": 77}' });
  await store.save({ file: found?.file ?? "", before: '{"id": 77}', after: null });
  await store.save({ file: "visit/_neue Öffnungszeiten #2.json", before: null, after: "{}" });
  const { head } = await store.propose(PROPOSAL);
  expect(museum.github.world.pulls[0]?.head.branch).toMatch(/^edit\/\d{4}-\d\d-\d\d-access-[a-z]{4}$/);
  const paths = [...git.files(head).keys()].filter((path) => path.startsWith("content/visit/_"));
  expect(paths).toEqual(["content/visit/_neue Öffnungszeiten #2.json", "content/visit/_winter-closure.json"]);
  expect(git.entry(head, "content/visit/access.json")?.mode).toBe("100755");
});

it.each([
  ["in a branch with slashes", { branch: "release/2026#1" }],
  ["at the top of the repository", { content: "" }],
  ["in a folder below another", { content: "site/our pages/" }],
])("works on pages %s", async (_, settings) => {
  await museum.github.close();
  Object.assign(museum, await openMuseum(settings));
  const store = museum.open(TOKENS.writer);
  const draft = await store.open(17);
  expect(draft?.file).toBe("visit/_winter-closure.json");
  await store.save({ file: draft?.file ?? "", before: draft?.text ?? null, after: "{}" });
  const { head } = await store.propose(PROPOSAL);
  const base = museum.settings.branch;
  expect(museum.github.world.pulls).toMatchObject([{ base }]);
  const prefix = museum.settings.content.replace(/\/?$/, "/").replace(/^\/$/, "");
  expect(changed(museum.repository.git, base, head)).toEqual([
    `M 100644→100644 ${prefix}visit/_winter-closure.json`,
  ]);
});

it("works on an Enterprise Server, whose API is below a path", async () => {
  await museum.github.close();
  Object.assign(museum, await openMuseum({ isEnterprise: true }));
  expect(museum.settings.api_url).toMatch(/\/api\/v3$/);
  const store = museum.open(TOKENS.writer);
  const page = await store.open(12);
  await store.save({ file: "visit/access.json", before: page?.text ?? null, after: "{}" });
  const pull = await store.propose(PROPOSAL);
  await store.checks(pull);
  expect(museum.github.received.every(({ url }) => url.startsWith("/api/v3/"))).toBe(true);
});

it("refuses a change of a file that has changed since it was opened", async () => {
  const { git } = museum.repository;
  const store = museum.open(TOKENS.writer);
  const page = await store.open(12);
  const before = page?.text ?? null;
  git.change("main", { "content/visit/access.json": '{"id": 12, "title": "Another editor"}' });
  const change = { file: "visit/access.json", before, after: "{}" };
  const refused: unknown = await store.save(change).catch((cause: unknown) => cause);
  expect(refused).toBeInstanceOf(Conflict);
  expect(refused).toMatchObject({
    file: "visit/access.json",
    current: '{"id": 12, "title": "Another editor"}',
  });
  expect(store.changes).toEqual([]);

  // The editor resolves the conflict and saves on top of the current version.
  await store.save({ ...change, before: '{"id": 12, "title": "Another editor"}' });
  git.change("main", { "content/visit/access.json": null });
  const { operations } = museum.github;
  museum.github.reset();
  await expect(store.propose(PROPOSAL)).rejects.toMatchObject({ name: "Conflict", current: null });
  expect(operations).not.toContain("git/create-tree");
  expect(museum.github.operations.filter((id) => id.includes("create"))).toEqual([]);
  expect([...git.branches.keys()]).toEqual(["main"]);
  expect(store.changes).toHaveLength(1);
});

it("proposes a page with errors as a draft, on the last commit of the branch", async () => {
  const { git } = museum.repository;
  const store = museum.open(TOKENS.writer);
  await store.save({ file: "visit/cloakroom.json", before: null, after: "{}" });
  const later = git.change("main", { "content/visit/other.json": "{}" });
  const { head } = await store.propose({ ...PROPOSAL, body: "", draft: true });
  expect(museum.github.world.pulls).toMatchObject([{ draft: true }]);
  expect(git.commit(head)).toMatchObject({ message: PROPOSAL.title, parents: [later] });
  expect(changed(git, "main", head)).toEqual(["A 000000→100644 content/visit/cloakroom.json"]);
  await checksOut(head, 1);
});

it("replaces an earlier change of the same file, and drops a change that leads back", async () => {
  const store = museum.open(TOKENS.writer);
  const file = "visit/access.json";
  const before = (await store.open(12))?.text ?? null;
  await store.save({ file, before, after: '{"id": 12, "title": "One"}' });
  expect(await store.open(12)).toEqual({ file, text: '{"id": 12, "title": "One"}' });
  await store.save({ file, before: '{"id": 12, "title": "One"}', after: '{"id": 12, "title": "Two"}' });
  expect(store.changes).toEqual([{ file, before, after: '{"id": 12, "title": "Two"}' }]);
  await store.save({ file, before: '{"id": 12, "title": "Two"}', after: before });
  expect(store.changes).toEqual([]);
  await expect(store.propose(PROPOSAL)).rejects.toThrow("There are no changes to propose.");
  await store.save({ file, before, after: null });
  expect(await store.open(12)).toBeUndefined();
  store.discard([file], programModel, undefined);
  expect((await store.open(12))?.text).toBe(before);
});

it("goes on from a text that has been proposed, merged or not", async () => {
  const { git } = museum.repository;
  const store = museum.open(TOKENS.writer);
  const file = "visit/access.json";
  const before = (await store.open(12))?.text ?? null;
  await store.save({ file, before, after: '{"id": 12, "title": "One"}' });
  const first = await store.propose(PROPOSAL);
  await store.save({ file, before: '{"id": 12, "title": "One"}', after: '{"id": 12, "title": "Two"}' });
  expect(store.changes).toEqual([{ file, before, after: '{"id": 12, "title": "Two"}' }]);
  store.discard([file], programModel, undefined);
  git.refs.set(MAIN, first.head);
  await store.save({ file, before: '{"id": 12, "title": "One"}', after: '{"id": 12, "title": "Three"}' });
  expect(store.changes).toMatchObject([{ before: '{"id": 12, "title": "One"}' }]);
  store.discard([file], programModel, undefined);
  git.change("main", { "content/visit/access.json": "{}" });
  const other = { file, before: '{"id": 12, "title": "One"}', after: "[]" };
  await expect(store.save(other)).rejects.toMatchObject({ name: "Conflict", current: "{}" });
});

it("refuses a new page in place of one that another editor has just added", async () => {
  const store = museum.open(TOKENS.writer);
  await expect(store.save({ file: "visit/access.json", before: null, after: "{}" })).rejects.toBeInstanceOf(
    Conflict,
  );
  museum.repository.git.change("main", { "content/visit/folder.json/index.json": "{}" });
  await expect(store.save({ file: "visit/folder.json", before: null, after: "{}" })).rejects.toThrow(
    "visit/folder.json is not a file",
  );
});

it("refuses names that are not those of page sources", async () => {
  const store = museum.open(TOKENS.writer);
  const names = [
    "../x.json",
    "/etc/x.json",
    "visit//x.json",
    ".github/x.json",
    "a\\b.json",
    "a\n.json",
    "x.txt",
    "visit",
    "",
  ];
  for (const file of names)
    await expect(store.save({ file, before: null, after: "{}" })).rejects.toThrow(
      "is not the name of a page source",
    );
  expect(museum.github.received).toEqual([]);
});

it("refuses a text that is no UTF-8 or larger than 4 MiB", async () => {
  const store = museum.open(TOKENS.writer);
  const save = (after: string): Promise<void> => store.save({ file: "visit/x.json", before: null, after });
  await expect(save("\ud800")).rejects.toThrow("half a character");
  await expect(save("ä".repeat(2 ** 21 + 1))).rejects.toThrow("larger than 4 MiB");
  museum.repository.git.change("main", { "content/visit/access.json": Buffer.from([0x7b, 0xff, 0x7d]) });
  await expect(store.open(12)).rejects.toThrow("visit/access.json is not UTF-8");
});

it("does not propose twice at the same time, and keeps changes that are collected meanwhile", async () => {
  const one = { file: "visit/one.json", before: null, after: "{}" };
  const two = { file: "visit/two.json", before: null, after: "{}" };
  const collection = collectionOf([]);
  const store = museum.open(TOKENS.writer, { collection });
  const otherTab = museum.open(TOKENS.writer, { collection: copying(collection) });
  await store.save(one);
  await store.save(two);
  const proposed = store.propose(PROPOSAL);
  for (const tab of [store, otherTab])
    await expect(tab.propose(PROPOSAL)).rejects.toThrow("already being proposed");
  await otherTab.save({ ...two, before: "{}", after: "[]" });
  await otherTab.save({ file: "visit/three.json", before: null, after: "{}" });
  await proposed;
  const left = [
    { ...two, after: "[]" },
    { file: "visit/three.json", before: null, after: "{}" },
  ];
  expect(otherTab.changes).toEqual(left);
  const { head } = await otherTab.propose(PROPOSAL);
  expect(changed(museum.repository.git, "main", head)).toEqual([
    "A 000000→100644 content/visit/three.json",
    "A 000000→100644 content/visit/two.json",
  ]);
  expect(collection.read()).toEqual([]);
});

/** A collection in the browser's storage, which gives each tab other objects. */
const copying = ({ read, write, alone }: ChangeCollection): ChangeCollection => ({
  alone,
  read: () => structuredClone(read()),
  write: (changes) => write(structuredClone(changes)),
});

it("reports the change that another tab has collected, and replaces it only after it was seen", async () => {
  const { git } = museum.repository;
  const file = "visit/access.json";
  const collection = collectionOf([]);
  const [one, two] = [1, 2].map(() => museum.open(TOKENS.writer, { collection: copying(collection) }));
  const before = (await one?.open(12))?.text ?? null;
  await one?.save({ file, before, after: "{}" });
  const conflict = (current: string | null): object => ({ name: "Conflict", file, current });
  await expect(two?.save({ file, before, after: "[]" })).rejects.toMatchObject(conflict("{}"));
  expect(two?.changes).toEqual([{ file, before, after: "{}" }]);
  // The file changes in the repository too: the editor sees both, one after the other.
  git.change("main", { "content/visit/access.json": "[1]" });
  await expect(two?.save({ file, before, after: "[]" })).rejects.toMatchObject(conflict("{}"));
  await expect(two?.save({ file, before: "{}", after: "[]" })).rejects.toMatchObject(conflict("[1]"));
  await two?.save({ file, before: "[1]", after: "[]" });
  expect(one?.changes).toEqual([{ file, before: "[1]", after: "[]" }]);
});

it("refuses a new page at the address of another new page", async () => {
  const store = museum.open(TOKENS.writer);
  const first = { file: "visit/cloakroom.json", before: null, after: '{"id": 1}' };
  await store.save(first);
  for (const file of [first.file, "visit/cloakroom/index.json"])
    await expect(store.save({ file, before: null, after: '{"id": 2}' })).rejects.toMatchObject({
      name: "Conflict",
      file: first.file,
      current: first.after,
    });
  expect(store.changes).toEqual([first]);
});
