import { createServer, type Server } from "node:net";
import { Failure } from "../base/failure.ts";

export interface ReservedPort {
  port: number;
  /** The first choice, if another program has that port. */
  taken?: number;
  /** Releases the port for the server that listens on it next. */
  release: () => Promise<void>;
}

/** Maximum number of consecutive ports to try before any free port is taken. */
const MAX_TRIED_PORTS = 20;

/**
 * Finds a free port and reserves it, because pages contain its address before the server starts. The port
 * must be free at both loopback addresses, because a browser may use either for `localhost`.
 */
export async function reserveFreePort(first: number): Promise<ReservedPort> {
  for (let port = first; port < first + MAX_TRIED_PORTS && port < 65_536; port++) {
    const reserved = await reserve(port);
    if (typeof reserved === "object") return port === first ? reserved : { ...reserved, taken: first };
  }
  const reserved = await reserve(0);
  if (typeof reserved !== "object") throw new Failure("No free port was found on this machine.");
  return { ...reserved, taken: first };
}

/** Reserves exactly this port. @throws Failure if that is not possible. */
export async function reservePort(port: number): Promise<ReservedPort> {
  const reserved = await reserve(port);
  if (typeof reserved === "object") return reserved;
  const reason =
    reserved === "taken"
      ? `Port ${port} is taken by another program, so http://localhost:${port}/ is not this preview's address.`
      : `The system does not let you use port ${port} (${reserved}).`;
  throw new Failure(`${reason} Choose another port, or leave out --port.`);
}

/** A port that is free now, for a server whose address no page contains. */
export async function freePort(first: number): Promise<number> {
  const { port, release } = await reserveFreePort(first);
  await release();
  return port;
}

/** Reserves a port. @returns “taken”, or the system's error code, if that fails. */
async function reserve(wanted: number): Promise<ReservedPort | string> {
  const four = await listen(wanted, "127.0.0.1");
  if (typeof four === "string") return four;
  const address = four.address();
  const port = typeof address === "object" && address !== null ? address.port : wanted;
  const six = await listen(port, "::1");
  if (typeof six === "string" && !UNSUPPORTED.has(six)) {
    await close(four);
    return six;
  }
  const servers = typeof six === "string" ? [four] : [four, six];
  return { port, release: async () => void (await Promise.all(servers.map(close))) };
}

/** The errors of a machine without IPv6, on which no program can listen there. */
const UNSUPPORTED = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);

/** Listens on a port. @returns “taken”, or the system's error code, if that fails. */
function listen(port: number, host: string): Promise<Server | string> {
  return new Promise((resolve) => {
    // Early connections are reset, because an open connection would prevent the release of the port.
    const server = createServer((socket) => socket.resetAndDestroy());
    server.once("error", ({ code = "" }: NodeJS.ErrnoException) =>
      resolve(code === "EADDRINUSE" ? "taken" : code),
    );
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
