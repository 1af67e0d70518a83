import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "../../build/hosting/cloudflare/worker.ts";
import { respond } from "../../build/hosting/responder.ts";
import { bucketOf, publishTo, readerOf } from "../release/memory.ts";
import { MEMORY } from "../scratch.ts";
import { workplace } from "../site/site.ts";
import { OF_PAGE, REQUESTS, shownIn, SOURCES, wanted } from "./front-end-requests.ts";

const place = workplace("front-ends", MEMORY);
/** The files that responses have read. */
let reads: string[] = [];
const read = (path: string): Promise<string | undefined> => {
  reads.push(path);
  const file = join(place.out, path);
  return Promise.resolve(existsSync(file) ? readFileSync(file, "utf8") : undefined);
};
const textOf = (id: number): Promise<string | undefined> => read(`api/v2/pages/${id}/index.json`);
const bucket = bucketOf();

beforeAll(async () => {
  place.putAll(SOURCES);
  await publishTo(bucket, place);
});

const pageAt = async (id: string) => {
  const body = await textOf(Number(id));
  return body === undefined ? undefined : { status: 200, headers: {}, body };
};
const reader = readerOf(bucket);

async function asset({ url }: Request): Promise<Response> {
  const { pathname } = new URL(url);
  // The list's own address has no file.
  const isFile = !/pages\/(?:find\/?)?$/.test(pathname);
  const body = isFile ? await read(pathname.slice(1).replace(/\d\/$/, "$&index.json")) : undefined;
  return new Response(body ?? "", { status: body === undefined ? 404 : 200 });
}

/** The hosts with code, each with a GET of a path and query. */
const HOSTS = {
  node: (target: string) =>
    respond({ method: "GET", target }, [], {
      page: pageAt,
      file: () => Promise.resolve(undefined),
      index: { read, page: textOf },
    }),
  worker: async (target: string) => {
    const found = await worker.fetch(new Request(`https://a.example${target}`), { ASSETS: { fetch: asset } });
    return { status: found.status, headers: Object.fromEntries(found.headers), body: await found.text() };
  },
  bucket: async (target: string) => {
    bucket.reads = [];
    const found = await reader.respond({ method: "GET", target, header: () => undefined });
    reads.push(...bucket.reads);
    return found;
  },
};

/** Follows redirects, as fetch does. */
async function follow(host: keyof typeof HOSTS, target: string) {
  const { status, headers, body = "" } = await HOSTS[host](target);
  const { Location, location = Location } = headers as Record<string, string | undefined>;
  if (location !== undefined) return follow(host, location);
  return { status, json: JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>, target };
}

describe.each(Object.keys(HOSTS) as (keyof typeof HOSTS)[])(
  "the lists of front ends on the host %s",
  (host) => {
    beforeAll(() => reader.open());

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
