import { execFile } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { commit, init } from "../change/diff/repository.ts";
import { general, page, work, write } from "../site/site.ts";
import { scratch } from "../scratch.ts";

/* The program with a museum's own files: its tests must pass there. */
const museum = scratch("museum");

// Other tests may be packing the program, which writes `dist`.
const LEFT_OUT = new Set([".git", ".cache", ".preview", ".wrangler", "dist", "node_modules"]);

/** Ids, subjects and venues of the fixture site, with other meanings. */
const SUBJECTS = [{ id: 101, name: "machines", level: 2, parent_id: 7 }];
const SOURCES: Record<string, unknown> = {
  "_site.json": {
    base_url: "https://api.museum.example",
    site_url: "https://museum.example",
    media_url: "https://images.museum.example/m",
    append_slash: false,
    owned_paths: ["/works", "/shows"],
  },
  "index.json": page(5, "home.HomePage", "Museum of Machines"),
  "_history.json": {
    retired: [
      { id: 33, address: "/about/contact", to: "/shows" },
      { id: 34, address: "/about/press" },
    ],
    moved: [{ id: 10112, address: "/works/old-engine" }],
  },
  "shows/index.json": general(1, "Shows"),
  "shows/_next.json": { title: "Not yet a page" },
  "closed/_index.json": general(2, "A section that is not published yet"),
  "closed/rooms.json": "{ not even JSON",
  "works/index.json": page(10, "artworks.ArtworkIndexPage", "Works"),
  "works/_large/engine.json": work(10112, "Engine", { subjects: SUBJECTS, acno: "X00001" }),
  "works/_large/loom.json": work(10021, "Loom", {
    subjects: SUBJECTS,
    description: '<p><a href="/shows">Shows</a></p>',
  }),
};

/** Runs npm as the museum does, without this suite's environment; returns the whole output. */
const npm = (...args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(?:VITEST|NODE_OPTIONS|NODE_ENV|TEST|USES_OF_CONTENT|npm_)/.test(name),
    );
    const env = { ...Object.fromEntries(own), NO_COLOR: "1" };
    const options = { cwd: museum, env, maxBuffer: 2 ** 28 };
    execFile("npm", args, options, (error, stdout, stderr) =>
      error === null ? resolve(stdout + stderr) : reject(new Error(`${stdout}\n${stderr}`.slice(-20_000))),
    );
  });

beforeAll(() => {
  // Some tests run the program as another user.
  chmodSync(museum, 0o755);
  for (const name of readdirSync(PROGRAM_FOLDER))
    if (!LEFT_OUT.has(name) && name !== "content")
      cpSync(join(PROGRAM_FOLDER, name), join(museum, name), { recursive: true });
  rmSync(join(museum, "public"), { recursive: true });
  cpSync(join(PROGRAM_FOLDER, "public/.assetsignore"), join(museum, "public/.assetsignore"));
  // Each package has its own link, because some tests add packages to the folder.
  mkdirSync(join(museum, "node_modules"));
  for (const name of readdirSync(join(PROGRAM_FOLDER, "node_modules")))
    symlinkSync(join(PROGRAM_FOLDER, "node_modules", name), join(museum, "node_modules", name));

  // On one line, or indented by tabs: a museum chooses the layout of its pages.
  for (const [path, source] of Object.entries(SOURCES)) {
    const indent = path.startsWith("works/") ? "\t" : undefined;
    write(
      join(museum, "content"),
      path,
      typeof source === "string" ? source : JSON.stringify(source, undefined, indent),
    );
  }
  writeFileSync(join(museum, "LICENSE"), "All rights reserved.\n");
  appendFileSync(join(museum, "_headers"), "\n/downloads/*\n  Cache-Control: max-age=60\n");
  const configuration = readFileSync(join(museum, "wrangler.jsonc"), "utf8");
  writeFileSync(
    join(museum, "wrangler.jsonc"),
    configuration.replace('"static-page-api"', '"museum-of-machines"').replaceAll("  ", "\t"),
  );
  init(museum);
  commit(museum);
});

it("has sources without an error", async () => {
  expect(await npm("run", "check")).toContain("5 pages");
});

// The other parts of npm run lint do not read the museum's files.
it("passes the check of the layout", async () => {
  expect(await npm("exec", "--", "oxfmt", "--check")).not.toBe("");
});

/** The folders of tests that read files which a museum may change; a guard keeps all tests from reading its pages. */
const READING = ["commands", "hosting", "init", "release", "start", "workflows"];

it.each([
  ["the tests that read its files", "test", ...READING.map((folder) => `test/${folder}/`)],
  ["npm run test:quick", "run", "test:quick"],
])("passes %s", { timeout: 3_600_000 }, async (_, ...command) => {
  const output = await npm(...command);
  // Not “failed” alone: a slow test is listed, and its name may contain the word.
  expect(output).toMatch(/^ *Tests +\d+ passed/m);
});
