import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { check } from "../../build/pipeline/check.ts";
import { commit, git } from "../diff/repository.ts";
import { runHere } from "../command.ts";
import { scratch } from "../scratch.ts";

/** The commands of docs/start.md that update the program. */
const [, LOOK = "", UPDATE = ""] =
  /^## Update the program$[^]*?```sh\n([^]*?)```[^]*?```sh\n([^]*?)```/m.exec(
    readFileSync(join(PROGRAM_FOLDER, "docs", "start.md"), "utf8"),
  ) ?? [];

const OWN = ["_headers", "wrangler.jsonc", "LICENSE"];

const folder = scratch("update");
const [program, museum] = [join(folder, "program"), join(folder, "museum")];
/** Copies of both as they were prepared, for each test. */
const prepared = scratch("prepared");
const inProgram = (path: string): string => join(program, path);
const inMuseum = (path: string): string => join(museum, path);
const read = (path: string): string => readFileSync(path, "utf8");
const edit = (path: string, change: (text: string) => string): void =>
  writeFileSync(path, change(read(path)));

/** Runs the commands as a reader types them: each line, even if the previous one failed. Returns the errors. */
const type = (commands: string): string[] =>
  commands.split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      execFileSync("sh", ["-c", line], { cwd: museum, stdio: "pipe", env: { ...process.env, LC_ALL: "C" } });
      return [];
    } catch (cause) {
      return [String((cause as { stderr: Buffer }).stderr)];
    }
  });

/** The text of the museum's own files. */
const owned = (): Record<string, string> => {
  const files = git(museum, "ls-files", "--", "content", ...OWN)
    .split("\n")
    .filter(Boolean);
  return Object.fromEntries(files.map((file) => [file, read(inMuseum(file))]));
};

/** A program with the sample site, and a museum with other pages: some removed, others under the same names. */
beforeAll(async () => {
  mkdirSync(inProgram("build"), { recursive: true });
  for (const name of OWN) cpSync(join(PROGRAM_FOLDER, name), inProgram(name));
  cpSync(join(PROGRAM_FOLDER, "test", "fixtures", "site"), inProgram("content"), { recursive: true });
  writeFileSync(inProgram("build/kept.ts"), Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join(""));
  writeFileSync(inProgram("build/removed.ts"), "");
  git(program, "init", "--quiet", "--initial-branch", "main");
  commit(program);

  git(folder, "clone", "--quiet", "--origin", "program", program, museum);
  for (const [key, value] of [
    ["user.name", "Museum"],
    ["user.email", "museum@example.org"],
  ] as const)
    git(museum, "config", key, value);
  git(museum, "rm", "-r", "--quiet", "content");
  await runHere("init", ["--content", inMuseum("content"), "--title", "Harbour"]);
  mkdirSync(inMuseum("content/visit"));
  writeFileSync(
    inMuseum("content/visit/index.json"),
    '{ "id": 20, "meta": { "type": "standardpages.GeneralPage" }, "title": "Visit the harbour" }\n',
  );
  edit(inMuseum("wrangler.jsonc"), (text) => text.replace('"static-page-api"', '"harbour"'));
  edit(inMuseum("_headers"), (text) => text.replace("nosniff", "nosniff\n  X-Harbour: 1"));
  edit(inMuseum("LICENSE"), (text) => `The pages belong to the Harbour Museum.\n\n${text}`);
  writeFileSync(inMuseum("build/ours.ts"), "ours\n");
  commit(museum);

  // In an ordinary merge, each of these edits would conflict with a file of the museum.
  edit(inProgram("content/index.json"), (text) => text.replace("Aldermouth", "Aldermere"));
  edit(inProgram("content/visit/index.json"), (text) => text.replace('"title": "', '"title": "New: '));
  edit(inProgram("content/about/contact.json"), (text) => text.replace('"title": "', '"title": "New: '));
  rmSync(inProgram("content/visit/access.json"));
  writeFileSync(inProgram("content/new.json"), "{}");
  edit(inProgram("wrangler.jsonc"), (text) => text.replace("2026-04-01", "2026-09-01"));
  edit(inProgram("_headers"), (text) => text.replace("nosniff", "nosniff\n  X-Program: 1"));
  edit(inProgram("LICENSE"), (text) => text.replace("MIT License", "The MIT License"));
  edit(inProgram("build/kept.ts"), (text) => text.replace("line 5", "line five"));
  rmSync(inProgram("build/removed.ts"));
  writeFileSync(inProgram("build/added.bin"), Buffer.from([0, 1, 255]));
  commit(program);
  cpSync(folder, prepared, { recursive: true });
});

