import { describe, expect, it } from "vitest";
import { hosts } from "../../../build/hosting/config/index.ts";
import { between, table } from "./table.ts";
import {
  checkNames,
  checks,
  isCheckName,
  type HostReport,
  type Status,
} from "../../../build/verify/verify.ts";

const report = (statuses: Partial<Record<string, Status>>): HostReport => ({
  host: "http://127.0.0.1",
  pages: 1,
  requests: 1,
  hints: [],
  checks: checkNames.map((name) => {
    const [asks, expected] = checks[name];
    return { name, asks, expected, got: "", status: statuses[name] ?? "passed", judged: 1, failed: 0 };
  }),
});

describe("the table of hosts", () => {
  const good = { host: { title: "Good", limits: {} }, report: report({ listing: "not-applicable" }) };
  const bad = {
    host: { title: "Bad", limits: { options: "it does not listen", head: "never seen to fail" } },
    report: report({ options: "accepted", listing: "failed" }),
  };
  const lines = table([good, bad]).split("\n");
  const row = (name: string): string | undefined => lines.find((line) => line.startsWith(`| \`${name}\``));

  it("has a row for every check that a host fails, and the names of the others", () => {
    expect(lines[0]).toBe("| check | expected | Good | Bad |");
    expect(row("listing")).toMatch(/\| – \| FAILED \|$/);
    expect(row("options")).toMatch(/\| ✓ \| no <sup>1<\/sup> \|$/);
    const named = checkNames.filter((name) => name !== "listing" && name !== "options");
    expect(lines.at(-1)).toBe(`${named.map((name) => `\`${name}\``).join(", ")}.`);
  });

  it("has the reason of each measured limit", () => {
    expect(lines).toContain("<sup>1</sup> it does not listen");
    expect(lines.join("\n")).not.toContain("never seen");
  });
});

describe("a document with a table", () => {
  it("keeps all text outside the marks", () => {
    const document = "before\n<!-- hosts:start -->\nold\n<!-- hosts:end -->\nafter\n";
    const once = between(document, "new");
    expect(once).toBe("before\n<!-- hosts:start -->\n\nnew\n\n<!-- hosts:end -->\nafter\n");
    expect(between(once ?? "", "new")).toBe(once);
  });

  it.each(["", "<!-- hosts:start -->", "<!-- hosts:end --><!-- hosts:start -->"])(
    "needs both marks: %j",
    (document) => {
      expect(between(document, "new")).toBeUndefined();
    },
  );
});

describe.each(hosts)("the record of $title", ({ name, title, limits }) => {
  it("has names that no other host has", () => {
    expect(hosts.filter((other) => other.name === name || other.title === title)).toHaveLength(1);
  });

  it("contains only names of checks", () => {
    expect(Object.keys(limits).filter((check) => !isCheckName(check))).toEqual([]);
  });
});
