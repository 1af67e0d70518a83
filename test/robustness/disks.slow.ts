import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { generatedSite, writeSources } from "../../build/bench/input/site.ts";
import { build } from "../../build/pipeline.ts";
import { treeOf } from "../files.ts";
import { general, workplace, write, writeSite, type Workplace } from "../pipeline/site.ts";

let place: Workplace;
let disk: string;
let isMounted: boolean;
beforeEach(() => {
  place = workplace("disks");
  disk = join(place.folder, "disk");
  mkdirSync(disk);
  isMounted = false;
});
afterEach(() => {
  if (isMounted) execFileSync("umount", [disk]);
  place.remove();
});

function mount(...options: string[]): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", ["rw", ...options].join(","), "tmpfs", disk]);
  isMounted = true;
}

const remount = (options: string): void => void execFileSync("mount", ["-o", `remount,${options}`, disk]);

/** Fills the disk but for so many bytes. */
function fillBut(bytes: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, "ballast"), Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
}

async function cleanTree(): Promise<Record<string, string>> {
  const out = join(place.folder, "clean");
  rmSync(out, { recursive: true, force: true });
  await build({ content: place.content, out, cache: join(place.folder, "clean-cache") });
  return treeOf(out);
}

describe.skipIf(process.getuid?.() !== 0)("a disk (needs root, to mount one)", () => {
  it("that is too small for a first build: nothing is published, and nothing is left", async () => {
    writeSources(place.content, generatedSite(300));
    mount("size=512k");
    const options = { ...place, out: join(disk, "public") };
    await expect(build(options)).rejects.toMatchObject({ code: "ENOSPC" });
    expect(readdirSync(disk)).toEqual([]);
    remount("size=64m");
    await build(options);
    expect(treeOf(options.out)).toEqual(await cleanTree());
  });

  it.each([0, 4096, 40_960, 200_000])(
    "that is full but for %i bytes: the output stays as it was",
    async (left) => {
      writeSources(place.content, generatedSite(300));
      mount("size=16m");
      const options = { ...place, out: join(disk, "public") };
      await build(options);
      // A title that every page repeats.
      write(place.content, "_site.json", {
        base_url: "https://api.example.org/other",
        site_url: "https://www.example.org",
        media_url: "https://media.example.org",
      });
      fillBut(left);
      const before = treeOf(disk);
      await expect(build(options)).rejects.toMatchObject({ code: "ENOSPC" });
      expect(treeOf(disk)).toEqual(before);
      rmSync(join(disk, "ballast"));
      await build(options);
      expect(treeOf(options.out)).toEqual(await cleanTree());
    },
  );

  it("without inodes: the output stays as it was", async () => {
    writeSite(place.content);
    mount("size=16m", "nr_inodes=60");
    const options = { ...place, out: join(disk, "public") };
    await build(options);
    for (let i = 0; i < 30; i++) write(place.content, `new-${i}.json`, general(100 + i, "New"));
    const before = treeOf(disk);
    await expect(build(options)).rejects.toMatchObject({ code: "ENOSPC" });
    expect(treeOf(disk)).toEqual(before);
  });

  it("that is read-only: the output stays as it was", async () => {
    writeSite(place.content);
    mount("size=16m");
    const options = { ...place, out: join(disk, "public") };
    await build(options);
    write(place.content, "about.json", general(2, "Hello"));
    const before = treeOf(disk);
    remount("ro");
    await expect(build(options)).rejects.toMatchObject({ code: "EROFS" });
    expect(treeOf(disk)).toEqual(before);
    remount("rw");
    await build(options);
    expect(treeOf(options.out)).toEqual(await cleanTree());
  });

  it("that is read-only and up to date: there is nothing to do", async () => {
    writeSite(place.content);
    mount("size=16m");
    const options = { ...place, out: join(disk, "public") };
    await build(options);
    // The sources must be older than a tick of the clock to be known again.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await build(options);
    remount("ro");
    const { published } = await build(options);
    expect(published).toMatchObject({ written: 0, removed: 0 });
  });

  it("with the memory that is full: what is published is whole, and the next build is right", async () => {
    writeSite(place.content);
    mount("size=1m");
    const options = { ...place, cache: join(disk, "cache") };
    await build(options);
    write(place.content, "about.json", general(2, "Hello"));
    fillBut(4096);
    const before = treeOf(place.out);
    await build(options).catch(() => undefined);
    const clean = await cleanTree();
    expect([before, clean]).toContainEqual(treeOf(place.out));
    rmSync(join(disk, "ballast"));
    await build(options);
    expect(treeOf(place.out)).toEqual(clean);
  });
});
