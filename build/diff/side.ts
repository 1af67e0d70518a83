import { isError, type Finding, type Place } from "../findings/finding.ts";
import { nodeAt, placeOf, type ParsedJson } from "../json/parse.ts";
import type { PageType } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import { checkAt, ownerOf, positionOf } from "../pages.ts";
import { render } from "../response/render.ts";
import { capFindings } from "../source/cap.ts";
import type { Found } from "../source/find.ts";
import type { Listing } from "../source/listing.ts";
import { ownerIn } from "../survey.ts";
import { childAddress, folderAddress, homeAddress, type Owner } from "../tree/tree.ts";

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

/** What a file of one side is published as. */
export type Loaded =
  | { kind: "page"; name: PageName; response: () => unknown; findings: Finding[]; idPlace: Place }
  /** A page that nothing can be published of; its id as far as that can be read. */
  | { kind: "broken"; id?: number | undefined; findings: Finding[]; belowBroken: boolean }
  /** Drafts, and files that are no pages. */
  | { kind: "unpublished"; findings: Finding[] };

/** Where the file of a side is read from. */
export type ReadSource = (file: string) => ParsedJson;

/** The sources before or after a change. Nothing is read that nobody asks for. */
export class Side {
  readonly listing: Listing;
  /** By path, the number of the file in the listing. */
  readonly files: Map<string, number>;
  private readonly read: ReadSource;
  private readonly site: Site;
  private readonly owners: (Owner | undefined)[] = [];
  private readonly known = new Set<number>();

  constructor(found: Found, site: Site, read: ReadSource) {
    this.listing = found.listing;
    this.site = site;
    this.read = read;
    this.files = new Map(Array.from({ length: found.listing.count }, (_, i) => [found.listing.path(i), i]));
  }

  countPages(): number {
    let pages = 0;
    for (let i = 0; i < this.listing.count; i++) if (this.listing.kind(i) !== "draft") pages++;
    return pages;
  }

  load(file: string, parsed = this.read(file)): Loaded {
    const i = this.files.get(file);
    if (i === undefined) return { kind: "unpublished", findings: [] };
    const owner = this.ownerOf(i);
    const checked = checkAt(parsed, owner, this.site);
    const findings = capFindings(checked.findings);
    if (this.listing.kind(i) === "draft")
      return { kind: "unpublished", findings: findings.map((f) => ({ ...f, severity: "warning" })) };
    const at = positionOf(this.listing, this.owners, i, this.site);
    const { page, id } = checked;
    const isSound = page !== undefined && !findings.some(isError);
    if (!isSound || at?.parent === undefined) return { kind: "broken", id, findings, belowBroken: isSound };
    return {
      kind: "page",
      name: { id: page.id, type: page.meta.type, title: page.title, address: at.address, file },
      response: () => JSON.parse(render(page, at, this.site, checked.nodes)) as unknown,
      findings,
      idPlace: placeOfId(parsed),
    };
  }

  /** The page above file i; "root" above the home page. */
  private ownerOf(i: number): Owner | "root" | undefined {
    const folder = this.listing.ownerOf(i);
    if (folder !== -1) this.folderPage(folder);
    return ownerOf(this.listing, this.owners, i);
  }

  /** A folder's page as the pages below it see it. */
  folderPage(folder: number): Owner | undefined {
    if (this.known.has(folder)) return this.owners[folder];
    this.known.add(folder);
    const { index } = this.listing.folders[folder] ?? { index: -1 };
    if (index === -1) return undefined;
    this.ownerOf(index);
    const parsed = this.read(this.listing.path(index));
    this.owners[folder] = ownerIn(parsed, this.listing, this.owners, index, this.site);
    return this.owners[folder];
  }

  /** The address of file i on a website that is set up in this way; it depends on where the file lies alone. */
  addressOn(site: Site, i: number): string {
    const folder = this.listing.ownerOf(i);
    if (folder === -1) return homeAddress(site);
    const above = this.listing.folders[folder]?.path ?? "";
    return childAddress(folderAddress(above, site), this.listing.slug(i), site);
  }
}

function placeOfId({ source, root }: ParsedJson): Place {
  const node = root && nodeAt(root, ["id"]).node;
  return placeOf(source, node?.start ?? 0, node?.end ?? 0);
}
