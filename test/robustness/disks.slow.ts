import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PAGES } from "../../build/base/api.ts";
import { generatedSite, writeSources } from "../../scripts/bench/site.ts";
import { thisProcess } from "../../build/base/lock.ts";
import { create } from "../../build/change/create.ts";
import { move } from "../../build/change/page-actions.ts";
import { SourceChanged, undo, type Undo } from "../../build/change/apply.ts";
import { saveSource } from "../../build/change/save.ts";
import type { PageType } from "../../build/model/page-types.ts";
import { build } from "../../build/site/build.ts";
import { treeOf } from "../files.ts";
import { MEDIA_FOLDER } from "../../build/source/image-kinds.ts";
import { cleanTree } from "../site/clean.ts";
import { general, SITE, write, writeImage, writeSite } from "../site/site.ts";
import { scratch } from "../scratch.ts";
import { placeOfEachTest } from "../each.ts";

const GENERAL: PageType = "standardpages.GeneralPage";
const QUIET = { stdio: "ignore" } as const;

const place = placeOfEachTest("disks");
let disk: string;
let isMounted: boolean;
beforeEach(() => {
  disk = join(place.folder, "disk");
  mkdirSync(disk);
  isMounted = false;
});
afterEach(() => {
  if (isMounted) execFileSync("umount", [disk]);
});

function mount(...options: string[]): void {
  mountTmpfs(disk, ...options);
  isMounted = true;
}

function mountTmpfs(folder: string, ...options: string[]): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", ["rw", ...options].join(","), "tmpfs", folder], QUIET);
}

/** Shows the contents of `<folder>.below` in the folder, through an overlay that keeps changes to itself. */
function mountOverlay(folder: string): void {
  const layers = `${folder}.layers`;
  mkdirSync(layers);
  mountTmpfs(layers);
  for (const name of ["upper", "work"]) mkdirSync(join(layers, name));
  mkdirSync(`${folder}.below`, { recursive: true });
  const options = `lowerdir=${folder}.below,upperdir=${layers}/upper,workdir=${layers}/work`;
  execFileSync("mount", ["-t", "overlay", "-o", options, "overlay", folder], QUIET);
  // Its own mount keeps it for as long as it is needed.
  execFileSync("umount", ["-l", layers], QUIET);
}

function mountExfat(folder: string): void {
  const image = `${folder}.image`;
  writeFileSync(image, "");
  truncateSync(image, 64 * 2 ** 20);
  execFileSync("mkfs.exfat", [image], QUIET);
  execFileSync("mount", ["-t", "exfat-fuse", "-o", "loop", image, folder], QUIET);
}

/** Waits until a clock of whole seconds has moved on. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 2100));

/** Mounting needs root, and in a container additional rights. */
function canMount(attempt: (folder: string) => void): boolean {
  const at = join(scratch("mount"), "disk");
  mkdirSync(at);
  try {
    attempt(at);
    execFileSync("umount", [at]);
    return true;
  } catch {
    return false;
  }
}

const remount = (options: string): void => void execFileSync("mount", ["-o", `remount,${options}`, disk]);

/** Fills the disk except for some bytes. */
function fillBut(bytes: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, "ballast"), Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
}

/** Images of 20,000 bytes, in folders of five; changes, adds and removes some, if there are images of another version. */
function writeImages(version: number): void {
  rmSync(place.file(MEDIA_FOLDER), { recursive: true, force: true });
  for (let k = 10 * version; k < 10 * version + 30; k++)
    writeImage(
      place.content,
      `${Math.floor(k / 5)}/${k}.png`,
      `${k % 2 === 0 ? version : ""}`.padEnd(20_000),
    );
}

/** Every page contains a URL of the site. */
const changePages = () => place.put("_site.json", { ...SITE, base_url: "https://api.example.org/other" });
const changeImages = (): void => writeImages(1);
const addPages = (): void => {
  for (let i = 0; i < 100; i++) place.put(`new-${i}.json`, general(400_000 + i, "New"));
};

