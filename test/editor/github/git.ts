import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

/** A bare git repository, with methods that match GitHub's API. */
export class BareRepository {
  readonly folder: string;

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
    const lines = git(this.folder, ["for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads"]);
    const pairs = lines
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split(" ") as [string, string]);
    return new Map(pairs);
  }

  /** The hash of an object; undefined if there is none, or none of this type. */
  resolve(name: string, type: "commit" | "tree" | "blob" | "object" = "object"): string | undefined {
    const { status, stdout } = spawnSync("git", ["rev-parse", "--verify", "--quiet", `${name}^{${type}}`], {
      cwd: this.folder,
      env: ENVIRONMENT,
    });
    return status === 0 ? stdout.toString().trim() : undefined;
  }

  setRef(ref: string, sha: string): void {
    git(this.folder, ["update-ref", ref, sha]);
  }

  deleteRef(ref: string): void {
    git(this.folder, ["update-ref", "-d", ref]);
  }

  isAncestor(ancestor: string, commit: string): boolean {
    const args = ["merge-base", "--is-ancestor", ancestor, commit];
    return spawnSync("git", args, { cwd: this.folder, env: ENVIRONMENT }).status === 0;
  }

  commit(sha: string): { tree: string; parents: string[]; message: string } {
    const shown = git(this.folder, ["show", "-s", "--format=%T%n%P%n%B", sha]);
    const [tree = "", parents = "", ...message] = shown.split("\n");
    return { tree, parents: parents.split(" ").filter(Boolean), message: message.join("\n").trimEnd() };
  }

  list(tree: string, isRecursive = false): GitEntry[] {
    return this.#entries(["ls-tree", "-z", "--long", ...(isRecursive ? ["-r", "-t"] : []), tree]);
  }

  #entries(args: string[]): GitEntry[] {
    return git(this.folder, args)
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
    const [found] = this.#entries(["ls-tree", "-z", "--long", root, path]);
    return found === undefined ? undefined : { ...found, path: path.slice(path.lastIndexOf("/") + 1) };
  }

  read(blob: string): Buffer {
    return gitBytes(this.folder, ["cat-file", "blob", blob]);
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
  change(
    branch: string,
    files: Record<string, string | Buffer | null>,
    modes: Record<string, string> = {},
  ): string {
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
