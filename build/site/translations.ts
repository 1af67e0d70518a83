import { API } from "../base/api.ts";
import { asBytes, bytesOf, countUp, haveSameBytes, IdMap, textReader } from "../base/columns.ts";
import { includes, type Instant } from "../base/instant.ts";
import { finding, type Finding } from "../findings/finding.ts";
import { languageAt, languagesOf, type Language } from "../model/languages.ts";
import { livePeriod, periodOrAlways } from "../model/schedule.ts";
import { addressPathOf, folderAddresses, parentOf } from "../model/tree.ts";
import type { Site } from "../model/site.ts";
import { encodedSlug } from "../source/address.ts";
import { placeAt } from "../source/json/place.ts";
import { SourceReader } from "../source/read.ts";
import { type SourceIndex } from "../source/source-index.ts";
import { SOURCE, type FormerBuild } from "./changes.ts";
import type { Discovery } from "./discover.ts";
import type { ListedTranslations } from "../browse/data-files.ts";
import { matchFiles, type Manifest } from "./manifest/manifest.ts";
import {
  joinSummaries,
  summaryJob,
  type Groups,
  type KeptSources,
  type Summaries,
  type SummaryJob,
  type SummaryPart,
} from "./summaries.ts";

export interface Translations {
  summaries: Summaries;
  /** Whether the translations of all pages are those of the former build. */
  isUnchanged: boolean;
  groups: () => Groups;
  /** Whether a file shows other translations than in the former build, where it had the number `old`. */
  hasChanged: (file: number, old: number) => boolean;
  findings: Finding[];
  /** For the browse UI. */
  listed: () => ListedTranslations;
  kept: KeptSources;
}

/** Finds the groups of pages that are translations of each other. Undefined for a site with one language. */
export async function findTranslations(
  content: string,
  discovery: Discovery,
  given: FormerBuild | undefined,
  at: Instant,
  thread: { summarise: (job: SummaryJob, meanwhile: () => void) => Promise<SummaryPart[]> },
): Promise<Translations | undefined> {
  const { site, listing, model, isKnown, sources, siteKey } = discovery;
  if (site?.locales === undefined) return undefined;
  const former = given?.manifest.siteKey === siteKey ? given : undefined;
  const { manifest, changes } = former ?? {};
  const { summaries: before, groups: groupsBefore } = manifest ?? {};
  const { count } = listing;
  const matches =
    manifest === undefined || before === undefined
      ? new Int32Array(count).fill(-1)
      : isKnown
        ? countUp(count)
        : matchFiles(listing, manifest.listing);
  const isRead = new Uint8Array(count);
  const files = new Uint32Array(new SharedArrayBuffer(4 * count));
  let next = 0;
  for (let i = 0; i < count; i++) {
    const old = matches[i] as number;
    if (old !== -1 && ((changes?.[old] ?? SOURCE) & SOURCE) === 0) continue;
    isRead[i] = 1;
    files[next++] = i;
  }
  const toRead = files.subarray(0, next);
  const typeNames = model.types.names;
  let byPlace: Places | undefined;
  const places = (): Places => (byPlace ??= placesIn(listing, site));
  const job = summaryJob({ content, listing, typeNames, sources, toRead });
  const summaries =
    before !== undefined && isKnown && toRead.length === 0
      ? before
      : joinSummaries(job, await thread.summarise(job, () => void places()), before, matches, isRead);
  const isUnchanged =
    manifest !== undefined && isKnown && areSame(summaries, before) && !hasPassed(summaries, manifest, at);
  let found: ReturnType<typeof groupsOf> | undefined;
  const grouped = (): ReturnType<typeof groupsOf> =>
    (found ??= groupsOf(content, discovery, summaries, places(), at));
  const groups = (): Groups => (isUnchanged && groupsBefore ? groupsBefore : grouped().groups);
  const isSame = (file: number, old: number): boolean =>
    matches[file] === old && before !== undefined && haveSameFacts(summaries, file, before, old);
  return {
    summaries,
    isUnchanged,
    groups,
    hasChanged: (file, old) => {
      if (isUnchanged || groupsBefore === undefined) return !isUnchanged;
      const [others, othersBefore] = [othersOf(groups(), file), othersOf(groupsBefore, old)];
      return (
        others.length !== othersBefore.length ||
        others.some((other, k) => !isSame(other, othersBefore[k] as number))
      );
    },
    // The former build had no such errors.
    findings: isUnchanged ? [] : grouped().findings,
    listed: () => grouped().listed(),
    kept: job.kept,
  };
}

