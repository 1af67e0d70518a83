import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

export interface Sent {
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array | undefined;
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** No whole answer came; another attempt may succeed. */
export class Interrupted extends Error {}

/** Sends a request; what stalls is cut. @throws Interrupted */
export type Transfer = (url: URL, sent: Sent) => Promise<Received>;

/** The least that a connection must achieve over a whole transfer: 16 KiB a second. */
const SLOWEST = 16;

/**
 * @param patience milliseconds in which at least one byte must go through, and the whole time of a small transfer is a few
 * times that.
 */
export function openTransfer(endpoint: URL, connections: number, patience: number) {
  const isSecure = endpoint.protocol === "https:";
  const open = isSecure ? httpsRequest : httpRequest;
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: connections });

  const transfer: Transfer = (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "Content-Length": `${body.length}` };
      const request = open(url, { agent, method, headers: { ...headers, ...length }, timeout: patience });
      const cut = (): void => void request.destroy(new Interrupted("the transfer stalled"));
      let deadline: NodeJS.Timeout | undefined;
      const fail = (cause: Error): void => {
        clearTimeout(deadline);
        reject(cause instanceof Interrupted ? cause : new Interrupted(cause.message));
      };
      // The time in which it waits for a connection of its own does not count.
      request.once("socket", () => {
        deadline = setTimeout(cut, 3 * patience + (body?.length ?? 0) / SLOWEST);
      });
      request.once("timeout", cut);
      request.on("error", fail);
      request.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", fail);
        response.once("close", () => {
          clearTimeout(deadline);
          if (!response.complete) return reject(new Interrupted("the connection was closed too early"));
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          });
        });
      });
      request.end(body);
    });
  return { transfer, close: () => agent.destroy() };
}
