/** The number of runs of a random test. `MORE_RUNS` in the environment multiplies it. */
export const runsOf = (number: number): number => Math.ceil(number * Number(process.env["MORE_RUNS"] ?? 1));

/** The seed of a random test. `OTHER_SEED` in the environment replaces it. */
export const seedOf = (number: number): number => Number(process.env["OTHER_SEED"] ?? number);
