import { describe, expect, it } from "vitest";
import { API } from "../../../build/base/api.ts";
import type { Host } from "../../../build/hosting/config/host.ts";
import { testHost, whileServed, type PublishedHost } from "./host-test.ts";
import type { HostReport, Status } from "../../../build/verify/verify.ts";
import { DEFECTS } from "./defects.ts";
import { missing } from "./installed.ts";

const named = ({ checks }: HostReport, ...wanted: Status[]): string[] =>
  checks.filter(({ status }) => wanted.includes(status)).map(({ name, got }) => `${name}: ${got}`);

const namesOf = (lines: string[]): string[] => lines.map((line) => line.slice(0, line.indexOf(":"))).sort();

/** Files of tests run side by side, so each has a first port of its own. */
export function testHosts(hosts: readonly (Host | PublishedHost)[], first: number): void {
  for (const host of hosts) {
    const reason = missing(host);

    describe.skipIf(reason !== undefined)(
      `${host.title}${reason === undefined ? "" : ` (${reason})`}`,
      () => {
        it("keeps the contract, except for known limits", async () => {
          const report = await testHost(host, undefined, first);
          expect(named(report, "failed")).toEqual([]);
          expect(namesOf(named(report, "accepted"))).toEqual(Object.keys(host.limits).sort());
        });

        it("redirects to a path alone, because a proxy in front of it may have another scheme and name", () =>
          whileServed(host, { first }, async (base) => {
            const { headers } = await fetch(new URL(`${API}3?a=b`, base), { redirect: "manual" });
            expect(headers.get("Location") ?? `${API}3/?a=b`).toBe(`${API}3/?a=b`);
          }));

        it("refuses no path: folders, paths behind a file and very long names do not exist", () =>
          whileServed(host, { first }, async (base) => {
            for (const path of ["browse/", "openapi.json/x", "index.html/", "a".repeat(300)])
              expect(await fetch(new URL(path, base))).not.toHaveProperty("status", 403);
          }));

        it.each(DEFECTS[host.name] ?? [])("fails with the defect: $name", async (defect) => {
          const report = await testHost(host, defect, first);
          expect(namesOf(named(report, "failed"))).toContain(defect.fails);
        });
      },
    );
  }
}
