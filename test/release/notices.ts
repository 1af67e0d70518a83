import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "../listening.ts";

export type NoticeServer = Awaited<ReturnType<typeof noticeServer>>;

/** A server that keeps the notices that it receives. */
export async function noticeServer() {
  const received: { headers: IncomingMessage["headers"]; body: string }[] = [];
  /** The statuses of the next responses; 204 if there is none. */
  const statuses: number[] = [];
  const keep = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 204).end();
  };
  const { url, close } = await listening((request, response) => void keep(request, response));
  return { url: new URL("/hook", url).href, received, statuses, close };
}
