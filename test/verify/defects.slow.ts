import { describe, expect, it } from "vitest";
import { checkNames, verifyHost, type CheckName } from "../../build/verify/verify.ts";
import { DEFECTS, NOT_FOUND, OF_SEVERAL, withEditor } from "./defects.ts";
import { hosted, type Defect } from "./good-host.ts";
import { IDS } from "./site.ts";
import { withIndex } from "./with-index.ts";

/** A correct host with one planted defect must fail exactly the checks of this defect. */

/** A work has every field and a parent. Pages are checked independently, so more would add nothing. */
const WORK = [31];
const SEVERAL = [2, 4, 31];
const defects = [DEFECTS, OF_SEVERAL].flatMap((table) =>
  Object.entries(table).flatMap(([fails, planted]) =>
    planted.map((defect, k) => ({ fails, k, defect, ids: table === DEFECTS ? WORK : SEVERAL })),
  ),
);

async function failing(ids: number[], defect?: Defect, prefix?: string): Promise<CheckName[]> {
  // Every host responds, but perhaps late on a busy machine.
  const { checks } = await verifyHost(await hosted(defect, prefix), { ids, timeout: 60 });
  return checks.filter(({ status }) => status === "failed").map(({ name }) => name);
}

describe("a planted defect fails exactly its checks", () => {
  it.each(defects)("$fails ($k)", async ({ fails, defect, ids }) => {
    expect(await failing(ids, defect)).toEqual(fails.split(" "));
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
    expect(await failing(IDS, withIndex())).toEqual([]);
    const isFile = withIndex((draft, { path }) => {
      if (/^\/api\/v2\/pages\/(?:find\/)?$/.test(path)) Object.assign(draft, NOT_FOUND);
    });
    expect(await failing(IDS, isFile)).toEqual([]);
  });

  it("may be below a path", async () => {
    expect(await failing(IDS, undefined, "/museum/site")).toEqual([]);
  });
});
