import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { HEADERS_NAME, PAGES, REDIRECTS_NAME } from "../base/api.ts";
import { Failure } from "../base/failure.ts";
import { PROJECT } from "../base/project.ts";
import { CONTRACT_FILES } from "../contract/paths.ts";
import { NOT_FOUND } from "../hosting/errors.ts";
import { redirects } from "../hosting/redirects.ts";
import { isInside, realPath } from "../base/paths.ts";
import { assertFolders, layoutOf, type Layout } from "../output/layout.ts";
import type { StaticFiles } from "../output/foreign.ts";
import { takeLock } from "../base/lock.ts";
import { partsIn } from "../output/page.ts";
import type { Counts } from "../browse/data-files.ts";
import { browseFilesOf } from "./browse.ts";
import { wantsBulk } from "./bulk.ts";
import type { Discovery } from "./discover.ts";
import type { BuildOptions, Output } from "./outcome.ts";
import { MEDIA } from "../page/images.ts";
import type { PageTable } from "../manifest/page-table.ts";

const CACHE = join(PROJECT, ".cache", "builds");

/** The folders of a build. */
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
  return { content, layout, cache: resolve(options.cache ?? CACHE, name) };
}

/**
 * Locks the output against other builds, also from other checkouts. An output that is not writable cannot be locked, but a
 * build may find that it is up to date.
 */
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

/** The published files that are not pages, contract or data files. */
export const staticFilesOf = async (
  options: BuildOptions,
  discovery: Discovery,
  counts: Counts,
): Promise<StaticFiles> =>
  new Map([
    [`${PAGES}/404.html`, Buffer.from(NOT_FOUND)],
    ["404.html", Buffer.from(NOT_FOUND)],
    [REDIRECTS_NAME, Buffer.from(redirects())],
    [HEADERS_NAME, discovery.headers],
    ...(options.browse === true ? await browseFilesOf(discovery, counts, wantsBulk(options, discovery)) : []),
  ]);

const OF_HOSTS = new Set<string>([REDIRECTS_NAME, HEADERS_NAME]);

export const outputOf = (
  { layout, cache }: Folders,
  discovery: Discovery,
  staticFiles: StaticFiles,
  table: PageTable,
  options: BuildOptions,
): Output => ({
  root: layout.root,
  cache,
  table,
  // The data files are listed from the output, because a build may change only some of them.
  files: [
    ...new Set([
      ...[...staticFiles.keys(), ...CONTRACT_FILES].filter((path) => !OF_HOSTS.has(path)),
      ...(options.browse === true ? partsIn(layout) : []),
      ...discovery.images.map(({ path }) => `${MEDIA}/${path}`),
    ]),
  ],
  headers: discovery.headers,
  bulk: wantsBulk(options, discovery),
});
