import type { PagePosition } from "../../check/page.ts";
import { asParent, SourceChecker } from "../../check/source.ts";
import { isError, messageOf } from "../../findings/finding.ts";
import { formatJson } from "../../source/json/format.ts";
import { printNode, valueOf, type Node } from "../../source/json/node.ts";
import type { JsonObject } from "../../source/json/object.ts";
import { parseJson } from "../../source/json/parse.ts";
import { SITE } from "../../source/site-files.ts";
import { ownImagesOf } from "../../model/media.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import { childAddress, homeAddress, type Parent } from "../../model/tree.ts";
import type { Progress } from "../progress.ts";
import type { SourceWriter } from "../writer.ts";
import { compareResponses } from "./compare.ts";
import { ResponseReader, type SavedResponse } from "./documents.ts";
import { outlineOf, type CrawlNotes, type PageOutline } from "./outline.ts";
import type { ReasonCode, ImportReport } from "./report.ts";
import { siteSource } from "./site.ts";
import { sourceReducer } from "./source.ts";
import { responseTree, type Placed } from "./tree.ts";
import { shown, withoutSlash } from "./values.ts";

interface ImportOptions {
  model: PageModel;
  files: readonly SavedResponse[];
  writer: SourceWriter;
  report: ImportReport;
  /** Missing if the responses are saved files. */
  crawled?: CrawlNotes | undefined;
  progress: Progress;
}

/** Writes sources from which the build makes the saved responses again. */
export function importResponses({ model, files, writer, report, crawled, progress }: ImportOptions) {
  const of = 2 * files.length;
  const reader = new ResponseReader();
  const outline = outlineOf(model, files, reader, crawled, report, (done) => progress(done, of));
  const tree = responseTree(outline);
  const { site, notes } = outline.votes.elect(withoutSlash(tree.home?.address ?? ""), crawled?.address);
  for (const note of notes) report.notes.push(note);
  /** The images of the page whose source was made last. */
  const imagesOfPage = new Set<string>();
  const reduce = sourceReducer(model, (address) => {
    if (typeof address !== "string" || !address.startsWith(`${site.media_url}/`)) return address;
    imagesOfPage.add(address);
    const path = address.slice(site.media_url.length);
    return /^\/[/\\]/.test(path) ? address : path;
  });
  const hasOwnImages = ownImagesOf(site, []) !== undefined;
  /** Only those that the API's own host publishes. */
  const images = new Set<string>();
  const checker = new SourceChecker({ model, site, pages: outline.shown });
  /** The written pages, in the form that their subpages need. */
  const parents = new Map<PageOutline, Parent>();

  /** A source, and the response that the build makes from it; undefined if the source has errors. */
  const make = (
    response: JsonObject,
    { type }: PageOutline,
    path: string,
    at: PagePosition,
    nodes?: WeakMap<object, Node>,
  ) => {
    imagesOfPage.clear();
    const source = reduce(response, type as PageType, nodes);
    const text = formatJson({ $schema: writer.schemaOf(path), ...source });
    const bytes = Buffer.from(text);
    const checked = checker.check({ file: path, bytes, size: bytes.length }, at);
    const built = checked.response === undefined ? undefined : checker.encode(checked.response);
    return { text, checked, built };
  };

  /** Writes the source of a page if the build makes the live response from it; returns whether it did. */
  const write = ({ page, parent: above, path, hasChildren }: Placed): boolean => {
    const parent: Parent | "root" | undefined = above === undefined ? "root" : parents.get(above);
    if (parent === undefined) throw new Error(`page ${page.id} is placed before its parent page`);
    const address = parent === "root" ? homeAddress(site) : childAddress(parent.address, page.slug, site);
    const leave = (code: ReasonCode, reason: string): false => {
      report.leave(code, page.id, address, reason);
      return false;
    };
    const live = reader.read(page.response) ?? Buffer.alloc(0);
    const at = { parent, slug: page.slug };
    // Most responses are made again from what JSON.parse reads, which takes a third of the time.
    let made = make(JSON.parse(live.toString()) as JsonObject, page, path, at);
    if (made.built?.equals(live) !== true) {
      const { root, findings } = parseJson(page.response.name, live);
      const fault = findings.find(isError);
      if (root === undefined || fault !== undefined) {
        const { line, column } = fault?.place ?? { line: 1, column: 1 };
        const reason = fault === undefined ? "it is not JSON" : messageOf(fault);
        return leave("damaged", `${reason} (line ${line}, column ${column} of the response)`);
      }
      const nodes = new WeakMap<object, Node>();
      made = make(valueOf(root, nodes) as JsonObject, page, path, at, nodes);
      if (made.built === undefined) {
        const errors = made.checked.findings.filter(isError);
        const messages = errors.slice(0, MAX_MESSAGES).map((error) => shown(messageOf(error), 300));
        const more = errors.length > MAX_MESSAGES ? ` (and ${errors.length - MAX_MESSAGES} more)` : "";
        return leave("content", messages.join(" ") + more);
      }
      const { different, ...differences } = compareResponses(root, rootOf(made.built));
      if (different !== undefined) return leave("differs", different);
      // Lists lack `meta.parent`; the tree supplies it.
      differences.added.delete("meta.parent");
      report.count(report.fields, differences.unknown);
      report.count(report.added, differences.added);
      if (differences.isReordered) report.reordered++;
      else if (printNode(root) !== live.toString()) report.respelt++;
    }
    try {
      writer.writeFile(path, made.text);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENAMETOOLONG") throw cause;
      return leave("slug", "it is so deep in the tree that its file's path is too long");
    }
    report.written++;
    if (hasOwnImages) for (const image of imagesOfPage) images.add(image);
    if (hasChildren) parents.set(page, asParent(made.checked, at, site));
    return true;
  };

  let done = 0;
  tree.place(report, crawled?.missing ?? new Set(), (placed) => {
    progress(files.length + (files.length * done++) / outline.pages.length, of);
    return write(placed);
  });
  // Every other page is below the home page.
  if (report.written === 0)
    report.notes.push(
      tree.home === undefined
        ? `no response is a home page (${model.root}, with null as meta.parent), and every other page is below the home page.`
        : `the home page, ${tree.home.id}, is not written, and every other page is below it: fix it first, then import again.`,
    );
  writer.write(SITE, { $schema: writer.schemaOf(SITE), ...siteSource(site) });
  return { site, images };
}

function rootOf(built: Buffer): Node {
  const { root } = parseJson("", built);
  if (root === undefined) throw new Error("the response that the build makes from a source is not JSON");
  return root;
}

/** Maximum number of findings to print for one page: fixing these reveals the others. */
const MAX_MESSAGES = 3;
