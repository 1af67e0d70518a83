import { beforeAll, describe, expect, it } from "vitest";
import { API } from "../../../build/base/api.ts";
import type { Host } from "../../../build/hosting/config/host.ts";
import { verifyServed, whileServed, type PublishedHost } from "./host-test.ts";
import type { HostReport, Status } from "../../../build/verify/verify.ts";
import { missing } from "./installed.ts";

const named = ({ checks }: HostReport, ...wanted: Status[]): string[] =>
  checks.filter(({ status }) => wanted.includes(status)).map(({ name, got }) => `${name}: ${got}`);

const namesOf = (lines: string[]): string[] => lines.map((line) => line.slice(0, line.indexOf(":"))).sort();

/** Folders behind which there is no file, a path behind a file and a very long name. */
const NOWHERE = ["browse/", "openapi.json/x", "index.html/", "a".repeat(300)];

/** Files of tests run side by side, so each has a first port of its own. */
export function testHosts(hosts: readonly (Host | PublishedHost)[], first: number): void {
  for (const host of hosts) {
    const reason = missing(host);

    describe.skipIf(reason !== undefined)(
      `${host.title}${reason === undefined ? "" : ` (${reason})`}`,
      () => {
        let report: HostReport;
        let redirect: string | null;
        let statuses: number[];

        beforeAll(() =>
          whileServed(host, { first }, async (base, out) => {
            const page = await fetch(new URL(`${API}3?a=b`, base), { redirect: "manual" });
            redirect = page.headers.get("Location");
            statuses = await Promise.all(
              NOWHERE.map(async (path) => (await fetch(new URL(path, base))).status),
            );
            report = await verifyServed(host, base, out);
          }),
        );

        it("keeps the contract, except for known limits", () => {
          expect(named(report, "failed")).toEqual([]);
          expect(named(report, "passed").length).toBeGreaterThan(30);
          expect(namesOf(named(report, "accepted"))).toEqual(Object.keys(host.limits).sort());
        });

        it("redirects to a path alone, because a proxy in front of it may have another scheme and name", () => {
          expect(redirect ?? `${API}3/?a=b`).toBe(`${API}3/?a=b`);
        });

        it("refuses no path: folders, paths behind a file and very long names do not exist", () => {
          expect(statuses).not.toContain(403);
        });
      },
    );
  }
}
