import { createHash } from "node:crypto";
import { join } from "node:path";
import { includes, type Instant } from "../base/instant.ts";
import { finding, type Finding } from "../findings/finding.ts";
import { languageAt, languagesOf, type Language } from "../model/languages.ts";
import { livePeriod, ownPeriod, periodOrAlways } from "../model/schedule.ts";
import { addressesOf, addressPathOf, detailUrl, parentOf } from "../model/tree.ts";
import { nodeAt } from "../source/json/node.ts";
import { isObject } from "../source/json/object.ts";
import { placeOf } from "../source/json/place.ts";
import { SourceReader } from "../source/read.ts";
import { SOURCE, type FormerBuild } from "./changes.ts";
import type { Discovery } from "./discover.ts";
import type { ListedTranslations } from "../browse/data-files.ts";
import { listTranslations, type GroupedPage } from "./listed-translations.ts";
import { matchFiles, type PageSummary } from "./manifest/manifest.ts";
import type { PageTable } from "./manifest/page-table.ts";

export interface Translations {
  /** By file; null if the source has errors. */
  summaries: readonly (PageSummary | null)[];
  /** By file, as JSON, of the pages that have translations. */
  printed: ReadonlyMap<number, string>;
  findings: Finding[];
  listed: () => ListedTranslations;
}

interface Translation extends GroupedPage {
  summary: PageSummary;
}

/** Finds the groups of pages that are translations of each other. Undefined for a site with one language. */
export function findTranslations(
  content: string,
  discovery: Discovery,
  former: FormerBuild | undefined,
  at: Instant,
): Translations | undefined {
  const { site, listing } = discovery;
  if (site?.locales === undefined) return undefined;
  const summaries = summariesOf(content, discovery, former);
  const languages = languagesOf(site);
  const fileOf = new Map<number, number>();
  for (const [file, summary] of summaries.entries())
    if (summary !== null && !fileOf.has(summary.id)) fileOf.set(summary.id, file);
  const findings: Finding[] = [];
  const reader = new SourceReader();
  const report = (file: number, problem: string): void => {
    const path = listing.path(file);
    const { source, root } = reader.read(content, path).parsed();
    const field = (summaries[file]?.of ?? 0) === 0 ? ["id"] : ["meta", "translation_of"];
    if (root === undefined) return;
    const { node } = nodeAt(root, field);
    findings.push(finding("wrong-translation", { problem }, placeOf(source, node.start, node.end)));
  };
  const languageOf = (file: number): Language | undefined => languageAt(listing.path(file), site);
  /** The file whose path names the group; undefined, with a finding, if `translation_of` is wrong. */
  const originalOf = (file: number): number | undefined => {
    const seen = new Set<number>();
    for (let now = file; ;) {
      const of = summaries[now]?.of ?? 0;
      if (of === 0 || seen.has(now)) return Math.min(now, ...(of === 0 ? [] : seen));
      seen.add(now);
      const next = fileOf.get(of);
      const problem =
        next === undefined
          ? `No page has the id ${of}`
          : listing.kind(next) === "draft"
            ? `The page ${of} is a draft (${listing.path(next)})`
            : languageOf(next) === languageOf(now)
              ? `The page ${of} is of the same language (${listing.path(next)})`
              : undefined;
      if (problem !== undefined || next === undefined) {
        if (now === file) report(file, problem ?? "");
        return undefined;
      }
      now = next;
    }
  };
  const groups = new Map<string, Translation[]>();
  for (const [file, summary] of summaries.entries()) {
    if (summary === null || listing.kind(file) === "draft") continue;
    const original = originalOf(file);
    const language = languageOf(file);
    if (original === undefined || language === undefined) continue;
    const key = pathIn(listing.path(original), languageOf(original));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ file, language, summary }]);
    else group.push({ file, language, summary });
  }
  const isLive = ({ file, summary }: Translation): boolean => {
    const parent = parentOf(listing, discovery.parents, file);
    const above = parent === "root" ? undefined : parent?.live;
    return includes(periodOrAlways(livePeriod(summary.live, above)), at);
  };
  const printed = new Map<number, string>();
  const addressOf = addressesOf(listing, site);
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    const members = languages.flatMap((language) => {
      const [first, ...others] = group
        .filter((one) => one.language === language)
        // The page that says so is wrong, rather than the one with the same path.
        .sort((one, other) => Number(one.summary.of !== 0) - Number(other.summary.of !== 0));
      for (const { file } of others)
        report(
          file,
          `Another page of the language ${language.code} has this translation (${listing.path(first?.file ?? file)})`,
        );
      return first === undefined ? [] : [first];
    });
    const [original] = members;
    for (const { file, summary } of members)
      if (original !== undefined && summary.type !== original.summary.type)
        report(
          file,
          `Its translation is of another type: ${original.summary.type} (${listing.path(original.file)})`,
        );
    if (site.translations === false) continue;
    const live = members.filter(isLive);
    const json = live.map(({ file, language, summary: { id, type, title } }) => {
      const meta = {
        type,
        locale: language.code,
        detail_url: detailUrl(site, id),
        html_url: addressOf(file),
      };
      return JSON.stringify({ id, meta, title });
    });
    for (const { file } of members) {
      const others = json.filter((_, k) => live[k]?.file !== file);
      if (others.length > 0) printed.set(file, `[${others.join(",")}]`);
    }
  }
  const listed = (): ListedTranslations =>
    listTranslations(
      [...groups.values()].map((group) => group.filter(isLive)),
      languages,
      listing,
    );
  return { summaries, printed, findings, listed };
}

