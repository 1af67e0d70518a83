import { expect, it } from "vitest";
import { MAX_SEARCHED } from "../../../build/editor/github/files.ts";
import { TOKENS, museumOfEachTest } from "./museum.ts";

const museum = museumOfEachTest();

it("reads a live page with one request", async () => {
  const page = await museum.open(TOKENS.writer).open(12);
  expect(page?.file).toBe("visit/access.json");
  expect(museum.github.operations).toEqual(["repos/get-content"]);
});

it("reads the page types of the branch with one request, and no page in them", async () => {
  const store = museum.open(TOKENS.writer);
  expect(await store.types()).toBeNull();
  museum.repository.git.change("main", { "content/_types.json": '{"id": 504}' });
  expect(await store.types()).toBe('{"id": 504}');
  expect(museum.github.operations).toEqual(["repos/get-content", "repos/get-content"]);
  expect(await store.open(504)).toBeUndefined();
});

it("finds drafts, pages that are not live yet and pages that have moved", async () => {
  const { git } = museum.repository;
  const text = git.readAt("main", "content/visit/access.json").toString();
  git.change("main", {
    "content/visit/access.json": null,
    "content/visit/getting-here/step-free.json": text,
    "content/art/new.json": '{"id": 501}',
    "content/art/_plans/_index.json": '{"id": 502}',
    "content/art/_plans/part.json": '{"id": 503,',
    // Files that are not page sources.
    "content/_history.json": '{"id": 504}',
    "content/.drafts/x.json": '{"id": 504}',
    "content/_media/x.png": Buffer.from([0xff]),
    "content/art/_latin.json": Buffer.from([0x22, 0xff, 0x22]),
    "other/x.json": '{"id": 504}',
  });
  const store = museum.open(TOKENS.writer);
  expect(await store.open(12)).toEqual({ file: "visit/getting-here/step-free.json", text });
  expect((await store.open(17))?.file).toBe("visit/_winter-closure.json");
  expect((await store.open(501))?.file).toBe("art/new.json");
  expect((await store.open(502))?.file).toBe("art/_plans/_index.json");
  expect((await store.open(503))?.file).toBe("art/_plans/part.json");
  expect(await store.open(504)).toBeUndefined();
});

it("reads a file that did not change only once, and no file of a live page", async () => {
  const store = museum.open(TOKENS.writer);
  expect(await store.open(999)).toBeUndefined();
  const blobs = (): number => museum.github.operations.filter((id) => id === "git/get-blob").length;
  expect(blobs()).toBe(1);
  expect(await store.open(998)).toBeUndefined();
  expect(blobs()).toBe(1);
  museum.repository.git.change("main", { "content/art/_two.json": '{"id": 998}' });
  expect((await store.open(998))?.file).toBe("art/_two.json");
  expect(blobs()).toBe(2);
});

it("lists folder by folder if GitHub cuts off the whole list", async () => {
  museum.github.world.maxEntries = 20;
  const store = museum.open(TOKENS.writer);
  expect((await store.open(17))?.file).toBe("visit/_winter-closure.json");
  const trees = museum.github.received.filter(({ operation }) => operation === "git/get-tree");
  expect(trees.filter(({ url }) => url.includes("recursive"))).toHaveLength(1);
  expect(trees.length).toBeGreaterThan(5);
});

it("lists the images in the repository, and no other file beside them", async () => {
  const store = museum.open(TOKENS.writer);
  const first = await store.images();
  expect(first).toContain("formats/marsh.png");
  museum.repository.git.change("main", {
    "content/_media/new/ü 1.png": Buffer.from([0xff]),
    "content/_media/notes.txt": "x",
    "content/_media/.hidden.png": "x",
    "content/_media/formats/marsh.png": null,
  });
  museum.github.world.maxEntries = 30;
  const expected = [...first, "new/ü 1.png"].filter((path) => path !== "formats/marsh.png");
  expect((await store.images()).sort()).toEqual(expected.sort());
  const { git } = museum.repository;
  const gone = Object.fromEntries(
    [...expected, "notes.txt", ".hidden.png"].map((path) => [`content/_media/${path}`, null]),
  );
  git.change("main", gone);
  museum.github.world.maxEntries = 100_000;
  expect(await store.images()).toEqual([]);
});

it("reports that a page may be in a part that GitHub leaves out", async () => {
  museum.github.world.maxEntries = 3;
  await expect(museum.open(TOKENS.writer).open(999)).rejects.toThrow(
    "Page 999 is not among the files of aldermouth/pages that could be searched. Edit its file on GitHub.",
  );
});

it(`reads at most 1,000 files in search of a page, drafts first`, async () => {
  expect(MAX_SEARCHED).toBe(1000);
  const files = Array.from({ length: 1000 }, (_, i) => [`content/art/page-${i}.json`, '{"id": 5}'] as const);
  museum.repository.git.change("main", { ...Object.fromEntries(files), "content/art/zz.json": '{"id": 6}' });
  const store = museum.open(TOKENS.writer);
  expect((await store.open(17))?.file).toBe("visit/_winter-closure.json");
  await expect(store.open(6)).rejects.toThrow("could be searched");
  museum.repository.git.change("main", { "content/art/page-0.json": null, "content/art/page-1.json": null });
  expect((await store.open(6))?.file).toBe("art/zz.json");
});
