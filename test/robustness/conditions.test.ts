import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../build/base/failure.ts";
import { thisProcess } from "../../build/base/lock.ts";
import { build } from "../../build/site/build.ts";
import { runSync } from "../command.ts";
import { filesBelow, treeOf } from "../files.ts";
import { general, SITE, write, type Workplace, SMALL_SITE } from "../site/site.ts";
import { cleanTree } from "../site/clean.ts";
import { makeSpecial } from "../site/output/special.ts";
import { startBuilder, type Builder } from "./process.ts";
import { placeOfEachTest } from "../each.ts";

const place = placeOfEachTest("conditions", SMALL_SITE);

describe("two builds at the same time", () => {
  it("of one output, by two names of its folder: the second is refused", async () => {
    await build(place);
    const alias = join(place.folder, "alias");
    symlinkSync(place.out, alias);
    let second: Promise<unknown> | undefined;
    const progress = () => void (second ??= build({ ...place, out: alias }).catch((cause: unknown) => cause));
    await build({ ...place, full: true, progress });
    expect(await second).toBeInstanceOf(Failure);
  });
});

it.each(["index.html", "index/index.json", "bulk/index.json"])(
  "a FIFO in place of %s is replaced, because it contains nothing",
  async (index) => {
    place.put("_site.json", { ...SITE, index: true, bulk: true });
    await build({ ...place, browse: true });
    const before = place.tree();
    await makeSpecial("fifo", join(place.out, index), "");
    await build({ ...place, browse: true });
    expect(place.tree()).toEqual(before);
  },
);

describe("files of a killed build", () => {
  it("do not block the next build, which removes them", async () => {
    await build(place);
    const [folder = ""] = readdirSync(place.cache);
    for (const name of ["manifest.new", "lock"]) writeFileSync(join(place.cache, folder, name), "half");
    const gone = { ...thisProcess(), pid: 2 ** 22 + 1 };
    for (const [path, text] of [
      ["lock", JSON.stringify(gone)],
      ["pages/99/index.json", "{"],
      ["changed/2.json", "{"],
      ["files/0", "half"],
      ["stamp", ""],
    ] as const)
      write(join(place.out, ".building"), path, text);
    place.put("about.json", general(2, "Hello"));
    await build(place);
    expect(place.tree()).toEqual(await cleanTree(place.content));
    expect(readdirSync(join(place.cache, folder)).sort()).toEqual(["manifest", "output"]);
  });

  it("are removed even if the next build has nothing else to do", async () => {
    await build(place);
    write(join(place.out, ".building"), "changed/2.json", "{");
    await build(place);
    expect(place.tree()).toEqual(await cleanTree(place.content));
  });
});

describe("third-party files where the build must write", () => {
  it("before a first build, with status 2 and the path", () => {
    write(place.out, "_headers/note.txt", "not ours");
    const { status, stderr } = runSync("build", ["--content", place.content, "--out", place.out]);
    expect(status).toBe(2);
    expect(stderr).toContain(join(place.out, "_headers"));
    expect(place.tree()).toEqual({ "_headers/note.txt": "not ours" });
  });
});

const remembered = (): string[] => filesBelow(place.cache).map((path) => join(place.cache, path));

describe("the manifest of a build", () => {
  const damages: [string, (bytes: Buffer) => Buffer][] = [
    ["empty", () => Buffer.alloc(0)],
    ["cut", (bytes) => bytes.subarray(0, bytes.length / 2)],
    ["one byte short", (bytes) => bytes.subarray(0, -1)],
    ["longer", (bytes) => Buffer.concat([bytes, Buffer.alloc(8)])],
    ["of nonsense", (bytes) => Buffer.alloc(bytes.length, 7)],
    [
      "of another version",
      (bytes) => Buffer.from(bytes.toString("latin1").replace(/[0-9a-f]{64}/, "0".repeat(64)), "latin1"),
    ],
    ["with one bit changed", (bytes) => bytes.with(bytes.length - 40, (bytes.at(-40) ?? 0) ^ 1) as Buffer],
  ];

  it.each(damages)("that is %s only causes a full build", async (_, damage) => {
    const before = await build(place);
    for (const file of remembered()) writeFileSync(file, damage(readFileSync(file)));
    place.put("visit/index.json", general(10, "Hello"));
    write(place.out, "api/v2/pages/999/index.json", "{}");
    const after = await build(place);
    expect(after.findings).toEqual(before.findings);
    expect(place.tree()).toEqual(await cleanTree(place.content));
  });

  it("that belongs to a previous output folder of the same path is not used", async () => {
    await build(place);
    rmSync(place.out, { recursive: true });
    mkdirSync(join(place.out, "api/v2/pages/31"), { recursive: true });
    writeFileSync(join(place.out, "api/v2/pages/31/index.json"), "{}");
    await build(place);
    expect(place.tree()).toEqual(await cleanTree(place.content));
  });

  it("is used for sources that were moved to another folder", async () => {
    await build(place);
    const content = join(place.folder, "moved");
    cpSync(place.content, content, { recursive: true, preserveTimestamps: true });
    write(content, "about.json", general(2, "Moved"));
    await build({ ...place, content });
    expect(place.tree()).toEqual(await cleanTree(content));
  });
});

