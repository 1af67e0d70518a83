import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { FIXTURE_SITE } from "../fixtures.ts";
import { fuzz, readCorpus } from "../../scripts/fuzz/fuzz.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

describe("broken and odd sources", () => {
  it("are either built without loss or refused at a location inside the file", () => {
    const corpus = readCorpus(FIXTURE_SITE, join(PROJECT, "_headers"));
    const { problems, accepted, refused } = fuzz(corpus, { runs: 1000, seed: 11 });
    expect(problems.map(({ run, of, message }) => `${of} ${run}: ${message}`)).toEqual([]);
    // Both results are frequent. For more runs: npm run fuzz.
    expect(Math.min(accepted, refused)).toBeGreaterThan(100);
  });
});
