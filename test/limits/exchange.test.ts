import { utimesSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ResponseCache, openApiClient, type ApiClient } from "../../build/exchange/api/client.ts";
import { importImages } from "../../build/exchange/api/images.ts";
import { ImportReport } from "../../build/exchange/api/report.ts";
import { SourceWriter } from "../../build/exchange/writer.ts";
import { slugFault } from "../../build/exchange/api/tree.ts";
import { PNG, SITE } from "../site/site.ts";
import { scratch } from "../scratch.ts";
import { served } from "./served.ts";

it("a response is reused for 24 hours", () => {
  const cache = new ResponseCache(scratch("cache"));
  const reused = [-60, 60].map((seconds) => {
    const { path } = cache.put("/1/", Buffer.from("{}"));
    const written = new Date(Date.now() - (24 * 60 * 60 + seconds) * 1000);
    utimesSync(path, written, written);
    return cache.get("/1/")?.kind;
  });
  expect(reused).toEqual(["found", undefined]);
});

it("a slug may have 250 bytes", () => {
  expect(slugFault("a".repeat(250))).toBeUndefined();
  expect(slugFault("a".repeat(251))).toContain("251 bytes");
});

/** A host, and a client of it that does not wait. */
async function withClient(
  respond: Parameters<typeof served>[0],
  use: (client: ApiClient) => Promise<unknown>,
) {
  const waits: number[] = [];
  const result = await served(respond, async (address) => {
    const client = openApiClient({
      address,
      cache: new ResponseCache(join(scratch("client"), "host")),
      concurrency: 1,
      wait: (milliseconds) => Promise.resolve(waits.push(milliseconds)),
    });
    return use(client)
      .catch((cause: Error) => cause.message)
      .finally(() => client.close());
  });
  return { ...result, waits };
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_: string, response: ServerResponse) =>
    void response.writeHead(code, headers).end("{}");
const requestOnce = (client: ApiClient) => client.request("/1/");

const later = (seconds: number, code: number) =>
  withClient(
    (path, response, count) =>
      status(count === 1 ? code : 200, { "Retry-After": String(seconds) })(path, response),
    requestOnce,
  );

const hops = (most: number) =>
  withClient((path, response, count) => {
    if (count <= most) response.writeHead(302, { Location: `${path.replace(/\?.*/, "x")}?${count}` }).end();
    else response.end(path.endsWith(`?${most}`) ? "{}" : "");
  }, requestOnce);

const failingRequests = (n: number) =>
  withClient(status(500), async (client) => {
    for (let k = 0; k < n; k++) await client.request(`/${k}/`);
    return "requested";
  });

/** The result of copying an image of a host. */
async function imageOf(respond: Parameters<typeof served>[0]) {
  const waits: number[] = [];
  const report = new ImportReport();
  const { count } = await served(respond, async (source) => {
    const writer = new SourceWriter(join(scratch("images"), "content"));
    const site = {
      ...SITE,
      base_url: source.origin,
      media_url: `${source.origin}/media`,
      append_slash: true,
    };
    const addresses = new Set([`${site.media_url}/a.png`]);
    await importImages({
      addresses,
      site,
      source,
      writer,
      report,
      concurrency: 1,
      progress: () => undefined,
      wait: (milliseconds) => Promise.resolve(waits.push(milliseconds)),
    });
    writer.abandon();
  });
  return { waits, count, notes: report.notes.join("\n") };
}

const sized = (bytes: number) =>
  imageOf(
    (_, response) => void response.end(Buffer.concat([Buffer.from(PNG, "latin1"), Buffer.alloc(bytes - 8)])),
  );

const moved = (n: number) =>
  withClient(
    (path, response, count) => {
      const scheme = count % 2 === 0 ? "https" : "http";
      response.writeHead(301, { Location: `${scheme}://other.example${path}` }).end();
    },
    async (client) => {
      for (let k = 0; k < n; k++) await client.request(`/${k}/`);
      return "requested";
    },
  );

describe("an import from a host", () => {
  it.each([429, 503])("waits as long as the host requires by %i, up to 15 minutes", async (code) => {
    expect(await later(900, code)).toMatchObject({ outcome: { kind: "found" }, waits: [900_000] });
    expect((await later(901, code)).outcome).toContain("a pause of 16 minutes");
  });

  it("reads little more than 4 MiB of a response without an end", async () => {
    let mebibytes = 0;
    const { outcome } = await withClient((_, response) => {
      const more = (): void => {
        do mebibytes++;
        while (!response.destroyed && response.write(Buffer.alloc(2 ** 20, " ")));
      };
      response.on("drain", more);
      more();
    }, requestOnce);
    expect(outcome).toMatchObject({ kind: "too-large" });
    expect(mebibytes).toBeLessThan(100);
  });

  it("ends if five pages redirect to another host before any is found", async () => {
    expect(await moved(4)).toMatchObject({ outcome: "requested", count: 4 });
    expect((await moved(5)).outcome).toContain("http://other.example");
  });

  it("copies an image of up to 25 MiB", async () => {
    expect((await sized(25 * 2 ** 20)).notes).toContain("1 copied");
    expect((await sized(25 * 2 ** 20 + 1)).notes).toContain("more than 25 MiB");
  });

  it("follows five redirects", async () => {
    expect(await hops(5)).toMatchObject({ outcome: { kind: "found" }, count: 6, waits: [] });
    expect(await hops(6)).toMatchObject({ outcome: { kind: "moved" }, count: 6, waits: [] });
  });

  it("considers a host to be down after 30 failed attempts", async () => {
    expect(await failingRequests(5)).toMatchObject({ outcome: "requested", count: 30 });
    const down = await failingRequests(6);
    expect(down.outcome).toContain("has stopped responding");
    expect(down.count).toBe(31);
  });
});
