import { join } from "node:path";
import type { Progress } from "../progress.ts";
import { SourceWriter } from "../writer.ts";
import { readArtists } from "./artists.ts";
import { jsonFiles, readData } from "./files.ts";
import type { NotWritten, TateReport } from "./report.ts";
import { INDEX_FOLDER, type TateSite, siteFiles } from "./site.ts";
import { type Work, workOf } from "./work.ts";

/**
 * Turns a checkout of Tate's open collection data (`artworks/` and `artists/`) into sources: one page per work, and
 * their ancestors. The same data gives the same bytes.
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
      report.notWritten.push(notWritten(file, { reasons: [{ code: "damaged-file", found: read.damage }] }));
      continue;
    }
    const work = workOf(read.data, addresses);
    const { id, place } = work;
    if (id !== undefined && ids.has(id)) work.reasons.push({ code: "id-taken", found: ids.get(id) });
    const other = place && slugs.get(place.slug.toLowerCase());
    if (other !== undefined) work.reasons.push({ code: "slug-taken", found: other });
    if (work.reasons.length > 0 || id === undefined || place === undefined) {
      report.notWritten.push(notWritten(file, work));
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

const notWritten = (
  file: string,
  { id, acno, reasons }: Partial<Work> & Pick<Work, "reasons">,
): NotWritten => ({
  file,
  id: id ?? null,
  acno: acno ?? null,
  reasons,
});
