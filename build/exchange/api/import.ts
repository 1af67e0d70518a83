import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type PagePosition } from "../../check/page.ts";
import { asParent, SourceChecker } from "../../check/source.ts";
import { ResponseReader, savedIn, type Responses, type SavedResponse } from "./documents.ts";
import { crawl } from "./crawl.ts";
import { openTranslations, outlineOf, responseTree, type PageOutline, type Placed } from "./tree.ts";
import { ImportReport, type ReasonCode } from "./report.ts";
import { isRelativeImage, siteSource, sourceReducer } from "./site.ts";
import { shown, shownValue } from "./values.ts";
import type { Progress } from "../report.ts";
import { SourceWriter } from "../writer.ts";
import { isError, messageOf } from "../../findings/finding.ts";
import { ownImagesOf } from "../../model/media.ts";
import { fieldsIn, type ValueModel } from "../../model/model.ts";
import type { PageType } from "../../model/page-types.ts";
import { languageAt, modelLanguagesOf } from "../../model/languages.ts";
import type { ModelLanguages, PageModel } from "../../model/page.ts";
import { referenceIn } from "../../model/reference.ts";
import { childAddress, homeAddressIn, type Parent } from "../../model/tree.ts";
import { formatJson } from "../../source/json/format.ts";
import { fieldChanges, orderChanges } from "../../source/json/changes.ts";
import {
  type Node,
  printNode,
  valueOf,
  isObject,
  jsonIn,
  type JsonObject,
} from "../../source/json/object.ts";
import { parseJson } from "../../source/json/parse.ts";
import { SITE, SITE_SCHEMA, TYPES } from "../../source/site-files.ts";
import { Failure } from "../../base/failure.ts";
import type { IdRange } from "../../base/id-ranges.ts";
import { modelFrom, modelIn as modelFromFile } from "../../model/types.ts";
import { declaresTypes, schemaReference } from "../../outputs/contract/location.ts";
import { schemaText } from "../../change/schema.ts";
import { MAX_TYPES_BYTES } from "../../model/declared.ts";
import { SourceReader } from "../../source/read.ts";
import {
  pruneCaches,
  ResponseCache,
  openApiClient,
  type ApiClient,
  type ApiClientOptions,
} from "./client.ts";
import { importImages } from "./images.ts";
import { inferTypes } from "./infer.ts";
import { asBytes } from "../../base/columns.ts";

/**
 * Writes sources from which the build makes the saved responses again.
 *
 * @param modelIn the page types of a site with these languages.
 */
