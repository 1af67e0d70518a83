import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { parseListen } from "../../build/hosting/listen.ts";
import { decoded, type HttpResponse } from "../../build/http/reply.ts";

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
