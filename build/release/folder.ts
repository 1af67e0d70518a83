import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { PAGES } from "../base/api.ts";
import { Failure } from "../base/failure.ts";
import { linkOrCopy, readBytes, readText, statIfSame, isFolder, statIfThere } from "../base/file.ts";
import { isInside, makeFolder, realPath } from "../base/paths.ts";
import { openStaging } from "../base/lock.ts";
import { publishedFiles } from "../hosting/published.ts";
import { addressesIn, type AddressedPages, type ChangedPages } from "./notify.ts";

/** The link to the current release: the root of the web server. */
const CURRENT = "current";
/** The folder of the releases. Their names are numbers: the date and time in UTC. */
const RELEASES = "releases";
const NAME = /^\d{14}$/;

/** The file that marks a release of this program: other programs give their releases such names too. */
const MARK = ".page-api";
const PUBLISHED = "A release of page-api deploy.\n";
const REMOVED = "Removed by page-api deploy, which removes the rest of it next time.\n";

/** The file with the name of the release of the last delivered notice, while a later one is not delivered. */
const NOTIFIED = ".notified";

const STAGING = ".deploy";
const STAGED_RELEASE = "release";
const STAGED_LINK = "link";

export interface FolderRelease extends ChangedPages {
  /** The current release; with `isDry`, also if it would be replaced. */
  release: string | undefined;
  /** The number of files that differ from the former release. If it is 0, that release stays current. */
  files: number;
  /** The pages that changed since the last delivered notice; undefined if the website has all notices. */
  unnotified?: AddressedPages;
}

export interface FolderOptions {
  /** The number of releases to keep, including the current one. */
  keep: number;
  /** The time of the publication, in milliseconds since 1970. */
  now: number;
  isDry: boolean;
  /** Whether a notice follows: `markNotified` is called when it is delivered. */
  notifies?: boolean;
  /** Called for a former release that cannot be removed. */
  onKept?: (release: string, cause: unknown) => void;
}

/** Publishes an output to a folder of a web server: as a new release, to which the link is moved at once. */
export function publishToFolder(out: string, folder: string, options: FolderOptions): FolderRelease {
  if (isInside(realPath(folder), realPath(out)))
    throw new Failure(`${folder} is in the output folder, which is published. Name another folder.`);
  if (options.isDry) return compare(out, folder).difference;
  return whileLocked(folder, (staging) => {
    const { former, files, same, difference } = compare(out, folder);
    const { release: current } = difference;
    const published = (release: string | undefined): FolderRelease => {
      const since = options.notifies === true ? notifiedRelease(folder) : undefined;
      if (since === undefined) return { ...difference, release };
      const { former: root = "", difference: before } = compare(out, folder, since);
      const { changed, removed } = before;
      return {
        ...difference,
        release,
        unnotified: { changed, removed, addresses: addressesIn(root, removed) },
      };
    };
    if (difference.files === 0) return published(current);
    const staged = join(staging, STAGED_RELEASE);
    for (const file of files) {
      const path = join(staged, file);
      mkdirSync(dirname(path), { recursive: true });
      // Releases share the files that have not changed, as with `rsync --link-dest`.
      if (former !== undefined && same.has(file)) linkOrCopy(join(former, file), path);
      else copyFileSync(join(out, file), path);
    }
    writeFileSync(join(staged, MARK), PUBLISHED);
    const release = nextName(folder, options.now);
    renameSync(staged, join(folder, RELEASES, release));
    if (options.notifies === true && notifiedRelease(folder) === undefined)
      writeFileSync(join(folder, NOTIFIED), current ?? "");
    moveLink(folder, release);
    const result = published(release);
    // Without the releases that were rolled back, so that a rollback never returns to one.
    const all = ownReleases(folder);
    const kept = new Set(
      all.filter((one) => one <= (current ?? release) || one === release).slice(-options.keep),
    );
    for (const one of [...ownReleases(folder, REMOVED), ...all.filter((name) => !kept.has(name))])
      try {
        remove(join(folder, RELEASES, one));
      } catch (cause) {
        options.onKept?.(one, cause);
      }
    return result;
  });
}

/** Ends the release first, because `rollback` may return to any release, and then removes its files. */
function remove(path: string): void {
  writeFileSync(join(path, MARK), REMOVED);
  for (const name of readdirSync(path)) if (name !== MARK) rmSync(join(path, name), { recursive: true });
  rmSync(path, { recursive: true });
}

