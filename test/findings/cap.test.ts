import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diff } from "../../build/change/diff/diff.ts";
import { severityOf, type Finding } from "../../build/findings/finding.ts";
import { reporters } from "../../build/findings/reporters.ts";
import { build } from "../../build/site/build.ts";
import { check } from "../../build/site/check.ts";
import { commit, git } from "../change/diff/repository.ts";
import { FITTING_SITE, SITE, work } from "../site/site.ts";
import { placeOfEachTest } from "../each.ts";

const place = placeOfEachTest("cap", FITTING_SITE);

const bog = (more: object): void => place.put("works/_b/bog.json", work(33, "Bog", more));

const subject = (name: string) => ({ subjects: [{ id: 7, name, level: 1, parent_id: 9 }] });

const foundIn = async (file: string): Promise<Finding[]> =>
  (await check(place)).findings.filter((f) => f.place.file.endsWith(file));

const more = (findings: Finding[]): unknown[] =>
  findings.filter(({ code }) => code === "more-findings").map(({ args }) => args);

describe("more findings than are listed are counted", () => {
  it("in several texts and other fields of one file", async () => {
    const resource = { type: "CATALOGUE_ENTRY", publication_date: "2001-01-01T00:00:00" };
    bog({
      description: "</b>".repeat(400),
      resources: Array.from({ length: 30 }, () => ({ ...resource, content: "<p>x".repeat(50) })),
      tittle: "x",
    });
    expect(more(await foundIn("bog.json"))).toEqual([{ count: 400 + 30 * 50 + 1 - 100, limit: 100 }]);
  });

  it("in a text that is not read to its end: at least", async () => {
    bog({ description: "</b>".repeat(5000) });
    expect(more(await foundIn("bog.json"))).toEqual([{ count: 900, limit: 100, atLeast: true }]);
  });

  it("in _site.json", async () => {
    place.put("_site.json", { ...SITE, owned_paths: Array.from({ length: 3000 }, () => "x") });
    const found = await foundIn("_site.json");
    expect(found).toHaveLength(101);
    expect(more(found)).toEqual([{ count: 2900, limit: 100 }]);
  });

  it("about one thing on which pages disagree", async () => {
    for (let i = 0; i < 70; i++)
      place.put(
        `works/_c/w${i}.json`,
        work(100 + i, `W${i}`, subject(i < 40 ? "fen" : i < 60 ? "bog" : "mire")),
      );
    const { findings } = await build(place);
    expect(findings.filter(({ code }) => code === "inconsistent")).toHaveLength(20);
    expect(more(findings)).toEqual([{ count: 10, limit: 20, of: "inconsistent" }]);
    expect(findings.filter(({ code }) => code === "more-findings").map(severityOf)).toEqual(["warning"]);
    // The manifest contains them, too.
    expect((await build(place)).findings).toEqual(findings);
  });

  it("in every reporter", async () => {
    bog({ description: "</b>".repeat(400) });
    const { findings, pages } = await check(place);
    const silent = Object.entries(reporters).filter(([, reporter]) => {
      const { stdout, stderr } = reporter({ findings, pages, textOf: () => undefined });
      return !/\b300 more\b/.test(stdout + stderr);
    });
    expect(silent).toEqual([]);
  });

  it("in a comparison, too", async () => {
    git(place.folder, "init", "--quiet", "--initial-branch", "main");
    commit(place.folder);
    bog({ description: "</b>".repeat(400) });
    const { findings } = await diff({ content: join(place.folder, "content") });
    expect(more(findings)).toEqual([{ count: 300, limit: 100 }]);
  });
});
