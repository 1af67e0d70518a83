import { expect, it } from "vitest";
import { callsOf, COMMANDS, harmOf, noHarm, started, withHostileSources } from "./printing.ts";

withHostileSources();

it.each(COMMANDS)(
  "$name, as a process, prints no control characters and no workflow commands",
  async ({ file, name }) => {
    // printed.test.ts runs the other calls of a command; another process would add nothing.
    const calls = callsOf(file).filter(({ until }, k) => k === 0 || until !== undefined);
    for (const call of calls) expect(harmOf(call, await started(name, call))).toEqual(noHarm(call));
  },
);
