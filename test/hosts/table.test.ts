import { describe, expect, it } from "vitest";
import { isInstalled } from "../../build/hosts/run.ts";
import { between, table } from "../../build/hosts/table.ts";
import { checkNames, checks, type Report, type Status } from "../../build/verify/verify.ts";

const report = (statuses: Partial<Record<string, Status>>): Report => ({
  host: "http://127.0.0.1",
  pages: 1,
  requests: 1,
  hints: [],
  checks: checkNames.map((name) => {
    const { asks, expected } = checks[name];
    return { name, asks, expected, got: "", status: statuses[name] ?? "passed", judged: 1, failed: 0 };
  }),
});

describe("the table of hosts", () => {
  const good = { kind: { name: "Good", limits: {} }, report: report({ draft: "not-applicable" }) };
  const bad = {
    kind: { name: "Bad", limits: { options: "it does not listen", head: "never seen to fail" } },
    report: report({ options: "accepted", listing: "failed" }),
  };
  const lines = table([good, bad]).split("\n");
  const row = (name: string): string | undefined => lines.find((line) => line.startsWith(`| \`${name}\``));

  it("has a row for every check and a cell for every host", () => {
    expect(lines[0]).toBe("| check | expected | Good | Bad |");
    for (const name of checkNames) expect(row(name)).toBeDefined();
    expect(row("page-status")).toMatch(/\| ✓ \| ✓ \|$/);
    expect(row("draft")).toMatch(/\| – \| ✓ \|$/);
    expect(row("listing")).toMatch(/\| ✓ \| FAILED \|$/);
    expect(row("options")).toMatch(/\| ✓ \| no <sup>1<\/sup> \|$/);
  });

  it("gives the reason of each limit that was seen", () => {
    expect(lines).toContain("<sup>1</sup> it does not listen");
    expect(lines.join("\n")).not.toContain("never seen");
  });
});

describe("a document with a table", () => {
  it("keeps all that is not between the marks", () => {
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

describe("a host's program", () => {
  const kind = { name: "x", limits: {}, prepare: () => ({ command: "x", args: [], cwd: "/" }) };

  it("is looked for where programs lie", () => {
    expect(isInstalled(kind)).toBe(true);
    expect(isInstalled({ ...kind, program: "sh" })).toBe(true);
    expect(isInstalled({ ...kind, program: "no-such-server" })).toBe(false);
  });
});
