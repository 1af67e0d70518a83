import { connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdFreePort, holdPort } from "../../build/dev/port.ts";
import { servePages, type PagesServer } from "../../build/dev/server.ts";
import { Failure } from "../../build/failure.ts";
import { readHeaders } from "../../build/hosting/read.ts";
import { build } from "../../build/pipeline.ts";
import { holds, verifyHost } from "../../build/verify/verify.ts";
import { workplace, writeSite, type Workplace } from "../pipeline/site.ts";

let place: Workplace;
let server: PagesServer;
let url: string;

beforeAll(async () => {
  place = workplace("dev-server");
  writeSite(place.content);
  const { port, release } = await holdFreePort(4400);
  url = `http://localhost:${port}`;
  await build({ content: place.content, out: place.out, cache: place.cache, baseUrl: url });
  await release();
  server = await servePages({ root: place.out, rules: readHeaders().rules, isReady: () => true }, port);
});
afterAll(() => server.close());

describe("the server of npm run dev", () => {
  it("keeps the whole contract", async () => {
    const report = await verifyHost(new URL(url), {
      out: place.out,
      all: true,
      accept: [],
      ids: [],
      timeout: 30,
      concurrency: 4,
    });
    expect(report.checks.filter(({ status }) => status === "failed")).toEqual([]);
    expect(holds(report)).toBe(true);
  });
});

describe("a port", () => {
  it("is held until it is let go, and the next one is found meanwhile", async () => {
    const one = await holdFreePort(4500);
    const two = await holdFreePort(one.port);
    expect(two.port).toBeGreaterThan(one.port);
    await expect(holdPort(one.port)).rejects.toThrow(Failure);
    await one.release();
    await two.release();
    const again = await holdPort(one.port);
    expect(again.port).toBe(one.port);
    await again.release();
  });

  it("is let go though somebody asks there too early, who is told so", async () => {
    const { port, release } = await holdFreePort(4700);
    const asking = connect(port, "127.0.0.1");
    asking.on("error", () => undefined);
    await new Promise<void>((resolve) => void asking.once("close", () => resolve()));
    await release();
    const again = await holdPort(port);
    expect(again.port).toBe(port);
    await again.release();
  });

  it("is not free where somebody listens at one of its addresses alone", async () => {
    const { port, release } = await holdFreePort(4600);
    await release();
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(port, "0.0.0.0", resolve));
    try {
      await expect(holdPort(port)).rejects.toThrow(/Port/);
    } finally {
      other.close();
    }
  });
});
