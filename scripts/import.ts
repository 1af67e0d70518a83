import { writeFileSync } from "node:fs";
import { parseIds } from "../build/import/api/ids.ts";
import { reportData, summary } from "../build/import/api/report.ts";
import { runImport } from "../build/import/api/run.ts";
import { formatJson } from "../build/json/format.ts";
import { command, CommandError } from "./command.ts";
import { contentFolder, isFolder, refuseReport } from "./importing.ts";
import { print, progressOn } from "./output.ts";

const USAGE = `
Usage: npm run import -- SOURCE --content OUT [--report FILE] [--ids RANGES|FILE] [--concurrency N]

Turns the pages of a running API, such as Wagtail's, into sources that build to the same responses.

  SOURCE           the address that /api/v2/pages/ is below (https://www.example.org), or a folder of saved responses
  --content OUT    where the sources are written: a folder that is empty or not there yet
  --report FILE    where to list, as JSON, every page that is not written, with the reason, and the fields left out
  --ids IDS        the pages to ask for, such as 1-5000,9001, or a file of such; the pages above them are found by
                   themselves. Without it the host's listing says which pages there are
  --concurrency N  questions that are open at the same time (4)

An import that was interrupted goes on where it stopped when the same command is run again.

Exit status: 0 every page is written, 1 some are not (each is listed in the report), 2 nothing could be written.`;

const OPTIONS = {
  content: { type: "string" },
  report: { type: "string" },
  ids: { type: "string" },
  concurrency: { type: "string", default: "4" },
} as const;

await command(USAGE, OPTIONS, async (values, positionals) => {
  const [written, ...more] = positionals;
  if (written === undefined || more.length > 0)
    throw new CommandError("Name one source: the address of an API, or a folder of saved responses.");
  const content = contentFolder(values.content);
  const source = sourceOf(written);
  if (values.ids !== undefined && typeof source === "string")
    throw new CommandError("--ids says which pages to ask a host for; of a folder all responses are read.");
  refuseReport(values.report, content);
  const ids = values.ids === undefined ? undefined : parseIds(values.ids);
  const concurrency = countOf(values.concurrency);

  let bar = progressOn(process.stderr, "Importing");
  const report = await runImport({
    source,
    content,
    ids,
    concurrency,
    progress: (stage) => {
      bar.clear();
      bar = progressOn(process.stderr, stage === "asked" ? "Requested" : "Importing");
      return (done, of) => bar.show?.(done, of);
    },
  }).finally(() => bar.clear());
  if (values.report !== undefined) writeFileSync(values.report, formatJson(reportData(report)));
  print(summary(report));
  return report.left.length > 0 ? 1 : 0;
});

function sourceOf(written: string): URL | string {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(written)) {
    if (!isFolder(written))
      throw new CommandError(
        `${written}: there is no such folder. An address begins with https:// or http://.`,
      );
    return written;
  }
  if (!/^https?:/i.test(written) || !URL.canParse(written))
    throw new CommandError(`${written}: write an address like https://www.example.org`);
  const url = new URL(written);
  if (url.username !== "" || url.password !== "")
    throw new CommandError("An address with a user name or password in it is not asked: leave them out.");
  if (url.search !== "" || url.hash !== "")
    throw new CommandError(`${written}: name the address without what follows ? or #.`);
  const at = url.pathname.search(/\/api(\/|$)/);
  if (at >= 0) url.pathname = url.pathname.slice(0, at);
  return url;
}

function countOf(written: string): number {
  const count = Number(written);
  if (!/^\d+$/.test(written) || count < 1 || count > 32)
    throw new CommandError(`--concurrency ${written}: write a whole number from 1 to 32.`);
  return count;
}
