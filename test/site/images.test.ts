import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { messageOf } from "../../build/findings/finding.ts";
import { build } from "../../build/site/build.ts";
import { BuildSession } from "../../build/site/session.ts";
import { filesBelow, readJson, treeOf } from "../files.ts";
import {
  general,
  masterImage,
  page,
  PNG,
  pngOf,
  SITE,
  work,
  placeWith,
  write,
  writeImage,
  type Workplace,
} from "./site.ts";

const OWN_SITE = { ...SITE, media_url: `${SITE.base_url}/media`, owned_paths: [] };

const shown = (url: string): object => ({ master_images: [masterImage(url)] });

function siteWithImages(name: string): Workplace {
  const place = placeWith(name, {
    "_site.json": OWN_SITE,
    "index.json": page(1, "home.HomePage", "Home"),
    "about.json": general(2, "About"),
    "works/index.json": page(30, "artworks.ArtworkIndexPage", "Works"),
    "works/_a/marsh.json": work(31, "Marsh", shown("/marsh.png")),
  });
  writeImage(place.content, "marsh.png");
  writeImage(place.content, "sketches/1848/fen.png");
  return place;
}

const images = ({ out }: Workplace): string[] => filesBelow(join(out, "media"));
const inode = ({ out }: Workplace, path: string): number => statSync(join(out, "media", path)).ino;
const codes = async (place: Workplace): Promise<string[]> =>
  (await build(place)).findings.map(({ code, place: { file } }) => `${code} ${file}`);
const sizeUrl = ({ out }: Workplace): string =>
  (
    readJson(out, "api/v2/pages/31/index.json") as {
      master_images: { default_url: string }[];
    }
  ).master_images[0]?.default_url ?? "";

