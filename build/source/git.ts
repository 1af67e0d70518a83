import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { Failure } from "../base/failure.ts";
import { MAX_BYTES } from "./json/parse.ts";

export type NameKind = "file" | "link" | "other";

/** A checkout of git, which is never changed. Paths are relative to the content folder. */
export interface Repository {
  root: string;
  /** The content folder below `root`, with a slash at the end; empty if they are the same. */
  prefix: string;
}

export interface Base {
  commit: string;
  /** A description for people: `merge base with origin/main`. */
  from: string;
}

export interface TreeEntry {
  kind: NameKind;
  object: string;
}

const MAIN_BRANCHES = ["origin/main", "main", "origin/master", "master", "origin/HEAD"];

/** Maximum number of objects that one run of git reads, so that they need little memory. */
const MAX_BATCH_SIZE = 1000;

/** There is a checkout, but git refuses to read it, for example because another user owns it. */
export class CheckoutRefused extends Failure {}

/** Git's complaint outside of a checkout. Without the bracket, a checkout names a repository that is not there. */
const NO_CHECKOUT = /not a git repository \(|must be run in a work tree/;

/** @throws Failure if the content folder is not in a checkout of git, CheckoutRefused with git's advice. */
export function openRepository(content: string): Repository {
  const args = ["rev-parse", "--show-toplevel", "--show-prefix"];
  let found: Buffer;
  try {
    found = git(content, args);
  } catch (cause) {
    if (!(cause instanceof GitFailed)) throw cause;
    const { message, complaint } = cause;
    throw NO_CHECKOUT.test(message)
      ? new Failure(
          `${content} is not in a checkout of git, so there is nothing to compare with (git reports: ${message}).`,
        )
      : new CheckoutRefused(`git cannot read the checkout of ${content}:\n${complaint}`);
  }
  const [root, prefix] = found.toString("utf8").split("\n");
  return { root: root ?? "", prefix: prefix ?? "" };
}

export function filesLeftOut(content: string): string[] {
  const { root, prefix } = openRepository(content);
  return records(git(root, ["ls-files", "-t", "-z", "--", ...below(prefix)]))
    .filter((record) => record.startsWith(`S ${prefix}`))
    .map((record) => record.slice("S ".length + prefix.length));
}

export function gitOutput(folder: string, ...args: string[]): string | undefined {
  try {
    return line(git(folder, args));
  } catch {
    return undefined;
  }
}

/** The commit that is checked out; undefined outside of git, and if the history is incomplete. */
export function completeHead(content: string): string | undefined {
  const [isShallow, commit] =
    gitOutput(content, "rev-parse", "--is-shallow-repository", "--verify", "HEAD^{commit}")?.split("\n") ??
    [];
  return isShallow === "false" ? commit : undefined;
}

/**
 * By file: when it was last committed with a change, in seconds. Merges do not count.
 *
 * @param files those to look for; all by default.
 */
export async function lastCommits(content: string, files = ["."]): Promise<Map<string, number>> {
  const settled = ["-c", "log.follow=false", "-c", "log.showSignature=false", "-c", "log.diffMerges=off"];
  const format = ["--format=%x01%ct", "--name-only", "--no-renames", "--relative", "-z"];
  const times = new Map<string, number>();
  let time = 0;
  for (const record of records(await gitBeside(content, [...settled, "log", ...format, "--", ...files]))) {
    const file = record.replace(/^\n/, "");
    if (file.startsWith("\u0001")) time = Number(file.slice(1));
    else times.set(file, Math.max(time, times.get(file) ?? 0));
  }
  return times;
}

/** By default, the commit at which this branch left the main branch. @throws Failure if there is none. */
export function resolveBase({ root }: Repository, revision: string | undefined): Base {
  if (revision !== undefined) {
    const [commit] = commitsOf(root, [revision]);
    if (commit === undefined) throw new Failure(`--base ${revision}: git finds no such revision here.`);
    return { commit, from: revision };
  }
  const [head, ...commits] = commitsOf(root, ["HEAD", ...MAIN_BRANCHES]);
  if (head === undefined)
    throw new Failure("This checkout has no commit yet, so there is nothing to compare with.");
  const main = MAIN_BRANCHES.find((_, i) => commits[i] !== undefined);
  if (main === undefined)
    throw new Failure(
      `There is no main branch (${MAIN_BRANCHES.join(", ")}) to compare with; name a revision: --base REV`,
    );
  const commit = gitOutput(root, "merge-base", "HEAD", main);
  if (commit === undefined)
    throw new Failure(
      `git finds no commit that this branch and ${main} have in common (a shallow clone may lack it); name a revision: --base REV`,
    );
  return { commit, from: `merge base with ${main}` };
}

/** The commits that revisions name, in the same order; undefined if git finds none. */
function commitsOf(root: string, revisions: readonly string[]): (string | undefined)[] {
  const records = objectRecords(
    root,
    revisions.map((revision) => `${revision}^{commit}`),
  );
  // A revision with a line break would give more records.
  return revisions.map((_, i) =>
    records.length === revisions.length ? /^([0-9a-f]+) commit \d+$/.exec(records[i] ?? "")?.[1] : undefined,
  );
}

export const listTree = async (repository: Repository, commit: string): Promise<Map<string, TreeEntry>> =>
  entriesIn(repository, await gitBeside(repository.root, treeOf(repository, commit)));

export const listTreeSync = (repository: Repository, commit: string): Map<string, TreeEntry> =>
  entriesIn(repository, git(repository.root, treeOf(repository, commit)));

/** The bytes of one file at a commit; undefined if it is not there, or larger than a source may be. */
export function readFileAt(repository: Repository, commit: string, file: string): Buffer | undefined {
  const entry = listTreeSync({ ...repository, prefix: repository.prefix + file }, commit).get("");
  const [stored] = entry?.kind === "file" ? readObjects(repository, [entry.object]) : [];
  return stored?.bytes;
}

const treeOf = ({ prefix }: Repository, commit: string): string[] => [
  "ls-tree",
  "-r",
  "-z",
  "--full-tree",
  commit,
  ...below(prefix),
];

function entriesIn({ prefix }: Repository, listed: Buffer): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  // One pass over one text, because there may be a million entries.
  const text = listed.toString("utf8");
  for (let start = 0; start < text.length;) {
    // <mode> <type> <object>TAB<path>NUL
    const tab = text.indexOf("\t", start);
    const end = text.indexOf("\0", tab);
    const kind = text.startsWith("120000", start)
      ? "link"
      : text.startsWith("160000", start)
        ? "other"
        : "file";
    const object = text.slice(text.lastIndexOf(" ", tab) + 1, tab);
    entries.set(text.slice(tab + 1 + prefix.length, end), { kind, object });
    start = end + 1;
  }
  return entries;
}

