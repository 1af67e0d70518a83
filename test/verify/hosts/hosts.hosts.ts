import { describe, expect, it } from "vitest";
import { hosts } from "../../../build/hosting/config/index.ts";
import { proveHost } from "../../../build/verify/hosts/prove.ts";
import { isInstalled } from "../../../build/verify/hosts/run.ts";
import type { HostReport, Status } from "../../../build/verify/verify.ts";
import { bucketHosts } from "../../release/hosts.ts";

const named = ({ checks }: HostReport, ...wanted: Status[]): string[] =>
  checks.filter(({ status }) => wanted.includes(status)).map(({ name, got }) => `${name}: ${got}`);

const namesOf = (lines: string[]): string[] => lines.map((line) => line.slice(0, line.indexOf(":"))).sort();

/** In CI a host that could not be started has not been proven. */
const mayBeMissing = process.env["CI"] === undefined;

for (const host of [...hosts, ...bucketHosts]) {
  const missing = isInstalled(host)
    ? undefined
    : `${host.program?.name} is missing: apt-get install ${host.program?.package}`;

  describe.skipIf(missing !== undefined && mayBeMissing)(
    `${host.title}${missing === undefined ? "" : ` (${missing})`}`,
    () => {
      it("keeps the contract, but for the limits that are known", async () => {
        expect(missing).toBeUndefined();
        const report = await proveHost(host);
        expect(named(report, "failed")).toEqual([]);
        expect(namesOf(named(report, "accepted"))).toEqual(Object.keys(host.limits).sort());
      });

      it.each(host.defects)("is caught with $name", async (defect) => {
        expect(missing).toBeUndefined();
        const report = await proveHost(host, defect);
        expect(namesOf(named(report, "failed"))).toContain(defect.fails);
      });
    },
  );
}
