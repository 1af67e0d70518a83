import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { generatedSite } from "../../scripts/bench/input/site.ts";
import type { Candidate, Row, Step } from "../../scripts/bench/run/candidate.ts";
import { findMeter } from "../../scripts/bench/run/measure.ts";
import { runRounds, type Result } from "../../scripts/bench/run/rounds.ts";
import {
  countRewritten,
  editSample,
  faultOf,
  identities,
  makeSite,
  type MeasuredSite,
} from "../../scripts/bench/run/site.ts";
import { build } from "../../build/pipeline/build.ts";
import { scratch } from "../scratch.ts";

let folder: string;
let site: MeasuredSite;

beforeEach(() => {
  folder = scratch("bench");
  site = makeSite(join(folder, "content"), generatedSite(20));
});

const row = (name: string): Row => ({ name, kind: "competitor", leavesOut: "" });

/** A candidate whose steps write their names into a file, in order. */
const diarist = (name: string, more: Partial<Step> = {}, script = "true"): Candidate => {
  const own = row(name);
  const args = ["-c", `echo ${name} >>diary; ${script}`];
  return { rows: [own], steps: () => [{ row: own, command: { file: "sh", args, folder }, ...more }] };
};

const compete = (candidates: Candidate[], rounds: number, warmUp = false): Promise<Result[]> => {
  let count = 0;
  return runRounds(site, candidates, {
    meter: findMeter(),
    limit: 60,
    rounds: () => rounds,
    rest: 0,
    warmUp,
    freshFolder: () => join(folder, `run-${++count}`),
    say: () => {},
  });
};

const diary = (): string[] => readFileSync(join(folder, "diary"), "utf8").trim().split("\n");

const publish = async (): Promise<string> => {
  const out = join(folder, "public");
  await build({ content: site.content, out });
  return out;
};

describe("rounds", () => {
  it("reverse the order each time, and do not count the warm-up", async () => {
    const results = await compete([diarist("a"), diarist("b")], 2, true);
    expect(diary()).toEqual(["a", "b", "b", "a", "a", "b"]);
    for (const { samples } of results) expect([...samples.keys()]).toEqual([1, 2]);
  });

  it("drop a candidate that fails, with the reason, and go on with the others", async () => {
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

  it("leave nothing behind, and put back what was edited", async () => {
    const before = readFileSync(site.sample.file, "utf8");
    await compete([diarist("a", { before: () => editSample(site) })], 1);
    expect(readFileSync(site.sample.file, "utf8")).toBe(before);
    expect(readdirSync(folder).filter((name) => name.startsWith("run-"))).toEqual([]);
  });
});

describe("an output", () => {
  it("of the build is right, and one with a page missing is not", async () => {
    const out = await publish();
    expect(faultOf(out, site)).toBeUndefined();
    rmSync(join(out, "api/v2/pages/1/index.json"));
    expect(faultOf(out, site)).toBe("wrote 19 of 20 pages");
  });

  it("shows which files an edit has rewritten", async () => {
    const before = identities(await publish());
    expect(countRewritten(before, identities(await publish()))).toBe(0);
    const restore = editSample(site);
    const after = identities(await publish());
    restore();
    expect(countRewritten(before, after)).toBe(1);
  });

  it("names the parents that the competitors' reader gives", async () => {
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
