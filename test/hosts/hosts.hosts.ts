import { describe, expect, it } from "vitest";
import { examine } from "../../build/hosts/prove.ts";
import { kinds } from "../../build/hosts/kinds.ts";
import { isInstalled } from "../../build/hosts/run.ts";
import type { Report, Status } from "../../build/verify/verify.ts";
import { defects } from "./defects.ts";

const named = ({ checks }: Report, ...wanted: Status[]): string[] =>
  checks.filter(({ status }) => wanted.includes(status)).map(({ name, got }) => `${name}: ${got}`);

const namesOf = (lines: string[]): string[] => lines.map((line) => line.slice(0, line.indexOf(":"))).sort();

/** In CI a host that could not be started has not been proven. */
const mayBeMissing = process.env["CI"] === undefined;

for (const kind of kinds) {
  const missing = isInstalled(kind)
    ? undefined
    : `${kind.program} is missing: apt-get install ${kind.package}`;

  describe.skipIf(missing !== undefined && mayBeMissing)(
    `${kind.name}${missing === undefined ? "" : ` (${missing})`}`,
    () => {
      it("keeps the contract, but for the limits that are known", async () => {
        expect(missing).toBeUndefined();
        const report = await examine(kind);
        expect(named(report, "failed")).toEqual([]);
        expect(namesOf(named(report, "accepted"))).toEqual(Object.keys(kind.limits).sort());
      });

      it.each(defects[kind.name] ?? [])("is caught with $name", async ({ plant, fails }) => {
        expect(missing).toBeUndefined();
        const report = await examine(kind, { plant });
        expect(namesOf(named(report, "failed"))).toContain(fails);
      });
    },
  );
}

it("has a header, a listing or error page, and a rewrite to break for every host", () => {
  expect(Object.keys(defects)).toEqual(kinds.map(({ name }) => name));
  for (const planted of Object.values(defects)) expect(planted).toHaveLength(3);
});
