import { parseListen, type Listen } from "../build/hosting/listen.ts";
import { CommandError, whole } from "./command.ts";
import { reserveFreePort, reservePort, type ReservedPort } from "../build/hosting/port.ts";

const FIRST_PORT = 3000;

export const portOption = {
  "port N": {
    text: `listen on this port (default: ${FIRST_PORT}, or another one if it is taken)`,
    parse: whole(1, 65_535),
  },
} as const;

/** Reads the address and the port of a server. */
export function listenIn(written: string, option: string): Listen {
  const listen = parseListen(written);
  if (listen !== undefined) return listen;
  throw new CommandError(
    `${option} ${written}: expected an IP address, a colon and a port from 1 to 65535, such as 127.0.0.1:8080 or [::1]:8080.`,
  );
}

/** Uses the given port, or a free one. */
export async function onPort<T>(
  port: number | undefined,
  use: (reserved: ReservedPort) => Promise<T>,
): Promise<T> {
  const reserved = port === undefined ? await reserveFreePort(FIRST_PORT) : await reservePort(port);
  try {
    return await use(reserved);
  } finally {
    await reserved.release();
  }
}

/** A line for the greeting of a preview that uses another port than the usual one; otherwise empty. */
export const takenNote = ({ port, taken }: ReservedPort): string =>
  taken === undefined ? "" : `  Port ${taken} is taken by another program; using ${port}.\n\n`;
