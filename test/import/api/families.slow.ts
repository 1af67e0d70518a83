import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { generatedSite, writeSources } from "../../../scripts/bench/input/site.ts";
import { groupOf } from "../../../build/import/api/tree.ts";
import { acnoNumber } from "../../../build/import/api/outline.ts";
import { filesBelow } from "../../files.ts";
import { built, expectWayBack, imported, place, type Place } from "./site.ts";

describe("large families", () => {
  let at: Place;
  beforeEach(() => void (at = place()));
  afterEach(() => at.remove());

  it("are in grouping folders of at most 500 files, and stay there as the family grows", async () => {
    const sources = join(at.folder, "sources");
    writeSources(sources, generatedSite(1203));
    const out = await built(at, sources, join(at.folder, "public"));
    await imported(at, out);
    await expectWayBack(at, out);
    const all = filesBelow(at.content);
    const counts = new Map<string, number>();
    for (const path of all) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(500);
    expect(
      Math.min(...[...counts].filter(([path]) => path.includes("/_")).map(([, n]) => n)),
    ).toBeGreaterThan(200);

    const fewer = join(at.folder, "fewer");
    cpSync(out, fewer, { recursive: true });
    for (let id = 1100; id < 1500; id++)
      rmSync(join(fewer, `api/v2/pages/${id}`), { recursive: true, force: true });
    const other = { ...at, content: join(at.folder, "other") };
    await imported(other, fewer);
    const before = filesBelow(other.content);
    expect(before.length).toBeLessThan(all.length);
    expect(before.filter((path) => !all.includes(path))).toEqual([]);
  });

  it("are grouped by accession number, or by id if there is none", () => {
    expect(groupOf({ acno: acnoNumber("D00000"), id: 7 })).toBe("_d00000-d00499");
    expect(groupOf({ acno: acnoNumber("z99999"), id: 7 })).toBe("_z99500-z99999");
    expect(groupOf({ acno: 0, id: 500 })).toBe("_500-999");
  });
});
