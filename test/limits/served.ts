import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Uses a server on this machine.
 *
 * @param respond gets the path and the number of requests so far.
 * @returns the result of `use`, and the number of requests.
 */
export async function served<T>(
  respond: (path: string, response: ServerResponse, count: number) => void,
  use: (address: URL) => Promise<T>,
): Promise<{ outcome: T; count: number }> {
  let count = 0;
  const server = createServer(({ url = "" }, response) => respond(url, response, ++count));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return { outcome: await use(address), count };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
