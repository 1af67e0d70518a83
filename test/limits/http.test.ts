import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exchange } from "../../build/http/exchange.ts";
import { shown, type Reply } from "../../build/http/reply.ts";
import { openTransfer } from "../../build/http/transfer.ts";

const HEAD = "HTTP/1.1 200 OK\r\n\r\n";

/** Real time, where the rest of a test has a clock of its own. */
const real = setTimeout;
const passed = (milliseconds: number): Promise<void> => new Promise((resolve) => real(resolve, milliseconds));

/** Uses a server that writes any bytes, after the first bytes of a request. */
async function answered<T>(respond: (socket: Socket) => void, use: (address: URL) => Promise<T>): Promise<T> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => respond(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

const exchanged = (respond: (socket: Socket) => void): Promise<Reply> =>
  answered(respond, (address) => exchange(address, { path: "/" }, 60_000));

const bodyLength = (reply: Reply): number => (reply.kind === "answer" ? reply.body.length : -1);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Milliseconds after a head, which took some itself, until the response counts as whole. */
const quietAfter = async (took: number): Promise<number> => {
  let waited = 0;
  await answered(
    (socket) => {
      vi.advanceTimersByTime(took);
      socket.write(HEAD);
    },
    async (address) => {
      void exchange(address, { path: "/" }, 60_000);
      // One timer is the deadline of the request.
      while (vi.getTimerCount() < 2) await passed(1);
      for (; vi.getTimerCount() > 0; waited++) vi.advanceTimersByTime(1);
    },
  );
  return waited;
};

/** The response of a server that sends a number of bytes, and leaves the socket open for a while. */
const read = (bytes: number): Promise<Reply> =>
  exchanged((socket) => {
    socket.write(HEAD.padEnd(bytes), () => real(() => socket.end("more"), 200));
  });

describe("a socket that the server leaves open", () => {
  it("is read for ten times as long as the head took, from 100 to 500 ms", async () => {
    expect(await quietAfter(0)).toBe(100);
    expect(await quietAfter(10)).toBe(100);
    expect(await quietAfter(20)).toBe(200);
    expect(await quietAfter(50)).toBe(500);
    expect(await quietAfter(51)).toBe(500);
  });

  it("is read up to its first byte over 1 MiB", async () => {
    expect(bodyLength(await read(2 ** 20))).toBe(2 ** 20 - HEAD.length + 4);
    expect(bodyLength(await read(2 ** 20 + 1))).toBe(2 ** 20 - HEAD.length + 1);
  });
});

it("a response has up to 64 KiB of headers", async () => {
  vi.useRealTimers();
  const [start, end] = ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: ", "\r\n\r\n"];
  /** @param bytes those of the head that Node counts, which are not all. */
  const requested = (bytes: number) =>
    answered(
      (socket) => socket.end(start.padEnd(bytes + 24 - end.length, "a") + end),
      async (address) => {
        const transfer = openTransfer(address, { connections: 1, timeout: 60_000 });
        const { kind } = await transfer.send({ path: "/" }, false);
        transfer.close();
        return kind;
      },
    );
  expect(await requested(2 ** 16)).toBe("answer");
  expect(await requested(2 ** 16 + 1)).toBe("no-reply");
});

it("a host's text has up to 160 characters in a message", () => {
  expect(shown("é".repeat(160))).toBe("é".repeat(160));
  expect(shown("é".repeat(161))).toBe(`${"é".repeat(159)}…`);
});
