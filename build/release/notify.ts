import { createHmac } from "node:crypto";
import { join } from "node:path";
import { pathOf } from "../base/api.ts";
import { readBytes } from "../base/file.ts";
import { isObject, objectIn } from "../source/json/object.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { openTransfer } from "../hosting/http/transfer.ts";
import { requestWithRetry, type Retries } from "../hosting/http/client.ts";
import { Damaged, shardAt } from "../outputs/shards/format.ts";
import type { Release, ReadableStore } from "./format.ts";
import { readDirectory } from "./reader.ts";

/** The pages that differ between two releases, by their ids in ascending order. */
export interface ChangedPages {
  /** New pages, and those with another response. */
  changed: number[];
  removed: number[];
}

const ascending = (ids: number[]): number[] => ids.sort((a, b) => a - b);

/** Compares two releases by the directories of differing shards. Before the first release there is none. */
export async function changedPages(
  store: ReadableStore,
  before: Release | undefined,
  after: Release,
  concurrency: number,
): Promise<ChangedPages> {
  const isAlike = before?.shards.length === after.shards.length;
  const same = new Set(
    isAlike ? after.shards.flatMap((one, k) => (one?.[0] === before.shards[k]?.[0] ? [k] : [])) : [],
  );
  const old =
    before === undefined ? new Map<number, string>() : await pagesOf(store, before, same, concurrency);
  const now = await pagesOf(store, after, same, concurrency);
  return {
    changed: ascending([...now].filter(([id, known]) => old.get(id) !== known).map(([id]) => id)),
    removed: ascending([...old.keys()].filter((id) => !now.has(id))),
  };
}

/** By id: the CRC and length of each page, from the directories of the shards. Damaged shards are skipped. */
async function pagesOf(
  store: ReadableStore,
  release: Release,
  without: ReadonlySet<number>,
  concurrency: number,
): Promise<Map<number, string>> {
  const pages = new Map<number, string>();
  const remainders = [...release.shards.keys()].filter((k) => !without.has(k));
  await forEachConcurrent(remainders, concurrency, async (remainder) => {
    const shard = shardAt(release, remainder);
    if (shard === undefined) return;
    try {
      const { ids, crcs, lengths } = await readDirectory(store, shard);
      for (const [k, id] of ids.entries()) pages.set(id, `${crcs[k]} ${lengths[k]}`);
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause;
    }
  });
  return pages;
}

/** A host that is published with wrangler has neither names of releases nor known changes. */
export interface Notice extends Partial<ChangedPages> {
  release?: string;
  /** By id: the addresses of the changed pages on the website. */
  addresses?: Record<string, string>;
  /** When the pages were published: UTC with Z. */
  at: string;
}

/** Maximum number of addresses in a notice: after more changes, a website is rather built as a whole. */
const MAX_ADDRESSES = 1000;

/** The addresses of the first pages on the website, from their responses. @param root the output folder */
export function addressesIn(root: string, ids: readonly number[]): Record<string, string> {
  return Object.fromEntries(
    ids.slice(0, MAX_ADDRESSES).flatMap((id) => {
      const bytes = readBytes(join(root, pathOf(id), "index.json"));
      const meta = bytes && objectIn(bytes.toString())?.["meta"];
      return isObject(meta) && typeof meta["html_url"] === "string" ? [[id, meta["html_url"]]] : [];
    }),
  );
}

/** Maximum number of attempts to deliver a notice. */
export const MAX_ATTEMPTS = 3;
/** Milliseconds before the second attempt; the pause before the third is twice as long. */
const PAUSE_MS = 1000;
/** Maximum milliseconds of one attempt. */
const TIMEOUT_MS = 10_000;
/** Maximum bytes of the response, which is not used. */
const MAX_RESPONSE_BYTES = 2 ** 20;

/**
 * Posts a notice. With a secret, the header `X-Signature-256` has the HMAC of the body.
 *
 * @returns the reason why it was not delivered; undefined if it was.
 */
export async function notify(
  url: string,
  notice: Notice,
  secret: string | undefined,
  wait?: Retries["wait"],
): Promise<string | undefined> {
  const body = JSON.stringify(notice);
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (secret !== undefined)
    headers["X-Signature-256"] = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const address = new URL(url);
  const path = address.pathname + address.search;
  const { send } = openTransfer(address, {
    concurrency: 1,
    timeout: TIMEOUT_MS,
    bodyLimit: MAX_RESPONSE_BYTES,
  });
  const post = async (): Promise<string | undefined> => {
    const reply = await send({ method: "POST", path, headers, body }, false);
    if (reply.kind === "no-reply") return reply.message;
    return reply.status >= 200 && reply.status < 300 ? undefined : `status ${reply.status}`;
  };
  return requestWithRetry(
    { attempts: MAX_ATTEMPTS, firstPauseMs: PAUSE_MS, ...(wait && { wait }) },
    post,
    (failed) => failed !== undefined,
  );
}
