import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { dirname } from "node:path";
import { childrenPath, idsPath, LISTS_FILE, type ListedPages } from "../base/website.ts";
import type { ChangedFiles } from "../outputs/website/addresses.ts";
import { childrenFiles } from "../outputs/website/children.ts";
import { listedPage, printIds, printLists } from "../outputs/website/lists.ts";
import { FOLDER, INDEX, isOwnFile, LIVE, ownFile } from "../outputs/browse/files.ts";
import { cardOf, listedFacts, type ListedFacts } from "../outputs/browse/shown.ts";
import { editorFile } from "../outputs/editor/bundle.ts";
import { printableJson } from "../findings/printable.ts";
import { capped, diagnosticOf } from "../findings/reporters.ts";
import { currentInstant, printInstant, type Instant, type Period } from "../base/instant.ts";
import { formatBounds, formatInstant, formatPeriod } from "../model/schedule.ts";
import type { Draft } from "../site/drafts.ts";
import type { FindingWords } from "../editor/findings.ts";
import { olderAmong } from "../site/older-translations.ts";
import { itemOf, type Item } from "../model/item.ts";
import type { PageResponse } from "../model/page.ts";
import type { WatchBuild } from "../site/watch-build.ts";
import type { Built } from "../site/outcome.ts";
import type { Editing } from "./editing.ts";
import type { SourceFolder } from "./source-folder.ts";

/** Maximum number of findings that are shown. */
const MAX_FINDINGS = 500;

const DRAFT = new RegExp(`^/${FOLDER}/drafts/(\\d{1,16})\\.json$`);
const DATES = new RegExp(`^/${FOLDER}/dates/(\\d{1,16})\\.json$`);

/** Replaces the script of the page: the script of a preview would import the other modules, and request its state, later. */
const SCRIPT = `<script type="module" src="/${FOLDER}/app.js">`;
const PRELOADED = `<link rel="modulepreload" href="/${FOLDER}/app.js" />
    <link rel="preload" href="/${FOLDER}/live.json" as="fetch" crossorigin />
    <script type="module" src="/${FOLDER}/${LIVE}">`;

export const isIndex = (path: string): boolean => path === "/" || path === `/${INDEX}`;

/** The response at an address that only a preview has. */
type Own = { type: string; body: string | Uint8Array } | "changes";

/** Maximum number of entries in each list of the desk. */
const MAX_LISTED = 8;
/** Maximum number of edited files among which those of pages are searched. */
const MAX_EDITED = 100;

/**
 * The part of the browse UI that only a preview has: drafts, findings, and every save at once. A build writes no file at
 * its addresses.
 */
export class LivePage {
  readonly website: string | undefined;
  private readonly live: WatchBuild;
  private readonly sources: SourceFolder;
  private readonly readers = new Set<ServerResponse>();
  /** By file: the last valid version of each draft. */
  private readonly drafts = new Map<string, NonNullable<Draft["page"]>>();
  private responses: readonly DraftResponse[] = [];
  /** Prints the state for a browser: only a request for it needs the findings in words. */
  private state: Promise<() => string>;
  private listed: { state?: Promise<() => string>; files: ReadonlyMap<string, Buffer> } = {
    files: new Map(),
  };
  private last: Pick<Built, "pages" | "findings"> & { isGood: boolean } = {
    pages: 0,
    findings: [],
    isGood: false,
  };
  private isReady = false;
  /** Whether there is a commit to compare the sources with. */
  private readonly isVersioned: boolean;
  /** The instant that is shown; undefined for the current time. */
  private at: Instant | undefined;

  /** @param website the origin of a website that shows the pages, which the form shows beside it. */
  constructor(live: WatchBuild, sources: SourceFolder, website?: string) {
    this.website = website;
    this.live = live;
    this.sources = sources;
    this.isVersioned = sources.isVersioned;
    this.state = this.describe();
  }

  /** @param built undefined if the build failed. */
  onBuilt(built: Built | undefined, at?: Instant): void {
    const isGood = built?.published !== undefined;
    if (built !== undefined) this.at = at;
    this.last = { pages: built?.pages ?? 0, findings: built?.findings ?? [], isGood };
    this.isReady ||= isGood;
    this.state = this.describe();
    // The error is thrown at the next request for the state.
    this.state.catch(() => undefined);
    for (const reader of this.readers) reader.write("data: built\n\n");
  }

