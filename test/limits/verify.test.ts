import { expect, it, vi } from "vitest";
import { openClient } from "../../build/http/client.ts";
import { compareHosts } from "../../build/verify/against.ts";
import { served } from "./served.ts";
import { waits } from "./waits.ts";

vi.mock("node:timers/promises", async (importOriginal) =>
  (await import("./waits.ts")).timersWithoutWaits(importOriginal),
);

/** Compares one page of a host, which first refuses, with the same host. */
const compared = (headers: Record<string, string>) =>
  served(
    (_, response) => void response.writeHead(429, headers).end("{}"),
    (address) => compareHosts(address, { against: address, ids: [7], concurrency: 1 }),
  );

it("a request is sent four times to a host that requires a wait, of a minute at most", async () => {
  await compared({ "Retry-After": "60" });
  expect(new Set(waits)).toEqual(new Set([60_000]));
  waits.length = 0;
  await compared({ "Retry-After": "61" });
  expect(new Set(waits)).toEqual(new Set([60_000]));
  waits.length = 0;
  // The second, third and fourth attempt.
  await compared({});
  expect(new Set(waits)).toEqual(new Set([500, 1000, 2000]));
});

it("a request is repeated once, half a second after a 503", async () => {
  const { count } = await served(
    (_, response) => void response.writeHead(503).end(),
    async (address) => {
      const client = openClient(address, { timeout: 60_000, concurrency: 1 });
      await client.send({ path: "/" });
      client.close();
    },
  );
  expect({ count, waits }).toEqual({ count: 2, waits: [500] });
});