beforeEach(() => {
  rmSync(folder, { recursive: true });
  cpSync(prepared, folder, { recursive: true });
});

describe("an update as in docs/start.md", () => {
  it("conflicts in an ordinary merge, so the other tests are meaningful", () => {
    git(museum, "fetch", "--quiet", "program");
    expect(type("git merge program/main")).toHaveLength(1);
    expect(git(museum, "diff", "--name-only", "--diff-filter=U")).toContain("content/");
  });

  it("changes the program, and no file of the museum", async () => {
    const before = owned();
    expect(type(LOOK)).toEqual([]);
    expect(type(UPDATE)).toEqual([]);
    expect(git(museum, "status", "--porcelain")).toBe("");
    expect(owned()).toEqual(before);
    expect(await check({ content: inMuseum("content") })).toMatchObject({ pages: 2, findings: [] });
    expect(read(inMuseum("build/kept.ts"))).toBe(read(inProgram("build/kept.ts")));
    expect(readFileSync(inMuseum("build/added.bin"))).toEqual(Buffer.from([0, 1, 255]));
    expect(existsSync(inMuseum("build/removed.ts"))).toBe(false);
    expect(read(inMuseum("build/ours.ts"))).toBe("ours\n");
  });

  it("can be repeated with the next version", () => {
    type(UPDATE.replaceAll("program/main", "program/main~0").replace(/^/, "git fetch -q program\n"));
    edit(inProgram("build/kept.ts"), (text) => text.replace("line 9", "line nine"));
    edit(inProgram("content/new.json"), () => '{ "id": 1 }');
    commit(program);
    const before = owned();
    expect(type(`${LOOK}${UPDATE}`)).toEqual([]);
    expect(owned()).toEqual(before);
    expect(read(inMuseum("build/kept.ts"))).toContain("line five\nline 6\nline 7\nline 8\nline nine");
  });

  it("reports a conflict only in a file of the program that the museum has changed", () => {
    edit(inMuseum("build/kept.ts"), (text) => text.replace("line 5", "line V").replace("line 15", "line XV"));
    commit(museum);
    const before = owned();
    expect(type(`${LOOK}${UPDATE}`).join("")).toContain("with conflicts");
    expect(git(museum, "diff", "--name-only", "--diff-filter=U")).toBe("build/kept.ts\n");
    expect(owned()).toEqual(before);
    // The guide's instruction for a conflict.
    expect(
      type('git checkout --theirs build/kept.ts\ngit add build/kept.ts\ngit commit -m "Update the program"'),
    ).toEqual([]);
    expect(git(museum, "status", "--porcelain")).toBe("");
    expect(read(inMuseum("build/kept.ts"))).toBe(read(inProgram("build/kept.ts")));
  });

  it("can be undone", () => {
    edit(inMuseum("build/kept.ts"), (text) => text.replace("line 5", "line V"));
    commit(museum);
    const before = git(museum, "rev-parse", "HEAD");
    type(`${LOOK}${UPDATE}`);
    expect(type("git merge --abort")).toEqual([]);
    expect([git(museum, "status", "--porcelain"), git(museum, "rev-parse", "HEAD")]).toEqual(["", before]);
  });
});
