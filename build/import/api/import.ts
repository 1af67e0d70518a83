import { isError, messageOf } from "../../findings/finding.ts";
import { parseJson } from "../../json/parse.ts";
import { valueOf, type Node } from "../../json/node.ts";
import { checkBelow } from "../../check/parent.ts";
import type { Site } from "../../page/site.ts";
import type { PageType } from "../../page/types.ts";
import { encodeParent, type EncodedParent } from "../../response/fast/above.ts";
import { render } from "../../response/render.ts";
import { Transcoder } from "../../response/fast/transcode.ts";
import { ClaimLog } from "../../check/claims.ts";
import { formatJson } from "../../json/format.ts";
import { childAddress, detailUrl, homeAddress, type Parent, type Position } from "../../sources/tree.ts";
import type { Progress } from "../progress.ts";
import type { SourceWriter } from "../writer.ts";
import { compareResponses } from "./compare.ts";
import type { Documents } from "./documents.ts";
import { outlineOf, type CrawlNotes, type PageOutline } from "./outline.ts";
import type { Report } from "./report.ts";
import { siteSource } from "./site.ts";
import { Reducer } from "./source.ts";
import { ResponseTree, type Placed } from "./tree.ts";
import { shown } from "./values.ts";

export interface ImportOptions {
  documents: Documents;
  writer: SourceWriter;
  report: Report;
  /** Absent where the responses are somebody's files. */
  crawled?: CrawlNotes | undefined;
  progress: Progress;
}

/** Writes the sources of saved responses: what the build will make of them is what was saved. */
export function importResponses(options: ImportOptions): void {
  const { documents, writer, report, crawled, progress } = options;
  const files = documents.files.length;
  const outline = outlineOf(documents, crawled, report, (done) => progress(done, 2 * files));
  const tree = new ResponseTree(outline, report, crawled?.missing ?? new Set());
  const { site, notes } = outline.votes.elect(tree.home?.address, crawled?.address);
  report.notes.push(...notes);
  const importer = new PageImporter(site, options);
  let done = 0;
  tree.place((placed) => {
    progress(files + (files * done++) / outline.pages.length, 2 * files);
    return importer.write(placed);
  });
  writer.write("_site.json", { $schema: writer.schemaOf("_site.json"), ...siteSource(site) });
}

/** A page that was written, as those below it see it. */
interface WrittenParent {
  owner: Parent;
  above: EncodedParent | undefined;
}

class PageImporter {
  private readonly site: Site;
  private readonly documents: Documents;
  private readonly writer: SourceWriter;
  private readonly report: Report;
  private readonly reducer: Reducer;
  private readonly facts = new ClaimLog();
  private readonly transcoder: Transcoder;
  private readonly parents = new Map<PageOutline, WrittenParent>();

  constructor(site: Site, { documents, writer, report }: ImportOptions) {
    this.site = site;
    this.documents = documents;
    this.writer = writer;
    this.report = report;
    this.reducer = new Reducer(site);
    this.transcoder = new Transcoder(site, this.facts);
  }

  /** Writes the source of a page, where the build makes of it what the live response is; gives whether it did. */
  write(placed: Placed): boolean {
    const { page, parent, path } = placed;
    const owner = parent === undefined ? "root" : this.parents.get(parent)?.owner;
    if (owner === undefined) throw new Error(`page ${page.id} is placed before the page above it`);
    const at = this.positionOf(page, owner);
    const live = this.documents.read(page.document);
    const text = this.fast(live, placed) ?? this.slow(live, placed, owner, at);
    if (text === undefined || !this.put(path, text, page, at)) return false;
    this.report.written++;
    if (placed.hasChildren) this.remember(placed, at);
    return true;
  }

  /** What is published of an ordinary source is compared byte by byte: nothing else is left to ask. */
  private fast(live: Buffer, { page, parent, path }: Placed): string | undefined {
    const above =
      parent === undefined
        ? encodeParent("root", this.site)
        : (this.parents.get(parent)?.above as EncodedParent);
    if (above === undefined) return undefined;
    const source = this.reducer.reduce(
      JSON.parse(live.toString()) as Record<string, unknown>,
      page.type as PageType,
    );
    const text = formatJson({ $schema: this.writer.schemaOf(path), ...source });
    const slug = parent === undefined ? HOME : page.slug;
    const built = this.transcoder.transcode(Buffer.from(text), above, slug);
    // The facts that it states are of no use here.
    this.facts.rollBack();
    return built !== undefined && built.bytes.equals(live) ? text : undefined;
  }

  /** The same with everything said: what is wrong with the response, and how it differs from what the build makes. */
  private slow(
    live: Buffer,
    { page, path }: Placed,
    owner: Parent | "root",
    at: Position,
  ): string | undefined {
    const { report, site } = this;
    const leave = (code: "damaged" | "content" | "differs", reason: string): undefined =>
      report.leave(code, page.id, at.address, reason) as undefined;
    const parsed = parseJson(this.documents.nameOf(page.document), live);
    const fault = parsed.findings.find(isError);
    if (parsed.root === undefined || fault !== undefined)
      return leave(
        "damaged",
        fault === undefined
          ? "it is not JSON"
          : `${messageOf(fault)} (line ${fault.place.line}, column ${fault.place.column} of the response)`,
      );
    const nodes = new WeakMap<object, Node>();
    const value = valueOf(parsed.root, nodes) as Record<string, unknown>;
    const source = this.reducer.reduce(value, page.type as PageType, nodes);
    const text = formatJson({ $schema: this.writer.schemaOf(path), ...source });
    const checked = checkBelow(parseJson(path, Buffer.from(text)), owner, site);
    const errors = checked.findings.filter(isError);
    if (checked.page === undefined || errors.length > 0)
      return leave(
        "content",
        errors
          .slice(0, 3)
          .map((error) => shown(messageOf(error), 300))
          .join(" "),
      );
    const built = Buffer.from(render(checked.page, at, site, checked.nodes));
    const rendered = parseJson("", built).root;
    if (rendered === undefined) throw new Error(`what is published of page ${page.id} is not JSON`);
    const { different, unknown, added, isReordered } = compareResponses(parsed.root, rendered);
    if (different !== undefined) return leave("differs", different);
    // A listing does not have it; the tree does.
    added.delete("meta.parent");
    report.count(report.fields, unknown);
    report.count(report.added, added);
    if (isReordered) report.reordered++;
    else if (unknown.size + added.size === 0 && !built.equals(live)) report.respelt++;
    return text;
  }

  private put(path: string, text: string, { id }: PageOutline, at: Position): boolean {
    try {
      this.writer.writeText(path, text);
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENAMETOOLONG") throw cause;
      this.report.leave("slug", id, at.address, "it lies so deep that its file's path is too long");
      return false;
    }
  }

  private positionOf(page: PageOutline, owner: Parent | "root"): Position {
    if (owner === "root") return { slug: HOME, address: homeAddress(this.site), parent: null };
    const address = childAddress(owner.address, page.slug, this.site);
    return owner.summary === undefined
      ? { slug: page.slug, address }
      : { slug: page.slug, address, parent: owner.summary };
  }

  private remember({ page }: Placed, { address }: Position): void {
    const { title } = JSON.parse(this.documents.read(page.document).toString()) as { title: string };
    const type = page.type as PageType;
    const meta = { type, detail_url: detailUrl(this.site, page.id), html_url: address };
    const owner: Parent = { address, type, summary: { id: page.id, meta, title } };
    this.parents.set(page, { owner, above: encodeParent(owner, this.site) });
  }
}

/** The fixed word (interface, section 2.1). */
const HOME = "home";
