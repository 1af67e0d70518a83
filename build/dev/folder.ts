import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Locked, takeLock } from "../output/lock.ts";

/** Where a preview's pages lie, as long as it runs. */
export interface PreviewFolder {
  path: string;
  release: () => void;
}

/**
 * The folder of local previews: pages with a local address never stand where pages are published from. Pages hold the
 * address that they are built for, so a second preview that runs at the same time gets a folder of its own.
 */
export function takePreviewFolder(project: string, port: number): PreviewFolder {
  const preview = join(project, ".preview");
  const [path, release] = takeFirst(project, [
    [preview, "preview"],
    [join(preview, String(port)), `preview-${port}`],
  ]);
  mkdirSync(path, { recursive: true });
  return { path, release };
}

function takeFirst(
  project: string,
  choices: [path: string, lock: string][],
): [path: string, release: () => void] {
  const [choice, ...others] = choices;
  if (choice === undefined) throw new RangeError("no folder to choose from");
  const [path, lock] = choice;
  try {
    return [path, takeLock(join(project, ".cache", lock, "lock"))];
  } catch (cause) {
    if (!(cause instanceof Locked) || others.length === 0) throw cause;
    return takeFirst(project, others);
  }
}
