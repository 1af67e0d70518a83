import { createHmac } from "node:crypto";
import { join } from "node:path";
import { pathOf } from "../base/api.ts";
import { readBytes } from "../base/file.ts";
import { grouped } from "../base/grouped.ts";
import { isObject, objectIn } from "../source/json/object.ts";
import { forEachConcurrent } from "../base/concurrent.ts";
import { openTransfer } from "../hosting/http/transfer.ts";
import { requestWithRetry, type Retries } from "../hosting/http/client.ts";
import { Damaged, shardAt } from "../outputs/shards/format.ts";
import type { PageBytes } from "../outputs/shards/zip.ts";
import type { Release, ReadableStore } from "./format.ts";
import { readDirectory, readShard } from "./reader.ts";

/** The pages that differ between two releases, by their ids in ascending order. */
export interface ChangedPages {
  /** New pages, and those with another response. */
  changed: number[];
  removed: number[];
}

/** By id: addresses on the website. */
type WebsiteAddresses = Record<string, string>;

export interface AddressedPages extends ChangedPages {
  /** The former addresses of the first removed pages. */
  addresses: WebsiteAddresses;
}

const ascending = (ids: number[]): number[] => ids.sort((a, b) => a - b);

/** Compares two releases by the directories of differing shards. Before the first release there is none. */
export async function changedPages(
  store: ReadableStore,
  before: Release | undefined,
  after: Release,
  concurrency: number,
): Promise<AddressedPages> {
  const isAlike = before?.shards.length === after.shards.length;
  const same = new Set(
    isAlike ? after.shards.flatMap((one, k) => (one?.[0] === before.shards[k]?.[0] ? [k] : [])) : [],
  );
  const old =
    before === undefined ? new Map<number, string>() : await pagesOf(store, before, same, concurrency);
  const now = await pagesOf(store, after, same, concurrency);
  const removed = ascending([...old.keys()].filter((id) => !now.has(id)));
  const addresses: WebsiteAddresses = {};
  const byShard = grouped(removed.slice(0, MAX_ADDRESSES), (id) => id % (before?.shards.length ?? 1));
  await forEachConcurrent([...byShard], concurrency, async ([remainder, ids]) => {
    const shard = before && shardAt(before, remainder);
    if (shard === undefined) return;
    const use = ({ id, bytes }: PageBytes): void => {
      if (ids.includes(id)) Object.assign(addresses, addressOf(id, bytes));
    };
    await readShard(store, shard, use).catch(ignoreDamage);
  });
  return {
    changed: ascending([...now].filter(([id, known]) => old.get(id) !== known).map(([id]) => id)),
    removed,
    addresses,
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
    const directory = await readDirectory(store, shard).catch(ignoreDamage);
    if (directory === undefined) return;
    const { ids, crcs, lengths } = directory;
    for (const [k, id] of ids.entries()) pages.set(id, `${crcs[k]} ${lengths[k]}`);
  });
  return pages;
}

function ignoreDamage(cause: unknown): undefined {
  if (!(cause instanceof Damaged)) throw cause;
}

/** A host that is published with wrangler has neither names of releases nor known changes. */
export interface Notice extends Partial<ChangedPages> {
  release?: string;
  /** Those of changed pages, and the former ones of removed pages. */
  addresses?: WebsiteAddresses;
  /** When the pages were published: UTC with Z. */
  at: string;
}

/** Maximum number of addresses of changed pages in a notice, and of removed ones: after more changes, a website is rather built as a whole. */
const MAX_ADDRESSES = 1000;

/** The addresses of the first pages, from their responses. @param root an output folder, or a release of one */
export const addressesIn = (root: string, ids: readonly number[]): WebsiteAddresses =>
  Object.assign(
    {},
    ...ids
      .slice(0, MAX_ADDRESSES)
      .map((id) => addressOf(id, readBytes(join(root, pathOf(id), "index.json")))),
  ) as WebsiteAddresses;

/** The address of a page by its id; empty if its response has none. */
function addressOf(id: number, response: Uint8Array | undefined): WebsiteAddresses {
  const meta = response && objectIn(Buffer.from(response).toString())?.["meta"];
  return isObject(meta) && typeof meta["html_url"] === "string" ? { [id]: meta["html_url"] } : {};
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
