import { forEachConcurrent } from "../../base/concurrent.ts";
import { Failure } from "../../base/failure.ts";
import {
  renamed,
  withoutRenames,
  type BrokenLink,
  type Rename,
  type SiteChange,
  type SourceFile,
} from "../../change/change.ts";
import { historyOf } from "../../change/history.ts";
import {
  fileAt,
  keepTranslations,
  pathAlong,
  standInFor,
  translationsOf,
} from "../../change/kept-translations.ts";
import {
  addressOfSource,
  planMove,
  planRedraft,
  planRetire,
  type AffectedPage,
  type SitePart,
} from "../../change/plan.ts";
import { linksOfSource } from "../../change/move-edits.ts";
import { groupsAmong, pathInLanguage, translationFacts } from "../../change/translation-groups.ts";
import type { PublishedPages } from "../../check/history.ts";
import { languageAt } from "../../model/languages.ts";
import type { PageModel } from "../../model/page.ts";
import { referenceTo } from "../../model/reference.ts";
import type { Site } from "../../model/site.ts";
import { homeAddress, sitePath } from "../../model/tree.ts";
import { parseJson } from "../../source/json/parse.ts";
import { draftNameProblem, HISTORY, SITE, SYNC } from "../../source/site-files.ts";
import { pageOf } from "../form/model.ts";
import { fileWithFolder, hasFolder, hasSubpages } from "../../source/page-files.ts";
import { StoreFailure, type Along, type LinkingPages, type PageActions } from "../store.ts";
import { CONCURRENCY, MAX_LINKING, TOO_MANY_LINKING } from "./files.ts";
import type { GitHubStore } from "./store.ts";

/** Maximum number of pages that are moved or retired at once, because each is requested from GitHub. */
const MAX_PAGES = 50;

/** A page that moves or is retired. */
interface LeavingPage {
  file: string;
  text: string | null;
  id: number;
  /** The address at which it is published, without the host; undefined if it was never published. */
  published: string | undefined;
}

type PageText = Pick<LeavingPage, "file" | "text">;

interface ProposalSite {
  /** The published address of a page; undefined if it was never published. */
  addressOf: (id: number) => Promise<string | undefined>;
  /** The ids of the published translations of a page. */
  translationsOf: (id: number) => Promise<Iterable<number>>;
  site: Site;
  pages: () => PageModel;
}

/** A page with its subpages, where it moves, and its parent page if that gets a folder. */
interface MovingPage {
  pages: LeavingPage[];
  rename: Rename;
  leaf: SourceFile[];
}

const textsOf = (...lists: (readonly PageText[] | undefined)[]) =>
  new Map(lists.flatMap((list = []) => list.map(({ file, text }) => [file, text] as const)));

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/") + 1);

/** Moves, retires, publishes and withdraws pages with their subpages in the proposal. */
export class ProposedActions implements PageActions {
  private readonly store: GitHubStore;
  private readonly options: ProposalSite;

  constructor(store: GitHubStore, options: ProposalSite) {
    this.store = store;
    this.options = options;
  }

  async subpages(file: string): Promise<number> {
    return (await this.store.filesBelow(file)).length;
  }

  /** Changed live pages are found by their links when the site was published. The check of the pull request finds all. */
  async linking(file: string): Promise<LinkingPages> {
    return this.linksTo(await this.pagesFrom(file));
  }

