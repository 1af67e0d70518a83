import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { instantAt } from "../../build/base/instant.ts";
import { forget } from "../../build/browse/data.js";
import { SourceFolder } from "../../build/dev/source-folder.ts";
import { publishedThings } from "../../build/editor/client/published.ts";
import { treeOf } from "../files.ts";
import { writeHeaders } from "./github/museum.ts";
import { programModel } from "../../build/model/program-model.ts";
import { WatchBuild } from "../../build/site/watch-build.ts";
import { build } from "../../build/site/build.ts";
import { dataFilesIn } from "../../build/site/output/own-files.ts";
import { layoutOf } from "../../build/site/output/layout.ts";
import { cleanTree } from "../site/clean.ts";
import {
  general,
  SITE,
  SMALL_SITE,
  work,
  placeWith,
  write,
  writeImage,
  type Workplace,
} from "../site/site.ts";

/** A site with a repository, so that its published browse UI has an editor. */
function editedSite(name: string): Workplace & { headersFile: string } {
  const place = placeWith(name, { ...SMALL_SITE, "_site.json": { ...SITE, repository: { name: "a/b" } } });
  return { ...place, headersFile: writeHeaders(place.folder, "https://api.github.com") };
}

type EditedSite = ReturnType<typeof editedSite>;

const AT = instantAt(Date.UTC(2026, 10, 1));

const run = async ({ content, out, cache, headersFile }: EditedSite, own: object = {}) => {
  const built = await build({ content, out, cache, headersFile, browse: true, at: AT, ...own });
  expect(built.published).toBeDefined();
  return built;
};

const clean = ({ content, headersFile }: EditedSite) =>
  cleanTree(content, { headersFile, browse: true, at: AT });

const ofEditor = (out: string): string[] =>
  Object.keys(treeOf(out, /browse\/(?:edit[-.]|images\.json$|sources\/|things\/)/));

it("the editor's files are the same after any edit as those of a clean build", async () => {
  const place = editedSite("editor-edits");
  await run(place);
  const first = place.tree();
  for (const name of ["prosemirror-view", "@octokit/request", "htmlparser2"])
    expect(first["browse/edit.js"]).toMatch(new RegExp(`^${name}\n\n(?:MIT|The MIT|Copyright)`, "m"));
  expect(first["browse/sources/0.json"]).toContain('"31":"works/_a/marsh.json"');
  expect(first["browse/sources/0.json"]).toContain('"34":["works/_b/fen.json","/visit/cafe","/visit/x"]');
  const edits: (() => void)[] = [
    () => place.put("visit/cafe.json", general(11, "A café")),
    () => place.put("visit/new.json", general(77, "New")),
    () => place.put("works/_a/pool.json", work(32, "Pool", { description: '<a href="/visit/cafe/">a</a>' })),
    () => place.put("works/_a/pool.json", work(32, "Pool", { description: '<a href="/visit/#a">a</a>' })),
    () => place.put("works/_a/pool.json", work(32, "Pool", { groups: [{ id: 4, shortTitle: "Ponds" }] })),
    () => place.put("works/_b/bog.json", work(320, "Bog")),
    () => {
      place.drop("works/_b/bog.json");
      place.put("works/_c/bog.json", work(320, "Bog"));
    },
    () =>
      place.put("visit/new.json", {
        ...general(77, "New"),
        meta: { type: "standardpages.GeneralPage", expire_at: "2026-10-01T00:00:00Z" },
      }),
    () => place.drop("visit/rooms"),
    () => place.drop("visit/new.json"),
    () => place.put("_news.json", general(4, "Another draft")),
    () => rmSync(join(place.out, "browse/edit.js")),
    () => writeFileSync(join(place.out, "browse/things/5.json"), "{}"),
    () => writeFileSync(join(place.out, "browse/edit.css"), ""),
    // Another kind of thing.
    () =>
      place.put("_types.json", {
        types: { "standardpages.GeneralPage": { fields: { place: "Place?" } } },
        shapes: { Place: { key: "id", fields: { id: "integer", name: "text" } } },
      }),
    () => place.put("visit/cafe.json", { ...general(11, "A café"), place: { id: 1, name: "Pier" } }),
    () => {
      place.put("visit/cafe.json", general(11, "A café"));
      place.drop("_types.json");
    },
  ];
  for (const edit of edits) {
    edit();
    await run(place);
    expect(place.tree()).toEqual(await clean(place));
  }
  const before = readdirSync(join(place.out, "browse"));
  const { published, output } = await run(place);
  expect(published?.written).toBe(0);
  expect(readdirSync(join(place.out, "browse"))).toEqual(before);
  // A release contains all files of the editor.
  const released = new Set(output?.files);
  expect(ofEditor(place.out).filter((path) => !released.has(path))).toEqual([]);
});

