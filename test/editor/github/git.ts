import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { grouped } from "../../../build/base/grouped.ts";
import { scratch } from "../../scratch.ts";

export interface GitEntry {
  path: string;
  mode: string;
  type: "blob" | "tree";
  sha: string;
  size?: number;
}

export interface Commit {
  tree: string;
  parents: readonly string[];
  message: string;
}

interface Objects {
  blob: Map<string, Buffer>;
  /** The entries of each folder. */
  tree: Map<string, readonly GitEntry[]>;
  commit: Map<string, Commit>;
}

type GitFile = Pick<GitEntry, "mode" | "sha">;

/** A file of a tree; null removes it. */
type ChangedFile = readonly [path: string, file: GitFile | null];

const FOLDER = "040000";

/** A repository in memory, with as much of git as GitHub's API shows. */
export class Repository {
  /** By their full names. */
  readonly refs: Map<string, string>;
  /** A fork shares them, as on GitHub. */
  readonly #objects: Objects;

  constructor(forkOf?: Repository) {
    this.refs = new Map(forkOf?.refs);
    this.#objects =
      forkOf === undefined ? { blob: new Map(), tree: new Map(), commit: new Map() } : forkOf.#objects;
  }

  get branches(): Map<string, string> {
    const heads = [...this.refs].filter(([ref]) => ref.startsWith("refs/heads/"));
    return new Map(heads.map(([ref, sha]) => [ref.slice("refs/heads/".length), sha]));
  }

  /** The hash of an object, of which a branch, a ref or the hash is given; undefined if there is none of this type. */
  resolve(name: string, type: keyof Objects = "commit"): string | undefined {
    const sha = this.refs.get(name) ?? this.refs.get(`refs/heads/${name}`) ?? name;
    const found = type === "tree" ? (this.#objects.commit.get(sha)?.tree ?? sha) : sha;
    return this.#objects[type].has(found) ? found : undefined;
  }

  #find(name: string, type: keyof Objects): string {
    const sha = this.resolve(name, type);
    if (sha === undefined) throw new Error(`There is no ${type} ${name}.`);
    return sha;
  }

  #add<T extends Buffer | object>(objects: Map<string, T>, value: T): string {
    const sha = createHash("sha1")
      .update(Buffer.isBuffer(value) ? value : JSON.stringify(value))
      .digest("hex");
    objects.set(sha, value);
    return sha;
  }

  commit(name: string): Commit {
    return this.#objects.commit.get(this.#find(name, "commit")) as Commit;
  }

  list(name: string, isRecursive = false): GitEntry[] {
    const entries = this.#objects.tree.get(this.#find(name, "tree")) ?? [];
    return entries.flatMap((entry) => {
      const below = isRecursive && entry.type === "tree" ? this.list(entry.sha, true) : [];
      return [entry].concat(
        below.map((one) => Object.assign({}, one, { path: `${entry.path}/${one.path}` })),
      );
    });
  }

  /** The files of a tree, by path. */
  files(name: string): Map<string, GitEntry> {
    const files = this.list(name, true).filter(({ type }) => type === "blob");
    return new Map(files.map((entry) => [entry.path, entry]));
  }

  entry(name: string, path: string): GitEntry | undefined {
    return this.list(name, true).find((entry) => entry.path === path);
  }

  read(blob: string): Buffer {
    return this.#objects.blob.get(this.#find(blob, "blob")) as Buffer;
  }

  /** @throws Error if there is no such file. */
  readAt(name: string, path: string): Buffer {
    return this.read(this.entry(name, path)?.sha ?? path);
  }

  isAncestor(ancestor: string, commit: string): boolean {
    return ancestor === commit || this.commit(commit).parents.some((one) => this.isAncestor(ancestor, one));
  }

  writeBlob(bytes: string | Buffer): string {
    return this.#add(this.#objects.blob, Buffer.from(bytes));
  }

  /** Makes a tree with the files of another one, and changed files. */
  writeTree(base: string | undefined, changes: Iterable<ChangedFile>): string {
    const files = new Map<string, GitFile | null>(base === undefined ? [] : this.files(base));
    for (const [path, file] of changes) files.set(path, file);
    return this.#treeOf([...files].flatMap(([path, file]) => (file === null ? [] : [[path, file]])));
  }

  #treeOf(files: readonly (readonly [path: string, GitFile])[]): string {
    const byName = grouped(files, ([path]) => path.replace(/\/.*/s, ""));
    const entries = Array.from(byName, ([name, own]): GitEntry => {
      const [[path, { mode, sha }]] = own as [(typeof own)[number]];
      if (path === name) return { path, mode, type: "blob", sha, size: this.read(sha).length };
      const below = own.map(([one, file]) => [one.slice(name.length + 1), file] as const);
      return { path: name, mode: FOLDER, type: "tree", sha: this.#treeOf(below) };
    });
    return this.#add(
      this.#objects.tree,
      entries.sort((a, b) => (a.path < b.path ? -1 : 1)),
    );
  }

  writeCommit(commit: Commit): string {
    return this.#add(this.#objects.commit, commit);
  }

  /** Commits changes to a branch, like another editor. @param files texts by path; null removes a file */
  change(
    branch: string,
    files: Record<string, string | Buffer | null>,
    modes: Record<string, string> = {},
  ): string {
    const head = this.resolve(branch, "commit");
    const changes = Object.entries(files).map(([path, text]) => {
      const mode = modes[path] ?? "100644";
      return [path, text === null ? null : { mode, sha: this.writeBlob(text) }] as const;
    });
    const parents = head === undefined ? [] : [head];
    const sha = this.writeCommit({ tree: this.writeTree(head, changes), parents, message: "" });
    this.refs.set(`refs/heads/${branch}`, sha);
    return sha;
  }
}

/** Checks out the content folder of a commit. @returns its path */
export function checkOut(repository: Repository, commit: string): string {
  const folder = scratch("checkout");
  for (const [path, { sha }] of repository.files(commit)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), repository.read(sha));
  }
  return join(folder, "content");
}

/** The status, the modes and the path of each file that differs between a branch and a commit. */
export function changed(repository: Repository, from: string, to: string): string[] {
  const [was, is] = [repository.files(from), repository.files(to)];
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((path) => {
    const [before, after] = [was.get(path), is.get(path)];
    if (before?.sha === after?.sha && before?.mode === after?.mode) return [];
    const status = before === undefined ? "A" : after === undefined ? "D" : "M";
    return `${status} ${before?.mode ?? "000000"}→${after?.mode ?? "000000"} ${path}`;
  });
}
