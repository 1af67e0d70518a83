import { existsSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { random } from "../random.ts";
import { workplace, type Workplace } from "../site/site.ts";
import { checkouts, type Checkout } from "./checkouts.ts";
import { startBuilder, Victims, type Builder } from "./process.ts";
import { runsOf } from "../runs.ts";

const ROUNDS = runsOf(15);
const MEMORY = "/dev/shm";

let place: Workplace;
let both: Checkout[];
beforeAll(async () => {
  place = workplace("checkouts", existsSync(MEMORY) ? MEMORY : undefined);
  both = await checkouts(place, 1500);
});

describe("two checkouts that build one output, as processes", () => {
  it("at the same time: one publishes, the other is refused or publishes after it, and the output is one complete site", async () => {
    const builders = await Promise.all(both.map(() => startBuilder()));
    for (let round = 0; round < ROUNDS / 2; round++) {
      const ended = await Promise.all(
        both.map(({ options }, i) => (builders[i] as Builder).build({ ...options, full: round % 3 === 0 })),
      );
      const published = both.filter((_, i) => ended[i]?.status === 0);
      expect(published.length).toBeGreaterThan(0);
      const refused = ended.filter(({ status }) => status !== 0);
      for (const { stderr } of refused) expect(stderr).toMatch(/Another build of this output/);
      expect(published.map(({ clean }) => clean)).toContainEqual(place.tree());
    }
    for (const builder of builders) builder.close();
  });

  it("with killed builds in between: after a successful build, the output is its complete site", async () => {
    const draw = random(3);
    const next = await startBuilder();
    const victims = new Victims();
    const [one, other] = both as [Checkout, Checkout];
    await next.build(other.options);
    let killed = 0;
    let last = other;
    for (let round = 0; round < ROUNDS || killed < ROUNDS / 4; round++) {
      // The last one would have nothing to do.
      const victim = last === one ? other : one;
      if (await victims.kill(victim.options, draw)) killed++;
      last = draw.pick([one, other]);
      const { options, clean } = last;
      expect(await next.build({ ...options, full: draw.below(4) === 0 })).toEqual({ status: 0, stderr: "" });
      expect(place.tree()).toEqual(clean);
    }
    next.close();
    await victims.close();
  });
});
