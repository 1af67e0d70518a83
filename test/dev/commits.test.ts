import { chmodSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  changesSinceCommit,
  commitFiles,
  NotChanged,
  sendCommits,
  unsentCommits,
} from "../../build/dev/commits.ts";
import { eachInRepository, git } from "../change/diff/repository.ts";
import { scratch } from "../scratch.ts";
import { general, write, writeImage } from "../site/site.ts";

const { here, source, put } = eachInRepository("commits");

beforeAll(() => {
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
  vi.stubEnv("GIT_CONFIG_SYSTEM", "/dev/null");
});
afterAll(() => vi.unstubAllEnvs());

const identify = (): void => {
  git(here().folder, "config", "user.name", "Mira");
  git(here().folder, "config", "user.email", "mira@example.org");
};
const status = (): string[] =>
  git(here().folder, "status", "--porcelain", "--untracked-files=all").split("\n").filter(Boolean);

/** Changes of pages and of an image, and a staged file that is no content. */
function change(): void {
  put("about.json", general(2, "About us"));
  rmSync(source("visit/cafe.json"));
  renameSync(source("_news.json"), source("news.json"));
  writeImage(here().content, "map.png");
  put("visit/notes.txt", "not content");
  write(here().folder, "staged.txt", "staged");
  git(here().folder, "add", "staged.txt");
}
const CHANGED = ["_media/map.png", "_news.json", "about.json", "news.json", "visit/cafe.json"];

describe("the changes since the last commit", () => {
  it("have the texts before and after, and only the names of images", async () => {
    change();
    const { changes, more } = await changesSinceCommit(here().content);
    expect(changes.map(({ file }) => file)).toEqual(CHANGED);
    expect(more).toBe(0);
    expect(changes[0]).toEqual({ file: "_media/map.png", before: null, after: "", encoding: "base64" });
    const [about, cafe] = [changes[2], changes[4]];
    expect(JSON.parse(about?.before ?? "")).toMatchObject({ title: "About" });
    expect(JSON.parse(about?.after ?? "")).toMatchObject({ title: "About us" });
    expect(cafe?.after).toBeNull();
    // They cannot be shown, so that they are counted only, and never proposed.
    symlinkSync(source("index.json"), source("visit/linked.json"));
    writeFileSync(source("about.json"), Buffer.from([0x22, 0xff, 0x22]));
    const later = await changesSinceCommit(here().content);
    expect([later.changes.map(({ file }) => file), later.more]).toEqual([
      CHANGED.filter((file) => file !== "about.json"),
      2,
    ]);
  });

  it("are none in a file that was written again as it is in the commit", async () => {
    utimesSync(source("about.json"), 1, 1);
    expect(await changesSinceCommit(here().content)).toEqual({ changes: [], more: 0 });
  });

  it("are committed without other files, staged or not", async () => {
    change();
    identify();
    await commitFiles(here().content, CHANGED, "Edit the visit pages");
    expect(status()).toEqual(["A  staged.txt", "?? content/visit/notes.txt"]);
    expect(git(here().folder, "log", "-1", "--format=%an: %s")).toBe("Mira: Edit the visit pages\n");
    expect(await changesSinceCommit(here().content)).toEqual({ changes: [], more: 0 });
  });

  it("are committed if the file has the size and the time of the last commit", async () => {
    identify();
    git(here().folder, "config", "core.trustctime", "false");
    for (const title of ["One", "Two"]) {
      put("about.json", general(2, title));
      utimesSync(source("about.json"), 1e9, 1e9);
      await commitFiles(here().content, ["about.json"], title);
      utimesSync(join(here().folder, ".git/index"), 1e9, 1e9);
    }
    expect(git(here().folder, "log", "-2", "--format=%s")).toBe("Two\nOne\n");
  });

  it("are neither listed nor committed if git ignores the file", async () => {
    identify();
    put(".gitignore", "_draft.json\n");
    put("_draft.json", general(60, "Private"));
    put("about.json", general(2, "About us"));
    const { changes } = await changesSinceCommit(here().content);
    expect(changes.map(({ file }) => file)).toEqual(["about.json"]);
    await expect(commitFiles(here().content, ["_draft.json"], "x")).rejects.toThrow(NotChanged);
    await commitFiles(here().content, ["about.json"], "x");
  });

  it("stay in conflict if they are committed during a merge", async () => {
    identify();
    const commitAbout = (title: string): void => {
      put("about.json", general(2, title));
      git(here().folder, "commit", "--quiet", "--all", "--message", title);
    };
    git(here().folder, "checkout", "--quiet", "-b", "other");
    commitAbout("One");
    git(here().folder, "checkout", "--quiet", "-");
    commitAbout("Two");
    expect(() => git(here().folder, "merge", "--quiet", "other")).toThrow("merge");
    await expect(commitFiles(here().content, ["about.json"], "x")).rejects.toThrow("middle of a merge");
    expect(status()).toEqual(["UU content/about.json"]);
  });

  it("are as in the commit after a hook has changed and added files", async () => {
    identify();
    const hook = `sed -i 's/About us/About it/' content/about.json; echo x >added.txt; git add content/about.json added.txt`;
    write(here().folder, ".git/hooks/pre-commit", `#!/bin/sh\n${hook}\n`);
    chmodSync(join(here().folder, ".git/hooks/pre-commit"), 0o755);
    put("about.json", general(2, "About us"));
    await commitFiles(here().content, ["about.json"], "x");
    expect(status()).toEqual([]);
    expect(git(here().folder, "show", "HEAD:content/about.json")).toContain("About it");
  });

  it("are not committed without a name, a description, or if they are no changes of content", async () => {
    change();
    git(here().folder, "config", "user.useConfigOnly", "true");
    const before = status();
    const attempt = (files: string[], message = "x") => commitFiles(here().content, files, message);
    await expect(attempt(["about.json"])).rejects.toThrow("git config user.name");
    identify();
    await expect(attempt(["about.json"], " ")).rejects.toThrow("Describe the changes");
    await expect(attempt([])).rejects.toThrow("no changes");
    for (const file of ["index.json", "visit/notes.txt", "../staged.txt", ":/", source("about.json")])
      await expect(attempt([file])).rejects.toThrow(NotChanged);
    expect(status().filter((line) => !line.endsWith("about.json"))).toEqual(
      before.filter((line) => !line.endsWith("about.json")),
    );
  });
});

