import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest files of the suites; of npm test, those that would begin last because they are small. */
const LONGEST = [
  "browse/collection.browser.ts",
  "outputs/contract/tools.slow.ts",
  "collection/collection.slow.ts",
  "robustness/kills.slow.ts",
  "dev/following.slow.ts",
  "site/incremental.slow.ts",
  "init/website.slow.ts",
  "model/added-type.slow.ts",
  "verify/defects.slow.ts",
  "package/package.slow.ts",
  "docs/run.slow.ts",
  "release/kills.slow.ts",
  "robustness/hostile.slow.ts",
  "editor/github/page-actions.slow.ts",
  "robustness/beside.slow.ts",
  "site/incremental.test.ts",
  "fuzz/fuzz.test.ts",
  "exchange/api/property.test.ts",
  "robustness/checkouts.test.ts",
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
