import { execFile, type ExecFileException } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, rmSync, statSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Failure } from "../base/failure.ts";
import { SaveRefused, sourceText } from "../change/apply.ts";
import type { FileChange } from "../change/change.ts";
import { utf8Text } from "../source/json/parse.ts";
import { imagePath } from "../source/image-kinds.ts";
import {
  changedPaths,
  gitEnvironment,
  gitOutput,
  listTree,
  openRepository,
  readFileAt,
  readObjects,
  resolveBase,
  type Repository,
  type Stored,
} from "../source/git.ts";

/* The differences between the content folder and the last commit, the next commit of them, and sending it. */

/** Maximum number of changed files that are listed, and of bytes of their texts. */
const MAX_FILES = 2000;
const MAX_TEXT_BYTES = 8 * 2 ** 20;

/** Whether a file is content that the editor commits: a source, a file of settings or an image. */
const isContent = (file: string): boolean =>
  (file.endsWith(".json") && !/(?:^|\/)\./.test(file)) || imagePath(file) !== undefined;

async function changedFiles(repository: Repository): Promise<{ commit: string; files: string[] }> {
  const { commit } = resolveBase(repository, "HEAD");
  const changed = await changedPaths(repository, commit, false);
  return { commit, files: [...changed].filter(isContent).sort() };
}

/** The changes since the last commit, and the number of `more` that are not listed. @throws Failure without a commit */
export async function changesSinceCommit(content: string) {
  const repository = openRepository(content);
  const { commit, files } = await changedFiles(repository);
  const tree = await listTree(repository, commit);
  const changes: FileChange[] = [];
  let [bytes, same] = [0, 0];
  const listed = files.slice(0, MAX_FILES);
  const committed = readObjects(
    repository,
    listed.flatMap((file) => {
      const entry = tree.get(file);
      return imagePath(file) === undefined && entry?.kind === "file" ? [entry.object] : [];
    }),
  );
  for (const file of listed) {
    const entry = tree.get(file);
    if (imagePath(file) !== undefined) {
      // An empty text stands for the bytes.
      const after = existsSync(join(content, file)) ? "" : null;
      changes.push({ file, before: entry === undefined ? null : "", after, encoding: "base64" });
      continue;
    }
    const before =
      entry === undefined ? null : textOf(entry.kind === "file" ? committed.next().value : undefined);
    const after = textOnDisk(content, file);
    // For example a link, or a file that is not UTF-8.
    if (before === undefined || after === undefined) continue;
    // Git lists a file that was written again with the same text.
    if (before === after) {
      same++;
      continue;
    }
    bytes += (before?.length ?? 0) + (after?.length ?? 0);
    if (bytes > MAX_TEXT_BYTES) break;
    changes.push({ file, before, after });
  }
  return { changes, more: files.length - changes.length - same };
}

const textOf = (stored: Stored | undefined): string | undefined => stored?.bytes && utf8Text(stored.bytes);

/** Null if there is no file. */
function textOnDisk(content: string, file: string): string | null | undefined {
  try {
    return sourceText(content, file);
  } catch (cause) {
    if (cause instanceof SaveRefused) return undefined;
    throw cause;
  }
}

/** Whether no commit has the file yet: it can be removed as if it had not been written. */
export function isUncommitted(content: string, file: string): boolean {
  const repository = openRepository(content);
  return readFileAt(repository, resolveBase(repository, "HEAD").commit, file) === undefined;
}

/** A file that was to be committed has no change any more. */
export class NotChanged extends Failure {}

/**
 * Commits changed files of the content folder, and nothing else, also if other files are staged. It prepares the commit
 * in a copy of the index, so that a refused commit stages nothing, and marks no conflict as resolved.
 */
export async function commitFiles(content: string, files: readonly string[], message: string): Promise<void> {
  if (message.trim() === "") throw new Failure("Describe the changes in a line, then commit again.");
  if (files.length === 0) throw new Failure("There are no changes to commit.");
  const repository = openRepository(content);
  const changed = new Set((await changedFiles(repository)).files);
  const gone = files.find((file) => !changed.has(file));
  if (gone !== undefined)
    throw new NotChanged(`${JSON.stringify(gone)} is not a changed file any more. Load the changes again.`);
  const paths = files.map((file) => `${repository.prefix}${file}\0`).join("");
  const index = resolve(
    repository.root,
    (await run(repository, ["rev-parse", "--git-path", "index"])).trim(),
  );
  const copy = `${index}-${randomUUID()}`;
  try {
    if (existsSync(index)) {
      copyFileSync(index, copy);
      // Git compares the contents of a file that was written in the second of its index, or later.
      const { atime, mtime } = statSync(index);
      utimesSync(copy, atime, mtime);
    }
    const own = { GIT_INDEX_FILE: copy };
    await run(repository, ["add", ...PATHS], paths, own);
    await run(repository, ["commit", "--quiet", "--only", `--message=${message}`, ...PATHS], paths, own);
  } finally {
    rmSync(copy, { force: true });
  }
  // The texts as they were committed, with all that a hook has changed and added.
  const committed = await run(repository, ["diff-tree", "-r", "-z", "--name-only", "--no-commit-id", "HEAD"]);
  await run(repository, ["reset", "--quiet", ...PATHS], committed);
}

