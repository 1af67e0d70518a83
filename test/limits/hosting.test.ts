import { expect, it } from "vitest";
import { printMembers } from "../../build/base/website.ts";
import { parseListen } from "../../build/hosting/listen.ts";
import { sha256 } from "../../build/outputs/shards/format.ts";
import { fileKey } from "../../build/release/format.ts";
import type { R2Bucket } from "../../build/release/r2.ts";
import bucketWorker from "../../build/release/worker.ts";
import { inNode, inWorker } from "../hosting/code.ts";
import { published } from "../release/memory.ts";

const port = (number: number) => parseListen(`127.0.0.1:${number}`)?.port;

it("a port is between 1 and 65,535", () => {
  expect([port(0), port(1), port(65_535), port(65_536)]).toEqual([undefined, 1, 65_535, undefined]);
});

const LISTS = { large: {}, ids: [1], above: {}, tree: [1], below: [0], fields: {}, ofType: {} };

it("a list has as many pages as the site sets", async () => {
  const text = printMembers({ ...LISTS, root: 1, digits: 1, limit: 50 });
  const node = inNode((path) => (path.startsWith("index/pages/") ? undefined : text));
  const statuses = [50, 51].map(async (n) => (await node(`/api/v2/pages/?child_of=1&limit=${n}`)).status);
  expect(await Promise.all(statuses)).toEqual([200, 400]);
});

const META = '"meta":{"first_published_at":null}';

it("the Worker makes 50 requests for a list at most", async () => {
  const fields = { "": { body: ["id"], meta: [], nested: [] } };
  const lists = printMembers({ ...LISTS, limit: 40, large: { "a.Page": 9999 }, fields });
  const sent = async (limit: number): Promise<[number, number]> => {
    // The first one is for the list's own address.
    let requests = 1;
    const host = inWorker((path) => {
      requests++;
      const [, part] = /index\/pages\/1-?(\d*)/.exec(path) ?? [];
      if (part === undefined) return path.includes("/lists/") ? lists : "{}";
      const first = 1000 * Number(part || "1");
      const items = Array.from({ length: 1000 }, (_, k) => `{"id":${first + k},${META}}`);
      return `{"id":1,"total":10000,"children":[\n${items.join(",\n")}\n]}\n`;
    });
    const { status } = await host(`/api/v2/pages/?child_of=1&order=-id&fields=_&limit=${limit}`);
    return [status, requests];
  };
  expect([await sent(38), await sent(39)]).toEqual([
    [200, 50],
    [400, 12],
  ]);
});

it("the bucket Worker makes 50 reads for a list of 40 pages at most, 24 for one of 20, and shows no more than 40", async () => {
  const ids = Array.from({ length: 60 }, (_, k) => k + 1);
  const pages = {
    ...LISTS,
    total: 60,
    ids,
    limit: 1000,
    fields: { "": { body: ["id", "title"], meta: [], nested: [] } },
  };
  const texts = {
    "index/lists/pages.json": printMembers(pages),
    "index/lists/orders.json": printMembers({ title: 1, "title-0": [ids, [], []] }),
  };
  const named = Object.entries(texts).map(
    ([path, text]) => [path, [sha256(Buffer.from(text)), text.length]] as [string, [string, number]],
  );
  const { bucket } = published(ids, 64, { files: Object.fromEntries(named) });
  for (const text of Object.values(texts))
    bucket.objects.set(fileKey(sha256(Buffer.from(text))), Buffer.from(text));
  const BUCKET = {
    get: async (
      key: string,
      options?: { range: { suffix: number } | { offset: number; length: number } },
    ) => {
      const { range } = options ?? {};
      const part = range && ("suffix" in range ? { last: range.suffix } : { start: range.offset, ...range });
      const found = await bucket.get(key, part);
      return (
        found && {
          ...found,
          uploaded: new Date(),
          arrayBuffer: () => Promise.resolve(new Uint8Array(found.bytes)),
        }
      );
    },
  } as unknown as R2Bucket;
  const sent = async (limit: number): Promise<[number, number]> => {
    bucket.reads = [];
    const request = new Request(`https://a.example/api/v2/pages/?fields=title&order=title&limit=${limit}`);
    return [(await bucketWorker.fetch(request, { BUCKET })).status, bucket.reads.length];
  };
  expect([await sent(20), await sent(41)]).toEqual([
    [200, 24],
    [400, 2],
  ]);
  const [status, reads] = await sent(40);
  expect([status, reads <= 50]).toEqual([200, true]);
});
