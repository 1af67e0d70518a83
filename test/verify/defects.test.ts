import { describe, expect, it } from "vitest";
import { checkNames, holds, verifyHost, type CheckName } from "../../build/verify/verify.ts";
import { ofPages } from "./defects/pages.ts";
import { ofRefusals, withEditor } from "./defects/refusals.ts";
import { ofVariants } from "./defects/variants.ts";
import { runHost, type Defect } from "./good-host.ts";
import { IDS } from "./site.ts";

/** A host that is right but for one planted defect must fail exactly the checks that are named for it. */

/**
 * A work, which has every field and a page above it. Each page is asked the same questions, and judged without regard to
 * the others but for the one above: more pages would only be more of the same.
 */
const WORK = [31];
const defects = { ...ofPages, ...ofVariants, ...ofRefusals };

async function failing(ids: number[], defect?: Defect): Promise<CheckName[]> {
  const host = await runHost(defect);
  try {
    const { checks } = await verifyHost(host.url, { ids, timeout: 5 });
    return checks.filter(({ status }) => status === "failed").map(({ name }) => name);
  } finally {
    await host.close();
  }
}

describe("a planted defect fails exactly the check for it", () => {
  it.each(Object.entries(defects))("%s", async (_name, { defect, fails, ids }) => {
    expect(await failing(ids ?? WORK, defect)).toEqual(fails);
  });

  it("leaves no check without a defect that fails it", () => {
    const provoked = new Set(Object.values(defects).flatMap(({ fails }) => fails));
    // Those with a build, with drafts, and of hosts that do not answer have tests of their own.
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

  it("may live below a path", async () => {
    const host = await runHost(undefined, "/museum/site");
    const report = await verifyHost(host.url, { ids: IDS });
    await host.close();
    expect(report.checks.filter(({ status }) => status === "failed")).toEqual([]);
    expect(holds(report)).toBe(true);
  });
});
