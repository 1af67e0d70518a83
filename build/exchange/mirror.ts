import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isUtf8 } from "node:buffer";
import { type IdRange, countIds, idsIn } from "../base/id-ranges.ts";
import { Failure, Obstructed } from "../base/failure.ts";
import {
  isTemporary,
  openFollowingClient,
  requestWithRetry,
  urlToGive,
  type Retries,
} from "../hosting/http/client.ts";
import { decoded, header, type Reply } from "../hosting/http/reply.ts";
import { MAX_ZIP_BYTES, Damaged, shardAt, type BulkIndex, type Shard } from "../outputs/shards/format.ts";
import { PAGES, BULK_INDEX, pathOf } from "../base/api.ts";
import { readBytes, writeNew, isFolder, statIfThere } from "../base/file.ts";
import { makeFolder, removeEmpty } from "../base/paths.ts";
import { grouped } from "../base/grouped.ts";
import { openStaging } from "../base/lock.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { openPacker, type Packer } from "../outputs/shards/packer.ts";
import { parseIndex } from "../outputs/shards/schema.ts";
import { openShard } from "../outputs/shards/unzip.ts";
import { objectIn } from "../source/json/object.ts";

export interface MirrorOptions {
  /** The URL in front of `/api/v2/pages/` and `/bulk/`. */
  url: URL;
  folder: string;
  /** The pages to request one by one; undefined for the bulk download. */
  ids?: readonly IdRange[] | undefined;
  /** Whether to compare only, without writing. */
  isCheck?: boolean;
  /** Maximum number of concurrent requests. */
  concurrency: number;
  progress?: ((done: number, of: number) => void) | undefined;
  /** Waits for a number of milliseconds; tests replace it. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

/** The result of a request: the file's bytes, no file (404 or 410), or an unusable response. */
type Fetched =
  | { kind: "found"; bytes: Buffer }
  | { kind: "missing"; isJson: boolean }
  | { kind: "unusable"; reason: string };

/** Maximum attempts for one path. */
const MAX_ATTEMPTS = 5;
/** First pause between two attempts, in milliseconds; each later one is twice as long. */
const PAUSE_MS = 500;
/** Maximum milliseconds for a whole response: enough for 25 MiB over a slow line. */
const MAX_RESPONSE_MS = 600_000;
/** Maximum milliseconds without a received byte. */
const MAX_IDLE_MS = 30_000;

const HEADERS = {
  "User-Agent": "static-page-api-mirror",
  "Accept-Encoding": "gzip",
  "Cache-Control": "no-cache",
};

/** Requests files of an untrusted host, so it limits the size and the duration of each response. */
export function openMirrorHost(url: URL, concurrency: number, wait: Retries["wait"]) {
  const address = url.href.replace(/\/+$/, "");
  const client = openFollowingClient(url, {
    concurrency,
    timeout: MAX_RESPONSE_MS,
    idle: MAX_IDLE_MS,
    bodyLimit: MAX_ZIP_BYTES,
    secondTry: false,
    patience: Infinity,
  });
  let bytes = 0;

  /** @throws Failure if the host does not respond, or redirects to another host. */
  async function fetch(path: string): Promise<Fetched> {
    const reply = await requestWithRetry(
      { attempts: MAX_ATTEMPTS, firstPauseMs: PAUSE_MS, ...(wait && { wait }) },
      () => client.send({ path, headers: HEADERS }),
      shouldRetry,
    );
    if (reply.kind === "no-reply") {
      if (reply.trouble === "too-large") return { kind: "unusable", reason: reply.message };
      const next =
        reply.trouble === "redirect" ? urlToGive(reply.elsewhere) : "Run the same command again to continue.";
      throw new Failure(`${address}${path}: ${reply.message}. ${next}`);
    }
    bytes += reply.body.length;
    const isJson = header(reply, "Content-Type")?.startsWith("application/json") === true;
    if (reply.status === 404 || reply.status === 410) return { kind: "missing", isJson };
    if (reply.status !== 200) return { kind: "unusable", reason: `the host responds with ${reply.status}` };
    const body = decoded(reply);
    return typeof body === "string" ? { kind: "unusable", reason: body } : { kind: "found", bytes: body };
  }
  /** `bytes`: those of all received bodies, before they are decoded. */
  return { address, fetch, bytes: () => bytes, requests: client.requests, close: client.close };
}

type MirrorHost = ReturnType<typeof openMirrorHost>;

/** A number is the milliseconds to wait before the next attempt. */
function shouldRetry(reply: Reply): boolean | number {
  if (reply.kind === "no-reply") return !["redirect", "too-large", "tls"].includes(reply.trouble);
  return isTemporary(reply);
}

/** The folder, in a mirror's folder, of its marker file, its lock and the staged page. */
const OWN = ".mirror";
const MARK = "mirror.json";
const STAGED = "page";
const FILE = "index.json";

const ID = /^[1-9]\d{0,15}$/;

/**
 * Opens the folder of a mirror, in which a page is `api/v2/pages/<id>/index.json`, as in an output.
 *
 * @throws Failure if it does not exist and may not be written, if it has pages that no mirror wrote, or if another mirror
 * is writing to it.
 */
function openMirrorFolder(root: string, isReadOnly: boolean) {
  const [own, pages] = [join(root, OWN), join(root, PAGES)];
  const staged = join(own, STAGED);
  const folderOf = (id: number): string => join(pages, `${id}`);
  const fileOf = (id: number): string => join(folderOf(id), FILE);
  if (isReadOnly && !isFolder(root)) throw new Failure(`${root}: there is no such folder.`);
  // Symbolic links may lead out of the folder.
  for (const folder of [own, join(root, "api"), join(root, "api/v2"), pages])
    if ((statIfThere(folder)?.type ?? "folder") !== "folder") throw new Obstructed(folder, "a folder");
  const close = isReadOnly ? () => undefined : lockFolder();

  function lockFolder(): () => void {
    if (isFolder(pages) && statIfThere(join(own, MARK)) === undefined)
      throw new Failure(
        `${root}: this folder contains pages that no mirror wrote. Name an empty or new folder.`,
      );
    const unlock = openStaging(
      own,
      (name) => name === STAGED,
      () => new Failure(`${root}: another mirror of this folder is running. Wait until it has ended.`),
    );
    try {
      writeFileSync(join(own, MARK), "{}\n");
      makeFolder(pages);
    } catch (cause) {
      unlock();
      throw cause;
    }
    return unlock;
  }

  /** Ascending. */
  function ids(): number[] {
    if (!isFolder(pages)) return [];
    return readdirSync(pages)
      .filter((name) => ID.test(name))
      .map(Number)
      .filter((id) => Number.isSafeInteger(id) && has(id))
      .sort((a, b) => a - b);
  }

  function has(id: number): boolean {
    return isFolder(folderOf(id)) && statIfThere(fileOf(id))?.type === "file";
  }

  function isSame(id: number, bytes: Uint8Array): boolean {
    return has(id) && readBytes(fileOf(id))?.equals(bytes) === true;
  }

  /** Writes a page at once, so that other programs never read an incomplete page. */
  function write(id: number, bytes: Uint8Array): void {
    if (isReadOnly) return;
    const folder = folderOf(id);
    const found = statIfThere(folder)?.type;
    if (found !== undefined && found !== "folder") throw new Obstructed(folder, "a folder");
    if (isFolder(fileOf(id))) throw new Obstructed(fileOf(id), "a file");
    writeNew(staged, bytes);
    if (found === undefined) mkdirSync(folder);
    renameSync(staged, fileOf(id));
  }

  function remove(id: number): void {
    if (isReadOnly) return;
    rmSync(fileOf(id), { force: true });
    // Third-party files in the page's folder stay.
    removeEmpty(folderOf(id));
  }

  return { ids, fileOf, isSame, write, remove, close };
}

/** Maximum bytes of an index, which is enough for about 200,000 shards. */
const MAX_INDEX_BYTES = 16 * 2 ** 20;
/** Maximum bytes of a shard's uncompressed pages: a ZIP file could inflate to a thousand times its size. */
const MAX_SHARD_BYTES = 512 * 2 ** 20;
/** Maximum reads of the index. It is read again if its shards are missing, as after a new release. */
const MAX_READINGS = 5;
/** Maximum downloads of one shard if it arrives damaged. */
const MAX_DOWNLOADS = 2;
/** Milliseconds to wait if the index is still the same although its shards no longer exist. */
const INDEX_PAUSE_MS = 1000;

/** The index of the bulk download; undefined if the host has none. @throws Failure if it is invalid. */
async function readIndex(host: MirrorHost): Promise<BulkIndex | undefined> {
  const fetched = await host.fetch(`/${BULK_INDEX}`);
  if (fetched.kind === "missing") return undefined;
  const unusable = (reason: string): Failure =>
    new Failure(`${host.address}/${BULK_INDEX}: ${reason}. Nothing was changed.`);
  if (fetched.kind === "unusable") throw unusable(fetched.reason);
  if (fetched.bytes.length > MAX_INDEX_BYTES)
    throw unusable(`the index has more than ${MAX_INDEX_BYTES / 2 ** 20} MiB`);
  const index = parseIndex(fetched.bytes);
  if (typeof index === "string") throw unusable(`this is not the index of a bulk download: ${index}`);
  return index;
}

export type MirrorReport = Awaited<ReturnType<typeof mirror>>;

/** Updates a folder to a host's pages, or only compares them. @throws Failure */
export async function mirror(options: MirrorOptions) {
  const { url, concurrency, ids, isCheck = false } = options;
  const host = openMirrorHost(url, concurrency, options.wait);
  try {
    // Before the folder is opened: the URL may be misspelt.
    const index = ids === undefined ? await readIndex(host) : undefined;
    if (ids === undefined && index === undefined)
      throw new Failure(
        `${host.address}/${BULK_INDEX}: the host offers no bulk download. Name the pages with --ids, such as --ids 1-5000.`,
      );
    const folder = openMirrorFolder(resolve(options.folder), isCheck);
    try {
      const work = openMirror(host, folder, options);
      if (index !== undefined) await work.mirrorBulk(index);
      else await work.mirrorPages(ids ?? []);
      const { written, removed, ...counts } = work.report;
      return {
        ...counts,
        written: ascending(written),
        removed: ascending(removed),
        requests: host.requests(),
        bytes: host.bytes(),
      };
    } finally {
      folder.close();
    }
  } finally {
    host.close();
  }
}

/** Sorts the ids and removes duplicates, which occur if the index was read several times. */
const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

function openMirror(
  host: MirrorHost,
  folder: ReturnType<typeof openMirrorFolder>,
  { concurrency, progress, wait = delay }: MirrorOptions,
) {
  /** With `isCheck`, the changes that would have been made. */
  const report = {
    /** The number of pages that the host has. */
    pages: 0,
    written: [] as number[],
    removed: [] as number[],
    /** Messages about files that were damaged or missing, one line each. */
    damaged: [] as string[],
  };

  function keepPage(id: number, bytes: Uint8Array): void {
    if (folder.isSame(id, bytes)) return;
    report.written.push(id);
    folder.write(id, bytes);
  }

  function removePages(ids: readonly number[]): void {
    for (const id of ids) {
      report.removed.push(id);
      folder.remove(id);
    }
  }

  /**
   * Downloads the shards whose pages differ from those in the folder. It stores no state, but computes the hash
   * of each shard from the folder's pages, so an interrupted run continues, and local damage is found.
   */
  async function mirrorBulk(first: BulkIndex): Promise<void> {
    let index = first;
    for (let reading = 1; ; reading++) {
      const missing = await downloadShards(index);
      if (missing.length === 0) return;
      if (reading === MAX_READINGS) {
        for (const { key } of missing)
          report.damaged.push(`bulk/${key}: the index names it, but the host does not have it`);
        return;
      }
      const next = await readIndex(host);
      if (next === undefined)
        throw new Failure(`${host.address}: the host has stopped offering a bulk download.`);
      if (JSON.stringify(next) === JSON.stringify(index)) await wait(INDEX_PAUSE_MS);
      index = next;
    }
  }

  /** Returns the shards that the host does not have. */
  async function downloadShards(index: BulkIndex): Promise<Shard[]> {
    const count = index.shards.length;
    const local = grouped(folder.ids(), (id) => id % count);
    const missing: Shard[] = [];
    report.damaged = [];
    report.pages = 0;
    let done = 0;
    const packer = openPacker(local.size);
    try {
      await forEachConcurrent(index.shards.keys(), concurrency, async (remainder) => {
        const ids = local.get(remainder) ?? [];
        const shard = shardAt(index, remainder);
        if (shard === undefined) removePages(ids);
        else if ((await nameOf(packer, ids)) === shard.name) report.pages += ids.length;
        else if (!(await downloadShard(shard, ids))) missing.push(shard);
        progress?.(++done, count);
      });
    } finally {
      await packer.close();
    }
    if (missing.length === 0 && report.damaged.length === 0 && report.pages !== index.pages)
      report.damaged.push(
        `${BULK_INDEX}: it promises ${index.pages} pages, and its shards have ${report.pages}`,
      );
    return missing;
  }

  /** The name of the shard that local pages would have. */
  async function nameOf(packer: Packer, ids: readonly number[]): Promise<string | undefined> {
    if (ids.length === 0) return undefined;
    const files = ids.map((id) => ({ id, path: folder.fileOf(id) }));
    return packer.pack(files, ([name]) => Promise.resolve(name));
  }

  /** Downloads a shard and writes its pages. Returns whether the host has the shard. */
  async function downloadShard(shard: Shard, local: readonly number[]): Promise<boolean> {
    const path = `bulk/${shard.key}`;
    if (shard.bytes > MAX_SHARD_BYTES) {
      report.damaged.push(`${path}: the index promises more than ${MAX_SHARD_BYTES / 2 ** 20} MiB of pages`);
      return true;
    }
    let reason = "";
    for (let download = 1; download <= MAX_DOWNLOADS; download++) {
      const fetched = await host.fetch(`/${path}`);
      if (fetched.kind === "missing") return false;
      if (fetched.kind === "unusable") reason = fetched.reason;
      else
        try {
          writePages(fetched.bytes, shard, local);
          return true;
        } catch (cause) {
          if (!(cause instanceof Damaged)) throw cause;
          reason = cause.message.slice(shard.key.length + 2).replace(/\.$/, "");
        }
    }
    report.damaged.push(`${path}: ${reason}`);
    return true;
  }

  /** Inflates and writes the pages of a shard one by one, after the hash of all of them was compared. */
  function writePages(zip: Uint8Array, shard: Shard, local: readonly number[]): void {
    const { ids } = openShard(zip, shard);
    openShard(zip, shard, ({ id, bytes }) => keepPage(id, bytes));
    report.pages += ids.length;
    const kept = new Set(ids);
    removePages(local.filter((id) => !kept.has(id)));
  }

  /** Requests pages one by one, for a host without a bulk download. Pages outside the ranges stay. */
  async function mirrorPages(ranges: readonly IdRange[]): Promise<void> {
    const local = new Set(folder.ids());
    const of = countIds(ranges);
    let done = 0;
    await forEachConcurrent(idsIn(ranges), concurrency, async (id) => {
      const fault = await mirrorPage(id, local.has(id));
      if (fault !== undefined) report.damaged.push(`${pathOf(id)}: ${fault}`);
      progress?.(++done, of);
    });
  }

  async function mirrorPage(id: number, isLocal: boolean): Promise<string | undefined> {
    const fetched = await host.fetch(pathOf(id));
    if (fetched.kind === "unusable") return fetched.reason;
    if (fetched.kind === "missing") {
      // Then the page may still exist.
      if (!fetched.isJson) return "a 404 that is not JSON, so it is not a response of the API";
      if (isLocal) removePages([id]);
      return undefined;
    }
    if (!isUtf8(fetched.bytes)) return "the response is not UTF-8";
    if (objectIn(fetched.bytes.toString())?.["id"] !== id) return `the response is not the page ${id}`;
    report.pages++;
    keepPage(id, fetched.bytes);
    return undefined;
  }

  return { report, mirrorBulk, mirrorPages };
}