describe("positions of the folders", () => {
  const ways: [string, (at: Workplace) => { content: string; out: string }][] = [
    ["output inside content", ({ content }) => ({ content, out: join(content, "public") })],
    ["output and content one folder", ({ content }) => ({ content, out: content })],
    ["content inside output", ({ content, folder }) => ({ content, out: folder })],
    [
      "output inside content, through a link",
      ({ content, folder }) => {
        symlinkSync(content, join(folder, "alias"));
        return { content, out: join(folder, "alias", "public") };
      },
    ],
  ];

  it.each(ways)("%s is refused, and nothing is written", async (_, folders) => {
    const options = { ...folders(place), cache: place.cache };
    const before = treeOf(place.content);
    await expect(build(options)).rejects.toBeInstanceOf(Failure);
    expect(treeOf(place.content)).toEqual(before);
  });

  it("a content folder can be a link", async () => {
    const content = join(place.folder, "alias");
    symlinkSync(place.content, content);
    await build({ ...place, content });
    expect(place.tree()).toEqual(await cleanTree(place.content));
  });
});

describe.skipIf(process.getuid?.() !== 0)("without permission (needs root, to act as another user)", () => {
  const NOBODY = { uid: 65534, gid: 65534 };

  let unprivileged: Builder;
  beforeAll(async () => {
    unprivileged = await startBuilder(NOBODY);
  });
  afterAll(() => unprivileged.close());

  /** Gives everything to another user, except the paths that a test takes away. */
  function hand(): void {
    chmodSync(place.folder, 0o755);
    mkdirSync(place.cache, { recursive: true });
    for (const root of [place.cache, place.out, place.content]) {
      chownSync(root, NOBODY.uid, NOBODY.gid);
      for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }))
        chownSync(join(root, path), NOBODY.uid, NOBODY.gid);
    }
  }

  it.each([
    ["to write the output", "out", "", 0o555],
    ["to write the folder of pages", "out", "api/v2/pages", 0o555],
    ["to write the folder of a page that changes", "out", "api/v2/pages/2", 0o555],
    ["to write the folder of a removed page", "out", "api/v2/pages/12", 0o555],
    ["to read a source", "content", "about.json", 0],
  ] as const)("%s: the output stays unchanged", async (_, root, path, mode) => {
    await build(place);
    hand();
    place.put("about.json", general(2, "Hello"));
    place.put("new.json", general(99, "New"));
    place.drop("visit/_more/shop.json");
    chmodSync(join(place[root], path), mode);
    const before = place.tree();
    const { status, stderr } = await unprivileged.build(place);
    chmodSync(join(place[root], path), 0o755);
    expect({ status, after: place.tree() }).toEqual({ status: 1, after: before });
    expect(stderr).toMatch(/EACCES|permission/);
    await build(place);
    expect(place.tree()).toEqual(await cleanTree(place.content));
  });

  it.each(["browse", "browse/words", "index", "index/pages", "index/addresses", "bulk", "bulk/shards"])(
    "to remove files of %s: the output stays unchanged",
    async (folder) => {
      place.put("_site.json", { ...SITE, index: true, bulk: true });
      await build({ ...place, browse: true });
      hand();
      chmodSync(join(place.out, folder), 0o555);
      chownSync(join(place.out, folder), 0, 0);
      place.put("_site.json", SITE);
      place.put("about.json", general(2, "Hello"));
      const before = place.tree();
      for (const full of [false, true]) {
        const { status, stderr } = await unprivileged.build({ ...place, full });
        expect({ status, after: place.tree() }).toEqual({ status: 1, after: before });
        expect(stderr).toMatch(/EACCES|permission/);
      }
    },
  );
});
