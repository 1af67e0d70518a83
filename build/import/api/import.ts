import { isError, messageOf, type Finding } from "../../findings/finding.ts";
import type { JsonObject } from "../../json/object.ts";
import { parseJson } from "../../json/parse.ts";
import { printNode, valueOf, type Node } from "../../json/node.ts";
import { ownImagesOf } from "../../page/media.ts";
import { SourceChecker } from "../../check/source.ts";
import type { Site } from "../../page/site.ts";
import { ROOT_TYPE, type PageType } from "../../page/types.ts";
import { formatJson } from "../../json/format.ts";
import { childAddress, detailUrl, homeAddress, type Parent, type Position } from "../../sources/tree.ts";
import type { Progress } from "../progress.ts";
import type { SourceWriter } from "../writer.ts";
import { compareResponses, type ResponseComparison } from "./compare.ts";
import type { Documents } from "./documents.ts";
import { outlineOf, type CrawlNotes, type PageOutline } from "./outline.ts";
import type { ReasonCode, ImportReport } from "./report.ts";
import { siteSource } from "./site.ts";
import { Reducer } from "./source.ts";
import { ResponseTree, type Placed } from "./tree.ts";
import { shown, withoutSlash } from "./values.ts";
import { SITE } from "../../page/files.ts";

export interface ImportOptions {
  documents: Documents;
  writer: SourceWriter;
  report: ImportReport;
  /** Missing if the responses are saved files. */
  crawled?: CrawlNotes | undefined;
  progress: Progress;
}

/** The settings of the imported site, and the addresses of the images of its pages. */
export interface ImportedSite {
  site: Site;
  images: ReadonlySet<string>;
}

/** Writes sources from which the build makes the saved responses again. */
export function importResponses(options: ImportOptions): ImportedSite {
  const { documents, writer, report, crawled, progress } = options;
  const files = documents.files.length;
  const outline = outlineOf(documents, crawled, report, (done) => progress(done, 2 * files));
  const tree = new ResponseTree(outline, report, crawled?.missing ?? new Set());
  const { site, notes } = outline.votes.elect(withoutSlash(tree.home?.address ?? ""), crawled?.address);
  report.notes.push(...notes);
  const importer = new PageImporter(site, options);
  let done = 0;
  tree.place((placed) => {
    progress(files + (files * done++) / outline.pages.length, 2 * files);
    return importer.write(placed);
  });
  if (report.written === 0) report.notes.push(whyNothing(tree.home));
  writer.write(SITE, { $schema: writer.schemaOf(SITE), ...siteSource(site) });
  return { site, images: importer.images };
}

/** Explains why no page is written: every other page is below the home page. */
const whyNothing = (home: PageOutline | undefined): string =>
  home === undefined
    ? `no response is a home page (${ROOT_TYPE}, with null as meta.parent), and every other page is below the home page.`
    : `the home page, ${home.id}, is not written, and every other page is below it: fix it first, then import again.`;

class PageImporter {
  private readonly site: Site;
  private readonly documents: Documents;
  private readonly writer: SourceWriter;
  private readonly report: ImportReport;
  private readonly reducer: Reducer;
  private readonly hasOwnImages: boolean;
  /** Only those that the API's own host publishes. */
  readonly images = new Set<string>();
  private readonly checker: SourceChecker;
  /** The written pages, in the form that their subpages need. */
  private readonly parents = new Map<PageOutline, Parent>();

  constructor(site: Site, { documents, writer, report }: ImportOptions) {
    this.site = site;
    this.documents = documents;
    this.writer = writer;
    this.report = report;
    this.reducer = new Reducer(site);
    this.hasOwnImages = ownImagesOf(site, []) !== undefined;
    this.checker = new SourceChecker({ site });
  }

  /** Writes the source of a page if the build makes the live response from it; returns whether it did. */
  write(placed: Placed): boolean {
    const { page, parent, path } = placed;
    const asParent = parent === undefined ? "root" : this.parents.get(parent);
    if (asParent === undefined) throw new Error(`page ${page.id} is placed before its parent page`);
    const at = this.positionOf(page, asParent);
    const live = this.documents.read(page.document);
    this.reducer.images.clear();
    const text = this.sourceOf(live, placed, asParent, at);
    if (text === undefined || !this.put(path, text, page, at)) return false;
    this.report.written++;
    if (this.hasOwnImages) for (const address of this.reducer.images) this.images.add(address);
    if (placed.hasChildren) this.remember(placed, at);
    return true;
  }

