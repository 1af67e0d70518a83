import { beforeEach } from "vitest";

/** The waits of the current test, in milliseconds: `vi.mock("node:timers/promises", timersWithoutWaits)`. */
export const waits: number[] = [];

beforeEach(() => {
  waits.length = 0;
});

/** Timers that note how long they were to wait, and do not wait. */
export const timersWithoutWaits = async (importOriginal: () => Promise<unknown>): Promise<object> => ({
  ...((await importOriginal()) as object),
  setTimeout: (milliseconds: number) => {
    waits.push(milliseconds);
    return Promise.resolve();
  },
});
