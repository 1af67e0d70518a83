import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { generatedSite } from "../../scripts/bench/input/site.ts";
import { measure } from "../../scripts/bench/measure.ts";
import { makeRepository, ownCandidates, SAVE } from "../../scripts/bench/own.ts";
import {
  runRounds,
  type BenchRow,
  type BenchStep,
  type Candidate,
  type RowResult,
} from "../../scripts/bench/rounds.ts";
import {
  editFive,
  editSample,
  faultOf,
  makeSite,
  moveAll,
  type MeasuredSite,
} from "../../scripts/bench/site.ts";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { diff } from "../../build/change/diff/diff.ts";
import { build } from "../../build/site/build.ts";
import { treeOf } from "../files.ts";
import { scratch } from "../scratch.ts";

let folder: string;
let site: MeasuredSite;

beforeEach(() => {
  folder = scratch("bench");
  site = makeSite(join(folder, "content"), generatedSite(20));
});

const row = (name: string): BenchRow => ({ name, leavesOut: "" });

/** A candidate whose steps append their names to a file. */
const diarist = (name: string, more: Partial<BenchStep> = {}, script = "true"): Candidate => {
  const own = row(name);
  const args = ["-c", `echo ${name} >>diary; ${script}`];
  return { steps: () => [{ rows: [own], command: { file: "sh", args, folder }, ...more }] };
};

const compete = (candidates: Candidate[], rounds: number, warmUp = false): Promise<RowResult[]> => {
  let count = 0;
  return runRounds(site, candidates, {
    limit: 60,
    rounds: () => rounds,
    rest: 0,
    warmUp,
    freshFolder: () => join(folder, `run-${++count}`),
    report: () => {},
  });
};

const diary = (): string[] => readFileSync(join(folder, "diary"), "utf8").trim().split("\n");

const publish = async (): Promise<string> => {
  const out = join(folder, "public");
  await build({ content: site.content, out, cache: join(folder, "cache") });
  return out;
};

describe("rounds", () => {
  it("reverse the order each time, and do not count the warm-up", async () => {
    const results = await compete([diarist("a"), diarist("b")], 2, true);
    expect(diary()).toEqual(["a", "b", "b", "a", "a", "b"]);
    for (const { samples } of results) expect([...samples.keys()]).toEqual([1, 2]);
  });

  it("drop a candidate that fails, with the reason, and continue with the others", async () => {
    const [failed, wrong, fine] = await compete(
      [diarist("a", {}, "exit 3"), diarist("b", { fault: () => "half of it is missing" }), diarist("c")],
      2,
    );
    expect(failed?.failure).toBe("exit status 3");
    expect(wrong?.failure).toBe("half of it is missing");
    expect(fine?.failure).toBeUndefined();
    expect(fine?.samples.size).toBe(2);
    expect(diary()).toEqual(["c", "b", "a", "c"]);
  });

  it("leave no file behind, and restore edited files", async () => {
    const before = readFileSync(site.sample.file, "utf8");
    await compete([diarist("a", { before: () => editSample(site) })], 1);
    expect(readFileSync(site.sample.file, "utf8")).toBe(before);
    expect(readdirSync(folder).filter((name) => name.startsWith("run-"))).toEqual([]);
  });

  it("use the figures that a command measured itself", async () => {
    const part = { wall: 0.1, cpu: 0.2, memory: 3 };
    const [one] = await compete([diarist("a", { measured: () => [part] })], 1);
    expect(one?.samples.get(1)).toEqual(part);
  });
});

describe("an edit", () => {
  it.each([
    ["of five pages", editFive, 5],
    ["of every address", moveAll, 19],
  ])("%s changes what diff then shows, and is undone", async (_, edit, pages) => {
    makeRepository(site);
    const before = treeOf(site.content);
    const undo = edit(site);
    vi.stubEnv("GIT_DIR", `${site.content}.git`);
    vi.stubEnv("GIT_WORK_TREE", site.content);
    const { changed, moved } = await diff({ content: site.content, base: "HEAD" });
    vi.unstubAllEnvs();
    expect(changed.length + moved.length).toBe(pages);
    undo();
    expect(treeOf(site.content)).toEqual(before);
  });

  it("is published by a running build, which reports its time, and is undone", async () => {
    const before = treeOf(site.content);
    const step = ownCandidates(PROGRAM_FOLDER, true)
      .flatMap(({ steps }) => steps(site, join(folder, "public")))
      .find(({ rows }) => rows.includes(SAVE));
    const outcome = await measure(step?.command ?? { file: "", args: [], folder }, 60);
    expect(outcome).not.toHaveProperty("failure");
    expect(step?.measured?.()).toMatchObject([{ wall: expect.any(Number), cpu: expect.any(Number) }]);
    expect(treeOf(site.content)).toEqual(before);
  });
});

describe("an output", () => {
  it("of the build is correct, and an output without one page is not", async () => {
    const out = await publish();
    expect(faultOf(out, site)).toBeUndefined();
    rmSync(join(out, "api/v2/pages/1/index.json"));
    expect(faultOf(out, site)).toBe("wrote 19 of 20 pages");
  });

  it("has the same parents as the competitors' reader", async () => {
    const out = await publish();
    const reader = "../../scripts/bench/competitors/read-pages.js";
    const { readPages } = (await import(reader)) as {
      readPages: (content: string) => { id: number; meta: Record<string, unknown> }[];
    };
    const pages = readPages(site.content);
    expect(pages).toHaveLength(20);
    for (const { id, meta } of pages) {
      const published = JSON.parse(readFileSync(join(out, `api/v2/pages/${id}/index.json`), "utf8")) as {
        meta: Record<string, unknown>;
      };
      expect(published.meta).toMatchObject(meta);
    }
  });
});
