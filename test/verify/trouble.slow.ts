import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { verifyHost, type CheckName, type HostReport } from "../../build/verify/verify.ts";
import { hosted, SENT } from "./good-host.ts";
import { cert, key } from "./self-signed.ts";

/** Hosts that do not speak HTTP or serve something else: each ends the verification in time, with a clear line. */

/** A server that handles each connection as the test chooses, once a request has begun. */
async function runRaw(onRequest: (socket: Socket) => unknown): Promise<URL> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    socket.once("data", () => onRequest(socket));
  });
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return addressOf(server);
}

async function addressOf(server: Server, scheme = "http"): Promise<URL> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const verify = (url: URL, timeout = 60): Promise<HostReport> => verifyHost(url, { ids: [2, 4], timeout });

const got = (report: HostReport, name: CheckName): string | undefined =>
  report.checks.find((check) => check.name === name && check.status === "failed")?.got;

/** The result of the first check. It is the only check of a host that does not speak HTTP. */
async function troubleWith(url: URL, timeout = 60): Promise<string | undefined> {
  const report = await verify(url, timeout);
  expect(report.checks.filter(({ status }) => status !== "not-applicable").map(({ name }) => name)).toEqual([
    "answers",
  ]);
  return got(report, "answers");
}

describe("a host that cannot be reached", () => {
  it("is not verified if its name does not exist", async () => {
    await expect(verify(new URL("http://no-such-host.invalid"))).rejects.toThrow(
      /no such host name|could not be looked up/,
    );
  });

  it("is not verified if its certificate is not trusted", async () => {
    const server = createTlsServer({ key, cert }, (_request, response) => response.end("{}"));
    onTestFinished(() => void server.close());
    await expect(verify(await addressOf(server, "https"))).rejects.toThrow("its certificate is self-signed");
  });

  it("is not verified by https:// if the server does not support it", async () => {
    const url = await hosted();
    const secure = new URL(url.href.replace("http:", "https:"));
    await expect(verify(secure)).rejects.toThrow(/it does not speak TLS|TLS could not be accepted/);
  });
});

/** Writes a text again and again, until the socket is closed. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on("close", () => clearInterval(timer));
}

const flood = (socket: Socket): void => {
  const block = Buffer.alloc(2 ** 20, " ");
  socket.write("HTTP/1.1 200 OK\r\n\r\n");
  const more = (): void => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on("drain", more);
  more();
};

const OK = "HTTP/1.1 200 OK\r\n";
const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n";
const LATE = /no complete response within 0\.3 s/;
const CLOSED = /closed before the end of the response/;

describe("a host that does not speak HTTP", () => {
  it.each<[string, (socket: Socket) => unknown, RegExp, timeout?: number]>([
    ["never responds", () => undefined, LATE, 0.3],
    [
      "responds one byte at a time",
      (socket) => drip(socket, "H"),
      /no complete response within 0\.3 s|not HTTP/,
      0.3,
    ],
    [
      "sends an endless body, slowly",
      (socket) => {
        socket.write(`${OK}Content-Type: application/json\r\n\r\n{`);
        drip(socket, " ");
      },
      LATE,
      0.3,
    ],
    ["closes the connection at once", (socket) => socket.destroy(), CLOSED],
    [
      "closes the connection in the middle of a body",
      (socket) => socket.end(`${OK}Content-Length: 100\r\n\r\n{`),
      CLOSED,
    ],
    ["speaks another protocol", (socket) => socket.end("SSH-2.0-Example\r\n"), /the response is not HTTP/],
    [
      "sends endless headers",
      (socket) => socket.write(`${OK}X: ${"x".repeat(200_000)}`),
      /the response is not HTTP \(HEADER_OVERFLOW\)/,
    ],
    ["sends an endless body, fast", flood, /a body of more than 32 MiB/],
    ["requires another protocol", (socket) => socket.end(UPGRADE), /it wants to switch to another protocol/],
  ])("%s", async (_, onRequest, expected, timeout) => {
    expect(await troubleWith(await runRaw(onRequest), timeout)).toMatch(expected);
  });

  it("responds with deeply nested lists", async () => {
    const deep = "[".repeat(50_000) + "]".repeat(50_000);
    const body = `{"id":2,"meta":{"type":${deep}},"title":"x"}`;
    const head = `${OK}Content-Type: application/json\r\nContent-Length: ${body.length}`;
    const url = await runRaw((socket) => socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`));
    const { checks } = await verify(url);
    expect(checks.some(({ status, got: words }) => status === "failed" && words.includes("nested"))).toBe(
      true,
    );
  });
});

describe("a host that serves something else", () => {
  it("redirects to another host", async () => {
    const url = await hosted((draft, { path }) => {
      const headers = { Location: `https://www.example.org${path}` };
      Object.assign(draft, { status: 302, body: "", headers });
    });
    const report = await verify(url);
    expect(got(report, "page-status")).toContain(
      "GET /api/v2/pages/2/: 302 to https://www.example.org/api/v2/pages/2/",
    );
    expect(report.hints).toEqual([
      "The host redirects to https://www.example.org. If that is the host to verify, give its URL.",
    ]);
  });

  it("serves HTML", async () => {
    const url = await hosted((draft) => {
      const headers = { "Content-Type": "text/html" };
      Object.assign(draft, { status: 200, headers, body: "<!DOCTYPE html><title>Museum</title>" });
    });
    const report = await verify(url);
    expect(got(report, "page-json")).toContain(
      "not JSON: an HTML page: <!DOCTYPE html><title>Museum</title>",
    );
    expect(got(report, "not-found")).toContain("/api/v2/pages/9007199254740991/: 200");
    expect(report.hints[0]).toContain("web pages (HTML)");
  });

  it("sends control characters of a terminal", async () => {
    const url = await hosted((draft) => {
      Object.assign(draft, { body: "\u001b[2J\u202egone", encoding: undefined });
    });
    expect(got(await verify(url), "page-json")).toContain("\\u{1b}[2J\\u{202e}gone");
  });

  it("is unavailable for a moment, or permanently", async () => {
    let left = 1;
    const momentary = await hosted((draft, { method }) => {
      if (method === "TRACE" && left-- > 0) Object.assign(draft, { status: 503, body: "" });
    });
    expect((await verify(momentary)).checks.filter(({ status }) => status === "failed")).toEqual([]);
    const lasting = await hosted((draft, { method }) => {
      if (method === "TRACE") Object.assign(draft, { status: 503, body: "" });
    });
    expect(got(await verify(lasting), "method-not-allowed")).toContain("TRACE /api/v2/pages/2/: 503");
  });

  it("responds correctly, and then no longer", async () => {
    let requests = 0;
    const url = await hosted(() => (++requests > 20 ? SENT : undefined));
    const report = await verify(url, 0.3);
    expect(report.requests).toBeLessThan(60);
    expect(report.checks.flatMap(({ got: words }) => words.split("\n")).join("\n")).toContain(
      "the host stopped responding",
    );
  });
});