const COLUMNS = ["ids", "of", "types"] as const;

/** Whether all facts are the same, on which translations depend. */
function areSame(now: Summaries, before: Summaries | undefined): boolean {
  if (now === before || before === undefined) return now === before;
  return (
    COLUMNS.every((name) => haveSameBytes(now[name], before[name])) &&
    haveSameBytes(now.titles.ends, before.titles.ends) &&
    haveSameBytes(now.titles.bytes, before.titles.bytes) &&
    JSON.stringify(now.live.toSorted(byFile)) === JSON.stringify(before.live.toSorted(byFile))
  );
}

/** Whether a page's translations show the same of it. Its address follows from its file. */
const haveSameFacts = (now: Summaries, file: number, before: Summaries, old: number): boolean =>
  now.ids[file] === before.ids[old] &&
  now.types[file] === before.types[old] &&
  haveSameBytes(bytesOf(now.titles, file), bytesOf(before.titles, old));

const byFile = ([one]: Summaries["live"][number], [other]: Summaries["live"][number]): number => one - other;

/** Whether a page went live or expired since the former build. */
const hasPassed = ({ live }: Summaries, { times }: Manifest, at: Instant): boolean =>
  live.some(([, period]) => includes(period, at) !== includes(period, times.at));

function groupsOf(
  content: string,
  { site, listing, parents, model }: Discovery,
  { ids, of, types, live }: Summaries,
  { numbers, count: placeCount }: Places,
  at: Instant,
): Pick<Translations, "findings" | "listed"> & { groups: Groups } {
  const findings: Finding[] = [];
  const { count, folderOf } = listing;
  const languages = site === undefined ? [] : languagesOf(site);
  // Most pages do not say what they are a translation of.
  const fileOf = new IdMap<number>();
  if (of.some((id) => id !== 0)) for (let file = count - 1; file >= 0; file--) fileOf.set(ids[file], file);
  const reader = new SourceReader();
  const report = (file: number, problem: string): void => {
    const parsed = reader.read(content, listing.path(file)).parsed();
    const field = of[file] === 0 ? ["id"] : ["meta", "translation_of"];
    if (parsed.root !== undefined)
      findings.push(finding("wrong-translation", { problem }, placeAt(parsed, field)));
  };
  const folderLanguages = listing.folders.map(({ path }) => languageAt(`${path}/`, site ?? {}));
  const languageOf = (file: number): Language | undefined => folderLanguages[folderOf[file] ?? 0];
  /** The file whose path names the group; undefined, with a finding, if `translation_of` is wrong. */
  const originalOf = (file: number): number | undefined => {
    if (of[file] === 0) return file;
    const seen = new Set<number>();
    for (let now = file; ;) {
      const meant = of[now] ?? 0;
      if (meant === 0) return now;
      if (seen.has(now)) return Math.min(...seen);
      seen.add(now);
      const next = fileOf.get(meant);
      const problem =
        next === undefined
          ? `No page has the id ${meant}`
          : listing.kind(next) === "draft"
            ? `The page ${meant} is a draft (${listing.path(next)})`
            : languageOf(next) === languageOf(now)
              ? `The page ${meant} is of the same language (${listing.path(next)})`
              : undefined;
      if (problem !== undefined || next === undefined) {
        if (now === file) report(file, problem ?? "");
        return undefined;
      }
      now = next;
    }
  };
  const folderNumbers = folderLanguages.map((language) => languages.findIndex((one) => one === language));
  const numberOf = (file: number): number => folderNumbers[folderOf[file] ?? 0] ?? -1;
  /** By place: the first file of its group; by file: the next one. Files are counted from 1; 0 is the end. */
  const [headOf, nextOf] = [new Uint32Array(placeCount + 1), new Uint32Array(count)];
  // From the last to the first: a group is in the order of languages.
  const folders = listing.folders.map(({ first, end }, f) => ({
    first,
    end,
    number: folderNumbers[f] ?? -1,
  }));
  for (const { first, end } of folders.reverse().sort((one, other) => other.number - one.number))
    for (let file = end - 1; file >= first; file--) {
      if (ids[file] === 0 || listing.kind(file) === "draft") continue;
      const original = originalOf(file);
      if (original === undefined) continue;
      const place = numbers[original] as number;
      nextOf[file] = headOf[place] as number;
      headOf[place] = file + 1;
    }
  const periods = new Map(live);
  const isDated = live.length > 0 || parents.some((parent) => parent?.live !== undefined);
  const isLive = (file: number): boolean => {
    if (!isDated) return true;
    const parent = parentOf(listing, parents, file);
    const above = parent === "root" ? undefined : parent?.live;
    return includes(periodOrAlways(livePeriod(periods.get(file), above)), at);
  };
  const filesOf = (head: number): number[] => {
    const files: number[] = [];
    for (let next = head; next !== 0; next = nextOf[next - 1] ?? 0) files.push(next - 1);
    return files;
  };
  const starts = new Uint32Array(new SharedArrayBuffer(4 * count));
  const members = new Uint32Array(new SharedArrayBuffer(4 * (2 * count + 1)));
  let end = 1;
  for (let place = 1; place <= placeCount; place++) {
    const head = headOf[place] as number;
    if (head === 0 || nextOf[head - 1] === 0) continue;
    const group = filesOf(head);
    // Of two pages of a language, the one that says so is wrong, rather than the one with the same path.
    if (group.some((file, k) => k > 0 && numberOf(file) === numberOf(group[k - 1] as number)))
      group.sort(
        (one, other) =>
          numberOf(one) - numberOf(other) || Number(of[one] !== 0) - Number(of[other] !== 0) || one - other,
      );
    const [original = 0] = group;
    const chosen: number[] = [];
    for (const file of group) {
      const last = chosen.at(-1);
      if (last === undefined || numberOf(last) !== numberOf(file)) chosen.push(file);
      else {
        const { code = "" } = languageOf(file) ?? {};
        report(file, `Another page of the language ${code} has this translation (${listing.path(last)})`);
      }
    }
    for (const file of chosen)
      // A type that does not exist is a finding of its own, and so is that of a home page.
      if (types[file] !== types[original] && types[file] !== 0 && types[original] !== 0) {
        if (parentOf(listing, parents, file) === "root") continue;
        const type = model.types.names[(types[original] as number) - 1] ?? "";
        const where = listing.path(original);
        report(file, `The page that it would translate has the type ${type} (${where})`);
      }
    if (site?.translations === false) continue;
    const start = end++;
    for (const file of chosen) {
      starts[file] = start;
      if (isLive(file)) members[end++] = file;
    }
    members[start] = end - start - 1;
  }
  const listed = (): ListedTranslations => {
    // In the order of the sources.
    const all = Array.from(
      headOf.filter((head) => head !== 0),
      (head) => filesOf(head).sort((one, other) => one - other),
    );
    const groups = all
      .sort(([one = 0], [other = 0]) => one - other)
      .map((files) =>
        files.filter(isLive).flatMap((file) => {
          const language = languageOf(file);
          const type = model.types.names[(types[file] ?? 0) - 1] ?? "";
          return language === undefined ? [] : [{ file, language, summary: { id: ids[file] ?? 0, type } }];
        }),
      );
    return listTranslations(groups, languages, listing);
  };
  return { groups: { starts, members: members.slice(0, end) }, findings, listed };
}

