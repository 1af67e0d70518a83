import { afterEach, describe, expect, it } from "vitest";
import { advice, human, markdown, summary } from "../../build/verify/report.ts";
import { verifyHost, type CheckName, type HostReport } from "../../build/verify/verify.ts";
import { runHost, type Defect, type Running } from "./good-host.ts";

let host: Running | undefined;

afterEach(async () => {
  await host?.close();
});

async function reportOf(defect: Defect, accept: CheckName[] = []): Promise<HostReport> {
  host = await runHost(defect);
  const report = await verifyHost(host.url, { ids: [2], accept });
  await host.close();
  return report;
}

const evil: Defect = (draft, { path }) => {
  if (path === "/_headers") Object.assign(draft, { status: 200, body: "| <b>`*_x_*`</b> |\n\u001b[31m" });
};

describe("a report", () => {
  it("fits into the width of a terminal", async () => {
    const lines = human(await reportOf(evil), 100).split("\n");
    expect(lines.slice(0, -1).filter((line) => line.length > 100)).toEqual([]);
  });

  it("shows a host's bytes as text, and not as markup or commands", async () => {
    const report = await reportOf(evil);
    expect(human(report)).not.toContain("\u001b");
    const row = markdown(report)
      .split("\n")
      .find((line) => line.startsWith("| `leaks`"));
    expect(row).toContain("\\| &lt;b>\\`\\*\\_x\\_\\*\\`&lt;/b> \\|");
    expect(row?.split(/(?<!\\)\|/).length).toBe(5);
  });

  it("has a summary, and lists options that are no longer needed", async () => {
    const report = await reportOf(evil, ["leaks", "options"]);
    expect(summary(report)).toMatch(
      /: \d+ checks passed, 0 failed, 1 failed as accepted, \d+ not applicable/,
    );
    expect(advice(report)).toEqual(["options passes: --accept options is no longer needed."]);
  });
});