/** Gives the branch a remote, with what it has now. @returns its folder */
function addRemote(): string {
  const remote = scratch("remote");
  git(here().folder, "clone", "--quiet", "--bare", here().folder, remote);
  git(here().folder, "remote", "add", "origin", remote);
  git(here().folder, "fetch", "--quiet", "origin");
  git(here().folder, "branch", "--quiet", "--set-upstream-to=origin/main", "main");
  return remote;
}
const commitAbout = async (title: string): Promise<void> => {
  put("about.json", general(2, title));
  await commitFiles(here().content, ["about.json"], title);
};

describe("the commits that are not sent", () => {
  beforeEach(identify);

  it("are listed and pushed to the branch that this one follows, also the first time", async () => {
    await commitAbout("One");
    expect(unsentCommits(here().content)).toBeNull();
    await expect(sendCommits(here().content)).rejects.toThrow(/no remote/);
    const remote = addRemote();
    expect(unsentCommits(here().content)).toEqual({ to: "main of origin", commits: [] });
    await commitAbout("Two");
    await commitAbout("Three");
    expect(unsentCommits(here().content)?.commits).toEqual(["Three", "Two"]);
    await sendCommits(here().content);
    expect(git(remote, "log", "-2", "--format=%s", "main")).toBe("Three\nTwo\n");
    expect(unsentCommits(here().content)?.commits).toEqual([]);
    git(here().folder, "checkout", "--quiet", "-b", "spring");
    git(here().folder, "config", "branch.spring.remote", "origin");
    git(here().folder, "config", "branch.spring.merge", "refs/heads/spring");
    await commitAbout("Four");
    expect(unsentCommits(here().content)).toEqual({ to: "spring of origin", commits: ["Four"] });
    await sendCommits(here().content);
    expect(git(remote, "log", "-1", "--format=%s", "spring")).toBe("Four\n");
  });

  it("stay here if the remote is ahead, missing or asks for a password", async () => {
    const remote = addRemote();
    const other = scratch("other");
    git(here().folder, "clone", "--quiet", remote, other);
    git(other, "commit", "--quiet", "--allow-empty", "--message=theirs");
    git(other, "push", "--quiet");
    await commitAbout("Ours");
    await expect(sendCommits(here().content)).rejects.toThrow(/^main of origin has commits .* git pull/);
    rmSync(remote, { recursive: true });
    await expect(sendCommits(here().content)).rejects.toThrow(/^git did not send/);
    // What git says where it cannot ask.
    const asks = join(here().folder, "asks");
    writeFileSync(
      asks,
      '#!/bin/sh\necho "fatal: could not read Username: $GIT_TERMINAL_PROMPT$GIT_ASKPASS" >&2\nexit 1\n',
    );
    chmodSync(asks, 0o755);
    git(here().folder, "config", "protocol.ext.allow", "always");
    git(here().folder, "remote", "set-url", "origin", `ext::${asks}`);
    await expect(sendCommits(here().content)).rejects.toThrow(/did not accept git’s credentials/);
    expect(unsentCommits(here().content)?.commits).toEqual(["Ours"]);
  });
});
