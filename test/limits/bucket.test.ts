import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openS3, PUBLISHING, READING, type S3, type S3Options } from "../../build/release/s3.ts";
import { served } from "./served.ts";
import { waits } from "./waits.ts";

vi.mock("node:timers/promises", async (importOriginal) =>
  (await import("./waits.ts")).timersWithoutWaits(importOriginal),
);
beforeEach(() => {
  // The random part of a pause is as long as it can be.
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Sends a request to a bucket that responds as given; returns the error and the number of attempts. */
const failed = (
  options: Omit<S3Options, "connections">,
  respond: Parameters<typeof served>[0],
  use: (s3: S3) => Promise<unknown> = (s3) => s3.get("key"),
) =>
  served(respond, async (endpoint) => {
    const secrets = { accessKeyId: "a", secretAccessKey: "b", sessionToken: undefined };
    const bucket = { endpoint, bucket: "bucket", prefix: "", region: "auto", ...secrets };
    const s3 = openS3(bucket, { ...options, connections: 1 });
    const message = await use(s3).then(String, (cause: Error) => cause.message);
    s3.close();
    return message;
  });

const unavailable: Parameters<typeof served>[0] = (_, response) => void response.writeHead(503).end();

/** A bucket that takes two minutes for nothing. */
const silent = (): void => void vi.advanceTimersByTime(120_000);

const put = (bytes: number) => failed(PUBLISHING, silent, (s3) => s3.put("key", Buffer.alloc(bytes)));

describe("a request to a bucket", () => {
  it("is sent eight times by a publisher, and three times by a server", async () => {
    expect((await failed(PUBLISHING, unavailable)).count).toBe(8);
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800]);
    expect((await failed(READING, unavailable)).count).toBe(3);
  });

  it("waits at most 20 s between two attempts", async () => {
    await failed({ attempts: 9, patience: 1000 }, unavailable);
    expect(waits.at(-1)).toBe(20_000);
    waits.length = 0;
    await failed(READING, (_, response) => void response.writeHead(503, { "Retry-After": "21" }).end());
    expect(waits).toEqual([20_000, 20_000]);
  });

  describe("without a response", () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    });

    it.each([
      ["a publisher", PUBLISHING, 20_000],
      ["a server", READING, 3000],
    ])("ends after three times the patience of %s", async (_, options, patience) => {
      const idle = vi.spyOn(Socket.prototype, "setTimeout");
      const { outcome } = await failed(options, silent);
      expect(outcome).toContain(`no complete response within ${(3 * patience) / 1000} s.`);
      expect(idle).toHaveBeenCalledWith(patience);
    });

    it("may take a second more for each 16,000 bytes that it sends", async () => {
      expect((await put(16_000)).outcome).toContain("no complete response within 61 s.");
      expect((await put(32_000)).outcome).toContain("no complete response within 62 s.");
    });
  });
});
