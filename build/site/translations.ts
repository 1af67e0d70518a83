import { textReader, type TextList } from "../base/columns.ts";
import { includes, type Instant } from "../base/instant.ts";
import { finding, type Finding } from "../findings/finding.ts";
import { languageAt, languagesOf, type Language } from "../model/languages.ts";
import { livePeriod, periodOrAlways } from "../model/schedule.ts";
import { addressPathOf, parentOf } from "../model/tree.ts";
import { nodeAt } from "../source/json/object.ts";
import { placeOf } from "../source/json/place.ts";
import { SourceReader } from "../source/read.ts";
import { SOURCE, type FormerBuild } from "./changes.ts";
import type { Discovery } from "./discover.ts";
import type { ListedTranslations } from "../browse/data-files.ts";
import { listTranslations } from "./listed-translations.ts";
import { matchFiles, type Manifest } from "./manifest/manifest.ts";
import type { PageTable } from "./manifest/page-table.ts";
import {
  joinSummaries,
  summaryJob,
  type KeptSources,
  type Summaries,
  type SummaryJob,
  type SummaryPart,
} from "./summaries.ts";

/** The pages that are translations of each other. It can be passed to another thread. */
export interface Groups {
  /** By file: the place of its group in `members`; 0 if it has no translation. */
  starts: Uint32Array;
  /** For each group the number of its pages that are live, and their files, in the order of languages. */
  members: Uint32Array;
  /** By file, the pages as their translations show them. */
  texts: TextList;
}

export interface Translations {
  summaries: Summaries;
  /** Whether the translations of all pages are those of the former build. */
  isUnchanged: boolean;
  groups: () => Groups;
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
  thread: { summarise: (job: SummaryJob) => Promise<SummaryPart[]> },
): Promise<Translations | undefined> {
  const { site, listing, model, isKnown, sources, siteKey } = discovery;
  if (site?.locales === undefined) return undefined;
  const former = given?.manifest.siteKey === siteKey ? given : undefined;
  const { manifest, changes } = former ?? {};
  const before = manifest?.summaries;
  const matches =
    manifest === undefined || before === undefined
      ? new Int32Array(listing.count).fill(-1)
      : isKnown
        ? Int32Array.from({ length: listing.count }, (_, i) => i)
        : matchFiles(listing, manifest.listing);
  const isRead = Uint8Array.from(matches, (old) =>
    old === -1 || ((changes?.[old] ?? SOURCE) & SOURCE) !== 0 ? 1 : 0,
  );
  const toRead = new Uint32Array(new SharedArrayBuffer(4 * isRead.reduce((sum, one) => sum + one, 0)));
  let next = 0;
  for (const [i, one] of isRead.entries()) if (one === 1) toRead[next++] = i;
  const typeNames = model.types.names;
  const job = summaryJob({ content, listing, site, typeNames, sources, toRead });
  const summaries =
    before !== undefined && isKnown && toRead.length === 0
      ? before
      : joinSummaries(job, await thread.summarise(job), before, matches, isRead);
  const isUnchanged =
    manifest !== undefined && isKnown && areSame(summaries, before) && !hasPassed(summaries, manifest, at);
  let found: ReturnType<typeof groupsOf> | undefined;
  const grouped = (): ReturnType<typeof groupsOf> => (found ??= groupsOf(content, discovery, summaries, at));
  return {
    summaries,
    isUnchanged,
    groups: () => grouped().groups,
    // The former build had no such errors.
    findings: isUnchanged ? [] : grouped().findings,
    listed: () => grouped().listed(),
    kept: job.kept,
  };
}

/** Whether all facts are the same, on which translations depend. */
function areSame(now: Summaries, before: Summaries | undefined): boolean {
  if (now === before || before === undefined) return now === before;
  const names = ["ids", "of", "types", "digests"] as const;
  return (
    names.every((name) => now[name].every((value, i) => value === before[name][i])) &&
    JSON.stringify(now.live.toSorted(byFile)) === JSON.stringify(before.live.toSorted(byFile))
  );
}

const byFile = ([one]: Summaries["live"][number], [other]: Summaries["live"][number]): number => one - other;

/** Whether a page went live or expired since the former build. */
const hasPassed = ({ live }: Summaries, { times }: Manifest, at: Instant): boolean =>
  live.some(([, period]) => includes(period, at) !== includes(period, times.at));

