import { describe, expect, it } from "vitest";
import { listSources } from "../../build/source/find.ts";
import { findSlugClashes } from "../../build/model/tree.ts";

const stat = { size: 0, mtime: 0, ctime: 0, inode: 0, racy: false };

/** The source index of a content folder with these file names, in two grouping folders of one folder. */
function listed(first: string[], second: string[]) {
  const tree: Record<string, { files: string[]; folders: string[] }> = {
    "": { files: ["_site.json", "index.json"], folders: ["works"] },
    works: { files: ["index.json"], folders: ["_first", "_second"] },
    "works/_first": { files: first, folders: [] },
    "works/_second": { files: second, folders: [] },
  };
  const read = (path: string) => ({ ...(tree[path] ?? { files: [], folders: [] }), stat, findings: [] });
  return listSources(read).listing;
}

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `${prefix}-${String(k).padStart(5, "0")}.json`);

describe("a source index", () => {
  it("keeps thousands of names, even if a draft's name has more bytes than letters", () => {
    const first = ["_Kähne – ein Entwurf.json", ...numbered("work", 5000)];
    const second = ["_夜.json", ...numbered("study", 5000)];
    const listing = listed(first, second);
    const names = Array.from({ length: listing.count }, (_, i) => listing.name(i));
    expect(names).toEqual(["index.json", "index.json", ...first, ...second]);
    expect(listing.kind(2)).toBe("draft");
    expect(listing.path(2)).toBe("works/_first/_Kähne – ein Entwurf.json");
    expect(findSlugClashes(listing)).toEqual([]);
  });

  it("finds the only slug that two of thousands share, regardless of case", () => {
    const listing = listed(
      [...numbered("work", 5000), "z-Last.json"],
      [...numbered("study", 5000), "Z-laST.json"],
    );
    expect(findSlugClashes(listing).map(({ code, place }) => `${code} ${place.file}`)).toEqual([
      "slug-clash works/_first/z-Last.json",
      "slug-clash works/_second/Z-laST.json",
    ]);
  });
});
