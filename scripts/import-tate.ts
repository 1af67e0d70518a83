import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "../build/base/file.ts";
import { grouped } from "../build/base/grouped.ts";
import { sync } from "../build/exchange/sync/sync.ts";
import { tally } from "../build/exchange/report.ts";
import { SourceWriter } from "../build/exchange/writer.ts";
import { messageOf, type Finding } from "../build/findings/finding.ts";
import { checkBaseUrl } from "../build/model/formats.ts";
import { modelOf } from "../build/model/types.ts";
import { formatJson } from "../build/source/json/format.ts";
import { SITE } from "../build/source/site-files.ts";
import { command, CommandError, print, withProgress } from "./command.ts";
import { importOptions, refuseReport } from "./importing.ts";
import { tate } from "./tate.mjs";

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

interface Reason {
  code: string;
  message: string;
}

interface NotWritten {
  key: string;
  reasons: Reason[];
}

const DAMAGED: Reason = { code: "damaged-file", message: "The file is not a JSON object in UTF-8." };

/** A finding of a page. Its code names the field, because other works have the same reason. */
const reasonOf = (one: Finding): Reason => ({
  code: [one.path?.join("."), one.code].filter(Boolean).join(": "),
  message: messageOf(one),
});

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
    "report FILE": "write the list of works without a page, with the reasons, to this file as JSON",
    "base-url URL": {
      text: "write this URL of the future API to _site.json",
      default: "http://localhost:3000",
      parse: checkBaseUrl,
    },
    "site-url URL": {
      text: "write this URL of the website to _site.json",
      default: "http://www.tate.org.uk",
      parse: checkBaseUrl,
    },
    "media-url URL": {
      text: "write this URL of the images to _site.json",
      default: "http://www.tate.org.uk/art/images/work",
      parse: checkBaseUrl,
    },
  },
  async ({ content, report, ...urls }, [from = ""]) => {
    for (const folder of ["artworks", "artists"])
      if (!isFolder(join(from, folder)))
        throw new CommandError(`${from}: there is no folder ${folder}/ in it.`);
    refuseReport(report, content);
    const module = tate(from);
    const writer = new SourceWriter(content);
    writer.write(SITE, {
      base_url: urls["base-url"],
      site_url: urls["site-url"],
      media_url: urls["media-url"],
      append_slash: false,
    });
    for (const [path, page] of Object.entries(PAGES)) writer.write(path, page);
    const { created, refused } = await writer.commitFor(() =>
      withProgress("Importing", "works", (progress) =>
        sync(module, {
          content,
          folder: from,
          model: modelOf(content),
          progress: (done) => progress?.(done, 0),
        }),
      ),
    );
    const worksNotWritten = [
      ...module.damaged.map((key): NotWritten => ({ key, reasons: [DAMAGED] })),
      ...refused.map(({ key, findings }): NotWritten => ({ key, reasons: findings.map(reasonOf) })),
    ];
    const works = created.length + worksNotWritten.length;
    // Of several reasons, the first counts.
    const counts = [...grouped(worksNotWritten, ({ reasons: [first] }) => first?.code)].map(
      ([code, { length: count }]) => ({ count, words: `not written: ${code}` }),
    );
    print(
      tally([{ count: created.length, words: "written" }, ...counts], { count: works, words: "works" }, []),
    );
    const data = { works, written: created.length, notWritten: worksNotWritten.length, worksNotWritten };
    if (report !== undefined) writeFileSync(report, formatJson(data));
  },
);
