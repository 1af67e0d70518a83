import { join } from "node:path";
import { expect, it } from "vitest";
import { parsePointer, POINTER, readRelease } from "../../build/release/format.ts";
import { partsOf } from "../../build/release/reader.ts";
import { filesBelow } from "../files.ts";
import { general, SITE, SMALL_SITE, placeWith } from "../site/site.ts";
import { MEMORY } from "../scratch.ts";
import { bucketOf, publishTo, readerOf } from "./memory.ts";

it("a release has the files for websites: subpages in shards, the others as they are", async () => {
  const place = placeWith("release-index", { ...SMALL_SITE, "_site.json": { ...SITE, index: true } }, MEMORY);
  const bucket = bucketOf();
  await publishTo(bucket, place);
  const files = filesBelow(join(place.out, "index")).map((path) => `index/${path}`);
  const reader = readerOf(bucket);
  const get = (target: string, tag?: string) =>
    reader.respond({ method: "GET", target, header: (name) => (name === "if-none-match" ? tag : undefined) });
  for (const path of files) {
    const { status, headers, body = "" } = await get(`/${path}`);
    expect([status, Buffer.from(body).toString()]).toEqual([200, place.published(path)]);
    expect(headers).toMatchObject({ "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*" });
    expect(await get(`/${path}`, headers["ETag"])).toMatchObject({ status: 304 });
  }
  for (const path of ["index/pages/2.json", "index/pages/999.json", "index/pages/x.json", "index/"])
    expect(await get(`/${path}`)).toMatchObject({ status: 404 });
  const { release: name } = parsePointer(bucket.objects.get(POINTER) ?? Buffer.alloc(0));
  const release = await readRelease(bucket, name);
  expect(Object.keys(release.files).filter((path) => path.startsWith("index/pages/"))).toEqual([]);
  const paths: string[] = [];
  for (const part of partsOf(release)) await part.read(bucket, (path) => paths.push(path));
  expect(paths.filter((path) => path.startsWith("index/")).sort()).toEqual(files);

  const before = bucket.puts.length;
  place.put("visit/cafe.json", general(11, "Coffee"));
  await publishTo(bucket, place);
  // The page's shard, its parent's, the titles of lists, the release, the pointer.
  expect(bucket.puts.slice(before)).toHaveLength(5);
});