describe("images stored with the pages", () => {
  it("are published unchanged, and a second build writes nothing", async () => {
    const place = siteWithImages("images");
    const { output } = await build(place);
    expect(images(place)).toEqual(["marsh.png", "sketches/1848/fen.png"]);
    expect(output?.files).toContain("media/sketches/1848/fen.png");
    expect(readFileSync(join(place.out, "media/marsh.png"), "latin1")).toBe(`${PNG}marsh.png`);
    const before = statSync(join(place.out, "media/marsh.png")).ctimeMs;
    for (const full of [false, true]) await build({ ...place, full });
    expect(statSync(join(place.out, "media/marsh.png")).ctimeMs).toBe(before);
  });

  it("are copied again only if they changed, and disappear with their sources", async () => {
    const place = siteWithImages("images-change");
    await build(place);
    const [marsh, fen] = [inode(place, "marsh.png"), inode(place, "sketches/1848/fen.png")];
    writeImage(place.content, "marsh.png", "another one");
    await build(place);
    expect(readFileSync(join(place.out, "media/marsh.png"), "latin1")).toBe(`${PNG}another one`);
    expect(inode(place, "marsh.png")).not.toBe(marsh);
    expect(inode(place, "sketches/1848/fen.png")).toBe(fen);
    place.drop("_media/sketches");
    await build(place);
    expect(images(place)).toEqual(["marsh.png"]);
    expect(existsSync(join(place.out, "media/sketches"))).toBe(false);
  });

  it.each(["media", "media/sketches/1848"])("behind a link at %s are third-party", async (link) => {
    const place = siteWithImages(`images-link-${link.length}`);
    await build(place);
    const elsewhere = join(place.folder, "elsewhere");
    renameSync(join(place.out, link), elsewhere);
    symlinkSync(elsewhere, join(place.out, link));
    const before = treeOf(elsewhere);
    place.drop("_media/sketches");
    await build(place);
    expect(treeOf(elsewhere)).toEqual(before);
  });

  it("with another size lead to the check of the pages that show them", async () => {
    const place = siteWithImages("images-size");
    const image = (width: number, height: number): void =>
      writeImage(place.content, "marsh.png", pngOf(width, height).toString("latin1").slice(PNG.length));
    image(1, 1);
    expect(await codes(place)).toEqual([]);
    image(480, 660);
    const warned = ["image-ratio works/_a/marsh.json", "image-width works/_a/marsh.json"];
    expect(await codes(place)).toEqual(warned);
    expect(await codes(place)).toEqual(warned);
    const { findings } = await build({ ...place, full: true });
    expect(findings.map(messageOf)).toEqual([
      "“master_images[0].height_ratio” is 1, but the image is 480 pixels wide and 660 pixels high.",
      "“master_images[0].max_width” is 1, but the image is 480 pixels wide.",
    ]);
    image(1, 1);
    expect(await codes(place)).toEqual([]);
  });

  it.each(["a full build that trusts no file", "a build after the manifest is lost"])(
    "are known as its own by %s, and third-party files stay",
    async (kind) => {
      const place = siteWithImages("images-owned");
      writeImage(place.content, "old.png");
      await build(place);
      place.drop("_media/old.png");
      place.drop("_media/sketches");
      writeFileSync(join(place.out, "media/note.txt"), "third-party");
      // It replaces one of the build's images.
      writeFileSync(join(place.out, "media/sketches/1848/fen.png"), "third-party");
      if (kind.includes("manifest"))
        for (const file of filesBelow(place.cache).filter((one) => one.endsWith("manifest")))
          rmSync(join(place.cache, file));
      await build({ ...place, full: kind.includes("trusts") });
      expect(images(place)).toEqual(["marsh.png", "note.txt", "sketches/1848/fen.png"]);
    },
  );

  it("are no longer listed as the build's own after a full build without any", async () => {
    const place = siteWithImages("images-gone");
    await build(place);
    for (const path of ["_media", "works/_a"]) place.drop(path);
    await build({ ...place, full: true });
    const lists = filesBelow(place.cache).filter((path) => /(?:^|\/)images$/.test(path));
    expect(lists.map((path) => readFileSync(join(place.cache, path), "utf8").trim())).toEqual(["{}"]);
  });

  it("of a killed build are removed by the next one, if their sources are gone", async () => {
    const place = siteWithImages("images-killed");
    await build(place);
    const saved = join(place.folder, "saved");
    const manifests = filesBelow(place.cache).filter((path) => /(?:^|\/)manifest$/.test(path));
    expect(manifests).toHaveLength(1);
    for (const path of manifests) cpSync(join(place.cache, path), join(saved, path));
    writeImage(place.content, "new.png");
    writeImage(place.content, "added/new.png");
    await build(place);
    // A build that is killed after it has published everything saves no manifest.
    for (const path of manifests) cpSync(join(saved, path), join(place.cache, path));
    place.drop("_media/new.png");
    place.drop("_media/added");
    // A build that is killed earlier leaves an empty folder.
    rmSync(join(place.out, "media/added/new.png"));
    await build(place);
    expect(images(place)).toEqual(["marsh.png", "sketches/1848/fen.png"]);
    expect(existsSync(join(place.out, "media/added"))).toBe(false);
  });

  it("are published together with the pages: a refused page leaves images unchanged, and the reverse", async () => {
    const place = siteWithImages("images-refused");
    await build(place);
    const before = place.tree();
    writeImage(place.content, "new.png");
    place.put("about.json", "{");
    expect((await build(place)).published).toBeUndefined();
    expect(place.tree()).toEqual(before);
    place.put("about.json", general(2, "New"));
    writeFileSync(place.file("_media/page.jpg"), "<!DOCTYPE html>");
    const { findings } = await build(place);
    expect(findings.map(messageOf)).toEqual([
      "“page.jpg” is not the kind of image that it is named: the file is an HTML page.",
    ]);
    expect(place.tree()).toEqual(before);
  });

  it.each([
    ["a file in place of the folder", (out: string) => write(out, "media", "x")],
    ["a folder for an image", (out: string) => mkdirSync(join(out, "media/marsh.png"), { recursive: true })],
    [
      "a link in place of a folder",
      (out: string) => {
        mkdirSync(join(out, "media"));
        symlinkSync("/tmp", join(out, "media/sketches"));
      },
    ],
  ])("are refused if %s is in the way, which stays", async (_, obstruct) => {
    const place = siteWithImages("images-way");
    mkdirSync(place.out);
    obstruct(place.out);
    const before = place.tree();
    await expect(build(place)).rejects.toThrow(/media/);
    expect(place.tree()).toEqual(before);
  });

  it("replace a link in their place, without writing to its target", async () => {
    const place = siteWithImages("images-link");
    mkdirSync(join(place.out, "media"), { recursive: true });
    writeFileSync(join(place.folder, "elsewhere"), "kept");
    symlinkSync(join(place.folder, "elsewhere"), join(place.out, "media/marsh.png"));
    await build(place);
    expect(readFileSync(join(place.folder, "elsewhere"), "utf8")).toBe("kept");
    expect(readFileSync(join(place.out, "media/marsh.png"), "latin1")).toBe(`${PNG}marsh.png`);
  });

  it("may change only the case of their names", async () => {
    const place = siteWithImages("images-case");
    await build(place);
    const from = place.file("_media/sketches/1848/fen.png");
    renameSync(from, join(dirname(from), "Fen.png"));
    await build(place);
    expect(images(place)).toEqual(["marsh.png", "sketches/1848/Fen.png"]);
  });

  // Root may remove anything.
  it.skipIf(process.getuid?.() === 0)(
    "that cannot be removed stop the build before it changes any file",
    async () => {
      const place = siteWithImages("images-stuck");
      await build(place);
      place.drop("_media/sketches");
      writeImage(place.content, "marsh.png", "another one");
      chmodSync(join(place.out, "media/sketches/1848"), 0o500);
      const before = place.tree();
      await expect(build(place)).rejects.toThrow(/EACCES/);
      expect(place.tree()).toEqual(before);
    },
  );
});