/** Before the first notice, it is empty; undefined if all notices were delivered. */
const notifiedRelease = (folder: string): string | undefined => readText(join(folder, NOTIFIED));

export const markNotified = (folder: string): void => rmSync(join(folder, NOTIFIED), { force: true });

/** @returns the files of the output, and those that the current release has too. */
function compare(out: string, folder: string, release = currentRelease(folder)) {
  const former = ownReleases(folder).includes(release ?? "")
    ? join(folder, RELEASES, release ?? "")
    : undefined;
  const files = publishedFiles(out);
  const old = new Set(former === undefined ? [] : publishedFiles(former));
  const same = new Set(
    files.filter((file) => old.has(file) && areSame(join(out, file), join(former ?? "", file))),
  );
  const now = new Set(files);
  const changed = files.filter((file) => !same.has(file));
  const removed = [...old].filter((file) => !now.has(file));
  const difference: FolderRelease = {
    release,
    files: changed.length + removed.length,
    changed: idsOf(changed),
    removed: idsOf(removed),
  };
  return { former, files, same, difference };
}

/** Makes the release before the current one current again, or a named one. Returns its name. */
export const rollBackFolder = (folder: string, named?: string): string =>
  whileLocked(folder, () => {
    const releases = ownReleases(folder);
    const current = currentRelease(folder);
    const wanted = named ?? releases[releases.indexOf(current ?? "") - 1];
    if (wanted === undefined || !releases.includes(wanted))
      throw new Failure(
        `${folder}: there is no release ${named ?? "before the current one"}. The releases are ${releases.join(", ") || "none"}.`,
      );
    moveLink(folder, wanted);
    return wanted;
  });

function whileLocked<T>(folder: string, work: (staging: string) => T): T {
  const staging = join(folder, STAGING);
  const close = openStaging(
    staging,
    (name) => [STAGED_RELEASE, STAGED_LINK].includes(name),
    () => new Failure(`${folder}: another publication is running. Wait until it has ended.`),
  );
  try {
    makeFolder(join(folder, RELEASES));
    return work(staging);
  } finally {
    close();
  }
}

/** In the order of time. */
const releasesIn = (folder: string): string[] =>
  isFolder(join(folder, RELEASES))
    ? readdirSync(join(folder, RELEASES))
        .filter((name) => NAME.test(name))
        .sort()
    : [];

/** Those of this program, with this mark. */
const ownReleases = (folder: string, mark = PUBLISHED): string[] =>
  releasesIn(folder).filter((name) => readText(join(folder, RELEASES, name, MARK)) === mark);

/** Undefined before the first publication. @throws Failure if something else is at its path. */
function currentRelease(folder: string): string | undefined {
  const link = join(folder, CURRENT);
  const stat = statIfThere(link);
  if (stat === undefined) return undefined;
  const target = stat.type === "other" ? resolve(folder, readlinkSync(link)) : "";
  const name = basename(target);
  const release = join(folder, RELEASES, name);
  if (!NAME.test(name) || realPath(target) !== realPath(release))
    throw new Failure(`${link} is not a link to a release. Move it away, or name an empty or new folder.`);
  if (!isFolder(release)) return undefined;
  if (!ownReleases(folder).includes(name))
    throw new Failure(
      `${link} leads to the release ${name}, which another program has made: it has no file ${MARK}. Name an empty or new folder.`,
    );
  return name;
}

/** A renamed link replaces the former one at once, so there is always a current release. */
function moveLink(folder: string, release: string): void {
  const staged = join(folder, STAGING, STAGED_LINK);
  symlinkSync(join(RELEASES, release), staged);
  renameSync(staged, join(folder, CURRENT));
}

/** Later than all others, also if the clock was set back. */
function nextName(folder: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return `${Math.max(Number(stamp), Number(releasesIn(folder).at(-1) ?? 0) + 1)}`;
}

const areSame = (file: string, other: string): boolean => {
  const bytes = readBytes(file);
  return bytes !== undefined && statIfSame(other, bytes) !== undefined;
};

const PAGE = new RegExp(`^${PAGES}/([0-9]+)/index\\.json$`);

const idsOf = (files: readonly string[]): number[] =>
  files
    .flatMap((file) => PAGE.exec(file)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