/**
 * The paths at which the checkout or the index differs from a commit, including paths that git does not track.
 *
 * @param hasIgnored whether files that git ignores count: the build reads them, but no commit contains them.
 */
export async function changedPaths(
  { root, prefix }: Repository,
  commit: string,
  hasIgnored = true,
): Promise<Set<string>> {
  const untrackedOptions = ["--others", "-z", ...(hasIgnored ? [] : ["--exclude-standard"])];
  const options = [
    "--name-only",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--no-color",
    "--ignore-submodules=none",
  ];
  // With the index, because git compares a commit with thousands of moved files a hundred times as slowly.
  const outputs = await Promise.all([
    gitBeside(root, ["diff-index", "--cached", ...options, commit, "--", ...below(prefix)]),
    gitBeside(root, ["diff-files", ...options, "--", ...below(prefix)]),
    gitBeside(root, ["ls-files", ...untrackedOptions, "--", ...below(prefix)]),
  ]);
  const paths = new Set<string>();
  for (const path of outputs.flatMap(records))
    if (path.startsWith(prefix)) paths.add(path.slice(prefix.length));
  return paths;
}

/** Maximum number of files in a commit of edits; a commit with more is an import. */
const MAX_EDITED = 500;

/** The files of the last commits, each with the time of its last one. Commits with too many files do not count. */
export async function lastCommitted(
  { root, prefix }: Repository,
  commits: number,
): Promise<Map<string, string>> {
  const options = ["--no-renames", "--diff-filter=AM", "--name-only", "-z", "--format=%x01%cI"];
  const log = await gitBeside(root, ["log", `--max-count=${commits}`, ...options, "--", ...below(prefix)]);
  const files = new Map<string, string>();
  for (const commit of log.toString("utf8").split("\x01").slice(1)) {
    const [time = "", ...paths] = commit.split("\0").map((part) => part.replace(/^\n/, ""));
    if (paths.length > MAX_EDITED) continue;
    for (const path of paths) {
      const file = path.slice(prefix.length);
      if (path.startsWith(prefix) && !files.has(file)) files.set(file, time);
    }
  }
  return files;
}

