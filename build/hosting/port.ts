import { createServer, type Server } from "node:net";
import { Failure } from "../base/failure.ts";
import { occupantOf } from "./occupant.ts";

export interface HeldPort {
  port: number;
  /** The port that was wanted first, if another program has it. */
  taken?: number;
  /** Lets go of it, for the server that is to listen there. */
  release: () => Promise<void>;
}

/** So many ports are tried, one after the other, before any free one is taken. */
const TRIES = 20;

/**
 * Finds a port that nobody listens on and holds it: an address that is built into pages must still be free when they
 * are served. It is free where both loopback addresses are, as either may be what a browser takes `localhost` for.
 */
export async function holdFreePort(first: number): Promise<HeldPort> {
  for (let port = first; port < first + TRIES && port < 65_536; port++) {
    const held = await hold(port);
    if (typeof held === "object") return port === first ? held : { ...held, taken: first };
  }
  const held = await hold(0);
  if (typeof held !== "object") throw new Failure("No free port was found on this machine.");
  return { ...held, taken: first };
}

/** Holds this very port. @throws Failure that names the program that has the port, as far as that is known. */
export async function holdPort(port: number): Promise<HeldPort> {
  const held = await hold(port);
  if (typeof held === "object") return held;
  const reason =
    held === "taken"
      ? `Port ${port} is taken by ${await occupantOf(port)}, so http://localhost:${port}/ is not this preview's address.`
      : `The system does not let you use port ${port} (${held}).`;
  throw new Failure(`${reason} Choose another port, or leave out --port.`);
}

/** Whether nobody listens on a port. */
export async function isFree(port: number): Promise<boolean> {
  const held = await hold(port);
  if (typeof held === "object") await held.release();
  return typeof held === "object";
}

/** Holds a port; gives “taken”, or the system's other reason against it. */
async function hold(wanted: number): Promise<HeldPort | string> {
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

/** A machine without IPv6 has no such address: nobody can listen there. */
const UNSUPPORTED = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);

/** Listens; gives “taken”, or the code of the system's other reason against it. */
function listen(port: number, host: string): Promise<Server | string> {
  return new Promise((resolve) => {
    // Who asks too early is told so at once: a connection that nobody answers would keep the port from being let go.
    const server = createServer((socket) => socket.resetAndDestroy());
    server.once("error", ({ code = "" }: NodeJS.ErrnoException) =>
      resolve(code === "EADDRINUSE" ? "taken" : code),
    );
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
