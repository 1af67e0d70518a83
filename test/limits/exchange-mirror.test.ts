import { describe, expect, it } from "vitest";
import { mirror } from "../../build/exchange/mirror/mirror.ts";
import { readIndex } from "../../build/exchange/mirror/bulk.ts";
import { openMirrorHost, type MirrorHost } from "../../build/exchange/mirror/host.ts";
import { scratch } from "../scratch.ts";
import { served } from "./served.ts";

/** A host, and a client of it that does not wait. */
async function withHost(respond: Parameters<typeof served>[0], use: (host: MirrorHost) => Promise<unknown>) {
  const waits: number[] = [];
  const result = await served(respond, async (address) => {
    const host = openMirrorHost(address, 1, (milliseconds) => Promise.resolve(waits.push(milliseconds)));
    return use(host)
      .catch((cause: Error) => cause.message)
      .finally(() => host.close());
  });
  return { ...result, waits };
}

const downloaded = (bytes: number) =>
  withHost(
    (_, response) => void response.end(Buffer.alloc(bytes)),
    (host) => host.fetch("/"),
  );

describe("a mirror", () => {
  it("reads an index of up to 16 MiB", async () => {
    const index = '{"format": 1, "pages": 0, "shards": [null]}';
    const read = (bytes: number) =>
      withHost(
        (_, response) => void response.end(index.padEnd(bytes)),
        (host) => readIndex(host),
      );
    expect((await read(16 * 2 ** 20)).outcome).toMatchObject({ pages: 0 });
    expect((await read(16 * 2 ** 20 + 1)).outcome).toContain("more than 16 MiB");
  });

  it("downloads a file of up to 25 MiB", async () => {
    expect((await downloaded(25 * 2 ** 20)).outcome).toMatchObject({ kind: "found" });
    expect((await downloaded(25 * 2 ** 20 + 1)).outcome).toMatchObject({ kind: "unusable" });
  });

  describe("of a bulk download", () => {
    const name = "a".repeat(64);
    /** The number of requests for each path, and the messages of a mirror of a host with one shard. */
    const mirrored = async (bytes: number, shard?: string) => {
      const paths: string[] = [];
      const { outcome } = await served(
        (path, response) => {
          paths.push(path);
          if (path === "/bulk/index.json")
            response.end(JSON.stringify({ format: 1, pages: 1, shards: [[name, bytes]] }));
          else response.writeHead(shard === undefined ? 404 : 200).end(shard);
        },
        (url) => mirror({ url, folder: scratch("mirror"), concurrency: 1, wait: () => Promise.resolve() }),
      );
      const count = (end: string): number => paths.filter((path) => path.endsWith(end)).length;
      return { indexes: count("index.json"), shards: count(".zip"), damaged: outcome.damaged.join("\n") };
    };

    it("downloads shards of up to 512 MiB of pages", async () => {
      expect(await mirrored(2 ** 29, "not a ZIP file")).toMatchObject({ shards: 2 });
      const { shards, damaged } = await mirrored(2 ** 29 + 1);
      expect(shards).toBe(0);
      expect(damaged).toContain("more than 512 MiB");
    });
  });
});