/** The places of pages below the home pages of their languages. */
interface Places {
  /** By file: the number of its place, counted from 1; 0 for a draft. */
  numbers: Uint32Array;
  count: number;
}

/** They follow only from the names of files, so that they can be found while another thread reads these. */
function placesIn(listing: SourceIndex, site: Site): Places {
  const families = new Map<string, Map<string, number>>();
  const familyAt = (path: string): Map<string, number> => {
    const found = families.get(path) ?? new Map<string, number>();
    families.set(path, found);
    return found;
  };
  const numbers = new Uint32Array(listing.count);
  let count = 0;
  const add = (file: number, siblings: Map<string, number>, name: string): void => {
    let place = siblings.get(name);
    if (place === undefined) siblings.set(name, (place = ++count));
    numbers[file] = place;
  };
  for (const { path, first, end } of listing.folders) {
    const folder = languageAt(`${path}/`, site)?.folder ?? "";
    const below = addressPathOf(`${path}/index.json`) ?? "";
    const own = folder === "" ? below : below.slice(folder.length + 1);
    const subpages = familyAt(own);
    for (let file = first; file < end; file++) {
      const kind = listing.kind(file);
      if (kind === "draft") continue;
      if (kind === "index") {
        const slash = own.lastIndexOf("/");
        const siblings = own === "" ? subpages : familyAt(own.slice(0, Math.max(0, slash)));
        add(file, siblings, own === "" ? "index.json" : `${own.slice(slash + 1)}.json`);
        continue;
      }
      const name = listing.name(file);
      add(file, subpages, isUsual(name) ? name : `${listing.slug(file)}.json`);
    }
  }
  return { numbers, count };
}