describe.skipIf(!canMount(mountTmpfs))("a disk (if one can be mounted)", () => {
  it.each(["api", "browse", "browse/records", "bulk", "media", "media/0"])(
    "that is only the folder %s of an output: the build is refused, and the output stays unchanged",
    async (name) => {
      place.putAll();
      writeImages(0);
      const options = { ...place, browse: true, bulk: true };
      for (const mountAt of [mountTmpfs, (at: string) => execFileSync("mount", ["--bind", at, at])]) {
        rmSync(place.out, { recursive: true, force: true });
        disk = join(place.out, name);
        mkdirSync(disk, { recursive: true });
        mountAt(disk);
        isMounted = true;
        const before = place.tree();
        await expect(build(options)).rejects.toThrow(`${disk} is a mount of its own`);
        expect(place.tree()).toEqual(before);
        execFileSync("umount", [disk]);
        isMounted = false;
        await build(options);
      }
    },
  );

  it("that is the folder of a changed or removed page: the build is refused, and the output stays unchanged", async () => {
    place.putAll();
    await build(place);
    disk = join(place.out, "api/v2/pages/14");
    execFileSync("mount", ["--bind", disk, disk]);
    isMounted = true;
    const before = place.tree();
    for (const edit of [
      () => place.put("visit/rooms/one.json", general(14, "Edited")),
      () => place.drop("visit/rooms/one.json"),
    ]) {
      edit();
      await expect(build(place)).rejects.toThrow(`${disk} is a mount of its own`);
      expect(place.tree()).toEqual(before);
    }
    execFileSync("umount", [disk]);
    isMounted = false;
    await build(place);
  });

  it.each(["pages", "images"])(
    "that is too small for the %s of a first build: nothing is left",
    async (what) => {
      if (what === "pages") writeSources(place.content, generatedSite(300));
      else {
        place.putAll();
        writeImages(0);
      }
      mount("size=512k");
      const options = { ...place, out: join(disk, "public") };
      await expect(build(options)).rejects.toMatchObject({ code: "ENOSPC" });
      expect(readdirSync(disk)).toEqual([]);
      remount("size=64m");
      await build(options);
      expect(treeOf(options.out)).toEqual(await cleanTree(place.content));
    },
  );

  const limits: [
    name: string,
    options: string,
    code: string,
    limit: () => void,
    ...changes: (() => void)[],
  ][] = [
    ["that is full", "", "ENOSPC", () => fillBut(0), changePages],
    ["with 4096 bytes left", "", "ENOSPC", () => fillBut(4096), changePages, changeImages],
    ["with 40,960 bytes left for images", "", "ENOSPC", () => fillBut(40_960), changeImages],
    ["with 200,000 bytes left", "", "ENOSPC", () => fillBut(200_000), changePages, changeImages],
    ["with 200,000 bytes left for images", "", "ENOSPC", () => fillBut(200_000), changeImages],
    ["without inodes for more pages", "nr_inodes=760", "ENOSPC", () => undefined, addPages],
    ["that is read-only, with other images", "", "EROFS", () => remount("ro"), changeImages],
    ["that is read-only, with other pages", "", "EROFS", () => remount("ro"), changePages],
  ];

  it.each(limits)("%s: the output stays unchanged", async (_, option, code, limit, ...changes) => {
    writeSources(place.content, generatedSite(300));
    place.put("_site.json", SITE);
    writeImages(0);
    mount("size=16m", ...(option === "" ? [] : [option]));
    const options = { ...place, out: join(disk, "public") };
    await build(options);
    for (const change of changes) change();
    limit();
    const before = treeOf(disk);
    await expect(build(options)).rejects.toMatchObject({ code });
    expect(treeOf(disk)).toEqual(before);
    remount("rw,size=64m,nr_inodes=10000");
    rmSync(join(disk, "ballast"), { force: true });
    await build(options);
    expect(treeOf(options.out)).toEqual(await cleanTree(place.content));
  });

  it("that is read-only and up to date: there is nothing to do", async () => {
    place.putAll();
    writeImages(0);
    mount("size=16m");
    const options = { ...place, out: join(disk, "public") };
    await build(options);
    // Otherwise the sources are as young as a tick of the clock, and racy.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await build(options);
    remount("ro");
    const { published } = await build(options);
    expect(published).toMatchObject({ written: 0, removed: 0 });
  });

  it("with a full disk of the manifest: the published files are complete, and the next build is correct", async () => {
    place.putAll();
    writeImages(0);
    mount("size=1m");
    const options = { ...place, cache: join(disk, "cache") };
    await build(options);
    place.put("about.json", general(2, "Hello"));
    writeImages(1);
    fillBut(4096);
    const { published, manifestError } = await build(options);
    expect(published).toMatchObject({ written: 1 });
    expect(manifestError).toMatchObject({ code: "ENOSPC" });
    const clean = await cleanTree(place.content);
    expect(place.tree()).toEqual(clean);
    rmSync(join(disk, "ballast"));
    await build(options);
    expect(place.tree()).toEqual(clean);
  });
});

describe.skipIf(!canMount(mountOverlay))("an overlay (if one can be mounted)", () => {
  it("cannot rename folders of its lower layer, but pages of an output there are removed all the same", async () => {
    place.putAll();
    await build({ ...place, out: `${disk}.below/public` });
    mountOverlay(disk);
    isMounted = true;
    place.drop("about.json");
    const options = { ...place, out: join(disk, "public") };
    expect((await build(options)).published).toMatchObject({ written: 0, removed: 1 });
    expect(treeOf(options.out)).toEqual(await cleanTree(place.content));
  });
});

