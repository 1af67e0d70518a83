import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { build } from "../../build/site/build.ts";
import { write } from "../site/site.ts";
import { checkouts, type Checkout } from "./checkouts.ts";
import { runsOf, seedOf } from "../runs.ts";
import { placeOfEachTest } from "../each.ts";

const place = placeOfEachTest("checkouts");
let both: Checkout[];
beforeEach(async () => {
  both = await checkouts(place, 12);
});

describe("two checkouts that build one output", () => {
  it("in turn, in any order: the output is the complete output of the last one", async () => {
    const turns = fc.array(fc.record({ which: fc.nat(1), full: fc.boolean() }), {
      minLength: 2,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(turns, async (order) => {
        for (const { which, full } of order) {
          const { options, clean } = both[which] as Checkout;
          await build({ ...options, full });
          expect(place.tree()).toEqual(clean);
        }
      }),
      { numRuns: runsOf(12), seed: seedOf(1) },
    );
  });

  it("a build that fails leaves no folder of its own, and keeps a folder that another program uses", async () => {
    const [one] = both as [Checkout];
    write(one.options.content, "about.json", "{");
    expect((await build(one.options)).published).toBeUndefined();
    expect(readdirSync(place.folder)).not.toContain("public");
    mkdirSync(join(place.out, "kept"), { recursive: true });
    await build(one.options);
    expect(readdirSync(place.out)).toEqual(["kept"]);
  });
});
