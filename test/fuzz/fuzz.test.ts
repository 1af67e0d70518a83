import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EVERY_KIND, SOURCES } from "../outputs/contract/every-kind.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { SITE, write } from "../site/site.ts";
import { runsOf, seedOf } from "../runs.ts";
import { scratch } from "../scratch.ts";
import { fuzz, readCorpus, type Problem } from "./fuzz.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

const lineOf = ({ run, of, message, bytes }: Problem): string =>
  `${of} ${run}: ${message}\n${bytes.toString()}`;

describe("broken and odd sources", () => {
  it("are either built without loss or refused at a location inside the file", () => {
    const corpus = readCorpus(FIXTURE_SITE, join(PROJECT, "_headers"));
    const { problems, accepted, refused } = fuzz(corpus, { runs: runsOf(1000), seed: seedOf(11) });
    expect(problems.map(lineOf)).toEqual([]);
    // Both results are frequent. For more runs: npm run fuzz.
    expect(Math.min(accepted, refused)).toBeGreaterThan(100);
  });

  it("are so too in a site that declares fields of every kind", () => {
    const content = scratch("fuzz");
    for (const [path, source] of Object.entries({
      ...SOURCES,
      "_site.json": SITE,
      "_types.json": EVERY_KIND,
    }))
      write(content, path, source);
    const { problems, accepted, refused } = fuzz(readCorpus(content, join(PROJECT, "_headers")), {
      runs: runsOf(2000),
      seed: seedOf(7),
    });
    expect(problems.map(lineOf)).toEqual([]);
    expect(Math.min(accepted, refused)).toBeGreaterThan(100);
  });
});
