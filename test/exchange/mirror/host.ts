import { readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { listening } from "../../listening.ts";

/** Sends another response in place of a file; false if it leaves the file to the host. */
export type Lie = (path: string, response: ServerResponse, request: IncomingMessage) => boolean;

export type FolderHost = Awaited<ReturnType<typeof serveFolder>>;

const honest: Lie = () => false;

/** Serves an output folder, as a static host does. `requested`: the paths, in order. */
export async function serveFolder(root: string) {
  const state = { requested: [] as string[], lie: honest };
  const server = await listening((request, response) => {
    const path = request.url ?? "";
    state.requested.push(path);
    if (state.lie(path, response, request)) return;
    const file = join(root, path.endsWith("/") ? `${path}index.json` : path);
    response.setHeader("Content-Type", path.endsWith(".zip") ? "application/zip" : "application/json");
    const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    if (!isThere) response.statusCode = 404;
    response.end(isThere ? readFileSync(file) : '{"message": "No Page matches the given query."}');
  });
  return Object.assign(state, server);
}
