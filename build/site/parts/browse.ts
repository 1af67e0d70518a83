import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual as isEqual } from "node:util";
import { changeDataFiles, type PageChange } from "../../outputs/browse/change.ts";
import { idFile } from "../../browse/words.js";
import { areDividedAlike, countsFor, type Counts, type DataFile } from "../../browse/data-files.ts";
import { browseFiles, HOME, type BrowsedSite } from "../../outputs/browse/files.ts";
import { makeDataFiles } from "../../outputs/browse/make.ts";
import {
  pageOfResponse,
  pagesIn,
  rowsOf,
  type BrowsedPage,
  type PrintedPage,
} from "../../outputs/browse/page-index.ts";
import type { Claims } from "../../check/claims.ts";
import type { PageFindings } from "../../check/page.ts";
import type { LivePages } from "../../outputs/editor/data.ts";
import type { BrowseState, Manifest } from "../manifest/manifest.ts";
import type { PageTable } from "../manifest/page-table.ts";
import { languagesOf } from "../../model/languages.ts";
import type { PageTypes } from "../../model/page-types.ts";
import { BROWSE } from "../output/own-files.ts";
import type { Layout } from "../output/layout.ts";
import type { SourceIndex } from "../../source/source-index.ts";
import { OUTPUT } from "../manifest/outputs.ts";
import type { Discovery } from "../discover.ts";
import type { BuildOptions } from "../outcome.ts";
import { optionalPart, type Part, type PartFiles, type Staging } from "./part.ts";
import type { StepContext } from "../step.ts";
import type { Plan } from "../plan.ts";
import type { ReadPages } from "../read.ts";
import { hasSamePages } from "../replace.ts";
import type { Showcase } from "../showcase.ts";

/** Maximum number of changed pages for which data files are changed page by page; with more, all are written again. */
const MAX_CHANGED = 1000;

const pageCount = ({ listing }: Discovery): number => {
  let count = 0;
  for (let i = 0; i < listing.count; i++) if (listing.kind(i) !== "draft") count++;
  return count;
};

const wantsEditor = ({ browse, editor }: BuildOptions, { site }: Discovery): boolean =>
  browse === true && editor !== false && site?.repository !== undefined;

/** The numbers of data files of the browse UI and its editor. */
export async function countsOf(
  options: BuildOptions,
  discovery: Discovery,
  manifest: Manifest | undefined,
): Promise<Counts> {
  const pages = pageCount(discovery);
  if (!wantsEditor(options, discovery)) return countsFor(pages);
  // The kinds of things are only loaded if the manifest does not have their number, because most builds do not need them.
  const isKnown = manifest?.types === discovery.types;
  const known = (isKnown && manifest?.browse?.counts.things) || 0;
  return countsFor(pages, known > 0 ? known : (await discovery.model.load()).entities.length);
}

/** The languages of the site, each with the id of its home page; undefined if there is only one. */
function languagesIn({ site, listing, parents }: Discovery): BrowsedSite["languages"] {
  if (site?.locales === undefined) return undefined;
  return languagesOf(site).map(({ code, label, folder }) => {
    const home = listing.folders.findIndex(({ path }) => path === folder);
    return { code, label, home: parents[home]?.summary?.id ?? 0 };
  });
}

/** The files of the browse UI, without its data files. */
export async function browseFilesOf(
  discovery: Discovery,
  counts: Counts,
  bulk: boolean,
  translations?: object,
): Promise<Map<string, Uint8Array>> {
  const isEdited = counts.things > 0;
  const { declared } = discovery.model;
  // Loaded here, because sites without declarations do not need it.
  const { describedFields } = declared === undefined ? {} : await import("../../outputs/browse/fields.ts");
  const files = browseFiles({
    types: discovery.model.types,
    bulk,
    counts,
    home: discovery.parents[0]?.summary?.id ?? 0,
    languages: languagesIn(discovery),
    translations,
    siteUrl: discovery.site?.site_url ?? "",
    timeZone: discovery.site?.time_zone,
    // The images are listed in a file of their own, which only the editor loads.
    editing: isEdited && discovery.site ? { ...discovery.site, images: undefined } : undefined,
    fields: describedFields?.(await discovery.model.load()),
    hasTypes: (isEdited && declared !== undefined) || undefined,
  });
  if (!isEdited) return files;
  // Loaded here, because sites without the editor do not need it.
  const [{ editorFiles }, { imageFile }] = await Promise.all([
    import("../../outputs/editor/bundle.ts"),
    import("../../outputs/editor/data.ts"),
  ]);
  return new Map([...files, ...(await editorFiles()), imageFile(discovery.site?.images)]);
}

/**
 * Whether the data files can be changed page by page. The old data of a page is read from its published response, so the
 * published pages must be exactly those of the manifest: a killed build may have published pages without data files.
 */
export function canChangeDataFiles(
  layout: Layout,
  counts: Counts,
  { toRead, removed }: Plan,
  manifest: Manifest,
  changes: Uint8Array,
): boolean {
  const { browse } = manifest;
  return (
    browse !== undefined &&
    hasSamePages(layout, manifest) &&
    areDividedAlike(counts, browse.counts) &&
    toRead.length + removed.length <= MAX_CHANGED &&
    changes.every((change) => (change & OUTPUT) === 0)
  );
}

