import { Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mirror } from "../../build/mirror/mirror.ts";
import { readIndex } from "../../build/mirror/bulk.ts";
import { MirrorHost } from "../../build/mirror/host.ts";
import { scratch } from "../scratch.ts";
import { served } from "./served.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

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

const downloaded = (bytes: number) =>
  asked(
    (_, response) => void response.end(Buffer.alloc(bytes)),
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

  it("downloads a file of up to 25 MiB", async () => {
    expect((await downloaded(25 * 2 ** 20)).outcome).toMatchObject({ kind: "found" });
    expect((await downloaded(25 * 2 ** 20 + 1)).outcome).toMatchObject({ kind: "unusable" });
  });

  it("waits ten minutes for a whole response, and half a minute for its next byte", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const idle = vi.spyOn(Socket.prototype, "setTimeout");
    const { outcome } = await asked(
      () => vi.advanceTimersByTime(600_000),
      (host) => host.fetch("/"),
    );
    expect(outcome).toContain("no complete response within 600 s");
    expect(idle).toHaveBeenCalledWith(30_000);
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

    it("reads the index five times if its shards do not exist", async () => {
      expect(await mirrored(1)).toMatchObject({ indexes: 5, shards: 5 });
    });

    it("downloads a damaged shard twice", async () => {
      expect(await mirrored(1, "not a ZIP file")).toMatchObject({ indexes: 1, shards: 2 });
    });

    it("downloads shards of up to 512 MiB of pages", async () => {
      expect(await mirrored(2 ** 29, "not a ZIP file")).toMatchObject({ shards: 2 });
      const { shards, damaged } = await mirrored(2 ** 29 + 1);
      expect(shards).toBe(0);
      expect(damaged).toContain("more than 512 MiB");
    });
  });
});
