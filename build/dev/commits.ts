import { execFile, type ExecFileException } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Failure } from "../base/failure.ts";
import { SaveRefused, sourceText } from "../change/apply.ts";
import type { FileChange } from "../change/change.ts";
import { utf8Text } from "../source/json/encoding.ts";
import { imagePath } from "../source/image-kinds.ts";
import {
  changedPaths,
  gitEnvironment,
  listTree,
  openRepository,
  readObjects,
  resolveBase,
  type Repository,
  type Stored,
} from "../source/git.ts";

/* The differences between the content folder and the last commit, and the next commit of them. */

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
    if (existsSync(index)) copyFileSync(index, copy);
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

/** Milliseconds after which a commit ends that waits, for example for the password of a key. */
const MAX_RUN_MS = 60_000;

async function run({ root }: Repository, args: string[], input = "", own: object = {}): Promise<string> {
  const env = { ...gitEnvironment(), GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", LC_ALL: "C", ...own };
  const options = { cwd: root, env, timeout: MAX_RUN_MS };
  const running = promisify(execFile)("git", ["--literal-pathspecs", ...args], options);
  running.child.stdin?.on("error", () => undefined).end(input);
  return running.then(
    ({ stdout }) => stdout,
    ({ stderr, message }: ExecFileException) => {
      throw new Failure(explained(stderr || message));
    },
  );
}

const explained = (complaint: string): string =>
  /during a (?:merge|cherry-pick|rebase)/.test(complaint)
    ? "git is in the middle of a merge or rebase. Complete it with git, then commit again."
    : /tell me who you are|empty ident|no email was given|unable to auto-detect/i.test(complaint)
      ? 'git does not have your name yet. Run git config user.name "Your Name" and git config user.email you@example.org, then commit again.'
      : `git did not commit: ${complaint.trim().split("\n").slice(0, 3).join(" ")}`;
