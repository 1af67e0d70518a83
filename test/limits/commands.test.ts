import { expect, it } from "vitest";
import { usageText } from "../../scripts/usage.ts";

it("a table of options is up to 118 columns wide", () => {
  // The first column has 2 spaces, the option, and 2 more.
  const before = "  --name  ".length;
  const printed = (columns: number): string => {
    const description = `${"a".repeat(columns - before - 2)} b`;
    return usageText(
      { name: "test", summary: "" },
      { name: { type: "boolean", default: false, description } },
    );
  };
  expect(printed(118)).toMatch(/a b/);
  expect(printed(119)).not.toMatch(/a b/);
});
