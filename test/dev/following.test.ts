import { describe, expect, it } from "vitest";
import { MEMORY } from "../scratch.ts";
import { follows, MUTE } from "./following.ts";

const HOUR = 3_600_000;

// following.slow.ts has longer runs.
describe("edits of whole folders are followed", () => {
  it("from the system's events, without comparison", async () => {
    await expect(
      follows({
        watching: { lookMs: HOUR },
        withRoot: false,
        places: [MEMORY],
        runs: 2,
        maxRounds: 4,
      }),
    ).resolves.toBeUndefined();
  });

  it("by comparison, if the system reports no event", async () => {
    await expect(
      follows({
        watching: { lookMs: 20, watch: MUTE },
        withRoot: true,
        places: [MEMORY],
        runs: 2,
        maxRounds: 4,
      }),
    ).resolves.toBeUndefined();
  });
});