async function importResponses(
  responses: Responses,
  modelIn: (languages?: ModelLanguages) => PageModel,
  writer: SourceWriter,
  report: ImportReport,
  progress: Progress,
) {
  const { files, crawled, readSiblings, languages: listed } = responses;
  const of = 2 * files.length;
  const reader = new ResponseReader();
  const outline = outlineOf(modelIn(), responses, reader, report, (done) => progress(done, of));
  const tree = responseTree(outline);
  const parentsOfSeveral = tree.parentsOfSeveral();
  const siblings = (await readSiblings?.(parentsOfSeveral)) ?? outline.siblings;
  if (siblings === undefined && parentsOfSeveral.size > 0)
    report.notes.push(
      "the order of subpages is not known, because there is no list of the pages below a page: they come by id. To sort them, write meta.order in their sources.",
    );
  const { sequences } = outline;
  let languages = tree.languagesWith({ sequences });
  if (languages.isGuess && listed !== undefined) {
    const below = await listed.childOfRoot();
    const root = outline.pages.find(({ id }) => id === below)?.locale;
    languages = tree.languagesWith({ sequences, root });
  }
  const { homes, locales } = languages;
  if (languages.isGuess)
    report.notes.push(
      `no home page is above the others, so the main language is ${shownValue(homes[0]?.locale)}, for its lowest id.`,
    );
  const hasTranslations = outline.haveTranslations;
  const ofSite = locales && { locales, ...(hasTranslations ? {} : { translations: false }) };
  const model = modelIn(ofSite && modelLanguagesOf(ofSite));
  if (ofSite !== undefined) writer.hasOwnSchema = true;
  const { site, notes } = outline.votes.elect(languages.address, crawled?.address, ofSite);
  for (const note of notes) report.notes.push(note);
  const groups = locales && openTranslations(homes, tree.children);
  const translations = groups?.group((await listed?.translationsOf(groups.unknown())) ?? new Map());
  /** The images of the page whose source was made last. */
  const imagesOfPage = new Set<string>();
  const media = (address: unknown): unknown => {
    if (typeof address !== "string" || !address.startsWith(`${site.media_url}/`)) return address;
    imagesOfPage.add(address);
    const path = address.slice(site.media_url.length);
    return /^\/[/\\]/.test(path) ? address : path;
  };
  /** Clients read images without a host from the host of the API: the build publishes them there from `_media/`. */
  const visitAddress = (value: unknown): void => {
    if (isRelativeImage(value)) imagesOfPage.add(site.base_url + value);
  };
  const reduce = sourceReducer(model, { media, address: visitAddress });
  const hasOwnImages = ownImagesOf(site, []) !== undefined;
  /** Only those that the API's own host publishes. */
  const images = new Set<string>();
  // A page that cannot be written is not shown.
  const pages = new Map(
    outline.pages.flatMap(({ id, type, shown: one }) => (type === undefined ? [] : [[id, one]])),
  );
  const checker = new SourceChecker({ model, site, pages });
  const written = new Map<number, PageType>();
  /** The written pages with references to pages by their ids. */
  const referring: { placed: Placed; at: PagePosition; address: string; references: string[] }[] = [];
  /** The written pages, in the form that their subpages need. */
  const parents = new Map<PageOutline, Parent>();

  /** A source, and the response that the build makes from it, which is undefined if the source has errors. */
  const make = ({ page, path, order }: Placed, at: PagePosition, reduced = reduce) => {
    const live = reader.read(page.response) ?? Buffer.alloc(0);
    const { root, findings } = parseJson(page.response.name, live);
    const fault = findings.find(isError);
    if (root === undefined || fault !== undefined) {
      const { line, column } = fault?.place ?? { line: 1, column: 1 };
      const reason = fault === undefined ? "it is not JSON" : messageOf(fault);
      return { damage: `${reason} (line ${line}, column ${column} of the response)` };
    }
    const nodes = new WeakMap<object, Node>();
    const response = valueOf(root, nodes) as JsonObject;
    imagesOfPage.clear();
    const { type } = page;
    const source = withMeta(reduced(response, type as PageType, nodes), model.sourceOf(type), {
      ...(order !== undefined && { order }),
      ...(translations?.of.has(page) === true && { translation_of: translations.of.get(page)?.id }),
      // The build takes the name of a language's folder as the slug of its home page.
      ...((at.language?.folder ?? "") !== "" && at.parent === "root" && { slug: page.slug }),
    });
    const text = formatJson({ $schema: writer.schemaOf(path), ...source });
    const bytes = Buffer.from(text);
    const checked = checker.check({ file: path, bytes, size: bytes.length }, at);
    const built = checked.response === undefined ? undefined : checker.encode(checked.response);
    return { live, root, response, text, checked, built };
  };

  /** Writes the source of a page if the build makes the live response from it; returns whether it did. */
  const write = (placed: Placed): boolean => {
    const { page, parent: above, path, hasChildren } = placed;
    const parent: Parent | "root" | undefined = above === undefined ? "root" : parents.get(above);
    if (parent === undefined) throw new Error(`page ${page.id} is placed before its parent page`);
    const language = languageAt(path, site);
    const { folder = "" } = language ?? {};
    const address =
      parent === "root" ? homeAddressIn(folder, site) : childAddress(parent.address, page.slug, site);
    const leave = (code: ReasonCode, reason: string): false => {
      report.leave(code, page.id, address, reason);
      return false;
    };
    const original = translations?.wrong.get(page);
    if (original !== undefined)
      return leave(
        "content",
        `page ${original.id}, with the same path in ${shownValue(original.locale)}, is of another type, ${shownValue(original.type)}`,
      );
    const at = {
      parent,
      slug: parent === "root" && folder !== "" ? folder : page.slug,
      language,
      ...(hasTranslations && translations && { translations: asBytes(translations.printed(page)) }),
    };
    const made = make(placed, at);
    if (made.damage !== undefined) return leave("damaged", made.damage);
    const { live, response, checked, built } = made;
    if (built === undefined) {
      const errors = checked.findings.filter(isError);
      const messages = errors.slice(0, MAX_MESSAGES).map((error) => shown(messageOf(error), 300));
      const more = errors.length > MAX_MESSAGES ? ` (and ${errors.length - MAX_MESSAGES} more)` : "";
      return leave("content", messages.join(" ") + more);
    }
    if (!built.equals(live)) {
      const { different, ...differences } = compareResponses(response, jsonIn(built.toString()));
      if (different !== undefined) return leave("differs", different);
      // Lists lack `meta.parent`; the tree supplies it.
      differences.added.delete("meta.parent");
      report.count(report.fields, differences.unknown);
      report.count(report.added, differences.added);
      if (differences.isReordered) report.reordered++;
      else if (printNode(made.root) !== live.toString()) report.respelt++;
    }
    try {
      writer.writeFile(path, made.text);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENAMETOOLONG") throw cause;
      return leave("slug", "it is so deep in the tree that its file's path is too long");
    }
    report.written++;
    written.set(page.id, page.type as PageType);
    report.countDetails(live.toString());
    const references = checked.links.filter((link) => referenceIn(link) !== undefined);
    if (references.length > 0) referring.push({ placed, at, address, references });
    if (hasOwnImages) for (const image of imagesOfPage) images.add(image);
    if (hasChildren) parents.set(page, asParent(checked, at, site));
    return true;
  };

  const isDead = (reference: string): boolean => {
    const { id = 0, types } = referenceIn(reference) ?? {};
    const type = written.get(id);
    return type === undefined || types?.includes(type) === false;
  };

  /** Leaves out references to pages that are not written: with one of them, no page of the site would be built. */
  const removeReferences = (): void => {
    const reduceAgain = sourceReducer(model, { media, address: visitAddress, isDead });
    for (const { placed, at, address, references } of referring) {
      const dead = references.filter(isDead);
      if (dead.length === 0) continue;
      const made = make(placed, at, reduceAgain);
      if (made.damage !== undefined) throw new Error(`page ${placed.page.id} is no longer JSON`);
      writer.writeFile(placed.path, made.text, "w");
      const kept = new Set(made.checked.links);
      for (const reference of new Set(dead))
        report.references.push({
          id: placed.page.id,
          address,
          to: referenceIn(reference)?.id ?? 0,
          isKept: kept.has(reference),
        });
    }
  };

  let done = 0;
  tree.place(
    report,
    homes,
    crawled?.missing ?? new Set(),
    (placed) => {
      progress(files.length + (files.length * done++) / outline.pages.length, of);
      return write(placed);
    },
    siblings,
  );
  removeReferences();
  // Every other page is below the home page.
  if (report.written === 0)
    report.notes.push(
      homes[0] === undefined
        ? `no response is a home page (${model.root}, with null as meta.parent), and every other page is below the home page.`
        : `the home page, ${homes[0].id}, is not written, and every other page is below it: fix it first, then import again.`,
    );
  writer.write(SITE, { $schema: writer.schemaOf(SITE), ...siteSource(site) });
  return { site, images, model };
}

