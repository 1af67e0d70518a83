import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatJson } from "../../../build/source/json/format.ts";
import { write } from "../../site/site.ts";
import { runsOf } from "../../runs.ts";
import { built, expectWayBack, imported, place } from "./site.ts";
import { extremeSites } from "./sites.ts";

describe("any site, built, imported and built again", () => {
  it("has the same bytes, and no page is left out", async () => {
    await fc.assert(
      fc.asyncProperty(extremeSites, async (sources) => {
        const at = place();
        try {
          const content = join(at.folder, "sources");
          for (const [path, source] of Object.entries(sources)) write(content, path, formatJson(source));
          const out = await built(at, content, join(at.folder, "public"));
          const report = await imported(at, out);
          expect(report.left).toEqual([]);
          const { fields, added, reordered, respelt } = report;
          expect([fields.size, added.size, reordered, respelt]).toEqual([0, 0, 0, 0]);
          await expectWayBack(at, out);
        } finally {
          at.remove();
        }
      }),
      { numRuns: runsOf(15), endOnFailure: true },
    );
  });
});