describe.skipIf(!canMount(mountExfat))(
  "a disk that ignores case, has no links, and has timestamps in whole seconds (if exFAT can be mounted)",
  () => {
    let options: { content: string; out: string; cache: string };

    beforeEach(() => {
      mountExfat(disk);
      isMounted = true;
      options = { content: join(disk, "content"), out: join(disk, "public"), cache: join(disk, "cache") };
      writeSite(options.content);
      place.putAll();
    });

    it("gets new pages, and a change of many sources and its undoing, as any other disk", () => {
      const { content } = options;
      saveSource(content, { file: "visit/new.json", before: null, after: "{}" });
      expect(() => saveSource(content, { file: "visit/new.json", before: null, after: "{ }" })).toThrow(
        SourceChanged,
      );
      create({ content, type: GENERAL, path: "visit/more", draft: false, facts: {}, allFields: false });
      rmSync(join(content, "visit/new.json"));
      const files = treeOf(content);
      let done: Undo | undefined;
      move(content, "visit/rooms/", "rooms", { onDone: (all) => (done = all) });
      expect(treeOf(content)).not.toEqual(files);
      if (done !== undefined) undo(content, done);
      expect(treeOf(content)).toEqual(files);
    });

    it("has the same output, and later builds recognise it", async () => {
      await settle();
      await build(options);
      expect(treeOf(options.out)).toEqual(await cleanTree(place.content));
      await settle();
      await build(options);
      const { published } = await build(options);
      expect(published).toMatchObject({ written: 0, removed: 0 });
      write(options.content, "visit/rooms/index.json", general(13, "Chambers"));
      place.put("visit/rooms/index.json", general(13, "Chambers"));
      expect((await build(options)).published).toMatchObject({ written: 3, removed: 0 });
      expect(treeOf(options.out)).toEqual(await cleanTree(place.content));
    });

    /** The last page is written seconds before the end. A rename does not change the folder's time here. */
    async function buildLong(): Promise<void> {
      await build(options);
      await settle();
      write(options.content, "visit/cafe.json", general(11, "Coffee"));
      await build(options);
    }

    it("restores an output file that was renamed to another case", async () => {
      await buildLong();
      const pages = join(options.out, PAGES);
      const clean = treeOf(options.out);
      for (const again of [options, { ...options, full: true }]) {
        for (const [name, other] of [
          ["2/index.json", "2/INDEX.JSON"],
          ["404.html", "404.HTML"],
        ] as const)
          renameSync(join(pages, name), join(pages, other));
        await build(again);
        expect(treeOf(options.out)).toEqual(clean);
      }
    });

    it("removes entries that were moved among the pages or into a page's folder", async () => {
      for (const name of ["one", "two"]) write(disk, name, "A note");
      await buildLong();
      const clean = treeOf(options.out);
      renameSync(join(disk, "one"), join(options.out, PAGES, "one"));
      renameSync(join(disk, "two"), join(options.out, PAGES, "2/two"));
      await build(options);
      expect(treeOf(options.out)).toEqual(clean);
    });

    it("follows a source that is renamed to another case, or moved to another folder", async () => {
      for (const [from, to] of [
        ["about.json", "About.json"],
        ["visit/cafe.json", "cafe.json"],
      ] as const) {
        await settle();
        await build(options);
        for (const { content } of [options, place]) renameSync(join(content, from), join(content, to));
        await build(options);
        expect(treeOf(options.out)).toEqual(await cleanTree(place.content));
      }
    });

    it("has one manifest and one lock for an output, however its path is spelled", async () => {
      await build(options);
      await build({ ...options, out: join(disk, "PUBLIC") });
      const memories = readdirSync(options.cache);
      expect(memories).toHaveLength(1);
      const holder = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
      try {
        write(
          options.out,
          ".building/lock",
          JSON.stringify({ ...thisProcess(), pid: holder.pid, started: "" }),
        );
        await expect(build({ ...options, out: join(disk, "Public") })).rejects.toThrow(/Another build/);
      } finally {
        holder.kill();
      }
    });

    it("refuses an output inside the content folder, and the reverse", async () => {
      const inside = { ...options, out: join(disk, "CONTENT", "public") };
      await expect(build(inside)).rejects.toThrow(/inside the content folder/);
      const around = { ...options, content: join(disk, "PUBLIC", "content") };
      writeSite(join(options.out, "content"));
      await expect(build(around)).rejects.toThrow(/inside the output folder/);
    });
  },
);
