import { parseIds } from "../build/base/id-ranges.ts";
import { plural, thousands } from "../build/base/numbers.ts";
import { addressOf } from "../build/hosting/http/client.ts";
import { mirror, type MirrorReport } from "../build/exchange/mirror.ts";
import { addressIn, command, CommandError, complain, print, whole, withProgress } from "./command.ts";

/** Maximum number of pages that are listed by id. */
const MAX_LISTED = 20;

await command(
  {
    name: "mirror",
    args: {
      URL: "the URL in front of /api/v2/pages/",
      DIR: "the folder of the copy: a page becomes DIR/api/v2/pages/<id>/index.json",
    },
    summary:
      "Keeps a local copy of every page of a host, from its bulk download: later runs download only what changed. Every\n" +
      "hash is checked, and pages that are no longer published are removed. For a host without a bulk download, use --ids.",
    more: "An interrupted run continues when the same command is run again. docs/bulk.md describes the format.",
    status:
      "0 DIR equals the published pages, 1 something arrived damaged (with --check: something differs), 2 the copy could not be made.",
  },
  {
    bulk: "use the bulk download (default: unless --ids is given)",
    "ids IDS": {
      text: "request these pages one by one, such as 1-5000,9001, or the name of a file of them; other pages in DIR are left as they are",
      parse: parseIds,
    },
    check: "compare only, and write nothing",
    "concurrency N": { text: "run at most N requests at a time", default: "4", parse: whole(1, 32) },
  },
  async (values, [url = "", folder = ""]) => {
    if (values.bulk && values.ids !== undefined)
      throw new CommandError("--bulk and --ids are two ways to get pages: leave one of them out.");
    const { ids, concurrency } = values;
    const options = { url: addressOf(addressIn(url)), folder, ids, isCheck: values.check, concurrency };
    const things = ids === undefined ? "shards" : "pages";
    const report = await withProgress("Comparing", things, (progress) => mirror({ ...options, progress }));
    for (const line of report.damaged) complain(`damaged: ${line}\n`);
    print(values.check ? comparison(report) : `${summary(report)}\n`);
    const differs = values.check && report.written.length + report.removed.length > 0;
    return report.damaged.length > 0 || differs ? 1 : 0;
  },
);

function sent({ requests, bytes }: MirrorReport): string {
  return `${plural(requests, "request")}, ${(bytes / 1e6).toFixed(1)} MB`;
}

function summary(report: MirrorReport): string {
  const { pages, written, removed } = report;
  return `${plural(pages, "page")}: ${thousands(written.length)} written, ${thousands(removed.length)} removed (${sent(report)})`;
}

function comparison(report: MirrorReport): string {
  const { pages, written, removed } = report;
  const lines = [
    ...listed("differs or is missing", written),
    ...listed("is not published any more", removed),
    `${plural(pages, "page")} published: ${thousands(written.length)} to be written, ${thousands(removed.length)} to be removed (${sent(report)})`,
  ];
  return `${lines.join("\n")}\n`;
}

function listed(what: string, ids: readonly number[]): string[] {
  return [
    ...ids.slice(0, MAX_LISTED).map((id) => `page ${id} ${what}`),
    ...(ids.length > MAX_LISTED ? [`${plural(ids.length - MAX_LISTED, "more page")} ${what}`] : []),
  ];
}