/** The path of a page below the home page of its language. */
function pathIn(file: string, language: Language | undefined): string {
  const path = addressPathOf(file) ?? "";
  const folder = language?.folder ?? "";
  return folder === "" ? path : path.slice(folder.length + 1);
}

function summariesOf(
  content: string,
  { listing, isKnown, sources }: Discovery,
  former: FormerBuild | undefined,
): (PageSummary | null)[] {
  const before = former?.manifest.summaries;
  const matches =
    former === undefined || before === undefined || isKnown
      ? undefined
      : matchFiles(listing, former.manifest.listing);
  const reader = new SourceReader();
  return Array.from({ length: listing.count }, (_, file) => {
    const old = before === undefined ? -1 : (matches?.[file] ?? (isKnown ? file : -1));
    if (old !== -1 && ((former?.changes[old] ?? SOURCE) & SOURCE) === 0) return before?.[old] ?? null;
    const path = listing.path(file);
    return summaryIn(
      (sources.get(file)?.bytes ?? reader.readBytes(join(content, path), path).bytes)?.toString(),
    );
  });
}

function summaryIn(text = ""): PageSummary | null {
  let page: unknown;
  try {
    page = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(page) || !isObject(page["meta"])) return null;
  const { id, title, meta } = page;
  const { type, translation_of: of = 0 } = meta as Record<string, unknown>;
  if (typeof id !== "number" || typeof title !== "string" || typeof type !== "string") return null;
  const live = ownPeriod(meta);
  return { id, type, title, of: typeof of === "number" ? of : 0, ...(live && { live }) };
}

/** A number for the translations in a response, by which a build notices that they have changed. */
export function digestOf(printed: string | undefined): number {
  if (printed === undefined) return 0;
  return createHash("sha256").update(printed).digest().readUIntBE(0, 6) + 1;
}

/** Records the translations of all pages in the table of a plan. */
export function setTranslations({ translated }: PageTable, translations: Translations | undefined): void {
  if (translations === undefined) {
    if (translated.some((digest) => digest !== 0)) translated.fill(0);
    return;
  }
  for (let file = 0; file < translated.length; file++) {
    const digest = digestOf(translations.printed.get(file));
    if (translated[file] !== digest) translated[file] = digest;
  }
}
