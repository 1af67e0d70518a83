import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on this machine, at a free port. */
export interface Listening {
  server: Server;
  url: URL;
  close: () => Promise<void>;
}

export async function listening(respond: RequestListener): Promise<Listening> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { server, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), close };
}