/** The source with values that only sources have, where the API contract has them. */
function withMeta(source: JsonObject, model: ValueModel, own: JsonObject): JsonObject {
  if (Object.keys(own).length === 0 || !isObject(source["meta"])) return source;
  const meta: JsonObject = { ...source["meta"], ...own };
  const names = [...fieldsIn(fieldsIn(model).get("meta")).keys()].filter((name) => Object.hasOwn(meta, name));
  return { ...source, meta: Object.fromEntries(names.map((name) => [name, meta[name]])) };
}

/** Maximum number of findings to print for one page: fixing these reveals the others. */
const MAX_MESSAGES = 3;

/** The differences between a live response and the response that the build will make from its source. */
function compareResponses(live: JsonObject, built: unknown) {
  const changes = fieldChanges(live, built);
  // Only a whole field may be in one of them, such as `meta.locale` and `subjects[].slug`.
  const wrong = changes.find((change) => ("old" in change && "new" in change) || change.field.endsWith("]"));
  const only = (side: "old" | "new"): Set<string> =>
    new Set(changes.flatMap((change) => (side in change ? change.field.replace(/\[\d+\]/g, "[]") : [])));
  return {
    /** The first value that differs, as a sentence. */
    different:
      wrong && `“${wrong.field}” is ${printed(wrong.old)}, but the build derives ${printed(wrong.new)}`,
    /** The names of fields that only the live response has, and of those that it lacks. */
    unknown: only("old"),
    added: only("new"),
    isReordered: orderChanges(live, built).next().done !== true,
  };
}