  /**
   * The source of a response. If the build would make a different response from it, reports this and returns
   * undefined.
   */
  private sourceOf(
    live: Buffer,
    placed: Placed,
    asParent: Parent | "root",
    at: Position,
  ): string | undefined {
    const { page } = placed;
    const ordinary = this.ordinary(live, placed, asParent);
    if (ordinary?.built.equals(live) === true) return ordinary.text;
    const parsed = parseJson(this.documents.nameOf(page.document), live);
    const fault = parsed.findings.find(isError);
    if (parsed.root === undefined || fault !== undefined) {
      const where = `line ${fault?.place.line ?? 1}, column ${fault?.place.column ?? 1} of the response`;
      this.leave(
        page,
        at,
        "damaged",
        `${fault === undefined ? "it is not JSON" : messageOf(fault)} (${where})`,
      );
      return undefined;
    }
    if (ordinary !== undefined) {
      const comparison = compareResponses(parsed.root, rootOf(ordinary.built));
      if (comparison.different === undefined) {
        this.note(comparison, parsed.root, live);
        return ordinary.text;
      }
    }
    const source = this.checked(parsed.root, placed, asParent, at);
    if (source === undefined) return undefined;
    const comparison = compareResponses(parsed.root, rootOf(source.built));
    if (comparison.different !== undefined) {
      const isSlug = asParent === "root" && comparison.name === "meta.slug";
      this.leave(page, at, "differs", comparison.different + (isSlug ? HOME_HINT : ""));
      return undefined;
    }
    this.note(comparison, parsed.root, live);
    return source.text;
  }

  /** Builds the page from what JSON.parse reads; undefined if it has findings. */
  private ordinary(live: Buffer, placed: Placed, asParent: Parent | "root"): BuiltPage | undefined {
    const response = JSON.parse(live.toString()) as JsonObject;
    const { built, findings } = this.built(response, undefined, placed, asParent);
    return findings.length === 0 ? built : undefined;
  }

  /** Builds the page from what the strict parser reads, and reports its errors. */
  private checked(
    root: Node,
    placed: Placed,
    asParent: Parent | "root",
    at: Position,
  ): BuiltPage | undefined {
    const nodes = new WeakMap<object, Node>();
    const response = valueOf(root, nodes) as JsonObject;
    const { built, findings } = this.built(response, nodes, placed, asParent);
    if (built !== undefined) return built;
    const errors = findings.filter(isError);
    const messages = errors.slice(0, MAX_MESSAGES).map((error) => shown(messageOf(error), 300));
    const more = errors.length > MAX_MESSAGES ? ` (and ${errors.length - MAX_MESSAGES} more)` : "";
    this.leave(placed.page, at, "content", messages.join(" ") + more);
    return undefined;
  }

  private built(
    live: JsonObject,
    nodes: WeakMap<object, Node> | undefined,
    { page, path }: Placed,
    parent: Parent | "root",
  ): { built: BuiltPage | undefined; findings: Finding[] } {
    const source = this.reducer.reduce(live, page.type as PageType, nodes);
    const text = formatJson({ $schema: this.writer.schemaOf(path), ...source });
    const bytes = Buffer.from(text);
    const at = { parent, slug: parent === "root" ? HOME : page.slug };
    const { response, findings } = this.checker.check({ file: path, bytes, size: bytes.length }, at);
    const built = response === undefined ? undefined : { text, built: this.checker.encode(response) };
    return { built, findings };
  }

  private leave({ id }: PageOutline, at: Position, code: ReasonCode, reason: string): void {
    this.report.leave(code, id, at.address, reason);
  }

  /** Counts differences that are not in values: extra or missing fields, their order, and spelling. */
  private note({ unknown, added, isReordered }: ResponseComparison, root: Node, live: Buffer): void {
    const { report } = this;
    // Listings lack `meta.parent`; the tree supplies it.
    added.delete("meta.parent");
    report.count(report.fields, unknown);
    report.count(report.added, added);
    if (isReordered) report.reordered++;
    else if (printNode(root) !== live.toString()) report.respelt++;
  }

  private put(path: string, text: string, { id }: PageOutline, at: Position): boolean {
    try {
      this.writer.writeFile(path, text);
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENAMETOOLONG") throw cause;
      this.report.leave("slug", id, at.address, "it is so deep in the tree that its file's path is too long");
      return false;
    }
  }

  private positionOf(page: PageOutline, asParent: Parent | "root"): Position {
    if (asParent === "root") return { slug: HOME, address: homeAddress(this.site), parent: null };
    const address = childAddress(asParent.address, page.slug, this.site);
    return asParent.summary === undefined
      ? { slug: page.slug, address }
      : { slug: page.slug, address, parent: asParent.summary };
  }

  private remember({ page }: Placed, { address }: Position): void {
    const { title } = JSON.parse(this.documents.read(page.document).toString()) as { title: string };
    const type = page.type as PageType;
    const meta = { type, detail_url: detailUrl(this.site, page.id), html_url: address };
    this.parents.set(page, { address, type, summary: { id: page.id, meta, title } });
  }
}

/** A source, and the response that the build makes from it. */
interface BuiltPage {
  text: string;
  built: Buffer;
}

function rootOf(built: Buffer): Node {
  const { root } = parseJson("", built);
  if (root === undefined) throw new Error("the response that the build makes from a source is not JSON");
  return root;
}

/** Maximum number of findings to print for one page: fixing these reveals the others. */
const MAX_MESSAGES = 3;

/** The fixed slug of the home page. */
const HOME = "home";
const HOME_HINT = `. Give the home page the slug “${HOME}” in Wagtail: it is not part of any address`;
