import { describe, expect, it } from "vitest";
import { readIndex } from "../../build/mirror/bulk.ts";
import { MirrorHost } from "../../build/mirror/host.ts";
import { served } from "./served.ts";

/** A host, and a client of it that does not wait. */
async function asked(respond: Parameters<typeof served>[0], use: (host: MirrorHost) => Promise<unknown>) {
  const waits: number[] = [];
  const result = await served(respond, async (address) => {
    const host = new MirrorHost(address, 1, (milliseconds) => Promise.resolve(waits.push(milliseconds)));
    return use(host)
      .catch((cause: Error) => cause.message)
      .finally(() => host.close());
  });
  return { ...result, waits };
}

const failing = (headers: Record<string, string> = {}) =>
  asked(
    (_, response) => void response.writeHead(503, headers).end(),
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
        (_, response) => void response.end(index.padEnd(bytes)),
        (host) => readIndex(host),
      );
    expect((await read(16 * 2 ** 20)).outcome).toMatchObject({ pages: 0 });
    expect((await read(16 * 2 ** 20 + 1)).outcome).toContain("more than 16 MiB");
  });
});
