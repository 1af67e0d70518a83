import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "../build/base/stat.ts";
import { sync, type SyncResult } from "../build/exchange/sync/sync.ts";
import { tally } from "../build/exchange/report.ts";
import { SourceWriter } from "../build/exchange/writer.ts";
import { messageOf } from "../build/findings/finding.ts";
import { modelOf } from "../build/model/types.ts";
import { formatJson } from "../build/source/json/format.ts";
import { SITE } from "../build/source/site-files.ts";
import { onlyArgument } from "./arguments.ts";
import { CommandError, command } from "./command.ts";
import { contentFolder, importOptions, refuseReport } from "./importing.ts";
import { print, progressOn } from "./output.ts";
import { tate } from "./tate.mjs";
import { valued } from "./usage.ts";

/** The data has no address of the API, so this is that of the local preview, until an operator changes it. */
const SITE_URLS = {
  base_url: "http://localhost:3000",
  site_url: "http://www.tate.org.uk",
  media_url: "http://www.tate.org.uk/art/images/work",
};

/** The pages above the works, which the data lacks. */
const PAGES = {
  "index.json": { id: 1_000_000, meta: { type: "home.HomePage" }, title: "Home" },
  "art/index.json": { id: 1_000_001, meta: { type: "standardpages.GeneralPage" }, title: "Art" },
  "art/artworks/index.json": {
    id: 1_000_002,
    meta: { type: "artworks.ArtworkIndexPage" },
    title: "Artworks",
  },
};

await command(
  {
    name: "import:tate",
    args: { DIR: "the checkout: the folder that contains artworks/ and artists/" },
    summary:
      "Turns a checkout of Tate's open collection data (github.com/tategallery/collection) into page sources: a new site, and the works by the module scripts/tate.mjs.",
    status: "0 imported, 2 it could not be done.",
  },
  {
    ...importOptions,
    report: valued("FILE", "write the list of works without a page, with the reasons, to this file as JSON"),
    "base-url": valued("URL", "write this URL of the future API to _site.json", SITE_URLS.base_url),
    "site-url": valued("URL", "write this URL of the website to _site.json", SITE_URLS.site_url),
    "media-url": valued("URL", "write this URL of the images to _site.json", SITE_URLS.media_url),
  },
  async ({ content: written, report, ...urls }, positionals): Promise<0> => {
    const from = onlyArgument(positionals, "Name one folder: the checkout of the data.");
    const content = contentFolder(written);
    for (const folder of ["artworks", "artists"])
      if (!isFolder(join(from, folder)))
        throw new CommandError(`${from}: there is no folder ${folder}/ in it.`);
    refuseReport(report, content);
    const site = {
      base_url: urlOf("--base-url", urls["base-url"]),
      site_url: urlOf("--site-url", urls["site-url"]),
      media_url: urlOf("--media-url", urls["media-url"]),
    };
    const writer = new SourceWriter(content);
    writer.write(SITE, { ...site, append_slash: false });
    for (const [path, page] of Object.entries(PAGES)) writer.write(path, page);
    writer.commit();

    const module = tate(from);
    const progress = progressOn(process.stderr, "Importing", "works");
    let result;
    try {
      const show = (done: number): void => progress.show?.(done, 0);
      result = await sync(module, { content, folder: from, model: modelOf(content), progress: show });
    } finally {
      progress.clear();
    }
    const { records, created, refused } = result;
    const reasons = [...module.withoutPage, ...countsOf(refused)];
    const notes = reasons.map(([words, count]) => ({ count, words: `not written: ${words}` }));
    print(
      tally([{ count: created.length, words: "written" }, ...notes], { count: records, words: "works" }, []),
    );
    if (report !== undefined)
      writeFileSync(
        report,
        formatJson({
          works: records,
          written: created.length,
          reasons: Object.fromEntries(reasons),
          refused: refused.map(({ key, findings }) => ({ key, findings: findings.map(messageOf) })),
        }),
      );
    return 0;
  },
);

function urlOf(option: string, written: string): string {
  const url = written.replace(/\/$/, "");
  if (!/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(url) || url.endsWith("/") || !URL.canParse(url))
    throw new CommandError(`${option} ${written}: write an address like https://www.example.org`);
  return url;
}

function countsOf(refused: SyncResult["refused"]): [words: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { findings } of refused) {
    const code = findings[0]?.code ?? "";
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts];
}
