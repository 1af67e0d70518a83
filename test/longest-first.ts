import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest files of the suites. */
const LONGEST = [
  "browse/collection.browser.ts",
  "site/incremental.slow.ts",
  "model/added-type.slow.ts",
  "exchange/mirror/mirror.slow.ts",
  "browse/search.slow.ts",
  "robustness/kills.slow.ts",
  "collection/collection.slow.ts",
  "dev/following.slow.ts",
  "release/kills.slow.ts",
  "robustness/checkouts.slow.ts",
  "change/interrupted.slow.ts",
  "base/first-runs.slow.ts",
  "docs/run.slow.ts",
];

function rank({ moduleId }: TestSpecification): number {
  const index = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return index < 0 ? LONGEST.length : index;
}

/** Starts the longest files first, so that the processors do not wait for one of them at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(all: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(all)).sort((a, b) => rank(a) - rank(b));
  }
}
