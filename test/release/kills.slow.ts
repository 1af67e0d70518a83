import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { random } from "../random.ts";
import { checkRelease } from "../../build/release/releases.ts";
import type { Workplace } from "../site/site.ts";
import { publishUntil, type Moment } from "./publisher.ts";
import { openBucket, type BucketRequest } from "./s3.ts";
import { reader, requestFor, site, writePage } from "./site.ts";
import { runsOf } from "../runs.ts";

const KILLS = runsOf(20);
/** In several shards. */
const CHANGED = [1000, 1001, 1002, 1003, 1100];
const titleOf = (edition: number, id: number): string => `Edition ${edition}, page ${id}`;

function writeEdition(place: Workplace, edition: number): void {
  for (const id of CHANGED) writePage(place, id, titleOf(edition, id));
}

it("serves no wrong or mixed page while publishers are killed, and uploads no shard twice", async () => {
  const bucket = await openBucket();
  const place = site("kills");
  const { store } = bucket;
  const carried = new Map<string, number>();
  const carriedOut = ({ key }: BucketRequest): void => void carried.set(key, (carried.get(key) ?? 0) + 1);
  let edition = 0;
  writeEdition(place, edition);
  const start = performance.now();
  await publishUntil(place, bucket, undefined, carriedOut);
  const duration = performance.now() - start;

  const one = reader(store, { now: () => performance.now() });
  const over = new AbortController();
  let answers = 0;
  const wrong: unknown[] = [];
  const seen = new Set<number>();
  /** Reads page after page: after the first response of a new release, none of the old release may follow. */
  const readPages = async (draw: { below: (n: number) => number }): Promise<void> => {
    let newest = 0;
    while (!over.signal.aborted || newest < edition) {
      const id = CHANGED[draw.below(CHANGED.length)] ?? 0;
      const isPacked = draw.below(2) === 0;
      const headers: Record<string, string> = isPacked ? { "accept-encoding": "gzip" } : {};
      const { status, body } = await one.respond(requestFor(`/api/v2/pages/${id}/`, "GET", headers));
      answers++;
      const bytes = Buffer.from(body as Uint8Array);
      const text = status === 200 ? (isPacked ? gunzipSync(bytes) : bytes).toString() : "{}";
      const page = JSON.parse(text) as { id?: number; title?: string };
      const of = Number(/^Edition (\d+),/.exec(page.title ?? "")?.[1] ?? -1);
      if (page.id !== id || page.title !== titleOf(of, id) || of < newest || of > edition)
        wrong.push({ status, id, newest, edition, text });
      newest = Math.max(newest, of);
      seen.add(of);
      await sleep(20);
    }
  };
  const readers = Promise.all([1, 2, 3].map((seed) => readPages(random(seed))));

  const draw = random(17);
  let [kills, isFinished] = [0, true];
  const problems: string[] = [];
  for (let run = 0; kills < KILLS && run < 4 * KILLS; run++) {
    // After a killed publisher, the next one publishes the same sources, or sometimes another edit.
    if (isFinished || draw.below(3) === 0) writeEdition(place, ++edition);
    const moment: Moment =
      run % 3 === 0
        ? { milliseconds: Math.round(duration * (0.3 + draw.below(60) / 100)) }
        : { put: draw.below(8), when: run % 2 === 0 ? "before" : "after" };
    const isKilled = await publishUntil(place, bucket, moment, carriedOut);
    isFinished = !isKilled;
    if (isKilled) kills++;
    if (kills % 5 === 0) problems.push(...(await checkRelease(store, 4)).problems);
  }
  await publishUntil(place, bucket, undefined, carriedOut);
  over.abort();
  await readers;
  await bucket.close();

  expect(kills).toBe(KILLS);
  expect(problems).toEqual([]);
  expect(wrong).toEqual([]);
  expect(answers).toBeGreaterThan(500);
  expect(seen.size).toBeGreaterThan(3);
  // Data files of the browse UI may have the same content as before.
  const twice = [...carried].filter(([key, times]) => key.startsWith("shards/") && times > 1);
  expect(twice).toEqual([]);
});
