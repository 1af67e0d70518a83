import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { reportData, summary } from "../build/exchange/tate/report.ts";
import { isFolder } from "../build/base/stat.ts";
import { DEFAULT_SITE, importTate } from "../build/exchange/tate/tate.ts";
import { formatJson } from "../build/source/json/format.ts";
import { onlyArgument } from "./arguments.ts";
import { CommandError, command } from "./command.ts";
import { contentFolder, importOptions, refuseReport } from "./importing.ts";
import { print, progressOn } from "./output.ts";
import { valued } from "./usage.ts";

await command(
  {
    name: "import:tate",
    args: { DIR: "the checkout: the folder that contains artworks/ and artists/" },
    summary:
      "Turns a checkout of Tate's open collection data (github.com/tategallery/collection) into page sources.",
    status: "0 imported, 2 it could not be done.",
  },
  {
    ...importOptions,
    report: valued("FILE", "write the list of works without a page, with the reasons, to this file as JSON"),
    "base-url": valued("URL", "write this URL of the future API to _site.json", DEFAULT_SITE.base_url),
    "site-url": valued("URL", "write this URL of the website to _site.json", DEFAULT_SITE.site_url),
    "media-url": valued("URL", "write this URL of the images to _site.json", DEFAULT_SITE.media_url),
  },
  (values, positionals) => {
    const from = onlyArgument(positionals, "Name one folder: the checkout of the data.");
    const content = contentFolder(values.content);
    const site = {
      base_url: urlOf("--base-url", values["base-url"]),
      site_url: urlOf("--site-url", values["site-url"]),
      media_url: urlOf("--media-url", values["media-url"]),
    };
    refuseWrongData(from);
    refuseReport(values.report, content);

    const progress = progressOn(process.stderr, "Importing", "works");
    let report;
    try {
      report = importTate(from, content, site, (done, of) => progress.show?.(done, of));
    } finally {
      progress.clear();
    }
    print(summary(report));
    if (values.report !== undefined) writeFileSync(values.report, formatJson(reportData(report)));
    return 0;
  },
);

function urlOf(option: string, written: string): string {
  const url = written.replace(/\/$/, "");
  if (!/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(url) || url.endsWith("/") || !URL.canParse(url))
    throw new CommandError(`${option} ${written}: write an address like https://www.example.org`);
  return url;
}

function refuseWrongData(from: string): void {
  for (const folder of ["artworks", "artists"])
    if (!isFolder(join(from, folder)))
      throw new CommandError(`${from}: there is no folder ${folder}/ in it.`);
}
