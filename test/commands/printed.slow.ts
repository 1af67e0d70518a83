import { expect, it } from "vitest";
import { callsOf, COMMANDS, harmOf, noHarm, started, withHostileSources } from "./printing.ts";

withHostileSources();

it.each(COMMANDS)(
  "$name, as a process, prints nothing that steers, hides or commands",
  async ({ file, name }) => {
    // More processes of one command would show nothing else than the same calls in one process do.
    const calls = callsOf(file).filter(({ until }, k) => k === 0 || until !== undefined);
    for (const call of calls) expect(harmOf(call, await started(name, call))).toEqual(noHarm(call));
  },
);
