import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gitEnvironment } from "../../build/source/git.ts";
import { runHere } from "../command.ts";
import { git, repository } from "../change/diff/repository.ts";
import { treeOf } from "../files.ts";
import { general, write, type Workplace } from "../site/site.ts";
import { refusal } from "../refusal.ts";

/* The commands in unusual checkouts of git. */

let place: Workplace;
beforeEach(() => {
  place = repository("checkout");
});
afterEach(() => vi.unstubAllEnvs());

const run = (name: string, args: string[], folder = place.folder) => runHere(name, args, { cwd: folder });

describe("a hook or an alias of another repository", () => {
  it("does not lead the commands to that repository", async () => {
    const other = repository("other");
    place.put("new.json", general(90, "New"));
    vi.stubEnv("GIT_DIR", join(other.folder, ".git"));
    vi.stubEnv("GIT_WORK_TREE", other.folder);
    vi.stubEnv("GIT_INDEX_FILE", join(other.folder, ".git/index"));
    const { status, stdout } = await run("diff", ["--reporter", "json"]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ added: [{ id: 90 }], removed: [], changed: [] });
    await run("move", ["new", "newer"]);
    const sources = treeOf(place.content);
    expect(Object.keys(sources)).toContain("newer.json");
    // The page was never published, so it has no old address.
    expect(sources["_history.json"] ?? "").not.toContain('"address"');
  });

  it("sets no variable that is passed on, except settings given with -c", () => {
    const names = git(place.folder, "rev-parse", "--local-env-vars").trim().split("\n");
    for (const name of names) vi.stubEnv(name, "x");
    const left = Object.keys(gitEnvironment()).filter((name) => names.includes(name));
    expect(left.filter((name) => !/^GIT_CONFIG_(?:PARAMETERS|COUNT)$/.test(name))).toEqual([]);
  });
});

describe("a checkout that git refuses to read", () => {
  it.each([
    ["as another user owns it", "safe.directory", () => vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")],
    [
      "as its repository is not there",
      "not a git repository: ",
      () => {
        renameSync(join(place.folder, ".git"), join(place.folder, "elsewhere"));
        writeFileSync(join(place.folder, ".git"), "gitdir: /nowhere/.git/worktrees/x\n");
      },
    ],
  ])("%s: diff and move pass on git's advice", async (_, advice, prepare) => {
    prepare();
    const before = treeOf(place.content);
    for (const [name, ...args] of [["diff"], ["move", "visit/cafe", "cafe"]]) {
      expect(await run(name ?? "", args)).toMatchObject(refusal(advice));
    }
    expect(treeOf(place.content)).toEqual(before);
  });
});

/** Writes what deploy looks for before it builds. */
const addWrangler = (folder: string): void => {
  write(folder, "wrangler.jsonc", {});
  write(folder, "node_modules/wrangler/package.json", { name: "wrangler" });
  write(folder, "node_modules/wrangler/bin/wrangler.js", "");
};

describe("a sparse checkout", () => {
  const COMMANDS = [["build"], ["check"], ["deploy", "--dry-run"], ["diff"], ["move", "about", "us"]];
  const refused = async (folder: string): Promise<boolean[]> => {
    const ended = [];
    for (const [name = "", ...args] of [...COMMANDS, ["retire", "about"]])
      ended.push(await run(name, [...args, "--content", join(folder, "content")], folder));
    return ended.map(({ status, stderr }) => status === 2 && /sparse-checkout disable/.test(stderr));
  };

  it.each([["cone"], ["no-cone"]])("without some of the pages is refused (%s)", async (mode) => {
    git(
      place.folder,
      "sparse-checkout",
      "set",
      `--${mode}`,
      mode === "cone" ? "content/visit" : "content/*.json",
    );
    addWrangler(place.folder);
    const before = treeOf(place.folder);
    expect(await refused(place.folder)).toEqual([true, true, true, true, true, true]);
    expect(treeOf(place.folder)).toEqual(before);
  });

  it("in a linked worktree is refused there only", async () => {
    const linked = join(place.folder, "linked");
    git(place.folder, "worktree", "add", "--quiet", linked);
    git(linked, "sparse-checkout", "set", "content/visit");
    addWrangler(linked);
    expect(new Set(await refused(linked))).toEqual(new Set([true]));
    rmSync(linked, { recursive: true });
    expect((await run("check", [])).stderr).not.toMatch(/sparse/);
  });

  it("with all of the pages, or that has ended, is accepted", async () => {
    git(place.folder, "sparse-checkout", "set", "content");
    expect((await run("check", [])).status).toBe(0);
    git(place.folder, "sparse-checkout", "set", "content/visit");
    git(place.folder, "sparse-checkout", "disable");
    expect((await run("check", [])).status).toBe(0);
  });
});

it.each(["build", "check", "diff", "schedule", "types --out types.ts"])(
  "%s: a file in place of the content folder is named",
  async (line) => {
    const [name = "", ...args] = line.split(" ");
    const { status, stderr } = await run(name, [...args, "--content", "content/index.json"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/index\.json is not a folder\./);
  },
);

it("the command for a name in the wrong case does not replace the page with the right name", async () => {
  place.put("Index.json", general(90, "Another"));
  git(place.folder, "add", ".");
  const before = treeOf(place.content);
  const [command = ""] = /git mv .*/.exec((await run("check", [])).stderr) ?? [];
  const [, ...args] = command.split(" ");
  expect(() => git(place.content, ...args)).toThrow(/destination exists/);
  expect(treeOf(place.content)).toEqual(before);
});