  async move(file: string, to: string, { linking, translations = false }: Along = {}): Promise<string> {
    const { site } = this.options;
    const moving = [await this.placed(file, to)];
    const [first] = moving as [MovingPage];
    const own = linking ?? (await this.linksTo(first.pages));
    const texts = textsOf(first.pages, own.read);
    const above = folderOf(to).slice(0, -1);
    const groups = await this.groupsOf(
      first.pages,
      texts,
      `${hasSubpages(to) ? folderOf(above) : `${above}/`}index.json`,
    );
    for (const one of translations ? translationsOf(groups, file) : []) {
      const path = one.isDraft ? undefined : planned(() => pathAlong(site, groups, file, first.rename, one));
      const along = path === undefined ? undefined : `${path}${hasFolder(one.file) ? "/index" : ""}.json`;
      if (along !== undefined) moving.push(await this.placed(one.file, along));
    }
    const [pages, leaf] = [moving.flatMap((one) => one.pages), moving.flatMap((one) => one.leaf)];
    const renames = [
      ...moving.map(({ rename }) => rename),
      ...leaf.map(({ file: from }) => ({ from, to: fileWithFolder(from) })),
    ];
    const part = await this.partOf(pages, moving.length > 1 ? undefined : own, "now", leaf);
    const [change, { addresses }] = planned(() =>
      planMove(part, renames, (readdressed) => {
        const published = new Map(pages.map((page) => [page.id, page.published]));
        return new Set(readdressed.flatMap(({ id, before }) => (published.get(id) === before ? [] : [id])));
      }),
    );
    await this.collect(
      await this.kept(part, change, pages, texts),
      [...pages, ...leaf],
      pages,
      addresses.map(({ before, after }) => [before, after]),
    );
    return to;
  }

  /** A page at another path. A parent page without a folder gets one. */
  private async placed(file: string, to: string): Promise<MovingPage> {
    const pages = await this.pagesFrom(file);
    const folders = [file, to].map((one) => folderOf(one).slice(0, -1)) as [string, string];
    const isSection = hasSubpages(file) && hasSubpages(to);
    const above = isSection ? folderOf(folders[1]).slice(0, -1) : folders[1];
    const parent = above === "" ? null : await this.store.read(`${above}.json`);
    return {
      pages,
      rename: isSection ? { from: folders[0], to: folders[1] } : { from: file, to },
      leaf: parent === null ? [] : [{ file: `${above}.json`, text: parent }],
    };
  }

  async retire(file: string, to: string | undefined, { linking, translations = false }: Along = {}) {
    const { site } = this.options;
    let pages = await this.pagesFrom(file);
    let links = linking ?? (await this.linksTo(pages));
    const texts = textsOf(pages, links.read);
    const live = await this.addresses();
    const groups = await this.groupsOf(pages, texts, to === undefined ? undefined : fileAt(site, live, to));
    const along = translations ? translationsOf(groups, file).filter(({ isDraft }) => !isDraft) : [];
    if (along.length > 0) {
      const others = await Promise.all(along.map((one) => this.pagesFrom(one.file)));
      pages = [...pages, ...others.flat()];
      links = await this.linksTo(pages);
    }
    const part = await this.partOf(pages, links, "published");
    const published = to === undefined ? undefined : await this.publishedPages(part, live);
    const standIn = published && {
      to: standInFor({ site, addresses: live }, groups, file, to ?? ""),
      published,
    };
    const [change, { links: broken }] = planned(() => planRetire(part, standIn));
    await this.collect(await this.kept(part, change, pages, texts), [], pages);
    return broken;
  }

  async publish(file: string): Promise<string> {
    const to = file.replace(/_([^/]*)$/, "$1");
    const { locales } = this.options.site;
    const none = { sources: [], unread: [] };
    await this.redraft({ from: file, to }, [], locales ? await this.linking(file) : none);
    return to;
  }

  async withdraw(file: string, linking?: LinkingPages): Promise<BrokenLink[]> {
    const to = file.replace(/([^/]*)$/, "_$1");
    const problem = draftNameProblem(to);
    if (problem !== undefined) throw new StoreFailure(problem);
    const pages = await this.pagesFrom(file);
    return this.redraft({ from: file, to }, pages, linking ?? (await this.linksTo(pages)));
  }

  private async redraft(rename: Rename, pages: readonly LeavingPage[], linking: LinkingPages) {
    const page = { file: rename.from, text: await this.store.read(rename.from) };
    if (page.text === null) throw new StoreFailure(`${page.file} is not in the repository any more.`);
    const part = await this.partOf(pages, linking, "now");
    const [change, links] = planRedraft(part, rename);
    const kept = await this.kept(part, change, [page, ...pages], textsOf(linking.read));
    await this.collect(kept, [page], [page]);
    return links;
  }

