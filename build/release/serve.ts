import { createServer } from "node:http";
import type { Listen } from "../hosting/listen.ts";
import { send } from "../hosting/responder.ts";
import type { BucketReader } from "./reader.ts";

/** Starts a server. @returns a function that stops it. */
export function serveReader(reader: BucketReader, { address, port }: Listen): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    const asked = { method, target: url, header: (name: string) => headers[name]?.toString() };
    void reader.answer(asked).then((answer) => send(answer, method, response));
    // Discards the body of the request.
    request.resume();
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: address, port, exclusive: true }, () =>
      resolve(
        () =>
          new Promise((ended) => {
            server.close(() => ended());
            server.closeIdleConnections();
          }),
      ),
    );
  });
}
