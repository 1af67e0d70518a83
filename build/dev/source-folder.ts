import type { SourceFile } from "../change/change.ts";
import { statSync } from "node:fs";
import { join } from "node:path";
import fg from "fast-glob";
import { Failure } from "../base/failure.ts";
import { filesById, freeId, idIn } from "../change/ids.ts";
import { sourceText, undo, type Undo } from "../change/apply.ts";
import { siteIn } from "../change/files.ts";
import type { MoveOptions } from "../change/page-actions.ts";
import { wordsInForm, type FindingWords } from "../editor/findings.ts";
import { searchedThings, searchThings, type SearchedThing, type Thing } from "../editor/form/things.ts";
import { thingsOf } from "../outputs/editor/data.ts";
import { objectIn } from "../source/json/object.ts";
import { commitTimes, type CommitTimes } from "../site/older-translations.ts";
import type { WatchBuild } from "../site/watch-build.ts";
import { SITE_FILES } from "../source/site-files.ts";
import { imagePath, MEDIA_FOLDER } from "../source/image-kinds.ts";
import { hintOf, messageOf, type Finding } from "../findings/finding.ts";
import { modelOf } from "../model/types.ts";
import type { PageModel } from "../model/page.ts";
import type { Site } from "../model/site.ts";
import { SourceReader } from "../source/read.ts";
import { findSources } from "../source/find.ts";
import { changedPaths, lastCommitted, openRepository } from "../source/git.ts";

type PreviewBuild = Pick<WatchBuild, "fileOf" | "claims" | "newest">;

/** Number of commits in which pages that were edited last are searched for. */
const COMMITS = 50;

const plain = (found: Finding): FindingWords => ({ message: messageOf(found), hint: hintOf(found) });

const isOfPage = ({ place: { file } }: Finding): boolean => file.endsWith(".json") && !SITE_FILES.has(file);

/** The page sources that the editor of a preview reads and writes. */
export class SourceFolder {
  readonly content: string;
  readonly options: MoveOptions;
  private readonly known: PreviewBuild;
  /** The times of the commits up to the one that is checked out. */
  private committed: CommitTimes | undefined;
  /** What undoes the last change. */
  private last: { change: number; undo: Undo } | undefined;
  private changes = 0;
  /** By kind; undefined if the sources may have changed since. */
  private things: Promise<ReadonlyMap<string, readonly SearchedThing[]>> | undefined;

  /** @param content its real path. @param model of the program: that of the site is read for each operation. */
  constructor(content: string, known: PreviewBuild, model: PageModel) {
    this.content = content;
    this.known = known;
    this.options = {
      model,
      onDone: (taken) => {
        this.last = { change: ++this.changes, undo: taken };
      },
    };
  }

  /** The source of a page or draft; undefined if no source has the id. */
  open(id: number): SourceFile | undefined {
    const { content } = this;
    const known = this.known.fileOf(id);
    const source = known === undefined ? undefined : this.read(known);
    if (source !== undefined && hasId(source.text, id)) return source;
    // The source may have errors, or may have been saved since the last build.
    const file = filesById(content, findSources(content).listing).get(id)?.[0];
    return file === undefined ? undefined : this.read(file);
  }

  /** The id in a source without a page; undefined if it has none, or the id of another page. */
  idOfUnbuilt(file: string): number | undefined {
    if (!file.endsWith(".json")) return undefined;
    try {
      const id = idIn(sourceText(this.content, file) ?? "");
      const known = id === undefined ? undefined : this.known.fileOf(id);
      return known === undefined || known === file ? id : undefined;
    } catch {
      // For example a link: it has a finding, but no form.
      return undefined;
    }
  }

  private read(file: string): SourceFile | undefined {
    const text = sourceText(this.content, file);
    return text === null ? undefined : { file, text };
  }

  /** Called when the sources have changed. */
  forgetThings(): void {
    this.things = undefined;
  }

  /** The things of a kind, in pages and drafts, that contain all the words, the most frequent first. */
  async findThings(kind: string, words: string): Promise<Thing[]> {
    this.things ??= this.collectThings();
    return searchThings((await this.things).get(kind) ?? [], words);
  }