  /** A page with its subpages. @throws StoreFailure if they are too many */
  private async pagesFrom(file: string): Promise<LeavingPage[]> {
    const files = [file, ...(await this.store.filesBelow(file))];
    if (files.length > MAX_PAGES)
      throw new StoreFailure(
        `The page has ${files.length - 1} subpages, and at most ${MAX_PAGES} pages can be changed at once here. Use npm run dev, or npx page-api move and retire.`,
      );
    const origin = new URL(homeAddress(this.options.site)).origin.length;
    return Promise.all(
      files.map(async (one) => {
        const text = await this.store.read(one);
        const id = Number(pageOf(text)?.["id"]);
        return { file: one, text, id, published: (await this.options.addressOf(id))?.slice(origin) };
      }),
    );
  }

  /** @param address the address of a page that is recorded: that of the proposal, or the published one */
  private async partOf(
    pages: readonly LeavingPage[],
    linking: LinkingPages | undefined,
    address: "now" | "published",
    more: readonly SourceFile[] = [],
  ): Promise<SitePart> {
    const { site, pages: model } = this.options;
    const { sources } = linking ?? (await this.linksTo(pages));
    const own = new Set(pages.map(({ file }) => file));
    const texts = new Map<string, string | null>([...pages, ...more].map(({ file, text }) => [file, text]));
    const hasRecord = pages.some(({ text }) => text?.includes('"external_id"'));
    for (const file of [HISTORY, SITE, ...(hasRecord ? [SYNC] : [])])
      texts.set(file, await this.store.read(file));
    return {
      model: model(),
      site,
      pages: pages.map(({ file, published }): AffectedPage => {
        const now = addressOfSource(file, site);
        return address === "now"
          ? { file, address: now, former: published }
          : { file, address: published, former: now };
      }),
      others: () => sources.filter(({ file }) => !own.has(file)),
      read: (file) => texts.get(file) ?? null,
      schemaOf: () => undefined,
    };
  }

  /**
   * Reads the translations of pages: those at the same paths, those that name them, and those of the published site.
   *
   * @param texts by file: of the pages and of possible translations. What is read is added. @param more another page
   */
  private async groupsOf(
    pages: readonly { file: string }[],
    texts: Map<string, string | null>,
    more?: string,
  ) {
    const { store } = this;
    const { site, translationsOf: published } = this.options;
    if (site.locales === undefined) return new Map<string, []>();
    const pathOf = (file: string): string => {
      const language = languageAt(file, site);
      return language === undefined ? "" : pathInLanguage(file, language);
    };
    const files = pages.map(({ file }) => file);
    const paths = new Set((more === undefined ? files : [...files, more]).map(pathOf));
    for (const { file, after } of store.changes) if (!texts.has(file)) texts.set(file, after);
    const live = [...(await store.liveFiles())];
    const alike = live.filter((file) => !texts.has(file) && paths.has(pathOf(file)));
    await forEachConcurrent(alike, CONCURRENCY, async (file) => {
      texts.set(file, await store.read(file));
    });
    const known = new Set<number>();
    const named = new Set<number>();
    for (const [file, text] of texts) {
      const { id = 0, of = 0 } = factsIn(text) ?? {};
      known.add(id);
      if (paths.has(pathOf(file))) named.add(id).add(of);
    }
    const ids = new Set(named);
    for (const id of named) for (const other of await published(id)) ids.add(other);
    const others = [...ids].filter((id) => !known.has(id));
    await forEachConcurrent(others, CONCURRENCY, async (id) => {
      const found = await store.open(id);
      if (found !== undefined) texts.set(found.file, found.text);
    });
    return groupsAmong(
      Array.from(texts, ([file, text]) => [file, factsIn(text)] as const),
      site,
    );
  }

