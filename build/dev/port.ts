import { createServer, type Server } from "node:net";
import { Failure } from "../base/failure.ts";

export interface HeldPort {
  port: number;
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
    if (held !== undefined) return held;
  }
  const held = await hold(0);
  if (held === undefined) throw new Failure("No free port was found on this machine.");
  return held;
}

/** Holds this very port. @throws Failure where somebody listens there. */
export async function holdPort(port: number): Promise<HeldPort> {
  const held = await hold(port);
  if (held === undefined)
    throw new Failure(`Port ${port} is taken or not allowed; name another one, or none.`);
  return held;
}

/** Whether nobody listens on a port. */
export async function isFree(port: number): Promise<boolean> {
  const held = await hold(port);
  await held?.release();
  return held !== undefined;
}

async function hold(wanted: number): Promise<HeldPort | undefined> {
  const four = await listen(wanted, "127.0.0.1");
  if (four === "refused" || four === "unsupported") return undefined;
  const address = four.address();
  const port = typeof address === "object" && address !== null ? address.port : wanted;
  const six = await listen(port, "::1");
  if (six === "refused") {
    await close(four);
    return undefined;
  }
  const servers = six === "unsupported" ? [four] : [four, six];
  return { port, release: async () => void (await Promise.all(servers.map(close))) };
}

/** A machine without IPv6 has no such address: nobody can listen there. */
const UNSUPPORTED = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);

function listen(port: number, host: string): Promise<Server | "refused" | "unsupported"> {
  return new Promise((resolve) => {
    // Who asks too early is told so at once: a connection that nobody answers would keep the port from being let go.
    const server = createServer((socket) => socket.resetAndDestroy());
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      resolve(UNSUPPORTED.has(code ?? "") ? "unsupported" : "refused"),
    );
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

const close = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