  /** Undefined unless the address is its own. @param editing if given, the page may edit the sources. */
  async respond(path: string, editing: Editing | undefined): Promise<Own | undefined> {
    if (isIndex(path)) {
      const html = String(ownFile(INDEX)).replace(SCRIPT, PRELOADED);
      const body = editing?.withToken(html) ?? html;
      const meta =
        this.website === undefined ? "" : `<meta name="website" content="${this.website}" /></head>`;
      return { type: ".html", body: meta === "" ? body : body.replace("</head>", meta) };
    }
    if (path === `/${FOLDER}/changes`) return "changes";
    if (path === `/${FOLDER}/live.json`) return { type: ".json", body: (await this.state)() };
    if (path === `/${FOLDER}/desk.json`) return { type: ".json", body: printableJson(await this.desk()) };
    const [, id] = DRAFT.exec(path) ?? [];
    if (id !== undefined) {
      const body = await this.draft(Number(id));
      return body && { type: ".json", body };
    }
    const [, dated] = DATES.exec(path) ?? [];
    if (dated !== undefined) {
      const live = this.live.liveOf(Number(dated));
      return { type: ".json", body: printableJson(live ? { live: formatBounds(live) } : {}) };
    }
    const name = path.startsWith(`/${FOLDER}/`) ? path.slice(FOLDER.length + 2) : "";
    const body = isOwnFile(name) ? ownFile(name) : await editorFile(name);
    return body && { type: name.slice(name.lastIndexOf(".")), body };
  }

  /** The lists of the home view that are not in the state: the ids of pages, each with a time. */
  private async desk(): Promise<object> {
    await this.state;
    const edited = await this.sources.editedLast(MAX_EDITED);
    const events = this.live.eventsAfter(this.at ?? currentInstant());
    return {
      edited: edited
        .map(([file, time]) => [this.drafts.get(file)?.id ?? this.live.idOf(file), time])
        .filter(([id]) => id !== undefined)
        .slice(0, MAX_LISTED),
      older: await this.olderTranslations(),
      next: events
        .slice(0, MAX_LISTED)
        .map(({ id, change, at }) => [
          id,
          `${change === "live" ? "goes live" : "expires"} on ${formatInstant(at)}`,
        ]),
    };
  }

  /** Translations that git has in an older version than their originals, with the times at which these were edited. */
  private async olderTranslations(): Promise<[number, string][]> {
    const { translations: listed, published } = this.live;
    if (listed === undefined || listed.rows.length === 0 || published === undefined) return [];
    const { listing, table } = published;
    return olderAmong(listed, listing, table.id, await this.sources.editTimes());
  }

  /** The response that a draft would have. */
  async draft(id: number): Promise<Buffer | undefined> {
    await this.state;
    return [...this.drafts.values()].find((one) => one.id === id)?.response;
  }

  /**
   * A file of the index with the drafts.
   *
   * @param text of the published file; undefined if there is none.
   * @param read reads a published file.
   */
  async withDrafts(
    path: string,
    text: string | undefined,
    read: (path: string) => Uint8Array | undefined,
  ): Promise<string | undefined> {
    await this.state;
    const [, name] = ADDRESSES.exec(path) ?? [];
    if (name !== undefined) {
      const own = this.responses.flatMap(({ id, meta }): [string, number][] => {
        const address = meta.html_url.slice(this.live.siteUrl.length);
        return createHash("sha256").update(address).digest("hex").startsWith(name) ? [[address, id]] : [];
      });
      return text && JSON.stringify({ ...(JSON.parse(text) as object), ...Object.fromEntries(own) });
    }
    if (path.startsWith(dirname(LISTS_FILE))) return this.lists(read).get(path)?.toString() ?? text;
    const [, parent] = CHILDREN.exec(path) ?? [];
    const own = this.responses.filter(({ meta }) => String(meta.parent?.id) === parent);
    return own.length === 0 ? text : this.children(Number(parent), own, read).get(path)?.toString();
  }

  /** The files of the pages below a page with the drafts. */
  private children(
    parent: number,
    own: readonly DraftResponse[],
    read: (path: string) => Uint8Array | undefined,
  ): ChangedFiles {
    const positions = this.live.positions();
    for (const { id, position } of this.drafts.values()) positions.set(id, position);
    const items = own.map((page) => itemOf(page, cardOf(this.live.types, page.meta.type)?.(page)));
    for (let part = 1, file; (file = read(childrenPath(parent, part))) !== undefined; part++)
      items.push(...(JSON.parse(Buffer.from(file).toString()) as { children: Item[] }).children);
    const all = items.map((item) => ({
      id: item.id,
      position: positions.get(item.id) ?? 0,
      item: Buffer.from(JSON.stringify(item)),
    }));
    return childrenFiles(
      new Map([[parent, all]]),
      () => Buffer.alloc(0),
      () => false,
    );
  }

  /** The files of lists with the drafts, made once for each state. */
  private lists(read: (path: string) => Uint8Array | undefined): ReadonlyMap<string, Buffer> {
    if (this.listed.state !== this.state) this.listed = { state: this.state, files: this.listFiles(read) };
    return this.listed.files;
  }

