import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../base/failure.ts";
import { removeEmpty } from "../base/paths.ts";
import { editAlone, type Step } from "./session.ts";

/** A change of the sources that can be undone: its steps, and the state that it left, by path. */
export interface Undo {
  steps: readonly Step[];
  after: ReadonlyMap<string, string>;
}

/** @param steps all changes of one session, right after it has ended. */
export function undoOf(content: string, steps: readonly Step[]): Undo {
  const renames = steps.flatMap((step, k) => (step.kind === "rename" ? [{ ...step, k }] : []));
  const paths = steps.flatMap((step, i) => {
    if (step.kind === "folder") return [];
    const changed = step.kind === "file" ? [step.file] : [step.from, step.to];
    return changed.map((path) =>
      renames.reduce((at, rename) => (rename.k > i ? renamed(at, rename) : at), path),
    );
  });
  return { steps, after: new Map(paths.map((path) => [path, stateOf(join(content, path))])) };
}

const renamed = (path: string, { from, to }: { from: string; to: string }): string =>
  `${path}/`.startsWith(`${from}/`) ? to + path.slice(from.length) : path;

/** A text that is different if a file, or anything in a folder, is different; empty if there is nothing. */
function stateOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "";
  const hash = createHash("sha256");
  if (stats.isDirectory())
    for (const name of readdirSync(path).sort()) hash.update(`${name}\0${stateOf(join(path, name))}\0`);
  else if (stats.isFile()) hash.update(readFileSync(path));
  return hash.digest("hex");
}

/** Restores the bytes of before a change. @throws Failure, before any change, if a file has changed since. */
export const undo = (content: string, { steps, after }: Undo): void =>
  editAlone(content, (session) => {
    for (const [path, state] of after)
      if (stateOf(join(content, path)) !== state)
        throw new Failure(`${path} has changed since, so the change cannot be undone.`);
    for (const step of steps.toReversed())
      if (step.kind === "rename") {
        session.makeFolder(dirname(step.from));
        session.rename(step.to, step.from);
      } else if (step.kind === "file" && step.before === undefined) session.remove(step.file);
      else if (step.kind === "file" && step.before !== undefined) {
        const { bytes, mode } = step.before;
        session.makeFolder(dirname(step.file));
        session.stage(step.file, bytes, false, mode);
        session.commit();
      }
    for (const step of steps)
      if (step.kind === "folder") removeEmpty(join(content, step.folder), join(content, step.made));
  });
