import { once } from "node:events";
import { createServer, request as send, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { cert, key } from "../../verify/self-signed.ts";

export type TestProxy = Awaited<ReturnType<typeof runProxy>>;

const CREDENTIALS = `Basic ${Buffer.from("museum:p@ss").toString("base64")}`;

/**
 * A proxy that asks for credentials. It passes every request on to one server of this machine, whatever the host;
 * port 443 is that server over TLS.
 */
export async function runProxy(port: number) {
  /** The targets of all requests, with their methods. */
  const requested: string[] = [];
  const open = new Set<Socket>();
  const joined = (one: Socket, other: Socket): void => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      open.add(from);
      from.on("error", () => to.destroy()).on("close", () => to.destroy());
      from.pipe(to);
    }
  };
  const secure = createTlsServer({ key, cert }, (socket) => joined(socket, connect(port, "127.0.0.1")));
  const isKnown = ({ method = "", url = "", headers }: IncomingMessage): boolean => {
    requested.push(`${method} ${url}`);
    return headers["proxy-authorization"] === CREDENTIALS;
  };
  const proxy = createServer((request, response) => {
    if (!isKnown(request)) {
      response.writeHead(407).end();
      return;
    }
    const { method = "", url = "" } = request;
    const { "proxy-authorization": _, ...headers } = request.headers;
    const path = url.replace(/^http:\/\/[^/]+/, "");
    const passedOn = send({ host: "127.0.0.1", port, method, path, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(response);
    });
    passedOn.on("error", () => response.destroy());
    request.pipe(passedOn);
  });
  proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
    if (isKnown(request)) {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      joined(socket, connect(portOf(secure), "127.0.0.1"));
    } else socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  for (const server of [secure, proxy]) await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    /** With the credentials. */
    url: `http://museum:p%40ss@127.0.0.1:${portOf(proxy)}`,
    requested,
    close: async () => {
      proxy.closeAllConnections();
      for (const socket of open) socket.destroy();
      for (const server of [secure, proxy]) await new Promise((resolve) => server.close(resolve));
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
