import { once } from "node:events";
import { createServer } from "node:http";
import { Failure } from "../base/failure.ts";
import { printListen, type Listen } from "../hosting/listen.ts";
import { send } from "../hosting/responder.ts";
import type { BucketReader } from "./reader.ts";

const REASONS: Record<string, string> = {
  EADDRINUSE: "another program listens there",
  EADDRNOTAVAIL: "this machine does not have that address",
  EACCES: "the system does not let you use that port",
};

/** Starts a server. @returns a function that stops it. @throws Failure if it cannot listen. */
export async function serveReader(reader: BucketReader, listen: Listen): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    const received = { method, target: url, header: (name: string) => headers[name]?.toString() };
    void reader.respond(received).then((made) => send(made, method, response));
    // Discards the body of the request.
    request.resume();
  });
  try {
    await once(server.listen({ host: listen.address, port: listen.port, exclusive: true }), "listening");
  } catch (cause) {
    const { code = "", message } = cause as NodeJS.ErrnoException;
    const reason = REASONS[code] ?? message;
    throw new Failure(
      `Cannot listen at ${printListen(listen)}: ${reason}. Choose another address with --listen.`,
    );
  }
  return async () => {
    server.close().closeIdleConnections();
    await once(server, "close");
  };
}