/** The data files of the browse UI. Its other files are static. */
export function browsePart(context: StepContext): Part<BrowseState | undefined> {
  const { options, folders, discovery, counts, staticFiles, plan, manifest } = context;
  const wanted = {
    known: manifest?.browse,
    isUnchanged: () => true,
    stage: async (staging: Staging, { put }: PartFiles) => {
      const { pages, claims, showcase } = staging;
      for (const [path, bytes] of [
        homeFile(discovery.model.types, plan.table, showcase, pages),
        ...(counts.things > 0 ? await editorDataFiles(context, claims, pages.pageFindings) : []),
      ])
        put(path, bytes);
      const dataFiles =
        manifest === undefined ? makeDataFiles(pages.indexes, counts) : changedDataFiles(context, staging);
      for (const [path, bytes] of dataFiles) put(path, bytes);
      return [];
    },
    mayHaveOthers: manifest === undefined,
    further: staticFiles,
    state: () => ({ counts }),
  };
  return optionalPart(folders.layout, BROWSE, options.browse === true ? wanted : undefined);
}

function changedDataFiles(
  { folders: { layout }, discovery: { model, site }, counts, plan, manifest }: StepContext,
  { pages: { indexes }, replacement: { added, changed, removed } }: Staging,
): DataFile[] {
  const { root, pages } = layout;
  const fresh = new Map(indexes.flatMap(pagesIn).map((page) => [page.id, page]));
  const positions = new Map<number, number>();
  const moved: number[] = [];
  const { id: ids = [], position = [] } = manifest?.table ?? {};
  for (const old of [...plan.removed, ...Array.from(plan.toRead, (file) => plan.matches[file] ?? -1)])
    if (position[old]) positions.set(ids[old] ?? 0, position[old]);
  // The position is not part of the response.
  for (const file of plan.toRead) {
    const id = plan.table.id[file] ?? 0;
    if (plan.table.position[file] !== (positions.get(id) ?? 0)) moved.push(id);
  }
  const published = (id: number): BrowsedPage | undefined => {
    try {
      const response = readFileSync(`${pages}/${id}/index.json`);
      return pageOfResponse(response, model.types, positions.get(id), site?.locales !== undefined);
    } catch {
      return undefined;
    }
  };
  const changes = Array.from(added, (id): PageChange => ({ before: undefined, after: fresh.get(id) }));
  for (const id of new Set([...changed, ...moved]))
    if (!added.includes(id) && fresh.has(id)) changes.push({ before: published(id), after: fresh.get(id) });
  for (const name of removed)
    if (/^\d+$/.test(name)) changes.push({ before: published(Number(name)), after: undefined });
  return changeDataFiles(changes, counts, (path) => readFileSync(join(root, path), "utf8"));
}

/** The data files of the editor that may change. They are made of the data of all pages. */
async function editorDataFiles(
  { discovery: { listing, model, site }, counts, manifest, plan }: StepContext,
  claims: Claims,
  pageFindings: readonly PageFindings[],
): Promise<DataFile[]> {
  const { table, toRead, matches, removed } = plan;
  const { makeSourceFiles, makeThingFiles } = await import("../../outputs/editor/data.ts");
  const { entities } = await model.load();
  const pages = livePages(listing, table, pageFindings);
  if (manifest === undefined)
    return [
      ...makeSourceFiles(pages, site, counts.sources, () => true),
      ...makeThingFiles(entities, pages, claims),
    ];
  const before = livePages(manifest.listing, manifest.table, manifest.pageFindings);
  /** The old and new ids of pages whose id, file or links have changed. */
  const moved = new Set<number>();
  for (const old of removed) moved.add(before.id(old));
  for (const file of toRead) {
    const old = matches[file] ?? -1;
    const [id, known] = [pages.id(file), old === -1 ? 0 : before.id(old)];
    if (id !== known || !isEqual(pages.links(file), before.links(old))) moved.add(id).add(known);
  }
  moved.delete(0);
  const wanted = new Set(Array.from(moved, (id) => idFile(id, counts.sources)));
  return [
    ...makeSourceFiles(pages, site, counts.sources, (file) => wanted.has(file)),
    ...(moved.size === 0 && claims === manifest.claims ? [] : makeThingFiles(entities, pages, claims)),
  ];
}

function livePages(listing: SourceIndex, table: PageTable, pageFindings: readonly PageFindings[]): LivePages {
  const linked = new Map(pageFindings.map(({ file, links }) => [file, links]));
  return {
    count: listing.count,
    id: (file) => (listing.kind(file) === "draft" ? 0 : (table.id[file] ?? 0)),
    path: (file) => listing.path(file),
    links: (file) => linked.get(file) ?? [],
  };
}

/** The data of the home view: how many pages each type has, the newest pages, and works with a picture. */
function homeFile(
  pageTypes: PageTypes,
  { id: ids, type: typesOf }: PageTable,
  { newest, pictures }: Showcase,
  { responseOf }: ReadPages,
): DataFile {
  const rowOf = rowsOf(pageTypes);
  const shown = (row: number): unknown[] => {
    const page = JSON.parse(responseOf(row).toString("utf8")) as PrintedPage;
    return [ids[row] ?? 0, page.meta.first_published_at, rowOf(page)];
  };
  const types = pageTypes.names.map(() => 0);
  for (let row = 0; row < ids.length; row++) {
    const type = (typesOf[row] ?? 0) - 1;
    if (ids[row] !== 0 && type !== -1) types[type] = (types[type] ?? 0) + 1;
  }
  const data = { types, newest: newest.map(shown), pictures: pictures.map(shown) };
  return [HOME, Buffer.from(`${JSON.stringify(data)}\n`)];
}
