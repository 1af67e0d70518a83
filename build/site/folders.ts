import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { takeLock } from "../base/lock.ts";
import { isInside, realPath } from "../base/paths.ts";
import { assertFolders, layoutOf, type Layout } from "./output/layout.ts";
import type { BuildOptions } from "./outcome.ts";

export interface Folders {
  /** The real path of the sources. */
  content: string;
  layout: Layout;
  /** The folder of the output's manifests, which is outside the output. */
  cache: string;
}

/** @throws Failure if the content folder or the output folder contains the other. */
export function foldersOf(options: BuildOptions): Folders {
  const content = realPath(options.content);
  const layout = layoutOf(realPath(options.out));
  const { root } = layout;
  if (isInside(root, content))
    throw new Failure(`The output folder ${root} is inside the content folder ${content}.`);
  if (isInside(content, root))
    throw new Failure(`The content folder ${content} is inside the output folder ${root}.`);
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  return { content, layout, cache: resolve(options.cache, name) };
}

/** An output that is not writable cannot be locked, but a build may find that it is up to date. */
export function lockOutput(layout: Layout): { release: () => void; unwritable?: Error } {
  assertFolders(layout);
  try {
    return { release: takeLock(layout.lock) };
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (!["EROFS", "EACCES", "EPERM", "ENOSPC", "EDQUOT"].includes(code)) throw cause;
    return { release: () => undefined, unwritable: cause as Error };
  }
}
