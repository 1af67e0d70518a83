import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findingsPage } from "../build/findings/page.ts";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { command, print } from "./command.ts";

const SUMMARY =
  "Writes docs/findings.md, the page of all findings, from build/findings/catalogue/. Run it after a change there.";

await command({ name: "generate:findings", summary: SUMMARY }, {}, () => {
  writeFileSync(join(PROGRAM_FOLDER, "docs", "findings.md"), findingsPage());
  print("docs/findings.md\n");
});
