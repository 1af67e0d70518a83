import { describe, expect, it } from "vitest";
import { hintOf, type Finding } from "../../build/findings/finding.ts";
import { build } from "../../build/site/build.ts";
import { work, placeWith, write, type Workplace } from "./site.ts";

const writeWork = ({ content }: Workplace, k: number, more: object): void =>
  write(content, `works/_c/work-${100 + k}.json`, work(100 + k, "Many", more));

const link = (text: string) => ({ description: `<a href="/visit/caffe/">${text}</a>` });

/** The findings of a build that reads only some pages, which a full build must find too. */
async function findingsAfter(place: Workplace, edit: () => void): Promise<Finding[]> {
  await build(place);
  edit();
  const { findings } = await build(place);
  expect(findings).toEqual((await build({ ...place, full: true })).findings);
  return findings;
}

describe("of many findings, whether or not a build reads the other pages,", () => {
  it("the same dead links have a suggestion", async () => {
    const place = placeWith("dead-links");
    // More than those for which the nearest page is searched.
    for (let k = 0; k < 60; k++) writeWork(place, k, link("a"));
    const findings = await findingsAfter(place, () => writeWork(place, 59, link("b")));
    const dead = findings.filter(({ code }) => code === "dead-link");
    expect(new Set(dead.map((one) => hintOf(one).startsWith("Did you mean")))).toEqual(
      new Set([true, false]),
    );
  });

  it("the same contradictions are listed", async () => {
    const place = placeWith("contradictions");
    const ids = Array.from({ length: 60 }, (_, k) => 1000 + k);
    const subjects = (k: number, of = ids) => ({
      subjects: of.map((id) => ({
        id,
        name: `${k % 2 === 0 ? "reed" : "rush"} ${id}`,
        level: 1,
        parent_id: 9,
      })),
    });
    for (let k = 0; k < 50; k++) writeWork(place, k, subjects(k));
    const findings = await findingsAfter(place, () => {
      for (const k of [48, 49]) writeWork(place, k, subjects(k, ids.toReversed()));
    });
    const listed = findings.filter(({ code }) => code === "inconsistent").length;
    expect(listed).toBeGreaterThan(900);
    expect(listed).toBeLessThan(20 * ids.length);
  });
});