const PATHS = ["--pathspec-from-file=-", "--pathspec-file-nul"];

const explained = (complaint: string): string =>
  /during a (?:merge|cherry-pick|rebase)/.test(complaint)
    ? "git is in the middle of a merge or rebase. Complete it with git, then commit again."
    : /tell me who you are|empty ident|no email was given|unable to auto-detect/i.test(complaint)
      ? 'git does not have your name yet. Run git config user.name "Your Name" and git config user.email you@example.org, then commit again.'
      : `git did not commit: ${firstLines(complaint)}`;

/** What the branch's remote does not have. */
interface Unsent {
  /** The branch of the remote: `main of origin`. */
  to: string;
  /** The subjects of the commits, the newest first; there may be more. */
  commits: string[];
}

/** Maximum number of commits that are listed. */
const MAX_COMMITS = 100;

/** The remote of the branch that is checked out, and its branch there; undefined if it has none. */
function upstreamOf({ root }: Repository) {
  const branch = gitOutput(root, "symbolic-ref", "--quiet", "HEAD");
  if (branch === undefined) return undefined;
  const format = "--format=%(upstream:remotename)%0a%(upstream:remoteref)%0a%(upstream)";
  const [remote = "", ref = "", tracked = ""] =
    gitOutput(root, "for-each-ref", format, branch)?.split("\n") ?? [];
  // A branch can also follow another one of the same repository.
  if (ref === "" || remote === "" || remote === ".") return undefined;
  return { remote, ref, tracked, to: `${ref.replace(/^refs\/heads\//, "")} of ${remote}` };
}

/** Null if the branch has no remote to send its commits to. */
export function unsentCommits(content: string): Unsent | null {
  const repository = openRepository(content);
  const upstream = upstreamOf(repository);
  if (upstream === undefined) return null;
  const { remote, tracked, to } = upstream;
  const log = (...from: string[]): string | undefined =>
    gitOutput(repository.root, "log", "--format=%s", `--max-count=${MAX_COMMITS}`, "HEAD", ...from);
  // Before the first push, no branch of the remote is known.
  const subjects = log(`^${tracked}`) ?? log("--not", `--remotes=${remote}`) ?? "";
  return { to, commits: subjects.split("\n").filter(Boolean) };
}

/**
 * Pushes the commits of the branch to its remote, with git's own credentials. Git and ssh ask for no password, because
 * the server has no terminal.
 */
export async function sendCommits(content: string): Promise<void> {
  const repository = openRepository(content);
  const upstream = upstreamOf(repository);
  if (upstream === undefined) throw new Failure("This branch has no remote to send its commits to.");
  const { remote, ref, to } = upstream;
  const hasSsh = process.env["GIT_SSH"] ?? gitOutput(repository.root, "config", "core.sshCommand");
  const ssh = hasSsh === undefined && {
    GIT_SSH_COMMAND: process.env["GIT_SSH_COMMAND"] ?? "ssh -oBatchMode=yes",
  };
  const own = { GIT_ASKPASS: "", ...ssh };
  await run(repository, ["push", "--quiet", "--", remote, `HEAD:${ref}`], "", own, (complaint) =>
    /\((?:fetch first|non-fast-forward|stale info)\)/.test(complaint)
      ? `${to} has commits that are not here. Get them with git pull, then send again.`
      : /could not read (?:username|password)|terminal prompts disabled|authentication failed|permission denied|error: 403/i.test(
            complaint,
          )
        ? `${remote} did not accept git’s credentials. Run git push once in a terminal, where git can ask for them, then send again.`
        : `git did not send the commits to ${to}: ${firstLines(complaint)}`,
  );
}

const firstLines = (text: string): string => text.trim().split("\n").slice(0, 3).join(" ");

/** Milliseconds after which git ends that waits, for example for the password of a key. */
const MAX_RUN_MS = 60_000;

async function run(
  { root }: Repository,
  args: string[],
  input = "",
  own: object = {},
  explain = explained,
): Promise<string> {
  const env = { ...gitEnvironment(), GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", LC_ALL: "C", ...own };
  const options = { cwd: root, env, timeout: MAX_RUN_MS };
  const running = promisify(execFile)("git", ["--literal-pathspecs", ...args], options);
  running.child.stdin?.on("error", () => undefined).end(input);
  return running.then(
    ({ stdout }) => stdout,
    ({ stderr, message, killed }: ExecFileException) => {
      throw new Failure(explain(killed === true ? "It took longer than a minute." : stderr || message));
    },
  );
}
