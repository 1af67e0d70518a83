import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scratch } from "../../scratch.ts";

const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "An editor",
  GIT_AUTHOR_EMAIL: "editor@example.org",
  GIT_COMMITTER_NAME: "An editor",
  GIT_COMMITTER_EMAIL: "editor@example.org",
};

interface GitOptions {
  input?: string | Buffer;
  env?: NodeJS.ProcessEnv;
}

export function gitBytes(folder: string, args: string[], { input, env }: GitOptions = {}): Buffer {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: folder,
    input,
    env: { ...ENVIRONMENT, ...env },
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.toString()}`);
  return stdout;
}

/** Runs git in a folder. @returns its output as text, without the last line break */
export const git = (folder: string, args: string[], options?: GitOptions): string =>
  gitBytes(folder, args, options).toString().replace(/\n$/, "");

export interface GitEntry {
  path: string;
  mode: string;
  type: "blob" | "tree" | "commit";
  sha: string;
  size?: number;
}

/** A bare git repository, with methods that match GitHub's API. It starts git rarely, because that takes long. */
export class BareRepository {
  readonly folder: string;
  /** What git printed about objects, which never change, by its arguments. */
  readonly #known = new Map<string, Buffer>();

  /** Makes an empty repository; a fork shares the objects of another one, as on GitHub. */
  constructor(folder: string, forkOf?: BareRepository) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    git(folder, ["init", "--bare", "--quiet", "--initial-branch=main"]);
    if (forkOf !== undefined) {
      writeFileSync(join(folder, "objects/info/alternates"), `${join(forkOf.folder, "objects")}\n`);
      for (const [ref, sha] of forkOf.branches()) this.setRef(`refs/heads/${ref}`, sha);
    }
  }

  branches(): Map<string, string> {
    const heads = join(this.folder, "refs/heads");
    const entries = readdirSync(heads, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return new Map(
      files.sort().map((file) => [file.slice(heads.length + 1), readFileSync(file, "ascii").trim()]),
    );
  }

  /** Runs git, unless it has printed the same about the object before. @returns undefined if git fails */
  #print(object: string, args: string[]): Buffer | undefined {
    const key = args.join("\0");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { status, stdout } = spawnSync("git", args, {
      cwd: this.folder,
      env: ENVIRONMENT,
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) return undefined;
    if (/^[0-9a-f]{40}$/.test(object)) this.#known.set(key, stdout);
    return stdout;
  }

  /** @throws Error if there is no such object. */
  #read(object: string, args: string[]): Buffer {
    const printed = this.#print(object, args);
    if (printed === undefined) throw new Error(`git ${args.join(" ")} failed`);
    return printed;
  }

  /** The hash of an object; undefined if there is none, or none of this type. */
  resolve(name: string, type: "commit" | "tree" | "blob" | "object" = "object"): string | undefined {
    const ref = join(this.folder, name);
    const object = name.startsWith("refs/") && existsSync(ref) ? readFileSync(ref, "ascii").trim() : name;
    const args = ["rev-parse", "--verify", "--quiet", `${object}^{${type}}`];
    return this.#print(object, args)?.toString().trim();
  }

  setRef(ref: string, sha: string): void {
    const file = join(this.folder, ref);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${sha}\n`);
  }

  deleteRef(ref: string): void {
    rmSync(join(this.folder, ref));
  }

  isAncestor(ancestor: string, commit: string): boolean {
    return this.#print(ancestor, ["merge-base", "--is-ancestor", ancestor, commit]) !== undefined;
  }

  commit(sha: string): { tree: string; parents: string[]; message: string } {
    const shown = this.#read(sha, ["show", "-s", "--format=%T%n%P%n%B", sha]).toString();
    const [tree = "", parents = "", ...message] = shown.split("\n");
    return { tree, parents: parents.split(" ").filter(Boolean), message: message.join("\n").trimEnd() };
  }

  list(tree: string, isRecursive = false): GitEntry[] {
    return this.#entries(tree, isRecursive ? ["-r", "-t", tree] : [tree]);
  }

  #entries(tree: string, args: string[]): GitEntry[] {
    return this.#read(tree, ["ls-tree", "-z", "--long", ...args])
      .toString()
      .split("\0")
      .filter(Boolean)
      .map((line) => {
        const [, mode = "", type = "", sha = "", size = "", path = ""] =
          /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
        const bytes = size === "-" ? {} : { size: Number(size) };
        return Object.assign(bytes, { path, mode, type: type as GitEntry["type"], sha });
      });
  }

  entry(root: string, path: string): GitEntry | undefined {
    const [found] = this.#entries(root, [root, path]);
    return found === undefined ? undefined : { ...found, path: path.slice(path.lastIndexOf("/") + 1) };
  }

  read(blob: string): Buffer {
    return this.#read(blob, ["cat-file", "blob", blob]);
  }

  writeBlob(bytes: string | Buffer): string {
    return git(this.folder, ["hash-object", "-w", "--stdin"], { input: bytes });
  }

  writeTree(
    base: string | undefined,
    entries: readonly { path: string; mode: string; sha: string | null }[],
  ): string {
    const env = { GIT_INDEX_FILE: join(this.folder, `index-${++indexes}`) };
    if (base !== undefined) git(this.folder, ["read-tree", base], { env });
    const lines = entries.map(
      ({ path, mode, sha }) => `${sha === null ? 0 : mode} ${sha ?? "0".repeat(40)}\t${path}\0`,
    );
    git(this.folder, ["update-index", "-z", "--index-info"], { env, input: lines.join("") });
    return git(this.folder, ["write-tree"], { env });
  }

  writeCommit(tree: string, parents: readonly string[], message: string): string {
    return git(this.folder, ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])], {
      input: message,
    });
  }

  /** Commits changes to a branch, like another editor. @param files texts by path; null removes a file */
  change(branch: string, files: Record<string, string | Buffer | null>, modes: Record<string, string> = {}) {
    const ref = `refs/heads/${branch}`;
    const head = this.resolve(ref, "commit");
    const parts: (string | Buffer)[] = [
      `commit ${ref}\ncommitter An editor <editor@example.org> now\ndata 0\n`,
    ];
    if (head !== undefined) parts.push(`from ${head}\n`);
    for (const [path, text] of Object.entries(files)) {
      const mode = modes[path] ?? "100644";
      if (text === null) parts.push(`D ${path}\n`);
      else parts.push(`M ${mode} inline ${path}\ndata ${Buffer.byteLength(text)}\n`, text, "\n");
    }
    const input = Buffer.concat(parts.map((part) => Buffer.from(part)));
    git(this.folder, ["fast-import", "--quiet", "--date-format=now"], { input });
    return this.resolve(ref, "commit") ?? "";
  }

  /** Copies the objects of a branch of a fork, as GitHub does for a pull request. */
  fetch(from: BareRepository, source: string, ref: string): void {
    git(this.folder, ["fetch", "--quiet", from.folder, `${source}:${ref}`]);
  }
}

let indexes = 0;

/** Checks out the content folder of a commit. @returns its path */
export function checkOut({ folder: repository }: BareRepository, commit: string): string {
  const folder = scratch("checkout");
  gitBytes(repository, [`--work-tree=${folder}`, "checkout", "--quiet", commit, "--", "content"]);
  return join(folder, "content");
}

/** The status, the modes and the path of each file that differs between a branch and a commit. */
export function changed({ folder }: BareRepository, from: string, to: string): string[] {
  const raw = gitBytes(folder, ["diff-tree", "-r", "--no-renames", "--raw", "-z", from, to]).toString();
  return [...raw.matchAll(/:(\d+) (\d+) \w+ \w+ (\w)\0([^\0]+)\0/g)].map(
    ([, before, after, status, path]) => `${status} ${before}→${after} ${path}`,
  );
}
