import { Failure } from "../base/failure.ts";
import { instantAt, millisecondsOf, printInstant, type Instant } from "../base/instant.ts";
import type { BuildSession } from "./session.ts";
import type { Output } from "./outcome.ts";

/** Maximum number of instants that are built ahead. */
const MAX_INSTANTS = 100;
const DAY_MS = 24 * 3_600_000;

/** The instants to build ahead, and the first later instant that is left out. */
export interface Horizon {
  instants: Instant[];
  leftOut: Instant | undefined;
}

export const NO_HORIZON: Horizon = { instants: [], leftOut: undefined };

/** The instants within some days after `at` at which pages go live or expire. */
export function horizonOf(session: Pick<BuildSession, "changesAfter">, at: Instant, days: number): Horizon {
  const all = session.changesAfter(at);
  const end = instantAt(millisecondsOf(at) + days * DAY_MS);
  const instants = all.filter((instant) => instant <= end).slice(0, MAX_INSTANTS);
  return { instants, leftOut: all[instants.length] };
}

/** Ends with another build at `at`. @throws Failure if nothing can be published at an instant. */
export async function* buildAhead(
  session: BuildSession,
  at: Instant,
  { instants }: Horizon,
): AsyncGenerator<{ at: Instant; output: Output }> {
  if (instants.length === 0) return;
  const nothing = new Set<string>();
  try {
    for (const instant of instants) {
      const { output } = await session.step(nothing, instant);
      if (output === undefined)
        throw new Failure(
          `Nothing can be published at ${printInstant(instant)}: npm run check -- --at shows why.`,
        );
      yield { at: instant, output };
    }
  } finally {
    await session.step(nothing, at);
  }
}