it("a preview suggests the same as the published site, after every save", async () => {
  const place = editedSite("editor-suggestions");
  const { content, out, folder, headersFile } = place;
  const live = new WatchBuild({
    content,
    out: join(folder, "preview"),
    cache: join(folder, "preview-cache"),
    headersFile,
    browse: true,
    editor: false,
  });
  const things = new SourceFolder(content, live, programModel);
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(new Response(readFileSync(join(out, path.replace(/\/$/, "/index.json"))))),
  );
  const save = (subjects: number[], more: object = {}): void =>
    write(
      content,
      "works/_b/bog.json",
      work(33, "Bog", {
        medium: "Oil on canvas",
        subjects: subjects.map((id) => ({ id, name: `Ässubject\t${id}`, level: 2, parent_id: 9 })),
        ...more,
      }),
    );
  const saves: (() => void)[] = [
    () => undefined,
    () => save([1]),
    () => save([2, 2, 3], { groups: [{ id: 4, shortTitle: "Ponds" }, { id: 5 }], appt_venue: "B" }),
    () => save([3, 4], { contributors: [{ fc: "A “quoted” artist", url: "https://a.example/" }] }),
    () =>
      save(
        Array.from({ length: 14 }, (_, k) => k + 1),
        { classification: { id: 6 } },
      ),
    () =>
      write(content, "works/_c/new.json", work(30_000, "New", { classification: { id: 5 }, medium: "Ink" })),
    () => write(content, "works/_a/marsh.json", work(310, "Marsh", { format: "Etching" })),
    () => rmSync(join(content, "works/_b/bog.json")),
    () => rmSync(join(content, "works/_c"), { recursive: true }),
  ];
  try {
    let found = 0;
    for (const edit of saves) {
      edit();
      await run(place);
      await live.update("anything", AT);
      things.forgetThings();
      forget();
      for (const { identity } of programModel.entities)
        for (const words of "|1|as subject|oil|ink|pond|quoted a|etching|reed|no".split("|")) {
          const suggested = await things.findThings(identity.kind, words);
          expect(suggested).toEqual(await publishedThings(programModel.entities, identity.kind, words));
          found += suggested.length;
        }
    }
    expect(found).toBeGreaterThan(100);
    const others = programModel.entities.slice(1);
    for (const { identity } of others) expect(await publishedThings(others, identity.kind, "")).toEqual([]);
  } finally {
    vi.unstubAllGlobals();
    live.close();
  }
});

it("changes only the data file of a page that gets another file, and no file if the page only changes its text", async () => {
  const place = editedSite("editor-few");
  for (let k = 0; k < 3000; k++) place.put(`visit/_more/p${k}.json`, general(1000 + k, `Page ${k}`));
  await run(place);
  const changed = async (edit: () => void): Promise<string[]> => {
    const before = place.tree();
    edit();
    await run(place);
    const after = place.tree();
    return Object.keys(after).filter((path) => /sources|things/.test(path) && after[path] !== before[path]);
  };
  expect(existsSync(join(place.out, "browse/sources/2.json"))).toBe(true);
  expect(await changed(() => place.put("visit/_more/p5.json", general(1005, "Other")))).toEqual([]);
  const moved = await changed(() => {
    place.drop("visit/_more/p5.json");
    place.put("visit/_other/p5.json", general(1005, "Other"));
  });
  expect(moved).toHaveLength(1);
});

it("no file of the editor is left without a repository, without the browse UI, or in a preview", async () => {
  const place = editedSite("editor-gone");
  await run(place);
  const { repository: _, ...site } = { ...SITE, repository: undefined };
  place.put("_site.json", site);
  await run(place);
  expect(ofEditor(place.out)).toEqual([]);
  expect(existsSync(join(place.out, "browse/sources"))).toBe(false);
  expect(place.tree()["browse/site.json"]).not.toMatch(/editing|sources|things/);
  expect(dataFilesIn(layoutOf(place.out)).length).toBeGreaterThan(3);
  place.put("_site.json", { ...SITE, repository: { name: "a/b" } });
  await run(place);
  expect(ofEditor(place.out).length).toBeGreaterThan(7);
  await run(place, { editor: false });
  expect(ofEditor(place.out)).toEqual([]);
  await run(place);
  await run(place, { browse: false });
  expect(existsSync(join(place.out, "browse"))).toBe(false);
});

it("the list of images is the same after each change of an image as that of a clean build", async () => {
  const place = editedSite("editor-images");
  const media_url = `${SITE.base_url}/media`;
  const settings = { ...SITE, repository: { name: "a/b" } };
  place.put("_site.json", { ...settings, media_url });
  const list = (): unknown => place.publishedJson("browse/images.json");
  const remove = (path: string): void => place.drop(`_media/${path}`);
  await run(place);
  expect(list()).toEqual([]);
  const changes: [change: () => void, images: string[]][] = [
    [() => writeImage(place.content, "old/reed.png"), ["old/reed.png"]],
    [() => writeImage(place.content, "bog ü.png"), ["bog ü.png", "old/reed.png"]],
    [() => writeImage(place.content, "bog ü.png", "changed"), ["bog ü.png", "old/reed.png"]],
    [() => place.put("visit/cafe.json", general(11, "A café")), ["bog ü.png", "old/reed.png"]],
    [() => remove("old/reed.png"), ["bog ü.png"]],
    [() => rmSync(join(place.out, "browse/images.json")), ["bog ü.png"]],
    [() => remove("bog ü.png"), []],
  ];
  for (const [change, images] of changes) {
    change();
    await run(place);
    expect(list()).toEqual(images);
    expect(place.tree()).toEqual(await clean(place));
  }
  expect(place.tree()["browse/site.json"]).not.toContain("images");
  writeImage(place.content, "fen.png");
  // Images on another host.
  place.put("_site.json", settings);
  await run(place);
  expect(list()).toEqual([]);
  expect(place.tree()).toEqual(await clean(place));
  place.put("_site.json", { ...settings, media_url });
  await run(place);
  expect(list()).toEqual(["fen.png"]);
  place.put("_site.json", { ...SITE, media_url });
  await run(place);
  expect(ofEditor(place.out)).toEqual([]);
});

/** All files except those of the browse UI and the headers file. */
const pages = (out: string) => treeOf(out, /^(?!browse\/|_headers)/);

it("a repository changes no response and no finding", async () => {
  const place = editedSite("editor-responses");
  const { findings } = await run(place);
  const before = pages(place.out);
  place.put("_site.json", SITE);
  expect((await run(place)).findings).toEqual(findings);
  expect(pages(place.out)).toEqual(before);
});
