import { instantAt } from "../../build/base/instant.ts";
import { buildAhead, horizonOf } from "../../build/site/ahead.ts";
import { build } from "../../build/site/build.ts";
import { openS3, type S3 } from "../../build/release/s3.ts";
import { publish, type PublishResult } from "../../build/release/publish.ts";
import { openReader, type BucketReader, type ReaderOptions } from "../../build/release/reader.ts";
import type { ReadableStore } from "../../build/release/format.ts";
import { general, placeWith, SMALL_SITE, write, type Workplace } from "../site/site.ts";
import { MEMORY } from "../scratch.ts";
import { S3_OPTIONS, type TestBucket } from "./s3.ts";

/** More pages than fit into one shard. */
export const MANY = 400;

export function site(name: string): Workplace {
  const place = placeWith(name, SMALL_SITE, MEMORY);
  for (let id = 1000; id < 1000 + MANY; id++) writePage(place, id, `Page ${id}`);
  return place;
}

export const writePage = ({ content }: Workplace, id: number, title: string): void =>
  write(content, `_many/page-${id}.json`, general(id, title));

export const open = ({ bucket }: TestBucket, options: Partial<typeof S3_OPTIONS> = {}): S3 =>
  openS3(bucket, { ...S3_OPTIONS, ...options });

export async function deploy(
  place: Workplace & {
    full?: boolean;
    browse?: boolean;
    bulk?: boolean;
    at?: number;
    /** Length of the timeline in days. */
    days?: number;
    isDry?: boolean;
    notifies?: boolean;
    warn?: (message: string) => void;
  },
  bucket: TestBucket,
  store = open(bucket),
): Promise<PublishResult> {
  let published: PublishResult | undefined;
  const { at = Date.now(), days = 30 } = place;
  try {
    const instant = instantAt(at);
    await build({ ...place, at: instant }, async ({ output, findings }, opened) => {
      if (output === undefined) throw new Error(JSON.stringify(findings));
      published = await publish(output, store, {
        address: bucket.endpoint + bucket.address,
        concurrency: 8,
        full: place.full,
        isDry: place.isDry,
        notifies: place.notifies,
        at,
        ahead: () => buildAhead(opened, instant, horizonOf(opened, instant, days)),
        warn: place.warn,
      });
    });
  } finally {
    store.close();
  }
  if (published === undefined) throw new Error("nothing was published");
  return published;
}

/** Calls `work` once, before the pointer is uploaded. */
export function beforePointer(bucket: TestBucket, work: () => Promise<unknown>): void {
  let isFirst = true;
  bucket.faults.before = async ({ method, key }) => {
    if (method !== "PUT" || key !== "current.json" || !isFirst) return undefined;
    isFirst = false;
    await work();
    return undefined;
  };
}

/** A bucket server that reads the pointer for each request, unless the test gives it a clock. */
export function reader(store: ReadableStore, options: Partial<ReaderOptions> = {}): BucketReader {
  let time = 0;
  const now = (): number => (time += 10_000);
  return openReader(store, { memory: 2 ** 20, isShared: true, report: () => undefined, now, ...options });
}

/** The title in a new bucket server's response for a page; the status if it is not 200. */
export async function titleIn(store: ReadableStore, id: number): Promise<unknown> {
  const { status, body } = await reader(store).respond(requestFor(`/api/v2/pages/${id}/`));
  if (status !== 200) return status;
  return (JSON.parse(Buffer.from(body as Uint8Array).toString()) as { title: string }).title;
}

export const requestFor = (target: string, method = "GET", headers: Record<string, string> = {}) => ({
  method,
  target,
  header: (name: string) => headers[name],
});
