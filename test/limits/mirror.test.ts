import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { readIndex } from "../../build/mirror/bulk.ts";
import { MirrorHost } from "../../build/mirror/host.ts";

/** A host, and a client of it that does not wait. */
async function asked(respond: RequestListener, use: (host: MirrorHost) => Promise<unknown>) {
  const waits: number[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    count++;
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const host = new MirrorHost(address, 1, (milliseconds) => Promise.resolve(waits.push(milliseconds)));
  try {
    const outcome = await use(host).catch((cause: Error) => cause.message);
    return { outcome, waits, count };
  } finally {
    host.close();
    await new Promise((resolve) => server.close(resolve));
  }
}

const failing = (headers: Record<string, string> = {}) =>
  asked(
    (_, response) => response.writeHead(503, headers).end(),
    (host) => host.fetch("/"),
  );

describe("a mirror", () => {
  it("requests a path five times", async () => {
    expect(await failing()).toMatchObject({ waits: [500, 1000, 2000, 4000], count: 5 });
  });

  it("waits as long as the host requires, up to a minute", async () => {
    expect((await failing({ "Retry-After": "59" })).waits).toEqual(Array(4).fill(59_000));
    expect((await failing({ "Retry-After": "61" })).waits).toEqual(Array(4).fill(60_000));
  });

  it("reads an index of up to 16 MiB", async () => {
    const index = '{"format": 1, "pages": 0, "shards": [null]}';
    const read = (bytes: number) =>
      asked(
        (_, response) => response.end(index.padEnd(bytes)),
        (host) => readIndex(host),
      );
    expect((await read(16 * 2 ** 20)).outcome).toMatchObject({ pages: 0 });
    expect((await read(16 * 2 ** 20 + 1)).outcome).toContain("more than 16 MiB");
  });
});
