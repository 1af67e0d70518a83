import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from "vitest/node";

/** Starts the given test files first, in their order, so that the processors do not wait for one of them at the end. */
export function longestFirst(...files: string[]): TestSequencerConstructor {
  const rank = ({ moduleId }: TestSpecification): number => {
    const index = files.findIndex((file) => moduleId.endsWith(`/${file}`));
    return index < 0 ? files.length : index;
  };
  return class extends BaseSequencer {
    override async sort(all: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(all)).sort((a, b) => rank(a) - rank(b));
    }
  };
}
