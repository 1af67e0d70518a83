import { writeFileSync } from "node:fs";
import { documentsIn } from "../build/import/api/documents.ts";
import { importResponses } from "../build/import/api/import.ts";
import { Report, reportData, summary } from "../build/import/api/report.ts";
import { progressOn } from "../build/import/progress.ts";
import { SourceWriter } from "../build/import/writer.ts";
import { formatJson } from "../build/source/format.ts";
import { command, CommandError } from "./command.ts";

await command("Usage", { content: { type: "string" }, report: { type: "string" } }, (values, [from]) => {
  const writer = new SourceWriter(values.content ?? "");
  const report = new Report();
  const progress = progressOn(process.stderr, "responses");
  importResponses({ documents: documentsIn(from ?? ""), writer, report, progress: progress.show });
  writer.commit();
  if (values.report !== undefined) writeFileSync(values.report, formatJson(reportData(report)));
  process.stdout.write(summary(report));
  return report.left.length > 0 ? 1 : 0;
});
