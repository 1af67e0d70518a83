import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { diff } from "../../build/diff/diff.ts";
import { Failure } from "../../build/base/failure.ts";
import { general, workplace, write, writeSite, type Workplace } from "../pipeline/site.ts";
import { scratch } from "../scratch.ts";
import { commit, git, ids, repository } from "./repository.ts";

let place: Workplace;
beforeEach(() => {
  place = repository("base");
});

const source = (path: string): string => join(place.content, path);
const compare = (base?: string) => diff({ content: place.content, base });

describe("the base", () => {
  it("is where the branch left the main branch", async () => {
    git(place.folder, "checkout", "--quiet", "-b", "topic");
    write(place.content, "new.json", general(90, "New"));
    const left = git(place.folder, "rev-parse", "main").trim();
    commit(place.folder);
    git(place.folder, "checkout", "--quiet", "main");
    write(place.content, "elsewhere.json", general(91, "Elsewhere"));
    commit(place.folder);
    git(place.folder, "checkout", "--quiet", "topic");
    const { base, added } = await compare();
    expect(base).toEqual({ commit: left, from: "merge base with main" });
    expect(ids(added)).toEqual([90]);
  });

  it("is the origin's main branch rather than the local one", async () => {
    git(place.folder, "update-ref", "refs/remotes/origin/main", "HEAD");
    write(place.content, "new.json", general(90, "New"));
    commit(place.folder);
    const { base, added } = await compare();
    expect(base.from).toBe("merge base with origin/main");
    expect(ids(added)).toEqual([90]);
  });

  it("is the given revision", async () => {
    const first = git(place.folder, "rev-parse", "HEAD").trim();
    write(place.content, "new.json", general(90, "New"));
    commit(place.folder);
    expect((await compare()).added).toEqual([]);
    expect((await compare("HEAD~1")).base.commit).toBe(first);
    expect(ids((await compare(first.slice(0, 12))).added)).toEqual([90]);
  });

  it.each(["nothing", "--all", "HEAD:content", "a b"])(
    "is refused if git does not know %j",
    async (revision) => {
      await expect(compare(revision)).rejects.toThrow(Failure);
    },
  );

  it("is missing outside a checkout, and in a checkout without a commit", async () => {
    const bare = workplace("no-checkout");
    writeSite(bare.content);
    await expect(diff({ content: bare.content })).rejects.toThrow(/not in a checkout of git/);
    git(bare.folder, "init", "--quiet");
    await expect(diff({ content: bare.content })).rejects.toThrow(/no commit/);
    await expect(diff({ content: join(bare.folder, "none") })).rejects.toThrow(/no content folder/);
  });

  it("is missing if two histories have no common commit", async () => {
    git(place.folder, "checkout", "--quiet", "--orphan", "alone");
    write(place.content, "new.json", general(90, "New"));
    commit(place.folder);
    await expect(compare()).rejects.toThrow(/--base/);
  });

  it("may have no sources", async () => {
    const empty = git(place.folder, "hash-object", "-t", "tree", "/dev/null").trim();
    const root = git(place.folder, "commit-tree", empty, "-m", "empty").trim();
    const { added, site, removed } = await compare(root);
    expect(added).toHaveLength(16);
    expect(removed).toEqual([]);
    expect(site.map(({ field }) => field)).toContain("base_url");
  });
});

it("compares sources that are the whole checkout", async () => {
  const flat = scratch("flat");
  writeSite(flat);
  git(flat, "init", "--quiet", "--initial-branch", "main");
  commit(flat);
  write(flat, "about.json", general(2, "About us"));
  expect(ids((await diff({ content: flat })).changed)).toEqual([2]);
});

it("leaves the checkout unchanged", async () => {
  write(place.content, "new.json", general(90, "New"));
  // To git, the file looks changed, but its content is the same.
  utimesSync(source("about.json"), 1, 1);
  const index = readFileSync(join(place.folder, ".git/index"));
  await compare();
  expect(readFileSync(join(place.folder, ".git/index")).equals(index)).toBe(true);
  expect(git(place.folder, "status", "--porcelain")).toBe("?? content/new.json\n");
});
