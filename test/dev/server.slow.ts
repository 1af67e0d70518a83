import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reserveFreePort, reservePort } from "../../build/hosting/port.ts";
import { servePages } from "../../build/dev/server.ts";
import { Failure } from "../../build/base/failure.ts";
import { readHeaders } from "../../build/hosting/conformance.ts";
import type { OpenApi } from "../../build/outputs/contract/document.ts";
import { build } from "../../build/site/build.ts";
import { conforms, verifyHost } from "../../build/verify/verify.ts";
import { placeWith, type Workplace } from "../site/site.ts";
import { firstPort } from "../ports.ts";
import { sendRaw } from "./raw-request.ts";

let place: Workplace;
let server: Awaited<ReturnType<typeof servePages>>;
let url: string;
let own: number;

beforeAll(async () => {
  place = placeWith("dev-server");
  const { port, release } = await reserveFreePort(firstPort());
  own = port;
  url = `http://localhost:${port}`;
  await build({ content: place.content, out: place.out, cache: place.cache, baseUrl: url });
  await release();
  server = await servePages(
    { root: place.out, rules: () => readHeaders().rules, isReady: () => Promise.resolve(true) },
    port,
  );
});
afterAll(() => server.close());

describe("the server of npm run dev", () => {
  it("keeps the whole contract, and describes its own Access-Control-Allow-Origin", async () => {
    const file = join(place.out, "openapi.json");
    const described = JSON.parse(readFileSync(file, "utf8")) as OpenApi;
    const { body } = await asked("GET /openapi.json HTTP/1.1\nHost: localhost:PORT");
    const { headers } = described.components;
    headers["Access-Control-Allow-Origin"] = {
      description: expect.stringContaining("a website on this machine") as string,
      required: false,
      schema: { type: "string" },
    };
    expect(JSON.parse(body)).toEqual(described);
    writeFileSync(file, body);
    const report = await verifyHost(new URL(url), {
      out: place.out,
      all: true,
      accept: [],
      ids: [],
      timeout: 30,
      concurrency: 4,
    });
    expect(report.checks.filter(({ status }) => status === "failed")).toEqual([]);
    expect(conforms(report)).toBe(true);
  });
});

const asked = (head: string) => sendRaw(own, head);

const PAGE = "/api/v2/pages/1/";

