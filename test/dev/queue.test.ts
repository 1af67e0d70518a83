import { describe, expect, it } from "vitest";
import { queue } from "../../build/dev/develop.ts";
import type { Changed } from "../../build/site/watch-build.ts";

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A run that ends when the test calls `end`. */
function manual() {
  const runs: { paths: string[]; end: () => void }[] = [];
  const run = (changed: Changed): Promise<void> =>
    new Promise((resolve) =>
      runs.push({ paths: changed === "anything" ? [changed] : Array.from(changed), end: resolve }),
    );
  const begun = async (count: number): Promise<void> => {
    while (runs.length < count) await turn();
  };
  return { runs, run, begun };
}

describe("the queue of builds", () => {
  it("runs once for all changes before it begins", async () => {
    const { runs, run, begun } = manual();
    const builds = queue(run);
    builds.push(new Set(["a"]));
    builds.push(new Set(["b", "a"]));
    await begun(1);
    runs[0]?.end();
    await builds.first;
    await builds.close();
    expect(runs.map(({ paths }) => paths)).toEqual([["a", "b"]]);
  });

  it("runs once more for changes during a run, and never twice at a time", async () => {
    const { runs, run, begun } = manual();
    const builds = queue(run);
    builds.push(new Set(["a"]));
    await begun(1);
    builds.push(new Set(["b"]));
    builds.push(new Set([]));
    for (let i = 0; i < 30; i++) await turn();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await begun(2);
    runs[1]?.end();
    await builds.close();
    expect(runs.map(({ paths }) => paths)).toEqual([["a"], ["b"]]);
  });

  it("does not wait for the end of an endless burst", async () => {
    const { runs, run } = manual();
    const builds = queue(run);
    while (runs.length === 0) {
      builds.push(new Set(["a"]));
      await turn();
    }
    runs[0]?.end();
    await builds.close();
    expect(runs).toHaveLength(1);
  });

  it("compares everything at once, unless a change is waiting or another run is active", async () => {
    const { runs, run, begun } = manual();
    const builds = queue(run);
    expect(builds.compare()).toBe(true);
    builds.push(new Set(["a"]));
    expect(builds.compare()).toBe(false);
    runs[0]?.end();
    await begun(2);
    runs[1]?.end();
    await builds.close();
    expect(runs.map(({ paths }) => paths)).toEqual([["anything"], ["a"]]);
  });
});
