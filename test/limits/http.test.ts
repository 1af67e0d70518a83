import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, it } from "vitest";
import { openTransfer } from "../../build/http/transfer.ts";

/** Uses a server that writes any bytes, after the first bytes of a request. */
async function responding<T>(
  respond: (socket: Socket) => void,
  use: (address: URL) => Promise<T>,
): Promise<T> {
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

it("a response has up to 64 KiB of headers", async () => {
  const [start, end] = ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: ", "\r\n\r\n"];
  /** @param bytes those of the head that Node counts, which are not all. */
  const requested = (bytes: number) =>
    responding(
      (socket) => socket.end(start.padEnd(bytes + 24 - end.length, "a") + end),
      async (address) => {
        const transfer = openTransfer(address, { concurrency: 1, timeout: 60_000 });
        const { kind } = await transfer.send({ path: "/" }, false);
        transfer.close();
        return kind;
      },
    );
  expect(await requested(2 ** 16)).toBe("response");
  expect(await requested(2 ** 16 + 1)).toBe("no-reply");
});
