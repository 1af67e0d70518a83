import { describe, expect, it } from "vitest";
import { checkNames, verifyHost, type CheckName } from "../../build/verify/verify.ts";
import { DEFECTS, NOT_FOUND, OF_SEVERAL, WITH_INDEX, withEditor } from "./defects.ts";
import { hosted, IDS, IDS_WITH_CY, placeOfSite, type Defect } from "./good-host.ts";

/** A correct host with one planted defect must fail exactly the checks of this defect. */

/** A work has every field and a parent. Pages are checked independently, so more would add nothing. */
const WORK = [31];
const SEVERAL = [2, 4, 31];
const index = true;
const defects = (
  [
    [DEFECTS, WORK, {}],
    [OF_SEVERAL, SEVERAL, {}],
    [WITH_INDEX, SEVERAL, { index }],
  ] as const
).flatMap(([table, ids, options]) =>
  Object.entries(table).flatMap(([fails, planted]) =>
    planted.map((defect, k) => ({ fails, k, ids, of: [defect, options] as const })),
  ),
);

/** Of a site with languages, whose pages have fields of their own. */
const { content } = placeOfSite(index);

async function failing(ids: readonly number[], ...of: Parameters<typeof hosted>): Promise<CheckName[]> {
  // Every host responds, but perhaps late on a busy machine.
  const { checks } = await verifyHost(await hosted(...of), {
    ids,
    timeout: 60,
    ...(of[1]?.index === true && { content }),
  });
  return checks.filter(({ status }) => status === "failed").map(({ name }) => name);
}

const withoutLists: Defect = (draft, { path }) => {
  if (/^\/api\/v2\/pages\/(?:find\/)?$/.test(path)) Object.assign(draft, NOT_FOUND);
};

describe("a planted defect fails exactly its checks", () => {
  it.each(defects)("$fails ($k)", async ({ fails, ids, of }) => {
    expect(await failing(ids, ...of)).toEqual(fails.split(" "));
  });

  it("cover every check", () => {
    const provoked = new Set<string>(defects.flatMap(({ fails }) => fails.split(" ")));
    // Other tests cover the checks with a build, with drafts, and of hosts that do not respond.
    const elsewhere = ["answers", "page-bytes", "draft"];
    expect(checkNames.filter((name) => !provoked.has(name))).toEqual(elsewhere);
  });
});

describe("a host that keeps the contract", () => {
  it("passes every check", async () => {
    expect(await failing(IDS)).toEqual([]);
  });

  it("may have an editor", async () => {
    expect(await failing(WORK, withEditor())).toEqual([]);
  });

  it("may have files for websites, with a program for lists and without", async () => {
    expect(await failing(IDS_WITH_CY, undefined, { index })).toEqual([]);
    expect(await failing(IDS_WITH_CY, withoutLists, { index })).toEqual([]);
  });

  it("may be below a path", async () => {
    expect(await failing(IDS, undefined, { prefix: "/museum/site" })).toEqual([]);
  });
});
