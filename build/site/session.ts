import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { earlier, LATEST, type Instant, type Period } from "../base/instant.ts";
import { hasProgramChanged, PROGRAM } from "../base/program.ts";
import { isCoarse, statIfThere } from "../base/file.ts";
import { loadManifest, pruneCache, saveManifest, type Manifest } from "./manifest/manifest.ts";
import { periodOrAlways } from "../model/schedule.ts";
import type { PageTypes } from "../model/page-types.ts";
import type { Counts, ListedTranslations } from "../browse/data-files.ts";
import type { ListedPage } from "../outputs/website/lists.ts";
import { canChangeDataFiles, countsOf } from "./parts/browse.ts";
import { areUntouched } from "./parts/part.ts";
import { searchChanges, suspectsOf, type FormerBuild } from "./changes.ts";
import { discover, type Discovery } from "./discover.ts";
import type { Draft, SourceClaims } from "./drafts.ts";
import { PROGRAM_HEADERS } from "../base/folders.ts";
import { foldersOf, lockOutput, type Folders } from "./folders.ts";
import { instantFor, modelSource, type BuildOptions, type Built, type ModelSource } from "./outcome.ts";
import type { StepContext } from "./step.ts";
import { planAll, planChanged, type Plan } from "./plan.ts";
import { publish, staticFilesOf, upToDate, type ReadSources } from "./publish.ts";
import { periodsOf } from "./read.ts";
import { hasSamePages } from "./replace.ts";
import { findTranslations, type Translations } from "./translations.ts";
import { SecondThread } from "./threads.ts";
import type { CommitTimes } from "./older-translations.ts";

/** A build that has the output's lock from its first step on, and keeps the manifest in memory between its steps. */
export class BuildSession {
  protected readonly folders: Folders;
  protected readonly options: BuildOptions & { headersFile: string };
  private lock: (ReturnType<typeof lockOutput> & { inode: number | undefined }) | undefined;
  private readonly thread = new SecondThread();
  protected manifest: Manifest | undefined;
  /** The data of the last step, if it was refused. */
  private refused: ReadSources | undefined;
  private isSaved = true;
  private discovery: Discovery | undefined;
  /** The translations of the last step, for the browse UI; undefined on a site with one language. */
  translations: ListedTranslations | undefined;
  private listedFor: Manifest | undefined;
  private commits: CommitTimes | undefined;

  constructor(given: BuildOptions) {
    this.folders = foldersOf(given);
    const { content } = this.folders;
    this.options = { ...given, content, headersFile: resolve(given.headersFile ?? PROGRAM_HEADERS) };
  }

  /** @throws Locked if another build of the output is running. */
  private open(): ReturnType<typeof lockOutput> {
    const { layout, cache } = this.folders;
    const lock = lockOutput(layout);
    this.lock = { ...lock, inode: statIfThere(layout.lock)?.inode };
    // Without published pages, a manifest saves no work.
    const isUsed = this.options.full !== true && existsSync(layout.pages);
    this.manifest = isUsed ? loadManifest(cache, PROGRAM) : undefined;
    return lock;
  }

  /** Whether the lock was removed with the output: another process may then have built it. */
  protected hasLostLock(): boolean {
    return this.lock?.inode !== statIfThere(this.folders.layout.lock)?.inode;
  }