describe("access to the server of npm run dev", () => {
  it.each([
    `GET ${PAGE} HTTP/1.1\nHost: localhost:PORT`,
    `GET ${PAGE} HTTP/1.1\nHost: LocalHost:PORT`,
    `GET ${PAGE} HTTP/1.1\nHost: 127.0.0.1:PORT`,
    `GET ${PAGE} HTTP/1.1\nHost: [::1]:PORT`,
    `HEAD ${PAGE} HTTP/1.1\nHost: localhost:PORT\nSec-Fetch-Site: same-site`,
    `GET http://localhost:PORT${PAGE} HTTP/1.1\nHost: localhost:PORT`,
    `GET HTTP://127.0.0.1:PORT${PAGE}?format=api HTTP/1.1\nHost: localhost:PORT`,
  ])("is given under its own host name, to its own pages: %j", async (head) => {
    const { status, headers } = await asked(head);
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("vary")).toBe("Accept, Origin");
  });

  it.each([
    "Host: localhost",
    "Host: localhost:1",
    "Host: localhost.:PORT",
    "Host: evil.example:PORT",
    "Host: localhost.evil.example:PORT",
    "Host: 127.0.0.1.evil.example:PORT",
    "Host: 127.0.0.2:PORT",
    "Host: x@localhost:PORT",
    "Host: localhost:PORT@evil.example",
    "Host: ",
    "Host: localhost:PORT\nHost: evil.example:PORT",
    "Host: evil.example:PORT\nOrigin: http://localhost:PORT",
    "Host: evil.example:PORT\nX-Forwarded-Host: localhost:PORT",
  ])("is refused under another host name: %j", async (host) => {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
      const { status, headers, body } = await asked(`${method} ${PAGE} HTTP/1.1\n${host}`);
      expect([method, status]).toEqual([method, 421]);
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("cache-control")).toContain("no-store");
      expect(body).not.toContain("detail_url");
    }
  });

  it.each([
    `GET ${PAGE} HTTP/1.0\nUser-Agent: old`,
    `GET http://evil.example:PORT${PAGE} HTTP/1.1\nHost: localhost:PORT`,
    `GET http://localhost:PORT${PAGE} HTTP/1.1\nHost: evil.example:PORT`,
    `GET https://localhost:PORT${PAGE} HTTP/1.1\nHost: localhost:PORT`,
  ])("is refused without its host name: %j", async (head) => {
    expect((await asked(head)).status).toBe(421);
  });

  it.each(["http://localhost:5173", "http://127.0.0.1:PORT", "https://[::1]", "http://localhost"])(
    "is given to a website on this machine, for its own origin only: %s",
    async (origin) => {
      for (const [method, wanted] of [
        ["GET", 200],
        ["OPTIONS", 204],
      ]) {
        const { status, headers } = await asked(
          `${method} ${PAGE} HTTP/1.1\nHost: localhost:PORT\nOrigin: ${origin}\nSec-Fetch-Site: same-site`,
        );
        expect(status).toBe(wanted);
        expect(headers.get("access-control-allow-origin")).toBe(origin.replace("PORT", String(own)));
        expect(headers.get("vary")).toBe("Accept, Origin");
      }
    },
  );

  it.each([
    "Origin: https://evil.example",
    "Origin: http://localhost.evil.example",
    "Origin: http://localhost:5173.evil.example",
    "Origin: http://localhost@evil.example",
    "Origin: null",
    "Origin: ",
    "Origin: file://",
    "Origin: http://localhost:5173\nOrigin: https://evil.example",
    "Sec-Fetch-Site: cross-site",
    "Origin: http://localhost:5173\nSec-Fetch-Site: cross-site",
  ])("is refused to other websites: %j", async (line) => {
    for (const method of ["GET", "HEAD", "OPTIONS", "DELETE"])
      for (const path of [PAGE, "/api/v2/pages/999/", "/"]) {
        const { status, headers, body } = await asked(
          `${method} ${path} HTTP/1.1\nHost: localhost:PORT\n${line}`,
        );
        expect([method, path, status]).toEqual([method, path, 403]);
        expect(headers.get("access-control-allow-origin")).toBeNull();
        expect(headers.get("vary")).toContain("Origin");
        expect(body).not.toContain("detail_url");
      }
  });
});

describe("a port", () => {
  it("is reserved until it is released, and meanwhile the next one is found", async () => {
    const one = await reserveFreePort(firstPort());
    const two = await reserveFreePort(one.port);
    expect(two.port).toBeGreaterThan(one.port);
    expect(two.taken).toBe(one.port);
    await expect(reservePort(one.port)).rejects.toThrow(Failure);
    await one.release();
    await two.release();
    const again = await reservePort(one.port);
    expect(again.port).toBe(one.port);
    await again.release();
  });

  it("is released although a program connected too early, and that connection is closed", async () => {
    const { port, release } = await reserveFreePort(firstPort());
    const asking = connect(port, "127.0.0.1");
    asking.on("error", () => undefined);
    await new Promise<void>((resolve) => void asking.once("close", () => resolve()));
    await release();
    const again = await reservePort(port);
    expect(again.port).toBe(port);
    await again.release();
  });

  it("is not free if another program listens at only one of its addresses", async () => {
    const { port, release } = await reserveFreePort(firstPort());
    await release();
    const other = createServer((socket) => socket.destroy());
    await once(other.listen(port, "0.0.0.0"), "listening");
    try {
      await expect(reservePort(port)).rejects.toThrow(`Port ${port} is taken by another program`);
    } finally {
      other.close();
    }
  });
});
