import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { plural } from "../base/numbers.ts";
import { completeChange } from "./journal.ts";

/** @throws Failure if there is no such content folder */
export function contentFolder(content: string): string {
  const stats = statSync(content, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return content;
  throw new Failure(
    stats === undefined ? `There is no content folder ${content}.` : `${content} is not a folder.`,
  );
}

/**
 * Completes a change of the sources that was killed, and refuses a content folder of which git has checked out only a
 * part: to a build, the pages that are not there would be removed pages. It runs git only if a sparse checkout is
 * configured.
 *
 * @throws Failure
 */
export async function assertComplete(content: string): Promise<void> {
  completeChange(contentFolder(content));
  const folder = repositoryAbove(content);
  if (folder === undefined || !existsSync(join(folder, "info", "sparse-checkout"))) return;
  const { filesLeftOut } = await import("./git.ts");
  const missing = filesLeftOut(content).filter(
    (file) => !/(?:^|\/)\./.test(file) && !existsSync(join(content, file)),
  );
  const [first, ...others] = missing;
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` and ${plural(others.length, "other file")}`;
  throw new Failure(
    `${content} is incomplete: it is in a sparse checkout of git, without ${join(content, first)}${more}. Their pages would count as removed. Check out all files first: git sparse-checkout disable`,
  );
}

/** The folder in which git keeps the state of the checkout that a folder is in; a linked worktree has its own. */
function repositoryAbove(content: string): string | undefined {
  for (let folder = realpathSync(content); ; folder = dirname(folder)) {
    const git = join(folder, ".git");
    const stats = lstatSync(git, { throwIfNoEntry: false });
    if (stats?.isFile() === true) {
      const named = /^gitdir: (.+)/.exec(readFileSync(git, "utf8"))?.[1];
      return named === undefined ? undefined : resolve(folder, named);
    }
    if (stats !== undefined) return git;
    if (dirname(folder) === folder) return undefined;
  }
}