/** The object id that git gives to these contents, in a repository whose ids have this number of digits. */
export const objectId = (bytes: Buffer, digits: number): string =>
  createHash(digits === 40 ? "sha1" : "sha256")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");

/** Without bytes if it is larger than a source may be. */
export interface Stored {
  size: number;
  bytes?: Buffer;
}

/** In the same order, read in batches. */
export function* readObjects({ root }: Repository, objects: readonly string[]): Generator<Stored, undefined> {
  for (let from = 0; from < objects.length; from += MAX_BATCH_SIZE) {
    const some = objects.slice(from, from + MAX_BATCH_SIZE);
    const output = git(root, ["cat-file", "--batch"], `${some.join("\n")}\n`);
    let at = 0;
    for (const object of some) {
      // <object> <type> <size>LF<contents>LF
      const start = output.indexOf("\n", at) + 1;
      const size = sizeIn(output.toString("latin1", at, start - 1), object);
      at = start + size + 1;
      yield size <= MAX_BYTES ? { size, bytes: output.subarray(start, start + size) } : { size };
    }
  }
  return undefined;
}

/** What git knows of objects, one line each: `<object> <type> <size>`, or `<name> missing`. */
const objectRecords = (root: string, names: readonly string[]): string[] =>
  line(git(root, ["cat-file", "--batch-check"], `${names.join("\n")}\n`)).split("\n");

function sizeIn(record: string, object: string): number {
  const size = Number(record.split(" ")[2]);
  if (!Number.isInteger(size))
    throw new Failure(`git cannot read its object ${object}; the checkout may be incomplete.`);
  return size;
}

/** Without a path, git lists the whole tree. */
const below = (prefix: string): string[] => (prefix === "" ? [] : [prefix]);

const line = (output: Buffer): string => output.toString("utf8").trim();

const records = (output: Buffer): string[] =>
  output
    .toString("utf8")
    .split("\0")
    .filter((record) => record !== "");

class GitFailed extends Failure {
  /** All that git reports, with its advice. */
  readonly complaint: string;

  constructor(complaint: string) {
    super(complaint.split("\n")[0] ?? "");
    this.complaint = complaint;
  }
}

function git(folder: string, args: string[], input = ""): Buffer {
  try {
    return execFileSync("git", [...OPTIONS, ...args], {
      ...settings(folder),
      input,
      stdio: ["pipe", "pipe", "pipe"],
    });
  } catch (cause) {
    throw failureOf(cause);
  }
}

/** Runs git concurrently with other work: it is slow with tens of thousands of files. */
function gitBeside(folder: string, args: string[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...settings(folder), encoding: "buffer" as const };
    execFile("git", [...OPTIONS, ...args], options, (cause, stdout, stderr) => {
      if (cause === null) resolve(stdout);
      else reject(failureOf(Object.assign(cause, { stderr })));
    });
  });
}

/** Paths are never patterns. `git diff` would refresh the index in spite of `GIT_OPTIONAL_LOCKS`. */
const OPTIONS = ["--literal-pathspecs", "-c", "diff.autoRefreshIndex=false"];

const settings = (folder: string) => ({
  cwd: folder,
  maxBuffer: Number.POSITIVE_INFINITY,
  env: { ...gitEnvironment(), GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
});

/**
 * The variables with which git, in hooks and aliases, names its repository to other programs. They may name another
 * repository than the content folder's. These are `git rev-parse --local-env-vars` without the settings of `-c`.
 */
const OF_REPOSITORY = new Set(
  [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_CONFIG GIT_DIR GIT_GRAFT_FILE GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE GIT_INTERNAL_SUPER_PREFIX GIT_NAMESPACE GIT_NO_REPLACE_OBJECTS GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE GIT_WORK_TREE",
  ].flatMap((names) => names.split(" ")),
);

/** Lets git find the repository by its folder. */
export const gitEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_REPOSITORY.has(name)));

function failureOf(cause: unknown): unknown {
  const { code, stderr } = cause as { code?: unknown; stderr?: Buffer };
  if (code === "ENOENT") return new Failure("git is not installed, or the folder no longer exists.");
  return stderr === undefined ? cause : new GitFailed(line(stderr));
}