function groupsOf(
  content: string,
  { site, listing, parents, model }: Discovery,
  { ids, of, types, texts, live }: Summaries,
  at: Instant,
): Pick<Translations, "findings" | "listed"> & { groups: Groups } {
  const findings: Finding[] = [];
  const starts = new Uint32Array(new SharedArrayBuffer(4 * listing.count));
  const languages = site === undefined ? [] : languagesOf(site);
  // Most pages do not say what they are a translation of.
  const fileOf = new Map<number, number>();
  if (of.some((id) => id !== 0))
    for (const [file, id] of ids.entries()) if (!fileOf.has(id)) fileOf.set(id, file);
  const reader = new SourceReader();
  const report = (file: number, problem: string): void => {
    const { source, root } = reader.read(content, listing.path(file)).parsed();
    const field = of[file] === 0 ? ["id"] : ["meta", "translation_of"];
    if (root === undefined) return;
    const { node } = nodeAt(root, field);
    findings.push(finding("wrong-translation", { problem }, placeOf(source, node.start, node.end)));
  };
  const folderLanguages = listing.folders.map(({ path }) => languageAt(`${path}/`, site ?? {}));
  const languageOf = (file: number): Language | undefined => folderLanguages[listing.folderOf[file] ?? 0];
  const { pathOf } = pathsIn(listing, folderLanguages);
  /** The file whose path names the group; undefined, with a finding, if `translation_of` is wrong. */
  const originalOf = (file: number): number | undefined => {
    if (of[file] === 0) return file;
    const seen = new Set<number>();
    for (let now = file; ;) {
      const meant = of[now] ?? 0;
      if (meant === 0 || seen.has(now)) return Math.min(now, ...(meant === 0 ? [] : seen));
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
  const heads = new Map<string, number>();
  /** By file: the next file of its group; 0 at its end. */
  const nextOf = new Uint32Array(listing.count);
  for (let file = listing.count - 1; file >= 0; file--) {
    if (ids[file] === 0 || listing.kind(file) === "draft") continue;
    const original = originalOf(file);
    if (original === undefined) continue;
    const key = pathOf(original);
    const head = heads.get(key);
    if (head !== undefined) nextOf[file] = head;
    heads.set(key, file);
  }
  const periods = new Map(live);
  const isLive = (file: number): boolean => {
    const parent = parentOf(listing, parents, file);
    const above = parent === "root" ? undefined : parent?.live;
    return includes(periodOrAlways(livePeriod(periods.get(file), above)), at);
  };
  const filesOf = (head: number): number[] => {
    const files = [head];
    for (let file = nextOf[head] ?? 0; file !== 0; file = nextOf[file] ?? 0) files.push(file);
    return files;
  };
  const members = [0];
  for (const head of heads.values()) {
    if (nextOf[head] === 0) continue;
    const group = filesOf(head);
    const chosen = languages.flatMap((language) => {
      const own = group.filter((file) => languageOf(file) === language);
      // The page that says so is wrong, rather than the one with the same path.
      if (own.length > 1) own.sort((one, other) => Number(of[one] !== 0) - Number(of[other] !== 0));
      const [first, ...others] = own;
      for (const file of others)
        report(
          file,
          `Another page of the language ${language.code} has this translation (${listing.path(first ?? file)})`,
        );
      return first === undefined ? [] : [first];
    });
    const [original] = chosen;
    for (const file of chosen)
      if (original !== undefined && types[file] !== types[original]) {
        const typeOf = (one: number): string =>
          (JSON.parse(textReader(texts)(one)) as { meta: { type: string } }).meta.type;
        // A type that does not exist is a finding of its own.
        if (model.types.has(typeOf(file)) && model.types.has(typeOf(original)))
          report(
            file,
            `The page that it would translate has the type ${typeOf(original)} (${listing.path(original)})`,
          );
      }
    if (site?.translations === false) continue;
    for (const file of chosen) starts[file] = members.length;
    const shown = chosen.filter(isLive);
    members.push(shown.length, ...shown);
  }
  const shared = new Uint32Array(new SharedArrayBuffer(4 * members.length));
  shared.set(members);
  const listed = (): ListedTranslations => {
    // In the order of their first files.
    const groups = [...heads.values()]
      .sort((one, other) => one - other)
      .map((head) =>
        filesOf(head)
          .filter(isLive)
          .flatMap((file) => {
            const language = languageOf(file);
            const type = model.types.names[(types[file] ?? 0) - 1] ?? "";
            return language === undefined ? [] : [{ file, language, summary: { id: ids[file] ?? 0, type } }];
          }),
      );
    return listTranslations(groups, languages, listing);
  };
  return { groups: { starts, members: shared, texts }, findings, listed };
}

/** The paths of pages below the home pages of their languages. */
function pathsIn(
  listing: Discovery["listing"],
  languages: readonly (Language | undefined)[],
): { pathOf: (file: number) => string } {
  const folders = listing.folders.map(({ path }, f) => {
    const folder = languages[f]?.folder ?? "";
    const below = addressPathOf(`${path}/index.json`) ?? "";
    return folder === "" ? below : below.slice(folder.length + 1);
  });
  return {
    pathOf: (file) => {
      const folder = folders[listing.folderOf[file] ?? 0] ?? "";
      if (listing.kind(file) === "index") return folder;
      return folder === "" ? listing.slug(file) : `${folder}/${listing.slug(file)}`;
    },
  };
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

/** A function that prints them as JSON, for the response of a file; undefined if the page has no translation. */
export function translationPrinter(groups: Groups): (file: number) => string | undefined {
  const textOf = textReader(groups.texts);
  return (file) => {
    let printed = "";
    for (const other of othersOf(groups, file)) printed += `${printed === "" ? "[" : ","}${textOf(other)}`;
    return printed === "" ? undefined : `${printed}]`;
  };
}

/** A number for the translations in a response, by which a build notices that they have changed. */
export function digestOf(groups: Groups, { digests }: Summaries, file: number): number {
  let sum = 0;
  for (const other of othersOf(groups, file)) sum = (31 * sum + (digests[other] ?? 0)) % 2 ** 48;
  return sum;
}

/** Records the translations of all pages in the table of a plan. */
export function setTranslations({ translated }: PageTable, translations: Translations | undefined): void {
  if (translations === undefined) {
    if (translated.some((digest) => digest !== 0)) translated.fill(0);
    return;
  }
  if (translations.isUnchanged) return;
  const groups = translations.groups();
  for (let file = 0; file < translated.length; file++) {
    const digest = digestOf(groups, translations.summaries, file);
    if (translated[file] !== digest) translated[file] = digest;
  }
}
