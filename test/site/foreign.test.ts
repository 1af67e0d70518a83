import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { build } from "../../build/site/build.ts";
import { run } from "../command.ts";
import { cleanTree } from "./clean.ts";
import { general, SMALL_SITE, write, writeSite } from "./site.ts";
import { placeOfEachTest } from "../each.ts";

const place = placeOfEachTest("foreign", SMALL_SITE);
let pages: string;
beforeEach(async () => {
  pages = join(place.out, "api/v2/pages");
  await build(place);
});

/** é in Latin-1. */
const NO_UTF8 = Buffer.from([0xe9]);
const named = (before: string): Buffer => Buffer.concat([Buffer.from(join(pages, before)), NO_UTF8]);

const inPage = (name: string): string => join(pages, "31", name);
const addForeign = (): void => writeFileSync(inPage("index.json.gz"), "foreign");
const edit = (title: string): void => place.put("about.json", general(2, title));

/** The output of the next build, and of a clean one. */
async function buildNext() {
  await build(place);
  return { next: place.tree(), clean: await cleanTree(place.content) };
}

const CASES: Record<string, () => Promise<void> | void> = {
  "a file": addForeign,
  "a file whose name differs only by case": () => writeFileSync(inPage("INDEX.json"), "foreign"),
  "another name of the page's file": () => linkSync(inPage("index.json"), inPage("index.json.gz")),
  "a file, with the folder's times restored": () => {
    const { atime, mtime } = statSync(join(pages, "31"));
    addForeign();
    utimesSync(join(pages, "31"), atime, mtime);
  },
  "a file, in a page that was moved away while another was built": async () => {
    addForeign();
    const aside = join(place.folder, "aside");
    renameSync(join(pages, "31"), aside);
    await build(place);
    rmSync(join(pages, "31"), { recursive: true });
    renameSync(aside, join(pages, "31"));
  },
  "a file, in a copy of the output that was made before the last build": async () => {
    addForeign();
    const aside = join(place.folder, "aside");
    cpSync(place.out, aside, { recursive: true, preserveTimestamps: true });
    edit("Other");
    await build(place);
    rmSync(place.out, { recursive: true });
    renameSync(aside, place.out);
  },
  "a file, in a page whose source was renamed": () => {
    addForeign();
    const names = ["marsh", "mire"].map((name) => place.file(`works/_a/${name}.json`));
    const [from = "", to = ""] = existsSync(names[0] ?? "") ? names : names.toReversed();
    renameSync(from, to);
  },
  "a file, in a page that was rewritten by a build of other sources": async () => {
    addForeign();
    const content = join(place.folder, "other");
    writeSite(content, { ...SMALL_SITE, "works/_a/marsh.json": { ...marshNow(), title: "Other" } });
    await build({ ...place, content, cache: join(place.folder, "other-cache") });
    addForeign();
    await build({ ...place, content, cache: join(place.folder, "other-cache") });
  },
  "another content of the page's file, with the same size and time": () => {
    const { atime, mtime } = statSync(inPage("index.json"));
    writeFileSync(inPage("index.json"), readFileSync(inPage("index.json"), "utf8").replace("Marsh", "MARSH"));
    utimesSync(inPage("index.json"), atime, mtime);
  },
  "no file, in a folder with other permissions": () => chmodSync(join(pages, "31"), 0o700),
};

const marshNow = (): object => place.json("works/_a/marsh.json") as object;

describe("only the build's files stay among the pages", () => {
  it.each(Object.keys(CASES))(
    "%s, after a first build and after one that kept most folders",
    async (name) => {
      for (const title of [undefined, "Once more"]) {
        if (title !== undefined) {
          edit(title);
          await build(place);
        }
        await CASES[name]?.();
        const { next, clean } = await buildNext();
        expect(next).toEqual(clean);
      }
    },
  );

  /** Files of a job that compresses all files while a build runs. */
  it.each(["31/index.json.gz", "2/index.json.gz", "2/sub/x", "extra/x"])(
    "%s, added while a build runs",
    async (path) => {
      edit("Once more");
      await build({ ...place, progress: () => write(pages, path, "foreign") });
      const { next, clean } = await buildNext();
      expect(next).toEqual(clean);
    },
  );

  /** Tests this in a process of its own, because an endless build would block the test, too. */
  it.each(["full", "incremental"])("names that are not UTF-8, in a %s build", async (kind) => {
    for (const path of ["31/page", "31/other", "page"]) writeFileSync(named(path), "foreign");
    for (const path of ["31/sub", "sub"]) {
      mkdirSync(named(path));
      writeFileSync(Buffer.concat([named(path), Buffer.from("/"), NO_UTF8]), "foreign");
    }
    const full = kind === "full" ? ["--full"] : [];
    const ended = await run("build", ["--content", place.content, "--out", place.out, ...full], {
      timeout: 200_000,
    });
    expect(ended.status).toBe(0);
    const { next, clean } = await buildNext();
    expect(next).toEqual(clean);
  });

  it("after that, the next build has nothing to do", async () => {
    addForeign();
    await build(place);
    // A build reads sources again that are younger than a tick of the clock.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await build(place);
    const before = statSync(pages).ctimeMs;
    const { published } = await build({
      ...place,
      progress: () => {
        throw new Error("a source was read");
      },
    });
    expect(published).toMatchObject({ written: 0, removed: 0 });
    expect(statSync(pages).ctimeMs).toBe(before);
  });
});
