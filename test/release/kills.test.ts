import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { checkRelease, listReleases } from "../../build/release/releases.ts";
import { PROJECT } from "../../build/base/project.ts";
import type { Workplace } from "../pipeline/site.ts";
import { openBucket, type TestBucket } from "./s3.ts";
import { asked, deploy, open, reader, site, writePage } from "./site.ts";

const PUBLISHER = fileURLToPath(new URL("publisher.ts", import.meta.url));

/** Runs a publisher, which is killed at the put of that number, before that is carried out or after. */
async function publishUntil(
  place: Workplace,
  bucket: TestBucket,
  put: number,
  when: "before" | "after",
): Promise<string | null> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", PUBLISHER, place.content, place.out, place.cache],
    { cwd: PROJECT, env: { ...process.env, ...bucket.environment }, stdio: "ignore" },
  );
  let puts = 0;
  const kill = ({ method }: { method: string }): "cut" | undefined => {
    if (method !== "PUT" || ++puts <= put) return undefined;
    child.kill("SIGKILL");
    return "cut";
  };
  bucket.faults = when === "before" ? { before: kill } : { after: kill };
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  bucket.faults = {};
  return signal;
}

it(
  "leaves a whole release whenever a publisher is killed, and the next one finishes",
  { timeout: 240_000 },
  async () => {
    const bucket = await openBucket();
    const place = site("killed");
    const store = open(bucket);
    const first = await deploy(place, bucket);
    const title = async (id: number): Promise<unknown> => {
      const { status, body } = await reader(store).answer(asked(`/api/v2/pages/${id}/`));
      return status === 200
        ? (JSON.parse(Buffer.from(body as Uint8Array).toString()) as { title: string }).title
        : status;
    };
    for (const id of [1000, 1001, 1002, 1003]) writePage(place, id, `New ${id}`);
    // Four shards, a release, the pointer; all that went before is not put again.
    const ways = (["before", "after"] as const).flatMap((when) => [0, 1, 2].map((put) => ({ when, put })));
    for (const { when, put } of ways) {
      const signal = await publishUntil(place, bucket, put, when);
      const [current] = await listReleases(store);
      const isFirst = current?.name === first.release;
      expect(await title(1001)).toBe(isFirst ? "Page 1001" : "New 1001");
      expect((await checkRelease(store, 4)).problems).toEqual([]);
      if (signal === null) break;
    }
    bucket.asked.length = 0;
    await deploy(place, bucket);
    expect(bucket.asked.filter(({ method, key }) => method === "PUT" && key.startsWith("shards/"))).toEqual(
      [],
    );
    expect(await title(1003)).toBe("New 1003");
    expect((await checkRelease(store, 4)).problems).toEqual([]);
    store.close();
    await bucket.close();
    place.remove();
  },
);