  private listFiles(read: (path: string) => Uint8Array | undefined): Map<string, Buffer> {
    const json = (path: string): unknown => {
      const file = read(path);
      return file && (JSON.parse(Buffer.from(file).toString()) as unknown);
    };
    const { root, limit, large, above, fields } = json(LISTS_FILE) as ListedPages;
    const pages = new Map(this.live.listed().map((page) => [page.id, page]));
    const positions = new Map([...this.drafts.values()].map(({ id, position }) => [id, position]));
    for (const page of this.responses) {
      const { id, meta } = page;
      if (Object.hasOwn(large, meta.type)) continue;
      const place = { parent: meta.parent?.id ?? 0, position: positions.get(id) ?? 0 };
      pages.set(id, listedPage(page, place, Object.keys(fields[meta.type]?.filters ?? {})));
    }
    const files = new Map<string, Buffer>();
    const types = Object.keys(large);
    for (const type of types.length === 0 ? [] : [undefined, ...types]) {
      const own = this.responses.filter(({ meta }) => type === undefined || meta.type === type);
      const ids = own.map(({ id }) => id);
      for (let part = 1, some; (some = json(idsPath(part, type))) !== undefined; part++)
        ids.push(...(some as number[]));
      if (type !== undefined) large[type] = ids.length;
      for (const [path, bytes] of printIds(
        ids.sort((a, b) => a - b),
        type,
      ))
        files.set(path, bytes);
    }
    const sorted = [...pages.values()].sort((a, b) => a.id - b.id);
    return new Map([...printLists({ root, limit, fields, pages: sorted, large, above }), ...files]);
  }

  /** Notifies a browser of every later build, until it closes the connection. */
  tell(reader: ServerResponse): void {
    reader.write("retry: 1000\n\n");
    this.readers.add(reader);
    reader.on("close", () => this.readers.delete(reader));
  }

  private async describe(): Promise<() => string> {
    const { findings, isGood } = this.last;
    const hidden = await this.readDrafts();
    const ids = new Map([...this.drafts].map(([file, { id }]) => [file, id]));
    const now = this.at ?? currentInstant();
    const { shown, rest } = capped(findings, MAX_FINDINGS);
    const factsOf = listedFacts(this.live.types);
    this.responses = [...this.drafts.values()].map(
      ({ response }) => JSON.parse(response.toString("utf8")) as DraftResponse,
    );
    const drafts = [...this.drafts].map(([file, { live, of }], i) => {
      const page = this.responses[i] as DraftResponse;
      const facts = factsOf(page.meta.type, page);
      return Object.assign(inShort(page, facts, file), { of }, live && liveFields(live, now));
    });
    const idOf = (file: string): number | undefined => ids.get(file) ?? this.live.idOf(file);
    const unbuilt = new Map<string, number | undefined>();
    for (const { place } of shown)
      if (idOf(place.file) === undefined && !unbuilt.has(place.file))
        unbuilt.set(place.file, this.sources.idOfUnbuilt(place.file));
    const { isReady, isVersioned, sources } = this;
    const at = this.at === undefined ? null : printInstant(this.at);
    const pages = shown.map(({ place: { file } }) => ({ page: idOf(file), unbuilt: unbuilt.get(file) }));
    const more = [...rest.values()].reduce((sum, count) => sum + count, 0);
    const print = (): string => {
      const words = sources.inWords(shown);
      const all = shown.map((f, k) => {
        const { message, hint } = words[k] as FindingWords;
        return Object.assign(diagnosticOf(f), { message, hint }, pages[k]);
      });
      return printableJson({ isReady, at, isGood, isVersioned, drafts, hidden, findings: all, more });
    };
    let printed: string | undefined;
    return () => (printed ??= print());
  }

  /** @returns the drafts that cannot be shown: they were never valid, or another page has their id. */
  private async readDrafts(): Promise<{ file: string; id?: number }[]> {
    const found = await this.live.drafts();
    const files = new Set(found.map(({ file }) => file));
    for (const file of this.drafts.keys()) if (!files.has(file)) this.drafts.delete(file);
    for (const { file, page } of found) if (page !== undefined) this.drafts.set(file, page);
    const taken = new Set<number>();
    const hidden: { file: string; id?: number }[] = [];
    for (const { file } of found) {
      const id = this.drafts.get(file)?.id;
      if (id === undefined) hidden.push({ file });
      else if (taken.has(id) || this.live.isPublished(id)) {
        this.drafts.delete(file);
        hidden.push({ file, id });
      } else taken.add(id);
    }
    return hidden;
  }
}

/** The dates of a page that is not live. */
const liveFields = (live: Period, now: Instant) =>
  live.until <= now
    ? { live: `expired on ${formatInstant(live.until)}`, isExpired: true }
    : { live: formatPeriod(live) };

interface DraftResponse extends PageResponse {
  meta: PageResponse["meta"] & Item["meta"];
  acno?: string;
  subject_tags?: readonly string[];
}

/** A draft in the format of the page's lists. */
function inShort(page: DraftResponse, { line, date, image, searched }: ListedFacts, file: string) {
  const { id, title, meta } = page;
  return {
    id,
    type: meta.type,
    parent: meta.parent?.id ?? 0,
    title,
    artists: line,
    acno: page.acno ?? "",
    date,
    image,
    searched,
    slug: meta.slug,
    subjects: page.subject_tags ?? [],
    locale: meta.locale,
    file,
  };
}

const CHILDREN = /^index\/pages\/(\d+)(?:-\d+)?\.json$/;
const ADDRESSES = /^index\/addresses\/([\da-f]+)\.json$/;