  private async collectThings(): Promise<ReadonlyMap<string, readonly SearchedThing[]>> {
    const found = await this.known.claims();
    if (found === undefined) return new Map();
    const { entities, claims, idOf, pathOf } = found;
    const reader = new SourceReader();
    const textOf = (id: number): string | undefined =>
      reader.textOf(join(this.content, pathOf(claims.starts.findIndex((_, file) => idOf(file) === id))));
    const kinds = Array.from(
      thingsOf(entities, claims, idOf),
      async ([kind, rows]) => [kind.identity.kind, await searchedThings(kind, rows, textOf)] as const,
    );
    return new Map(await Promise.all(kinds));
  }

  /** Findings in the words of the form; those of other files than pages in the words of their source. */
  inWords(findings: readonly Finding[]): FindingWords[] {
    if (!findings.some(isOfPage)) return findings.map(plain);
    try {
      const model = modelOf(this.content, this.options.model);
      const site = this.site() ?? {};
      const words = new Map<string, (found: Finding) => FindingWords>();
      return findings.map((found) => {
        const { file } = found.place;
        if (isOfPage(found) && !words.has(file))
          words.set(file, wordsInForm(model, this.read(file)?.text ?? "", site));
        return (words.get(file) ?? plain)(found);
      });
    } catch {
      // Without page types, there are no labels.
      return findings.map(plain);
    }
  }

  /** The values of `_site.json`; null if it has errors. */
  site(): Site | null {
    return siteIn(this.content) ?? null;
  }

  /** The paths of the images in `_media/`, relative to it. */
  images(): string[] {
    const files = fg.globSync(`${MEDIA_FOLDER}/**`, { cwd: this.content, followSymbolicLinks: false });
    return files.flatMap((file) => imagePath(file) ?? []).sort();
  }

  /**
   * The sources that were edited last, newest first, with the times of that: those that git does not have yet, then those
   * of the last commits. Without git, by the clock of the disk, which a checkout changes.
   */
  async editedLast(count: number): Promise<[file: string, time: string][]> {
    const dated = (file: string): [string, string][] => {
      const stats = statSync(join(this.content, file), { throwIfNoEntry: false });
      return stats === undefined ? [] : [[file, stats.mtime.toISOString()]];
    };
    try {
      const repository = openRepository(this.content);
      const [changed, committed] = await Promise.all([
        changedPaths(repository, "HEAD"),
        lastCommitted(repository, COMMITS),
      ]);
      const now = [...changed].flatMap(dated).sort(([, one], [, other]) => (one < other ? 1 : -1));
      return [...now, ...[...committed].filter(([file]) => !changed.has(file))].slice(0, count);
    } catch {
      return this.known.newest(count).map(([file, time]) => [file, new Date(time).toISOString()]);
    }
  }

  /** By file: when it was last edited, in milliseconds; empty if git does not have the history. */
  async editTimes(): Promise<ReadonlyMap<string, number>> {
    const { content } = this;
    this.committed = await commitTimes(content, this.committed);
    const times = new Map(this.committed.times);
    if (this.committed.head === undefined) return times;
    for (const file of await changedPaths(openRepository(content), "HEAD")) {
      const stats = statSync(join(content, file), { throwIfNoEntry: false });
      if (stats !== undefined) times.set(file, stats.mtimeMs);
    }
    return times;
  }

  /** Whether the content folder is in a checkout of git. */
  get isVersioned(): boolean {
    try {
      return openRepository(this.content).root !== "";
    } catch {
      return false;
    }
  }

  /** Restores the sources as they were before the last change, if they have not changed since. */
  undo(change: number): void {
    const { last } = this;
    if (last?.change !== change)
      throw new Failure("Only the last change can be undone, and another one followed it.");
    undo(this.content, last.undo);
    this.last = undefined;
  }

  /** The number of the last change; undefined if there is none to undo. */
  get change(): number | undefined {
    return this.last?.change;
  }

  /** A free id, chosen as by `npx page-api new`. */
  id(): number {
    return freeId({ has: (id) => this.known.fileOf(id) !== undefined });
  }
}

const hasId = (text: string, id: number): boolean => objectIn(text.replace(/^\ufeff/, ""))?.["id"] === id;
