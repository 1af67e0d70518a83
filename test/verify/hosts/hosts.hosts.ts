import { describe, expect, it } from "vitest";
import { hosts } from "../../../build/hosting/config/index.ts";
import { proveHost } from "../../../build/verify/hosts/prove.ts";
import type { HostReport, Status } from "../../../build/verify/verify.ts";
import { bucketHosts } from "../../release/hosts.ts";
import { missing } from "./installed.ts";

const named = ({ checks }: HostReport, ...wanted: Status[]): string[] =>
  checks.filter(({ status }) => wanted.includes(status)).map(({ name, got }) => `${name}: ${got}`);

const namesOf = (lines: string[]): string[] => lines.map((line) => line.slice(0, line.indexOf(":"))).sort();

for (const host of [...hosts, ...bucketHosts]) {
  const reason = missing(host);

  describe.skipIf(reason !== undefined)(`${host.title}${reason === undefined ? "" : ` (${reason})`}`, () => {
    it("keeps the contract, except for known limits", async () => {
      const report = await proveHost(host);
      expect(named(report, "failed")).toEqual([]);
      expect(namesOf(named(report, "accepted"))).toEqual(Object.keys(host.limits).sort());
    });

    it.each(host.defects)("fails with the defect: $name", async (defect) => {
      const report = await proveHost(host, defect);
      expect(namesOf(named(report, "failed"))).toContain(defect.fails);
    });
  });
}
