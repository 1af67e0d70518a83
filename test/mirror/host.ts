import { readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** Sends another response in place of a file; false if it leaves the file to the host. */
export type Lie = (path: string, response: ServerResponse, request: IncomingMessage) => boolean;

export interface FolderHost {
  url: URL;
  /** The requested paths, in order. */
  requested: string[];
  /** Replaces responses. */
  lie: Lie;
  close: () => Promise<void>;
}

const honest: Lie = () => false;

/** Serves an output folder, as a static host does. */
export async function serveFolder(root: string): Promise<FolderHost> {
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    host.requested.push(path);
    if (host.lie(path, response, request)) return;
    const file = join(root, path.endsWith("/") ? `${path}index.json` : path);
    response.setHeader("Content-Type", path.endsWith(".zip") ? "application/zip" : "application/json");
    const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    if (!isThere) response.statusCode = 404;
    response.end(isThere ? readFileSync(file) : '{"message": "No Page matches the given query."}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host: FolderHost = {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    requested: [],
    lie: honest,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return host;
}
