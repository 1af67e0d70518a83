import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Report, reportData, summary } from "../build/import/tate/report.ts";
import { DEFAULT_SITE, type Site } from "../build/import/tate/site.ts";
import { importTate } from "../build/import/tate/tate.ts";
import { formatJson } from "../build/source/format.ts";
import { CommandError, command, explain } from "./command.ts";

const USAGE = `
Usage: npm run import:tate -- DIR --content OUT [--report FILE] [--base-url URL] [--site-url URL] [--media-url URL]

Turns a checkout of the Tate's open collection data (github.com/tategallery/collection) into page sources.

  DIR              the checkout: the folder that holds artworks/ and artists/
  --content OUT    where the sources are written: a folder that is empty or not there yet
  --report FILE    where to list, as JSON, every work that has no page, with the reasons
  --base-url URL   where the API will be served (${DEFAULT_SITE.base_url})
  --site-url URL   the website that the works' addresses are on (${DEFAULT_SITE.site_url})
  --media-url URL  the host of the images (${DEFAULT_SITE.media_url})
`;

const OPTIONS = {
  content: { type: "string" },
  report: { type: "string" },
  "base-url": { type: "string", default: DEFAULT_SITE.base_url },
  "site-url": { type: "string", default: DEFAULT_SITE.site_url },
  "media-url": { type: "string", default: DEFAULT_SITE.media_url },
} as const;

await command(USAGE, OPTIONS, (values, positionals) => {
  const [from, ...more] = positionals;
  if (from === undefined || more.length > 0)
    throw new CommandError("Name one folder: the checkout of the data.");
  if (values.content === undefined)
    throw new CommandError("Say with --content where the sources are to be written.");
  const site = {
    base_url: urlOf("--base-url", values["base-url"]),
    site_url: urlOf("--site-url", values["site-url"]),
    media_url: urlOf("--media-url", values["media-url"]),
  };
  refuseWrongData(from);
  refuseFullFolder(values.content);
  if (values.report !== undefined) refuseReport(values.report, values.content);

  const report = importOrExplain(from, values.content, site);
  if (values.report !== undefined) writeFileSync(values.report, formatJson(reportData(report)));
  process.stdout.write(summary(report));
  return 0;
});

function importOrExplain(from: string, to: string, site: Site): Report {
  try {
    return importTate(from, to, site, showProgress);
  } catch (cause) {
    throw new CommandError(
      `${explain(cause)}\nThe import is unfinished: empty ${to} before another attempt.`,
    );
  }
}

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

function refuseFullFolder(to: string): void {
  if (!existsSync(to)) return;
  if (!isFolder(to)) throw new CommandError(`${to}: this is a file; --content needs a folder.`);
  if (readdirSync(to).length > 0)
    throw new CommandError(
      `${to}: the folder is not empty, and nothing in it is overwritten. Name an empty or a new one.`,
    );
}

function refuseReport(report: string, content: string): void {
  if (!isFolder(dirname(report)))
    throw new CommandError(`${report}: the folder for the report does not exist.`);
  if (isFolder(report))
    throw new CommandError(`${report}: this is a folder; --report needs the name of a file.`);
  if (!relative(resolve(content), resolve(report)).startsWith(`..${sep}`))
    throw new CommandError(`${report}: the report would lie among the sources; write it elsewhere.`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function showProgress(done: number, of: number): void {
  if (!process.stderr.isTTY || (done % 500 !== 0 && done !== of)) return;
  process.stderr.write(done === of ? "\r\u001B[K" : `\r${done} of ${of} works`);
}
