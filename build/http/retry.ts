import { setTimeout as delay } from "node:timers/promises";
import { header, type HttpResponse } from "./reply.ts";

export interface Retries {
  /** Maximum number of attempts. */
  attempts: number;
  /** Milliseconds to wait after an attempt, by its index from 0. */
  pause: (index: number) => number;
  wait?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Repeats an attempt while another one may succeed; returns the result of the last attempt.
 *
 * @param again whether another attempt may succeed, or the milliseconds after which it may.
 */
export async function retry<T>(
  { attempts, pause, wait = delay }: Retries,
  attempt: () => Promise<T>,
  again: (result: T) => boolean | number,
): Promise<T> {
  for (let index = 0; ; index++) {
    const result = await attempt();
    const after = index + 1 < attempts && again(result);
    if (after === false) return result;
    await wait(after === true ? pause(index) : after);
  }
}

/** Maximum milliseconds to wait for a host that sends `Retry-After`. */
const MAX_WAIT_MS = 60_000;

/** The milliseconds to wait as `Retry-After` requires; true if the response leaves the pause to the client. */
export function pauseAfter(response: HttpResponse): number | true {
  const after = header(response, "Retry-After") ?? "";
  return /^\d{1,6}$/.test(after) ? Math.min(MAX_WAIT_MS, Math.max(1, Number(after)) * 1000) : true;
}
