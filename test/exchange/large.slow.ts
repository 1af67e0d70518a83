import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine } from "../command.ts";
import { workplace, writeEmptySite } from "../site/site.ts";

const MODULE = `export default {
  name: "works",
  records: "works.csv",
  key: ({ No }) => No,
  page: ({ No, Title }) => No % 100_000 === 0
    ? { parent: "/", slug: "n" + No, meta: { type: "standardpages.GeneralPage" }, title: Title }
    : undefined,
};
`;

it("an export that is larger than the memory is read", () => {
  const { folder, content } = workplace("large");
  writeEmptySite(content);
  writeFileSync(join(folder, "works.mjs"), MODULE);
  writeFileSync(join(folder, "works.csv"), "No,Title,Notes\n");
  const notes = "A “note”, with its history. ".repeat(8);
  for (let k = 0; k < 400_000; k += 1000) {
    const rows = Array.from({ length: 1000 }, (_, j) => `${k + j},Mill ${k + j},"${notes}"\n`);
    appendFileSync(join(folder, "works.csv"), rows.join(""));
  }
  const printed = execFileSync(
    process.execPath,
    ["--max-old-space-size=72", ...commandLine("sync", "works.mjs", "--content", content)],
    { cwd: folder, encoding: "utf8" },
  );
  expect(printed).toContain("400,000 records of works\n4 pages new\n");
});
