import { join } from "node:path";
import { SITE } from "../../source/site-files.ts";
import type { Progress } from "../progress.ts";
import { SourceWriter } from "../writer.ts";
import { jsonFiles, readArtists, readData } from "./data.ts";
import type { NotWritten, TateReport } from "./report.ts";
import { workOf } from "./work.ts";

/**
 * Works and images keep the addresses that they have in the data. The data has no address of the API, so this
 * is the address of the local preview, until an operator changes it.
 */
export const DEFAULT_SITE = {
  base_url: "http://localhost:3000",
  site_url: "http://www.tate.org.uk",
  media_url: "http://www.tate.org.uk/art/images/work",
};

type TateSite = typeof DEFAULT_SITE;

const INDEX_FOLDER = "art/artworks";

const PAGES = [
  { path: "index.json", id: 1_000_000, type: "home.HomePage", title: "Home" },
  { path: "art/index.json", id: 1_000_001, type: "standardpages.GeneralPage", title: "Art" },
  { path: `${INDEX_FOLDER}/index.json`, id: 1_000_002, type: "artworks.ArtworkIndexPage", title: "Artworks" },
];

/** Sources that the site needs and the data lacks. The addresses in the data have no slash at the end. */
const siteFiles = (site: TateSite): { path: string; id?: number; source: object }[] => [
  { path: SITE, source: { ...site, append_slash: false } },
  ...PAGES.map(({ path, id, type, title }) => ({ path, id, source: { id, meta: { type }, title } })),
];

/**
 * Turns a checkout of Tate's open collection data (`artworks/` and `artists/`) into sources: one page per
 * work, and their ancestors. The same data gives the same bytes.
 */
export function importTate(from: string, to: string, site: TateSite, progress: Progress): TateReport {
  const writer = new SourceWriter(to);
  try {
    const report = writeWorks(from, writer, site, progress);
    writer.commit();
    return report;
  } catch (cause) {
    writer.abandon();
    throw cause;
  }
}

function writeWorks(from: string, writer: SourceWriter, site: TateSite, progress: Progress): TateReport {
  const { addresses, damaged } = readArtists(from);
  const files = jsonFiles(from, "artworks");
  const added = siteFiles(site);
  for (const { path, source } of added) writer.write(path, source);

  const ids = new Map(added.flatMap(({ path, id }) => (id === undefined ? [] : [[id, path]])));
  const slugs = new Map<string, string>();
  const report: TateReport = {
    works: files.length,
    written: 0,
    notWritten: [],
    leftOut: [],
    contributorsWithoutAddress: 0,
    damagedArtists: damaged,
  };
  for (const [i, file] of files.entries()) {
    progress(i, files.length);
    const read = readData(join(from, file));
    if ("damage" in read) {
      const reasons: NotWritten["reasons"] = [{ code: "damaged-file", found: read.damage }];
      report.notWritten.push({ file, id: null, acno: null, reasons });
      continue;
    }
    const work = workOf(read.data, addresses);
    const { id = null, acno = null, place, reasons } = work;
    if (id !== null && ids.has(id)) reasons.push({ code: "id-taken", found: ids.get(id) });
    const other = place && slugs.get(place.slug.toLowerCase());
    if (other !== undefined) reasons.push({ code: "slug-taken", found: other });
    if (reasons.length > 0 || id === null || place === undefined) {
      report.notWritten.push({ file, id, acno, reasons });
      continue;
    }
    ids.set(id, file);
    slugs.set(place.slug.toLowerCase(), file);
    writer.write(`${INDEX_FOLDER}/${place.group}/${place.slug}.json`, work.page);
    report.written++;
    report.contributorsWithoutAddress += work.withoutAddress;
    for (const value of work.leftOut) report.leftOut.push({ file, ...value });
  }
  progress(files.length, files.length);
  return report;
}
