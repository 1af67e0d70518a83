import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { addressesOf } from "../../build/dev/addresses.ts";
import { occupantOf } from "../../build/hosting/occupant.ts";
import { general, workplace, write } from "../pipeline/site.ts";

it("the addresses of five saved files are shown", () => {
  const { content } = workplace("addresses");
  const saved = (count: number) => {
    const paths = Array.from({ length: count }, (_, k) => `page-${k}.json`);
    for (const [k, path] of paths.entries()) write(content, path, general(k + 1, "A"));
    return addressesOf(content, new Set(paths.map((path) => join(content, path))), "http://localhost").length;
  };
  expect([saved(5), saved(6)]).toEqual([5, 0]);
});

it("a program that already uses a port is named with at most 60 characters", async () => {
  const server = createServer((_, response) => response.writeHead(200, { Server: "n".repeat(61) }).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  expect(await occupantOf((server.address() as AddressInfo).port)).toBe(`a web server (${"n".repeat(60)})`);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