  /** A change that keeps the translations of its pages. */
  private async kept(
    part: SitePart,
    change: SiteChange,
    pages: readonly PageText[],
    texts: Map<string, string | null>,
  ): Promise<SiteChange> {
    for (const { file, text } of pages) if (text !== null) texts.set(file, text);
    const groups = await this.groupsOf(pages, texts);
    return keepTranslations({ ...part, read: (file) => texts.get(file) ?? null }, groups, change);
  }

  /** The addresses of live pages with the changes of the proposal, without host, by file. */
  private async addresses(): Promise<Map<string, string>> {
    const live = await this.store.liveFiles();
    return new Map(
      Array.from(live, (file) => [file, addressOfSource(file, this.options.site) ?? ""] as const).filter(
        ([, address]) => address !== "",
      ),
    );
  }

  /** The live pages with the changes of the proposal. */
  private async publishedPages({ read }: SitePart, live: ReadonlyMap<string, string>) {
    const { site } = this.options;
    const moved = new Map<number, string | undefined>();
    for (const { id } of historyOf(read(HISTORY)).moved) moved.set(id, await this.store.published.fileOf(id));
    return (_: unknown, retired: ReadonlySet<string>): PublishedPages => {
      const addresses = new Map<string, string>();
      for (const [file, address] of live)
        if (!retired.has(file)) addresses.set(sitePath(address, site) ?? address, address);
      return {
        site,
        addressAt: (path) => addresses.get(path),
        addressOf: (id) => {
          const file = moved.get(id);
          return file === undefined || retired.has(file) ? undefined : live.get(file);
        },
      };
    };
  }

  /** @param pages the pages that the editor chose, with their subpages */
  private async collect(
    change: SiteChange,
    renamedFiles: readonly PageText[],
    pages: readonly PageText[],
    addresses: readonly (readonly [string, string])[] = [],
  ): Promise<void> {
    const { renames = [] } = change;
    const sources = renamedFiles.flatMap(({ file, text }) => (text === null ? [] : [{ file, text }]));
    const files = pages.flatMap(({ file }) => [file, renamed(file, renames)]);
    await this.store.collect({ files: withoutRenames(change, sources), pages: files, renames, addresses });
  }

  private async linksTo(pages: readonly LeavingPage[]): Promise<LinkingPages> {
    const { site, pages: model } = this.options;
    const addresses = pages.flatMap(({ file, published }) => [addressOfSource(file, site), published]);
    const paths = new Set(addresses.flatMap((one) => (one === undefined ? [] : (sitePath(one, site) ?? []))));
    const ids = new Set(pages.map(({ id }) => id));
    const hasLanguages = site.locales !== undefined;
    if (paths.size === 0 && !hasLanguages) return { sources: [], unread: [] };
    const known = pages.flatMap(({ file, text }) => (text === null ? [] : [file]));
    const targets = new Set([...paths, ...[...ids].map((id) => referenceTo(id))]);
    const { sources, unread } = await this.store.linking(targets, new Set(known));
    const namingIn = ({ file, text }: PageText): LinkingPages["sources"] => {
      if (text === null) return [];
      const parsed = parseJson(file, new TextEncoder().encode(text));
      const { links, references } = linksOfSource(parsed, paths, ids, { model: model(), site });
      return links.length + references.length === 0
        ? []
        : [{ file, text, links, isReference: references.length > 0 }];
    };
    const others = sources.flatMap(namingIn).sort((a, b) => (a.file < b.file ? -1 : 1));
    const left = others.splice(MAX_LINKING).map(({ file }) => ({ file, reason: TOO_MANY_LINKING }));
    const read = hasLanguages ? sources : undefined;
    return { sources: [...pages.flatMap(namingIn), ...others], unread: [...unread, ...left], read };
  }
}

const factsIn = (text: string | null) => translationFacts(pageOf(text));

/** The result of a computation whose refusal the form shows. */
function planned<T>(compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    throw cause instanceof Failure ? new StoreFailure(cause.message) : cause;
  }
}