const printed = (value: unknown): string => shown(JSON.stringify(value) ?? "missing", 200);

export interface ImportRunOptions {
  /** The address of a running API, or a folder of saved responses. */
  source: URL | string;
  content: string;
  /** Whether to infer `_types.json`, or the path of the one to use; by default, the one in the content folder. */
  types?: boolean | string | undefined;
  ids?: readonly IdRange[] | undefined;
  concurrency: number;
  /** The progress of requesting pages, of reading and writing their responses, and of copying images. */
  progress: (stage: "requested" | "read" | "copied") => Progress;
  cache: string;
  wait?: ApiClientOptions["wait"];
}

/**
 * Turns the responses of a running API, or saved responses, into sources. Writes nothing if no page can be
 * written, or if it throws. @throws Failure if the import cannot finish.
 */
export async function runImport(options: ImportRunOptions): Promise<ImportReport> {
  const { source, content, ids, concurrency, progress, wait, types = false } = options;
  const report = new ImportReport();
  const given = types === true ? undefined : givenTypes(options);
  const writer = new SourceWriter(content, types === false ? [TYPES, dirname(SITE_SCHEMA)] : []);
  let cache: ResponseCache | undefined;
  let client: ApiClient | undefined;
  try {
    if (typeof source !== "string") {
      cache = cacheOf(source, options);
      client = openApiClient({ address: source, cache, concurrency, ...(wait && { wait }) });
    }
    const responses =
      client === undefined
        ? savedIn(String(source))
        : await crawl({
            types: given?.modelIn(),
            client,
            ids,
            concurrency,
            report,
            progress: progress("requested"),
          });
    const { modelIn, text } = given ?? inferred(responses.files, options, report);
    if (text !== undefined) writer.writeFile(TYPES, text);
    writer.hasOwnSchema = text !== undefined || declaresTypes(content);
    const { site, images, model } = await importResponses(
      responses,
      modelIn,
      writer,
      report,
      progress("read"),
    );
    if (report.written > 0) {
      const copying = { addresses: images, site, writer, report, progress: progress("copied") };
      await importImages({ ...options, ...copying });
      if (writer.hasOwnSchema) {
        // One that is there already is of the same types.
        rmSync(join(content, dirname(SITE_SCHEMA)), { recursive: true, force: true });
        writer.writeFile(SITE_SCHEMA, schemaText(model));
      }
      writer.commit();
    }
    // If no page is written, there is no home page, so the site would not build.
    else writer.abandon();
  } catch (cause) {
    writer.abandon();
    throw cause;
  } finally {
    client?.close();
  }
  cache?.remove();
  return report;
}

function givenTypes({ types, content }: ImportRunOptions) {
  const reader = new SourceReader();
  const file = typeof types === "string" ? types : join(content, TYPES);
  const { bytes, parsed } =
    typeof types === "string" || declaresTypes(content) ? reader.read(dirname(file), basename(file)) : {};
  const json = parsed?.();
  return {
    modelIn: (languages?: ModelLanguages): PageModel => {
      const program = programIn(languages);
      return json === undefined ? program : modelFromFile(json, program, types === file ? file : TYPES);
    },
    text: typeof types === "string" ? (bytes?.toString() ?? "") : undefined,
  };
}

const programIn = (languages?: ModelLanguages): PageModel => modelFrom(undefined).inLanguages(languages);

function inferred(
  files: readonly SavedResponse[],
  { content, progress }: ImportRunOptions,
  report: ImportReport,
) {
  const { declared, guesses } = inferTypes(programIn(), files, new ResponseReader(), progress("read"));
  for (const guess of guesses) report.guesses.push(guess);
  const text = formatJson({ $schema: schemaReference(content, TYPES), ...declared });
  if (Buffer.byteLength(text) > MAX_TYPES_BYTES)
    throw new Failure(
      `An inferred ${TYPES} would have more than ${MAX_TYPES_BYTES / 1024} KiB. Write a shorter one, and give it with --types FILE.`,
    );
  return { modelIn: (languages?: ModelLanguages) => modelFrom(text, programIn(languages)), text };
}

/** The cache of imports from this address into this folder: different imports never share one. */
function cacheOf(source: URL, { content, cache }: ImportRunOptions): ResponseCache {
  const name = hash("sha256", `${source.href}\n${resolve(content)}`, "hex").slice(0, 16);
  pruneCaches(cache);
  return new ResponseCache(join(cache, name));
}