/** The files of a page's translations that are live, in the order of languages. */
function othersOf({ starts, members }: Groups, file: number): number[] {
  const start = starts[file] ?? 0;
  const others: number[] = [];
  if (start === 0) return others;
  for (let k = start + 1; k <= start + (members[start] ?? 0); k++) {
    const other = members[k] as number;
    if (other !== file) others.push(other);
  }
  return others;
}

/** The facts about translations that responses show. They can be passed to another thread. */
export interface ShownTranslations {
  groups: Groups;
  summaries: Pick<Summaries, "ids" | "types" | "titles">;
}

/**
 * A function that prints the translations of a file as JSON in UTF-8, with a character for each byte, as responses have it;
 * undefined if the page has no translation.
 */
export function translationPrinter(
  { groups, summaries: { ids, types, titles } }: ShownTranslations,
  listing: SourceIndex,
  site: Site,
  typeNames: readonly string[],
): (file: number) => string | undefined {
  const titleOf = textReader(titles, "latin1");
  const detail = asBytes(site.base_url) + API;
  const slash = site.append_slash ? "/" : "";
  const addresses = folderAddresses(listing, site);
  // The facts that all pages of a folder share.
  const folders = listing.folders.map(({ path }, f) => {
    const address = asBytes(JSON.stringify(addresses[f]).slice(0, -1));
    return {
      start: `,"locale":"${languageAt(`${path}/`, site)?.code ?? ""}","detail_url":"${detail}`,
      address: `/","html_url":${address}`,
      above: `/","html_url":${address}${address.endsWith("/") ? "" : "/"}`,
    };
  });
  const print = (file: number): string => {
    const { start, address, above } = folders[listing.folderOf[file] as number] as (typeof folders)[number];
    const id = ids[file] as number;
    const type = typeNames[(types[file] as number) - 1];
    const name = listing.name(file);
    const own =
      listing.kind(file) === "index"
        ? address
        : `${above}${isUsual(name) ? name.slice(0, -".json".length) : encodedSlug(listing.slug(file))}${slash}`;
    return `{"id":${id},"meta":{"type":"${type}"${start}${id}${own}"},"title":${titleOf(file)}}`;
  };
  return (file) => {
    let printed = "";
    for (const other of othersOf(groups, file)) printed += `${printed === "" ? "[" : ","}${print(other)}`;
    return printed === "" ? undefined : `${printed}]`;
  };
}

/** Whether the slug of a page is the name of its file, and its part of an address too. */
const isUsual = (name: string): boolean => /^[\w-]+\.json$/.test(name);

interface GroupedPage {
  file: number;
  language: Language;
  summary: { id: number; type: string };
}

/** Maximum number of pages of a type that are listed as missing in a language. */
const MAX_MISSING = 20;

/**
 * Lists translations, and the pages that a language lacks, for the browse UI.
 *
 * @param groups of live pages, also those of one page
 */
function listTranslations(
  groups: readonly (readonly GroupedPage[])[],
  languages: readonly Language[],
  listing: SourceIndex,
): ListedTranslations {
  const rowOf = new Map<number, number[]>();
  const rows = groups.map((pages) => {
    const row = languages.map((one) => pages.find(({ language }) => language === one)?.summary.id ?? 0);
    for (const { file } of pages) rowOf.set(file, row);
    return row;
  });
  const lists = languages.map(({ code }, k) => {
    const used = new Set<string>();
    const byType = new Map<string, [type: string, count: number, ids: number[]]>();
    for (const [n, [first]] of groups.entries()) {
      if (first === undefined) continue;
      const { id, type } = first.summary;
      const above = rowOf.get(listing.folders[listing.parentOf(first.file)]?.index ?? -1);
      if (rows[n]?.[k] !== 0) used.add(type);
      else if (above !== undefined && above[k] !== 0) {
        const found = byType.get(type) ?? [type, 0, []];
        byType.set(type, found);
        found[1]++;
        if (found[2].length < MAX_MISSING) found[2].push(id);
      }
    }
    const isUsed = ([type]: readonly [string, ...unknown[]]): number => Number(used.has(type));
    return [code, [...byType.values()].sort((a, b) => isUsed(b) - isUsed(a) || a[1] - b[1])] as const;
  });
  return { rows: rows.filter((_, n) => (groups[n]?.length ?? 0) > 1), missing: Object.fromEntries(lists) };
}
