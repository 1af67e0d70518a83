import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "../build/base/file.ts";
import { sync } from "../build/exchange/sync/sync.ts";
import type { SyncResult } from "../build/exchange/sync/values.ts";
import { tally } from "../build/exchange/report.ts";
import { SourceWriter } from "../build/exchange/writer.ts";
import { modelOf } from "../build/model/types.ts";
import { formatJson } from "../build/source/json/format.ts";
import { SITE } from "../build/source/site-files.ts";
import { command, CommandError, print, progressOn } from "./command.ts";
import { importOptions, refuseReport } from "./importing.ts";
import { REASONS, tate } from "./tate.mjs";
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
    "base-url": valued("URL", "write this URL of the future API to _site.json", {
      default: SITE_URLS.base_url,
    }),
    "site-url": valued("URL", "write this URL of the website to _site.json", { default: SITE_URLS.site_url }),
    "media-url": valued("URL", "write this URL of the images to _site.json", {
      default: SITE_URLS.media_url,
    }),
  },
  async ({ content, report, ...urls }, [from = ""]) => {
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
    const progress = progressOn("Importing", "works");
    let result;
    try {
      const show = (done: number): void => progress.show?.(done, 0);
      result = await sync(module, { content, folder: from, model: modelOf(content), progress: show });
    } finally {
      progress.clear();
    }
    const works: NotWritten[] = [...module.withoutPage, ...result.refused.map(refusedWork)];
    const codes = Object.keys(REASONS) as (keyof typeof REASONS)[];
    const reasons = codes.flatMap((code) => {
      const all = works.filter((work) => work.reasons.some((one) => one.code === code)).length;
      const counted = works.filter((work) => work.reasons[0]?.code === code).length;
      return all === 0 ? [] : [[code, { works: all, counted, meaning: REASONS[code] }] as const];
    });
    const counts = reasons.map(([, { works: all, counted, meaning }]) => {
      const also = all > counted ? ` (${all} works in all, ${all - counted} of them counted above)` : "";
      return { count: counted, words: `not written: ${meaning}${also}` };
    });
    const written = { count: result.created.length, words: "written" };
    print(tally([written, ...counts], { count: result.records, words: "works" }, []));
    const data = {
      works: result.records,
      written: written.count,
      notWritten: works.length,
      reasons: Object.fromEntries(reasons),
      worksNotWritten: works,
    };
    if (report !== undefined) writeFileSync(report, formatJson(data));
  },
);

function urlOf(option: string, written: string): string {
  const url = written.replace(/\/$/, "");
  if (!/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(url) || url.endsWith("/") || !URL.canParse(url))
    throw new CommandError(`${option} ${written}: write an address like https://www.example.org`);
  return url;
}

interface NotWritten {
  file: string;
  id: unknown;
  acno: unknown;
  /** The first one counts. */
  reasons: { code: string }[];
}

/** A work that fits, but whose id or address another page has. */
function refusedWork({ key, findings }: SyncResult["refused"][number]): NotWritten {
  const codes: Record<string, string> = { "id-clash": "id-taken", "slug-clash": "slug-taken" };
  const reasons = findings.map(({ code }) => ({ code: codes[code] ?? code }));
  return { file: "", id: null, acno: key, reasons };
}
