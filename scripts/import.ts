import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { siteFolder } from "../build/base/folders.ts";
import { parseIds } from "../build/base/id-ranges.ts";
import { plural } from "../build/base/numbers.ts";
import { isFolder, statIfThere } from "../build/base/file.ts";
import { isError, messageOf } from "../build/findings/finding.ts";
import { printable } from "../build/findings/printable.ts";
import { apiPathAt } from "../build/hosting/http/client.ts";
import { reportData, summary } from "../build/exchange/api/report.ts";
import { runImport } from "../build/exchange/api/import.ts";
import { check } from "../build/site/check.ts";
import { formatJson } from "../build/source/json/format.ts";
import { command, CommandError, complain, print, progressOn, refuseUseless, whole } from "./command.ts";
import { importOptions, refuseReport } from "./importing.ts";

const STAGES = { requested: "Requested", read: "Importing", copied: "Copied" };

await command(
  {
    name: "import",
    args: {
      SOURCE: "the URL in front of /api/v2/pages/ (https://www.example.org), or a folder of saved responses",
    },
    summary:
      "Turns the pages of a running API, such as Wagtail's, into sources that build to the same responses.",
    more: "To continue an interrupted import, run the same command again.",
    status:
      "0 every page is written and the sources have no errors, 1 some pages are not written (each is listed in the report) or the sources have errors, 2 nothing could be written.",
  },
  {
    ...importOptions,
    "report FILE":
      "write the list of pages that are not written, with the reasons, of the fields left out, and of the guesses in _types.json, to this file as JSON",
    "ids IDS": {
      text: "the pages to request, such as 1-5000,9001, or a file with such a list; the import finds their parent pages (default: the pages that the host lists)",
      parse: parseIds,
    },
    "types [FILE]":
      "declare the page types and fields of the responses in _types.json, and import all of them; with FILE, as that file declares them (default: the program's own types, or the _types.json in OUT)",
    "concurrency N": { text: "run at most N requests at a time", default: "4", parse: whole(1, 32) },
  },
  async (values, [written = ""]) => {
    const site = siteFolder();
    const { content, types, ids, concurrency } = values;
    const source = sourceOf(written);
    if (values.ids !== undefined && typeof source === "string")
      throw new CommandError(
        "--ids selects the pages to request from a host; from a folder, all responses are read.",
      );
    if (typeof source === "string") refuseUseless(["concurrency"], "a folder of responses");
    refuseReport(values.report, content);
    if (typeof types === "string" && statIfThere(types)?.type !== "file")
      throw new CommandError(
        `${types}: there is no such file. To infer the types, write --types at the end of the command.`,
      );

    let bar = progressOn("Importing");
    const report = await runImport({
      cache: join(site.site, ".cache", "imports"),
      source,
      content,
      types,
      ids,
      concurrency,
      progress: (stage) => {
        bar.clear();
        bar = progressOn(STAGES[stage], stage === "copied" ? "images" : "pages");
        return (done, of) => bar.show?.(done, of);
      },
    }).finally(() => bar.clear());
    print(summary(report));
    if (values.report !== undefined) writeFileSync(values.report, formatJson(reportData(report)));
    if (report.written === 0) {
      complain(`No page could be written, so ${content} is as it was.\n`);
      return 2;
    }
    const { findings } = await check({ content, headersFile: site.headersFile });
    const errors = findings.filter(isError);
    if (errors.length > 0)
      complain(
        `The sources have ${plural(errors.length, "error")}: npm run check -- --content ${printable(content)} lists them. The first is:\n${errors.slice(0, 1).map(messageOf).join("")}\n`,
      );
    return report.left.length > 0 || errors.length > 0 ? 1 : 0;
  },
);

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
    throw new CommandError("Leave the user name and the password out of the address.");
  if (url.search !== "" || url.hash !== "")
    throw new CommandError(`${written}: give the URL without “?” or “#” and the part after it.`);
  const at = apiPathAt(url.pathname);
  if (at >= 0) url.pathname = url.pathname.slice(0, at);
  return url;
}
