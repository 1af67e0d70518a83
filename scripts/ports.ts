import { occupantOf } from "../build/hosting/occupant.ts";
import { holdFreePort, holdPort, type HeldPort } from "../build/hosting/port.ts";
import { wholeNumber } from "./arguments.ts";

/** The first port that a preview tries. */
const FIRST_PORT = 3000;

export const portOption = {
  port: {
    type: "string",
    value: "N",
    description: `the port of the local address (${FIRST_PORT}, or the next that is free)`,
  },
} as const;

/** Reserves the given port, or a free one. */
export const holdPortFor = (port: string | undefined): Promise<HeldPort> =>
  port === undefined
    ? holdFreePort(FIRST_PORT)
    : holdPort(wholeNumber("--port", port, { from: 1, to: 65_535 }));

/** A line for the greeting of a preview that uses another port than the usual one; otherwise empty. */
export const takenNote = async ({ port, taken }: HeldPort): Promise<string> =>
  taken === undefined ? "" : `  Port ${taken} is taken by ${await occupantOf(taken)}; using ${port}.\n\n`;
