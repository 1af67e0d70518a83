import { expect, it } from "vitest";
import { checkRelease, listReleases } from "../../build/release/releases.ts";
import { publishUntil } from "./publisher.ts";
import { openBucket } from "./s3.ts";
import { requestFor, deploy, open, reader, site, writePage } from "./site.ts";

it("leaves a complete release whenever a publisher is killed, and the next one finishes", async () => {
  const bucket = await openBucket();
  const place = site("killed");
  const store = open(bucket);
  const first = await deploy(place, bucket);
  const title = async (id: number): Promise<unknown> => {
    const { status, body } = await reader(store).respond(requestFor(`/api/v2/pages/${id}/`));
    return status === 200
      ? (JSON.parse(Buffer.from(body as Uint8Array).toString()) as { title: string }).title
      : status;
  };
  for (const id of [1000, 1001, 1002, 1003]) writePage(place, id, `New ${id}`);
  // Four shards, a release and the pointer. Nothing uploaded before is uploaded again.
  const ways = (["before", "after"] as const).flatMap((when) => [0, 1, 2].map((put) => ({ when, put })));
  for (const { when, put } of ways) {
    const isKilled = await publishUntil(place, bucket, { put, when });
    const [current] = (await listReleases(store, 4)).listed;
    const isFirst = current?.name === first.release;
    expect(await title(1001)).toBe(isFirst ? "Page 1001" : "New 1001");
    expect((await checkRelease(store, 4)).problems).toEqual([]);
    if (!isKilled) break;
  }
  bucket.requests.length = 0;
  await publishUntil(place, bucket, undefined);
  expect(bucket.requests.filter(({ method, key }) => method === "PUT" && key.startsWith("shards/"))).toEqual(
    [],
  );
  expect(await title(1003)).toBe("New 1003");
  expect((await checkRelease(store, 4)).problems).toEqual([]);
  store.close();
  await bucket.close();
  place.remove();
});
