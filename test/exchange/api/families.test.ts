import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { groupOf, responseTree, type PageOutline } from "../../../build/exchange/api/tree.ts";
import { ImportReport } from "../../../build/exchange/api/report.ts";
import { programModel } from "../../../build/model/program-model.ts";

const outline = (id: number, more: Partial<PageOutline>): PageOutline => ({
  response: { path: "", name: "", start: 0 },
  id,
  type: "artworks.ArtworkIndexPage",
  parent: "none",
  slug: `works-${id}`,
  acno: "",
  address: undefined,
  locale: undefined,
  translations: undefined,
  shown: { type: "artworks.ArtworkIndexPage", detail_url: "", html_url: "", title: "" },
  ...more,
});

/** The paths of a home page's subpages with these ids. */
function pathsOf(ids: readonly number[]): string[] {
  const home = outline(1, { type: programModel.root });
  const pages = [home, ...ids.map((id) => outline(id, { parent: { id: 1 } }))];
  const paths: string[] = [];
  const tree = responseTree({ types: programModel, pages });
  tree.place(new ImportReport(), [home], new Set(), ({ path }) => paths.push(path) > 0);
  return paths.filter((path) => path !== "index.json");
}

describe("large families", () => {
  it("are in grouping folders of at most 500 files, and stay there as the family grows", () => {
    const ids = Array.from({ length: 1203 }, (_, k) => 1000 + k);
    const all = pathsOf(ids);
    const counts = new Map<string, number>();
    for (const path of all) {
      const group = dirname(path).split("/")[0] ?? "";
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    expect([...counts]).toEqual([
      ["_1000-1499", 500],
      ["_1500-1999", 500],
      ["_2000-2499", 203],
    ]);
    const fewer = pathsOf(ids.filter((id) => id < 1100 || id >= 1500));
    expect(fewer.filter((path) => !all.includes(path))).toEqual([]);
    expect(pathsOf(ids.slice(0, 500)).some((path) => path.startsWith("_"))).toBe(false);
  });

  it("are grouped by accession number, or by id if there is none", () => {
    expect(groupOf({ acno: "D00000", id: 7 })).toBe("_d00000-d00499");
    expect(groupOf({ acno: "Z99999", id: 7 })).toBe("_z99500-z99999");
    expect(groupOf({ acno: "", id: 500 })).toBe("_500-999");
  });
});