  /**
   * Brings the output up to date.
   *
   * @param named the only paths at which a source or folder may have changed since the last step; if it is left out, all
   * sources and all published files are compared.
   * @throws Locked if another build of the output is running.
   */
  async step(named?: ReadonlySet<string>, at = instantFor(this.options)): Promise<Built> {
    const { content, layout } = this.folders;
    const lock = this.lock ?? this.open();
    try {
      const before = existsSync(layout.pages) ? this.manifest : undefined;
      const hasAll =
        before &&
        (this.options.browse !== true || (before.browse && areUntouched(layout, before.browse))) &&
        (before.website === undefined || areUntouched(layout, before.website));
      const manifest = hasAll ? before : undefined;
      // If another program changed the folder of published pages, `named` does not include its changes.
      const isNamed = manifest !== undefined && named !== undefined && hasSamePages(layout, manifest);
      const suspects = isNamed ? suspectsOf(content, named, manifest.listing) : undefined;
      const former = manifest && {
        manifest,
        changes: await searchChanges(content, layout.pages, manifest, suspects),
        suspects,
      };
      const discovery = await discover(
        { ...this.options, model: modelSource(this.options), lastModel: this.discovery?.model },
        former,
        (count) => {
          if (manifest === undefined) this.thread.warmUp(count);
        },
      );
      this.discovery = discovery;
      const translations = await findTranslations(content, discovery, former, at, this.thread);
      for (const f of translations?.findings ?? []) discovery.findings.push(f);
      const isKept = translations?.isUnchanged === true && this.listedFor === manifest;
      if (this.options.browse === true && !(isKept && this.translations)) {
        this.translations = translations?.listed();
        // The step may be refused, or fail.
        this.listedFor = undefined;
      }
      const counts = await countsOf(this.options, discovery, manifest);
      const listed = this.translations;
      const older =
        listed && translations && counts.things > 0 && listed.rows.length > 0
          ? await this.committedEarlier(listed, discovery, translations, isNamed)
          : undefined;
      const planned = former && this.planWith(former, discovery, counts, at, translations);
      const context: StepContext = {
        options: this.options,
        folders: this.folders,
        thread: this.thread,
        discovery,
        counts,
        isNamed,
        translations,
        staticFiles: await staticFilesOf(this.options, discovery, counts, listed && { ...listed, older }),
        ...(planned
          ? { plan: planned, manifest, times: { at, knownSince: earlier(at, manifest.times.knownSince) } }
          : { plan: planAll(discovery), manifest: undefined, times: { at, knownSince: at } }),
      };
      const unchanged = upToDate(context);
      if (unchanged !== undefined) {
        this.refused = undefined;
        this.listedFor = this.manifest;
        return unchanged;
      }
      if (lock.unwritable !== undefined) throw lock.unwritable;
      const { built, read, published } = await publish(context);
      this.refused = published === undefined ? read : undefined;
      if (published !== undefined) {
        const staged = published.staged ?? (isNamed ? context.manifest?.staged : undefined);
        this.manifest = { ...published, staged };
        this.listedFor = this.manifest;
        this.isSaved = false;
      }
      return built;
    } finally {
      await this.thread.dismiss();
    }
  }

  private async committedEarlier(
    listed: ListedTranslations,
    { listing }: Discovery,
    { summaries }: Translations,
    isNamed: boolean,
  ): Promise<ListedTranslations["older"]> {
    const { commitTimes, olderAmong } = await import("./older-translations.ts");
    // Git is not asked after each save: that takes longer than the step. Commits change no source.
    if (!isNamed || this.commits === undefined)
      this.commits = await commitTimes(this.folders.content, this.commits);
    const { head, times } = this.commits;
    return head === undefined ? undefined : olderAmong(listed, listing, summaries.ids, times);
  }

  /** The plan of an incremental build; undefined if it could not change the data files, so that all pages have to be read. */
  private planWith(
    former: FormerBuild,
    discovery: Discovery,
    counts: Counts,
    at: Instant,
    translations: Translations | undefined,
  ): Plan | undefined {
    const { manifest, changes } = former;
    const plan = planChanged(discovery, former, at, translations);
    // The data files name types by numbers, and show the fields that a type declares.
    const hasSameTypes = manifest.types?.text === discovery.types?.text;
    // A listing has no addresses of languages that it had before.
    const hasSameLanguages =
      JSON.stringify(manifest.site?.locales) === JSON.stringify(discovery.site?.locales);
    const isEnough =
      hasSameLanguages &&
      (this.options.browse !== true ||
        (hasSameTypes && canChangeDataFiles(this.folders.layout, counts, plan, manifest, changes)));
    return isEnough ? plan : undefined;
  }

  /** The sorted instants after `at` at which pages go live or expire. */
  changesAfter(at: Instant): Instant[] {
    return [...new Set(this.eventsAfter(at).map((event) => event.at))];
  }

  /** The pages that go live or expire by their own dates after `at`, sorted by time. */
  eventsAfter(at: Instant): { at: Instant; change: "live" | "expired"; id: number }[] {
    if (this.manifest === undefined || this.discovery === undefined) return [];
    const { pageFindings, table } = this.manifest;
    const liveOf = periodsOf(this.discovery, pageFindings);
    return pageFindings
      .flatMap(({ file, live }) => {
        if (live === undefined) return [];
        const { from, until } = periodOrAlways(liveOf(file));
        const id = table.id[file] || (table.reservedId[file] ?? 0);
        // A page may expire before its parent goes live.
        if (from >= until) return [];
        return [
          { at: from, change: "live" as const, id },
          { at: until, change: "expired" as const, id },
        ];
      })
      .filter((event) => event.at > at && event.at < LATEST)
      .sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  }

