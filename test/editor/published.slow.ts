import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HEADERS_FILE } from "../../build/base/project.ts";
import { build } from "../../build/pipeline/build.ts";
import { partsIn } from "../../build/output/page.ts";
import { layoutOf } from "../../build/output/layout.ts";
import {
  general,
  SITE,
  SMALL_SITE,
  work,
  workplace,
  write,
  writeSite,
  type Workplace,
} from "../pipeline/site.ts";

/** A site with a repository, so that its published browse UI has an editor. */
function editedSite(name: string): Workplace & { headersFile: string } {
  const place = workplace(name);
  writeSite(place.content, { ...SMALL_SITE, "_site.json": { ...SITE, repository: { name: "a/b" } } });
  const headersFile = join(place.folder, "_headers");
  const allowed = "connect-src 'self' https://api.github.com";
  writeFileSync(headersFile, readFileSync(HEADERS_FILE, "utf8").replaceAll("connect-src 'self'", allowed));
  return { ...place, headersFile };
}

type EditedSite = ReturnType<typeof editedSite>;

const run = async ({ content, out, cache, headersFile }: EditedSite, own: object = {}) => {
  const built = await build({
    content,
    out,
    cache,
    headersFile,
    browse: true,
    at: Date.UTC(2026, 10, 1),
    ...own,
  });
  expect(built.published).toBeDefined();
  return built;
};

/** All files of an output, by path. */
function filesIn(out: string): Record<string, string> {
  const names = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.sort().map((path) => [path.slice(out.length), readFileSync(path, "utf8")]));
}

const clean = async (place: EditedSite, own: object = {}): Promise<Record<string, string>> => {
  const out = join(place.folder, "clean");
  rmSync(out, { recursive: true, force: true });
  await run(place, { out, full: true, ...own });
  return filesIn(out);
};

const ofEditor = (out: string): string[] =>
  Object.keys(filesIn(out)).filter((path) => /browse\/(?:edit\.|sources\/|things\/)/.test(path));

it("the editor's files are the same after any edit as those of a clean build", async () => {
  const place = editedSite("editor-edits");
  const put = (file: string, value: unknown): void => write(place.content, file, value);
  const remove = (file: string): void => rmSync(join(place.content, file), { recursive: true });
  await run(place);
  const first = filesIn(place.out);
  for (const name of ["prosemirror-view", "@octokit/request", "zod"])
    expect(first["/browse/edit.js"]).toMatch(new RegExp(`^${name}\n\n(?:MIT|The MIT|Copyright)`, "m"));
  expect(first["/browse/sources/0.json"]).toContain('"31":"works/_a/marsh.json"');
  const edits: (() => void)[] = [
    () => put("visit/cafe.json", general(11, "A café")),
    () => put("visit/new.json", general(77, "New")),
    () => put("works/_a/pool.json", work(32, "Pool", { groups: [{ id: 4, shortTitle: "Ponds" }] })),
    () => put("works/_b/bog.json", work(320, "Bog")),
    () => {
      remove("works/_b/bog.json");
      put("works/_c/bog.json", work(320, "Bog"));
    },
    () =>
      put("visit/new.json", {
        ...general(77, "New"),
        meta: { type: "standardpages.GeneralPage", expire_at: "2026-10-01T00:00:00Z" },
      }),
    () => remove("visit/rooms"),
    () => remove("visit/new.json"),
    () => put("_news.json", general(4, "Another draft")),
    () => rmSync(join(place.out, "browse/edit.js")),
    () => writeFileSync(join(place.out, "browse/things/5.json"), "{}"),
    () => writeFileSync(join(place.out, "browse/edit.css"), ""),
  ];
  for (const edit of edits) {
    edit();
    await run(place);
    expect(filesIn(place.out)).toEqual(await clean(place));
  }
  const before = readdirSync(join(place.out, "browse"));
  const { published, output } = await run(place);
  expect(published?.written).toBe(0);
  expect(readdirSync(join(place.out, "browse"))).toEqual(before);
  // A release contains all files of the editor.
  const released = new Set(output?.files.map((path) => `/${path}`));
  expect(ofEditor(place.out).filter((path) => !released.has(path))).toEqual([]);
});

it("changes only the data file of a page that gets another file, and no file if the page only changes its text", async () => {
  const place = editedSite("editor-few");
  for (let k = 0; k < 3000; k++)
    write(place.content, `visit/_more/p${k}.json`, general(1000 + k, `Page ${k}`));
  await run(place);
  const changed = async (edit: () => void): Promise<string[]> => {
    const before = filesIn(place.out);
    edit();
    await run(place);
    const after = filesIn(place.out);
    return Object.keys(after).filter((path) => /sources|things/.test(path) && after[path] !== before[path]);
  };
  expect(existsSync(join(place.out, "browse/sources/2.json"))).toBe(true);
  expect(await changed(() => write(place.content, "visit/_more/p5.json", general(1005, "Other")))).toEqual(
    [],
  );
  const moved = await changed(() => {
    rmSync(join(place.content, "visit/_more/p5.json"));
    write(place.content, "visit/_other/p5.json", general(1005, "Other"));
  });
  expect(moved).toHaveLength(1);
});

it("no file of the editor is left without a repository, without the browse UI, or in a preview", async () => {
  const place = editedSite("editor-gone");
  await run(place);
  const { repository: _, ...site } = { ...SITE, repository: undefined };
  write(place.content, "_site.json", site);
  await run(place);
  expect(ofEditor(place.out)).toEqual([]);
  expect(existsSync(join(place.out, "browse/sources"))).toBe(false);
  expect(filesIn(place.out)["/browse/site.json"]).not.toMatch(/editing|sources|things/);
  expect(partsIn(layoutOf(place.out)).length).toBeGreaterThan(3);
  write(place.content, "_site.json", { ...SITE, repository: { name: "a/b" } });
  await run(place);
  expect(ofEditor(place.out).length).toBeGreaterThan(7);
  await run(place, { editor: false });
  expect(ofEditor(place.out)).toEqual([]);
  await run(place);
  await run(place, { browse: false });
  expect(existsSync(join(place.out, "browse"))).toBe(false);
});

/** All files except those of the browse UI and the headers file. */
const pages = (out: string) =>
  Object.entries(filesIn(out)).filter(([path]) => !/^\/(?:browse\/|_headers)/.test(path));

it("a repository changes no response", async () => {
  const place = editedSite("editor-responses");
  await run(place);
  const before = pages(place.out);
  write(place.content, "_site.json", SITE);
  await run(place);
  expect(pages(place.out)).toEqual(before);
});
