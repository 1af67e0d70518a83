import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../build/hosting/cloudflare/limits.ts";
import { parseListen } from "../../build/hosting/listen.ts";
import { decoded, type HttpResponse } from "../../build/http/reply.ts";
import { concurrencyOf } from "../../scripts/bucket.ts";

it("the limits of Cloudflare are the documented ones", () => {
  expect(LIMITS).toEqual({
    files: { free: 20_000, paid: 100_000 },
    fileBytes: 26_214_400,
    headerRules: 100,
    headerLine: 2000,
    staticRedirects: 2000,
    dynamicRedirects: 100,
  });
});

const port = (number: number) => parseListen(`127.0.0.1:${number}`)?.port;

it("a port is between 1 and 65,535", () => {
  expect([port(0), port(1), port(65_535), port(65_536)]).toEqual([undefined, 1, 65_535, undefined]);
});

const body = (bytes: number) =>
  decoded({
    headers: new Map([["content-encoding", ["gzip"]]]),
    body: gzipSync(Buffer.alloc(bytes), { level: 1 }),
  } as unknown as HttpResponse);

it("a compressed body may have 64 MiB", () => {
  expect(body(67_108_864)).toHaveLength(67_108_864);
  expect(body(67_108_865)).toContain("cannot be decoded");
});

describe("--concurrency of a bucket", () => {
  it("is between 1 and 64", () => {
    expect(concurrencyOf({ concurrency: "1" })).toBe(1);
    expect(concurrencyOf({ concurrency: "64" })).toBe(64);
    for (const wrong of ["0", "65"])
      expect(() => concurrencyOf({ concurrency: wrong })).toThrow("from 1 to 64");
  });
});