describe("an address of an image", () => {
  it("is checked again when images are added or removed, also for drafts", async () => {
    const place = siteWithImages("images-addresses");
    place.put("works/_draft.json", work(50, "Draft", shown("/later.png")));
    const draft = "media-missing works/_draft.json";
    expect(await codes(place)).toEqual([draft, draft]);
    writeImage(place.content, "other.png");
    expect(await codes(place)).toEqual([draft, draft]);
    writeImage(place.content, "later.png");
    expect(await codes(place)).toEqual([]);
    place.drop("_media/later.png");
    expect(await codes(place)).toEqual([draft, draft]);
    place.drop("_media/marsh.png");
    const marsh = "media-missing works/_a/marsh.json";
    expect(await codes(place)).toEqual([marsh, marsh, draft, draft]);
    writeImage(place.content, "marsh.png");
    expect(await codes(place)).toEqual([draft, draft]);
  });

  it("is made of --base-url if the media host is the API's own, also if the source has a complete URL", async () => {
    const place = siteWithImages("images-base");
    const baseUrl = "http://localhost:3000";
    await build(place);
    expect(sizeUrl(place)).toBe("https://api.example.org/media/marsh.png");
    await build({ ...place, baseUrl });
    expect(sizeUrl(place)).toBe("http://localhost:3000/media/marsh.png");
    const whole = "https://api.example.org/media/marsh.png";
    place.put("works/_a/marsh.json", work(31, "Marsh", shown(whole)));
    expect((await build({ ...place, baseUrl })).findings).toEqual([]);
    expect(sizeUrl(place)).toBe("http://localhost:3000/media/marsh.png");
    await build(place);
    expect(sizeUrl(place)).toBe(whole);
  });

  it("stays on another media host, whatever --base-url is", async () => {
    const place = siteWithImages("images-elsewhere");
    place.put("_site.json", { ...SITE, media_url: `${SITE.base_url}.evil.example` });
    await build({ ...place, baseUrl: "http://localhost:3000" });
    expect(sizeUrl(place)).toBe("https://api.example.org.evil.example/marsh.png");
  });
});

describe("a running build", () => {
  it("follows only the named images", async () => {
    const place = siteWithImages("images-open");
    const open = new BuildSession({ ...place, browse: true });
    try {
      await open.step();
      writeImage(place.content, "new.png");
      await open.step(new Set([place.file("_media/new.png")]));
      expect(images(place)).toContain("new.png");
      place.drop("_media/new.png");
      // The image is not named, so the build does not look at it.
      await open.step(new Set([place.file("about.json")]));
      expect(images(place)).toContain("new.png");
      await open.step(new Set([place.file("_media")]));
      expect(images(place)).not.toContain("new.png");
    } finally {
      open.close();
    }
  });
});
