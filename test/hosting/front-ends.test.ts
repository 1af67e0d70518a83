import { beforeAll, describe, expect, it } from "vitest";
import { bucketOf, publishTo } from "../release/memory.ts";
import { MEMORY } from "../scratch.ts";
import { workplace } from "../site/site.ts";
import { filesOf, inBucket, inNode, inWorker } from "./code.ts";
import { OF_PAGE, REQUESTS, shownIn, SOURCES, wanted } from "./front-end-requests.ts";

const place = workplace("front-ends", MEMORY);
const bucket = bucketOf();
/** The files that responses have read. */
let reads: string[] = [];
const read = (path: string): string | undefined => {
  reads.push(path);
  return filesOf(place)(path);
};
const ofBucket = inBucket(bucket);

beforeAll(async () => {
  place.putAll(SOURCES);
  await publishTo(bucket, place);
});

const HOSTS = {
  node: inNode(read),
  worker: inWorker(read),
  bucket: async (target: string) => {
    bucket.reads = [];
    const found = await ofBucket(target);
    reads.push(...bucket.reads);
    return found;
  },
};

/** Follows redirects, as fetch does. */
async function follow(host: keyof typeof HOSTS, target: string) {
  const { status, headers, body } = await HOSTS[host](target);
  const { location } = headers;
  if (location !== undefined) return follow(host, location);
  return { status, json: JSON.parse(body) as Record<string, unknown>, target };
}

describe.each(Object.keys(HOSTS) as (keyof typeof HOSTS)[])(
  "the lists of front ends on the host %s",
  (host) => {
    // Before the first list, the bucket server reads its pointer and the release.
    beforeAll(() => HOSTS[host]("/"));

    it.each(REQUESTS)("answers %s, from at most 25 files", async (target, ids, fields) => {
      reads = [];
      const { status, json } = await follow(host, target);
      expect(reads.length).toBeLessThanOrEqual(25);
      expect(reads.length).toBeGreaterThan(0);
      expect([status, shownIn(json)]).toEqual([200, wanted(ids, fields)]);
    });
  },
);

it.each([
  [`/api/v2/pages/find/?html_path=/&fields=id,title,${OF_PAGE},parent`, 3, `/api/v2/pages/3/?fields=`],
  ["/api/v2/pages/find/?html_path=/blog/b&format=json", 12, "/api/v2/pages/12/?format=json"],
  ["/api/v2/pages/find?html_path=blog/b/", 12, "/api/v2/pages/12/"],
  ["/api/v2/pages/30?", 30, "/api/v2/pages/30/"],
])("finds the page of %s", async (request, id, at) => {
  const { status, json, target } = await follow("node", request);
  expect([status, json["id"]]).toEqual([200, id]);
  expect(target.startsWith(at)).toBe(true);
});