  /** The sources that were written last, by the clock of the disk, with the times of that. */
  newest(count: number): [file: string, time: number][] {
    if (this.manifest === undefined) return [];
    const { listing, table } = this.manifest;
    const files = Array.from(table.sourceMtime, (time, file): [number, number] => [file, time]);
    const newest = files.sort(([, one], [, other]) => other - one).slice(0, count);
    return newest.map(([file, time]) => [listing.path(file), time]);
  }

  async drafts(): Promise<Draft[]> {
    if (this.discovery === undefined) return [];
    const { draftsOf } = await import("./drafts.ts");
    const { manifest, discovery } = this;
    // After a step with errors, the manifest may have other files.
    const table = manifest?.listing === discovery.listing ? manifest.table : undefined;
    return draftsOf(this.folders.content, discovery, await discovery.model.load(), table);
  }

  /** The claims of all sources, drafts included, in the last step; undefined before the first one. */
  async claims(): Promise<SourceClaims | undefined> {
    const { claimsOfSources } = await import("./drafts.ts");
    const read = this.refused ?? this.manifest;
    return read && claimsOfSources(this.folders.content, await this.model.load(), read);
  }

  private get model(): ModelSource {
    return this.discovery?.model ?? modelSource(this.options);
  }

  /** The page types of the site in the last step. */
  get types(): PageTypes {
    return this.model.types;
  }

  /** The address of the website in the last step. */
  get siteUrl(): string {
    return this.discovery?.site?.site_url ?? "";
  }

  /** The sources of the published pages. */
  get published(): Pick<Manifest, "listing" | "table"> | undefined {
    return this.manifest;
  }

  /** The id of a file's page, if its last valid version is published. */
  idOf(file: string): number | undefined {
    if (this.manifest === undefined) return undefined;
    const { listing, table } = this.manifest;
    const slash = file.lastIndexOf("/");
    const path = file.slice(0, Math.max(0, slash));
    const folder = listing.folders.findIndex((one) => one.path === path);
    const i = folder === -1 ? -1 : listing.find(folder, file.slice(slash + 1));
    return table.id[i] || undefined;
  }

  /** The file of a page, live or not, or of a draft, when the site was last published. */
  fileOf(id: number): string | undefined {
    if (this.manifest === undefined) return undefined;
    const { listing, table } = this.manifest;
    const page = table.id.indexOf(id);
    const file = page === -1 ? table.reservedId.indexOf(id) : page;
    return file === -1 ? undefined : listing.path(file);
  }

  /** The time in which a page and all its ancestors are live; undefined if that is always. */
  liveOf(id: number): Period | undefined {
    const { manifest, discovery } = this;
    // After a step with errors, the manifest may have other files.
    if (discovery === undefined || manifest?.listing !== discovery.listing) return undefined;
    const { table, pageFindings } = manifest;
    const file = Math.max(table.id.indexOf(id), table.reservedId.indexOf(id));
    return file === -1 ? undefined : periodsOf(discovery, pageFindings)(file);
  }

  isPublished(id: number): boolean {
    return this.manifest?.table.id.includes(id) === true;
  }

  /** By id: the positions of the published pages that have one, as in `positionOf`. */
  positions(): Map<number, number> {
    const found = new Map<number, number>();
    const { position = [], id = [] } = this.manifest?.table ?? {};
    for (const [file, own] of position.entries()) if (own !== 0) found.set(id[file] ?? 0, own);
    return found;
  }

  /** The published pages in the files of lists. */
  listed(): ListedPage[] {
    return JSON.parse(this.manifest?.website?.listed ?? "[]") as ListedPage[];
  }

  /** @returns the error if that failed; the next build then compares the output with the older manifest. */
  save(): unknown {
    if (this.isSaved || this.manifest === undefined) return undefined;
    const { cache, layout } = this.folders;
    try {
      // Modules of both versions may have made the output.
      if (hasProgramChanged()) throw new Failure("the program was changed while it ran");
      pruneCache(cache, layout.root);
      saveManifest(cache, PROGRAM, this.manifest);
      this.isSaved = true;
      return undefined;
    } catch (cause) {
      return cause;
    }
  }

  /** Whether the output's clock is too coarse to distinguish changes before and after the end of the last step. */
  isCoarse(): boolean {
    return this.manifest !== undefined && isCoarse(this.manifest.ended);
  }

  /** Releases the lock. A later step takes it again. */
  close(): void {
    this.lock?.release();
    this.lock = undefined;
    this.manifest = undefined;
    this.discovery = undefined;
    this.refused = undefined;
    this.isSaved = true;
  }
}
