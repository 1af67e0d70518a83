import { isObject } from "../json/object.ts";
import { isError, type Finding, type Place } from "../findings/finding.ts";
import { nodeAt } from "../json/node.ts";
import { parseJson, tooLarge, type ParsedJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import { includes } from "../base/instant.ts";
import { livePeriod, ownPeriod, periodOrAlways } from "../page/live.ts";
import type { Site } from "../page/site.ts";
import { PAGE_TYPES, type PageType } from "../page/types.ts";
import { asParent, checkBelow } from "../check/parent.ts";
import { render } from "../response/render.ts";
import { openFastPath, type FastPath } from "../response/fast-path.ts";
import { ClaimLog } from "../check/claims.ts";
import { SLUG, type FoundSources } from "../sources/find.ts";
import type { Listing } from "../sources/listing.ts";
import {
  childAddress,
  folderAddress,
  homeAddress,
  parentOf,
  positionOf,
  type Parent,
} from "../sources/tree.ts";
import { firstMembers } from "./members.ts";

/** A page as a comparison names it. */
export interface PageName {
  id: number;
  type: PageType;
  title: string;
  /** On the website. */
  address: string;
  /** Relative to the content folder. */
  file: string;
}

/** What a file of one snapshot is published as. */
export type Loaded =
  | { kind: "page"; name: PageName; response: Buffer; findings: Finding[] }
  /** A page that nothing can be published of; its id as far as that can be read. */
  | { kind: "broken"; id?: number | undefined; findings: Finding[]; belowBroken: boolean }
  /** Drafts, and files that are no pages. */
  | { kind: "unpublished"; findings: Finding[] };

/** The contents of a file; absent where it is larger than a source may be. */
export interface Contents {
  bytes?: Buffer | undefined;
  size: number;
}

/** The files of a snapshot by their paths, which are put together when they are asked for: there may be very many. */
export class Files {
  private readonly listing: Listing;
  private readonly folders: Map<string, number>;

  constructor(listing: Listing) {
    this.listing = listing;
    this.folders = new Map(listing.folders.map(({ path }, f) => [path, f]));
  }

  get(file: string): number | undefined {
    const slash = file.lastIndexOf("/");
    const folder = this.folders.get(slash === -1 ? "" : file.slice(0, slash));
    const at = folder === undefined ? -1 : this.listing.find(folder, file.slice(slash + 1));
    return at === -1 ? undefined : at;
  }

  has(file: string): boolean {
    return this.get(file) !== undefined;
  }

  *[Symbol.iterator](): Generator<[file: string, i: number]> {
    for (let i = 0; i < this.listing.count; i++) yield [this.listing.path(i), i];
  }
}

/** Gives the contents of a file of a snapshot. They are good until the next are asked for. */
export type ReadContents = (file: string) => Contents;

/** Of a response `id`, `meta` and `title`, which come first. */
const NAMING = 3;

export interface SnapshotOptions {
  /** The instant at which pages are live or not; without one, each page is shown as it is when it is live. */
  at?: number | undefined;
  /** One that is set up in the same way perhaps, to share what compiling and known objects cost. */
  other?: Snapshot;
}

/** The sources before or after a change. Nothing is read that nobody asks for. */
export class Snapshot {
  readonly listing: Listing;
  /** The numbers of files in the listing. */
  readonly files: Files;
  private readonly read: ReadContents;
  private readonly site: Site;
  private readonly at: number | undefined;
  private readonly fastPath: FastPath;
  private readonly parents: (Parent | undefined)[] = [];
  private readonly known = new Set<number>();

  constructor(found: FoundSources, site: Site, read: ReadContents, { at, other }: SnapshotOptions = {}) {
    this.listing = found.listing;
    this.site = site;
    this.read = read;
    const isAlike = other !== undefined && JSON.stringify(other.site) === JSON.stringify(site);
    this.at = at;
    const times = at === undefined ? undefined : { at, floor: at };
    this.fastPath = isAlike ? other.fastPath : openFastPath(site, new ClaimLog(), times);
    this.files = new Files(found.listing);
  }

  countPages(): number {
    let pages = 0;
    for (let i = 0; i < this.listing.count; i++) if (this.listing.kind(i) !== "draft") pages++;
    return pages;
  }

  load(file: string, contents = this.read(file)): Loaded {
    const i = this.files.get(file);
    if (i === undefined) return { kind: "unpublished", findings: [] };
    // First: the contents are gone when the page above is read.
    const bytes = contents.bytes && Buffer.from(contents.bytes);
    const parent = this.parentOf(i);
    return (
      (bytes && this.plain(file, i, bytes, parent)) ??
      this.checked(i, parsed(file, { ...contents, bytes }), parent)
    );
  }

  /** A plain, sound page, by the fast path. */
  private plain(
    file: string,
    i: number,
    bytes: Buffer,
    parent: Parent | "root" | undefined,
  ): Loaded | undefined {
    const slug = this.listing.slug(i);
    // A folder's name that is no slug is a finding of the listing; the fast path writes it as it stands.
    if (this.listing.kind(i) === "draft" || !SLUG.test(slug)) return undefined;
    const taken = this.fastPath.take(bytes, parent, slug);
    if (taken === undefined) return undefined;
    if (!this.isLive(taken.source["meta"] as object, parent)) return { kind: "unpublished", findings: [] };
    const { bytes: response } = taken;
    const name = this.nameIn(firstMembers(response, NAMING), file, i);
    return name && { kind: "page", name, response: Buffer.from(response), findings: [] };
  }

  private checked(i: number, source: ParsedJson, parent: Parent | "root" | undefined): Loaded {
    const checked = checkBelow(source, parent, this.site, this.at);
    const { findings } = checked;
    if (this.listing.kind(i) === "draft")
      return { kind: "unpublished", findings: findings.map((f) => ({ ...f, severity: "warning" })) };
    const at = positionOf(this.listing, this.parents, i, this.site);
    const { page, id } = checked;
    const isSound = page !== undefined && !findings.some(isError);
    if (!isSound || at?.parent === undefined) return { kind: "broken", id, findings, belowBroken: isSound };
    if (!this.isLive(page.meta, parent)) return { kind: "unpublished", findings };
    const response = render(page, at, this.site, checked.nodes);
    return {
      kind: "page",
      name: {
        id: page.id,
        type: page.meta.type,
        title: page.title,
        address: at.address,
        file: this.listing.path(i),
      },
      response,
      findings,
    };
  }

  /** Whether a page is live at the snapshot's instant; without one, every page is. */
  private isLive(meta: object, parent: Parent | "root" | undefined): boolean {
    if (this.at === undefined) return true;
    const above = parent === "root" ? undefined : parent?.live;
    return includes(periodOrAlways(livePeriod(ownPeriod(meta), above)), this.at);
  }

  /** What a page is called, without a check of the rest of it; undefined where it does not say. */
  name(file: string): PageName | undefined {
    const i = this.files.get(file);
    const { bytes } = this.read(file);
    return i === undefined || bytes === undefined ? undefined : this.nameIn(plainValue(bytes), file, i);
  }

  private nameIn(value: unknown, file: string, i: number): PageName | undefined {
    if (!isObject(value)) return undefined;
    const { id, meta, title } = value;
    const given = isObject(meta) ? meta["type"] : undefined;
    const type = PAGE_TYPES.find((one) => one === given);
    if (typeof id !== "number" || type === undefined || typeof title !== "string") return undefined;
    return { id, type, title, address: this.addressOn(this.site, i), file };
  }

  /** The bytes of a source, good until the next are asked for. */
  bytesOf(file: string): Buffer | undefined {
    return this.read(file).bytes;
  }

  placeOfId(file: string): Place {
    const { source, root } = parsed(file, this.read(file));
    const node = root && nodeAt(root, ["id"]).node;
    return placeOf(source, node?.start ?? 0, node?.end ?? 0);
  }

  /** The page above file i; "root" above the home page. */
  private parentOf(i: number): Parent | "root" | undefined {
    const folder = this.listing.parentOf(i);
    if (folder !== -1) this.folderPage(folder);
    return parentOf(this.listing, this.parents, i);
  }

  /** A folder's page as the pages below it see it. */
  folderPage(folder: number): Parent | undefined {
    if (this.known.has(folder)) return this.parents[folder];
    this.known.add(folder);
    const { index } = this.listing.folders[folder] ?? { index: -1 };
    if (index === -1) return undefined;
    const parent = this.parentOf(index);
    const file = this.listing.path(index);
    const at = positionOf(this.listing, this.parents, index, this.site);
    this.parents[folder] = asParent(parsed(file, this.read(file)), parent, at, this.site);
    return this.parents[folder];
  }

  /** The address of file i on a website that is set up in this way; it depends on where the file lies alone. */
  addressOn(site: Site, i: number): string {
    const folder = this.listing.parentOf(i);
    if (folder === -1) return homeAddress(site);
    const above = this.listing.folders[folder]?.path ?? "";
    return childAddress(folderAddress(above, site), this.listing.slug(i), site);
  }
}

export const parsed = (file: string, { bytes, size }: Contents): ParsedJson =>
  bytes === undefined ? tooLarge(file, size) : parseJson(file, bytes);

export function plainValue(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
