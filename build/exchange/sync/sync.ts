import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure, reasonOf } from "../../base/failure.ts";
import { memoized } from "../../base/memoized.ts";
import { plural, thousands } from "../../base/numbers.ts";
import { openStaging } from "../../base/lock.ts";
import { changeSources } from "../../change/apply.ts";
import type { FileChange } from "../../change/change.ts";
import { freeId } from "../../change/ids.ts";
import { retireAll, type MoveOptions } from "../../change/page-actions.ts";
import { readHistory, readSite } from "../../change/pages.ts";
import { asParent, SourceChecker } from "../../check/source.ts";
import { fileWithFolder, hasFolder, isDraftFile } from "../../source/page-files.ts";
import { finding, isError, startOf, type Finding } from "../../findings/finding.ts";
import { languageAt, languagesOf } from "../../model/languages.ts";
import { memberNames } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import type { Parent } from "../../model/tree.ts";
import { schemaReference } from "../../outputs/contract/location.ts";
import { ownerAbove, slugOfName } from "../../source/address.ts";
import { assertComplete } from "../../source/complete.ts";
import { whenFree } from "../../source/journal.ts";
import { editedText, type SourceOperation } from "../../source/json/edit.ts";
import { formatJson } from "../../source/json/format.ts";
import { describeValue, objectIn, valueAt, type JsonObject } from "../../source/json/object.ts";
import { parseJson } from "../../source/json/parse.ts";
import { SourceReader } from "../../source/read.ts";
import type { SourceIndex } from "../../source/source-index.ts";
import { syncHelpers, type SyncHelpers } from "./helpers.ts";
import { ownershipChanges, ownershipsIn, type Ownership } from "./ownership.ts";
import { placeOf, openPlaces } from "./places.ts";
import { openExport, type Export, type PlacedRecord, type Records } from "./records.ts";
import { scan, scanJob } from "./scan.ts";
import { openStagedPages } from "./staged.ts";
import { openUniqueValues } from "./unique.ts";
import {
  assertModule,
  assertPage,
  drawnFor,
  fingerprint,
  inOrder,
  isEmpty,
  isSame,
  ownedValues,
  plainKey,
  sourceModel,
  sourceOf,
  trust,
  type SyncPage,
  type SyncResult,
} from "./values.ts";

/* Keeps pages in step with the records of a collection system. Fields that the module returns follow the records; all others belong to editors. */

export interface Sync<Item = unknown> {
  /** Part of each page's `meta.external_id`: lowercase letters, digits and “-”. */
  name: string;
  /** What editors read behind “from”; by default `name`. */
  label?: string | undefined;
  records: Records;
  /** The element of XML, or the member of a JSON object, with the records. */
  element?: string | undefined;
  key: (record: Item) => string | number | null | undefined;
  page: (record: Item, helpers: SyncHelpers) => SyncPage | undefined;
  /** The key of a page that is there already, for the first run. */
  adopt?: ((page: JsonObject) => string | number | null | undefined) | undefined;
}

export interface SyncOptions {
  content: string;
  /** The folder of the module, to which names of files are relative. */
  folder: string;
  model: PageModel;
  /** Whether to go on in spite of signs of a broken export. */
  yes?: boolean;
  /** Whether pages whose records are gone are retired. */
  retire?: boolean;
  /** Whether pages that the module places elsewhere are moved. */
  move?: boolean;
  /** Whether a retired page whose record is there again gets its page again. */
  restore?: boolean;
  dryRun?: boolean;
  progress?: (records: number) => void;
}

type RecordPlace = Omit<PlacedRecord, "record">;

const recordPlace = ({ file, line }: RecordPlace): string => `${file}:${line}`;

/** Maximum part of the pages whose records may be gone: more is mostly a broken export. */
const MAX_GONE = 0.05;
const STAGING = ".sync";

/** @throws Failure, before anything is written, if the module or the export cannot be trusted. */
export async function sync<Item>(module: Sync<Item>, options: SyncOptions): Promise<SyncResult> {
  assertModule(module);
  await assertComplete(options.content);
  const records = await openExport(module.records, options.folder, module.element).catch(endUnwritten);
  mkdirSync(join(options.content, STAGING), { recursive: true });
  const close = openStaging(
    join(options.content, STAGING),
    (name) => name !== "lock",
    () => new Failure("Another sync of this content is running. Wait until it has ended."),
  );
  let knownFields: string[] | undefined;
  try {
    for (let pass = 0; ; pass++) {
      const staging = join(options.content, STAGING, String(pass));
      if (options.dryRun !== true) mkdirSync(staging);
      const run = openRun(module, options, records, staging, knownFields);
      const doubtful = await run.read().catch(endUnwritten);
      if (doubtful === undefined) return await run.end();
      if (!records.isRepeatable)
        throw new Failure(
          `${module.name}: ${doubtful}. Make “records” a function, so that the records can be read twice.`,
        );
      knownFields = [...run.fields];
    }
  } finally {
    close();
  }
}

/** @throws Failure with the same reason */
function endUnwritten(cause: unknown): never {
  if (!(cause instanceof Failure)) throw cause;
  throw new Failure(`${cause.message}${cause.message.includes("\n") ? "\n" : " "}Nothing was written.`);
}

interface ExistingPage {
  file: string;
  /** Of the fields that were known before the run. A page that is taken over has none. */
  fingerprint?: string;
}

/** One reading of all records. @param earlier the fields of the collection system, if the records were read before */
function openRun<Item>(
  module: Sync<Item>,
  options: SyncOptions,
  records: Export,
  staging: string,
  earlier: readonly string[] | undefined,
) {
  const { content, model, dryRun = false } = options;
  const result: SyncResult = {
    records: 0,
    withoutPage: 0,
    created: [],
    changed: [],
    unchanged: 0,
    gone: [],
    misplaced: [],
    returned: [],
    refused: [],
    lost: [],
    released: [],
    images: 0,
  };
  const { listing, site } = readSite(content);
  const places = openPlaces(listing, site);
  /** The folders of home pages. */
  const homes = new Set(["", ...languagesOf(site).map(({ folder }) => folder)]);
  const checker = new SourceChecker({ model, site });
  const unique = openUniqueValues(model, site);
  const helpers = syncHelpers(content, options.folder, () => result.images++);
  const staged = openStagedPages(content, staging);
  const before = ownershipsIn(content)[module.name];
  /** The fields that the module has returned. */
  const fields = new Set(earlier ?? before?.fields);
  const knownFields = [...fields];
  /** The known fields that the module has not returned yet. */
  const unreturned = new Set(fields);
  /** The number of pages that had a value, by owned fields without a value in any record so far. */
  const missing = new Map(knownFields.map((path) => [path, 0]));
  /** Existing pages of this name by key. */
  const existing = new Map<string, ExistingPage>();
  const ids = new Map<number, string>();
  const seen = new Set<string>();
  const paged = new Set<string>();
  /** The places of the records of misplaced pages, by the files of these. */
  const recordsAt = new Map<string, RecordPlace>();
  let compared = 0;
  /** Why pages were compared by other fields than those of the collection system; undefined if they were not. */
  let doubtful: string | undefined;

  const stepsOf = memoized((path: string): readonly string[] => path.split("."));
  // The search for the schema costs more than a page.
  const schemaIn = memoized((folder: string) => schemaReference(content, join(folder, "page.json")));
  /** The paths of fields in the order of each type. */
  const orders = new Map<string, string[]>();
  /** The page of a folder with the facts that its subpages need. */
  const parentAt: (folder: string) => Parent | "root" | undefined = memoized((folder) => {
    const file = folder === "" ? "index.json" : `${folder}/index.json`;
    const source = new SourceReader().readBytes(join(content, file), file);
    const position = {
      parent: homes.has(folder) ? ("root" as const) : parentAt(ownerAbove(folder.split("/").slice(0, -1))),
      slug: slugOfName(folder.slice(folder.lastIndexOf("/") + 1)),
    };
    return asParent(checker.check(source, position), position, site);
  });

  /** Reads what the site has already. */
  async function scanSite(): Promise<void> {
    const of = { fields: knownFields.map(stepsOf), unique: unique.fields };
    const job = scanJob({ content, listing, prefix: `${module.name}:`, ...of });
    const parts = await scan(job);
    for (let i = 0; i < listing.count; i++) {
      const id = job.ids[i] ?? 0;
      if (id !== 0) ids.set(id, listing.path(i));
    }
    for (const { values } of parts) unique.addAll(values, listing);
    for (const [i, key, owned] of parts.flatMap(({ keys }) => keys).sort(([a], [b]) => a - b))
      follow(key, { file: listing.path(i), fingerprint: owned });
    const free = module.adopt === undefined ? [] : parts.flatMap((part) => part.free);
    for (const i of free.sort((a, b) => a - b)) {
      const page = objectIn(readFileSync(join(content, listing.path(i)), "utf8"));
      const at = { file: listing.path(i), line: 1 };
      const key = called("adopt", at, () => page && module.adopt?.(page));
      follow(key ?? "", { file: at.file });
    }
    for (const { id, address } of readHistory(content).retired) if (!ids.has(id)) ids.set(id, address);
  }

  function follow(key: string | number, page: ExistingPage): void {
    if (key === "") return;
    const other = existing.get(String(key));
    if (other !== undefined)
      throw new Failure(
        `${other.file} and ${page.file} have the same record, ${key}. Give one of them another meta.external_id, or none.`,
      );
    existing.set(String(key), page);
  }

  async function read(): Promise<string | undefined> {
    await scanSite();
    let withoutKey = 0;
    let first: unknown;
    for await (const placed of records.read()) {
      result.records++;
      options.progress?.(result.records);
      const key = keyOf(placed);
      if (key === "") {
        withoutKey++;
        first ??= placed.record;
        continue;
      }
      if (seen.has(key)) throw await doubled(key, placed);
      seen.add(key);
      take(key, placed);
    }
    const trusted = trust({ ...result, element: module.element }, withoutKey, first, seen.size);
    if (trusted !== undefined) throw new Failure(`${module.name}: ${trusted}`);
    releaseFields();
    if (doubtful !== undefined) return doubtful;
    for (const [key, { file, fingerprint: known }] of existing)
      if (!paged.has(key) && known !== undefined) result.gone.push({ key, file });
    if (options.yes !== true) assertLikely();
    moveAndRetire(true);
    return undefined;
  }

  /** Calls a function of the module. @throws Failure with the place of the record, or of the page */
  function called<T>(name: "adopt" | "key" | "page", at: RecordPlace, call: () => T): T {
    try {
      return call();
    } catch (cause) {
      throw new Failure(
        cause instanceof Failure
          ? `${recordPlace(at)}: ${cause.message}`
          : `${module.name}: ${name}() fails for ${recordPlace(at)}: ${reasonOf(cause)}. Look at the columns of the export, and at the module.`,
      );
    }
  }

  /** Empty if the record has none. */
  function keyOf(placed: PlacedRecord): string {
    const key: unknown = called("key", placed, () => module.key(placed.record as Item));
    if (key === undefined || key === null) return "";
    if (typeof key === "string" || typeof key === "number" || typeof key === "bigint") return String(key);
    throw new Failure(
      `${module.name}: key() returns ${describeValue(key)} for ${recordPlace(placed)}. It returns a text or a number.`,
    );
  }

  async function doubled(key: string, placed: PlacedRecord): Promise<Failure> {
    let first = "";
    if (records.isRepeatable)
      for await (const other of records.read())
        if (keyOf(other) === key) {
          first = `${recordPlace(other)} and `;
          break;
        }
    return new Failure(
      `${module.name}: two records have the key ${key}: ${first}${recordPlace(placed)}. Export each record once.`,
    );
  }

  function take(key: string, placed: PlacedRecord): void {
    const page = called("page", placed, () => module.page(placed.record as Item, helpers));
    const wrongImages = helpers.takeFindings();
    if (page === undefined || page === null) {
      result.withoutPage++;
      return;
    }
    assertPage(page, module.name, recordPlace(placed));
    paged.add(key);
    const values = called("page", placed, () => ownedValues(page));
    for (const path of Object.keys(values)) {
      if (unreturned.size > 0) unreturned.delete(path);
      // The id stays: addresses of responses depend on it.
      if (path === "id" || fields.has(path)) continue;
      fields.add(path);
      missing.set(path, 0);
      orders.clear();
      if (compared > 0) doubtful ??= `the field ${path} occurs for the first time after other pages`;
    }
    if (wrongImages.length > 0) return refuse(key, placed, wrongImages);
    const known = existing.get(key);
    if (known === undefined) create(key, page, values, placed);
    else update(key, known, page, values, placed);
  }

  /** Fields that the module does not return any more belong to editors, with their values. */
  function releaseFields(): void {
    if (paged.size === 0) return;
    for (const path of unreturned) {
      fields.delete(path);
      if (compared > 0) doubtful ??= `the module returns the field ${path} no longer`;
    }
    result.released = (before?.fields ?? []).filter((path) => !fields.has(path));
  }

  function refuse(key: string, { file, line }: RecordPlace, findings: readonly Finding[]): void {
    const place = { file, line: Math.max(1, line), column: 1 };
    result.refused.push({ key, findings: findings.map((one) => ({ ...one, place })) });
  }

  function create(key: string, page: SyncPage, values: Record<string, unknown>, placed: PlacedRecord): void {
    const retired = before?.retired?.[key];
    if (retired !== undefined && options.restore !== true) {
      result.returned.push({ key, file: placed.file, line: placed.line });
      return;
    }
    const { file, findings: wrong, ...place } = places.ofNew(page);
    const { slug } = place;
    const clash = places.at(place);
    if (clash !== undefined) wrong.push(finding("slug-clash", { slug, other: clash }, startOf(file)));
    const given = values["id"];
    const id = typeof given === "number" ? given : (retired ?? idFor(key));
    const taken = ids.get(id);
    if (taken !== undefined && retired !== id)
      wrong.push(finding("id-clash", { id, file, other: taken }, startOf(file)));
    values["id"] = id;
    values["meta.external_id"] = `${module.name}:${key}`;
    const source = sourceOf(schemaIn(dirname(file)), orderOf(page.meta.type), values);
    const text = formatJson(source);
    const found = wrong.length > 0 ? wrong : errorsIn(file, text, source, place);
    if (found.length > 0) return refuse(key, placed, found);
    ids.set(id, file);
    places.add(file, place);
    unique.replace(file, {}, source);
    count(values);
    if (!dryRun) staged.add(file, undefined, text);
    result.created.push({ key, file });
  }

  function idFor(key: string): number {
    let attempt = 0;
    return freeId(ids, () => drawnFor(module.name, key, attempt++));
  }

  function update(
    key: string,
    known: ExistingPage,
    page: SyncPage,
    values: Record<string, unknown>,
    placed: PlacedRecord,
  ): void {
    const { file } = known;
    compared++;
    if (!places.isAt(file, page)) {
      const { file: to, findings } = places.ofNew({ ...page, draft: isDraftFile(file) });
      if (findings.length > 0) return refuse(key, placed, findings);
      recordsAt.set(file, { file: placed.file, line: placed.line });
      result.misplaced.push({ key, file, to: hasFolder(file) ? fileWithFolder(to) : to });
    }
    const isKnown = (): boolean => known.fingerprint === fingerprint(knownFields.map((path) => values[path]));
    if (fields.size === knownFields.length && isKnown()) {
      count(values);
      result.unchanged++;
      return;
    }
    const old = readFileSync(join(content, file), "utf8");
    const { root } = parseJson(file, Buffer.from(old));
    const current = objectIn(old);
    if (root === undefined || current === undefined)
      throw new Failure(`${file} has errors: fix it first (npx page-api check).`);
    const wanted: Record<string, unknown> = { ...values, "meta.external_id": `${module.name}:${key}` };
    const operations: SourceOperation[] = [];
    const changed: string[] = [];
    for (const path of [...fields, "meta.external_id"]) {
      const steps = stepsOf(path);
      const [now, then] = [valueAt(current, steps), wanted[path]];
      if (isSame(now, then)) continue;
      changed.push(path);
      operations.push(
        isEmpty(then) ? { kind: "remove", path: steps } : { kind: "set", path: steps, value: then },
      );
    }
    count(values, current);
    if (operations.length === 0) {
      result.unchanged++;
      return;
    }
    const text = editedText(old, root, operations, memberNames(sourceModel(model, page.meta.type)));
    const after = objectIn(text) ?? {};
    const found = errorsIn(file, text, after, placeOf(file));
    if (found.length > 0) return refuse(key, placed, found);
    unique.replace(file, current, after);
    if (!dryRun) staged.add(file, old, text);
    result.changed.push({ key, file, fields: changed.sort() });
  }

  function errorsIn(
    file: string,
    text: string,
    page: JsonObject,
    { parent, slug }: { parent: string; slug: string },
  ): Finding[] {
    const language = languageAt(file, site);
    const at = { parent: parentAt(parent), slug, ...(language && { language }) };
    const bytes = Buffer.from(text);
    const { findings } = checker.check({ file, bytes, size: bytes.length }, at);
    const errors = isDraftFile(file) ? [] : findings.filter(isError);
    return [...errors, ...unique.clashes(file, page)];
  }

  function orderOf(type: string): string[] {
    const order = orders.get(type) ?? inOrder(model, type, new Set([...fields, "id", "meta.external_id"]));
    orders.set(type, order);
    return order;
  }

  function count(values: Record<string, unknown>, former?: JsonObject): void {
    for (const [path, had] of missing)
      if (!isEmpty(values[path])) missing.delete(path);
      else if (!isEmpty(valueAt(former, stepsOf(path)))) missing.set(path, had + 1);
  }

  function stop(sign: string): never {
    throw new Failure(`${module.name}: ${sign} Look at the export, or go on with --yes.`);
  }

  /** Signs of a broken export. @throws Failure with the sign, and with the option that goes on. */
  function assertLikely(): void {
    const { gone } = result;
    const { encodings } = records;
    if (before?.encoding !== undefined && encodings.length > 0 && before.encoding !== encodings.join(" "))
      stop(`the export is in ${encodings.join(" and ")}, and the last one was in ${before.encoding}.`);
    const plain = new Map(gone.length === 0 ? [] : Array.from(paged, (key) => [plainKey(key), key]));
    const renamed = gone.find(({ key }) => plain.has(plainKey(key)));
    if (renamed !== undefined)
      stop(`the key ${renamed.key} is written ${plain.get(plainKey(renamed.key))} now.`);
    const pages = [...existing.values()].filter((page) => page.fingerprint !== undefined).length;
    const many = Math.max(1, MAX_GONE * pages);
    if (gone.length > many)
      stop(`the export lacks the records of ${thousands(gone.length)} of ${plural(pages, "page")}.`);
    for (const [path, had] of missing)
      if (had > many)
        stop(`no record has a value for ${path}, which ${plural(had, "page")} have. Was its column renamed?`);
  }

  function moveAndRetire(isDry: boolean): void {
    if (options.move === true && result.misplaced.length > 0) {
      const left = places.movePages(content, result.misplaced, { isDry });
      for (const { key, file, to } of left) {
        const args = { slug: placeOf(to).slug, other: places.at(placeOf(to)) ?? to };
        const placed = recordsAt.get(file);
        if (placed !== undefined) refuse(key, placed, [finding("slug-clash", args, startOf(to))]);
      }
      result.misplaced = result.misplaced.filter((one) => !left.includes(one));
    }
    if (options.retire === true && result.gone.length > 0)
      retireGone(content, listing, new Set(result.gone.map(({ file }) => file)), { isDry });
  }

  async function end(): Promise<SyncResult> {
    if (dryRun) return result;
    helpers.copyImages(staging);
    for (const file of await staged.place()) lost(file);
    if (ownership().length > 0)
      await whenFree(() => changeSources(content, () => [{ files: ownership() }, undefined]));
    // Each of them is all or nothing, and the next run goes on.
    moveAndRetire(false);
    return result;
  }

  /** An editor saved the page while the records were read: the next run follows. */
  function lost(file: string): void {
    for (const list of [result.created, result.changed]) {
      const k = list.findIndex((one) => one.file === file);
      const [one] = k === -1 ? [] : list.splice(k, 1);
      if (one !== undefined) result.lost.push({ key: one.key, file });
    }
  }

  function ownership(): FileChange[] {
    const encoding = records.encodings.length > 0 ? records.encodings.join(" ") : before?.encoding;
    const own: Ownership = {
      ...(module.label !== undefined && { label: module.label }),
      ...(encoding !== undefined && { encoding }),
      fields: [...fields].sort(),
    };
    const made = new Map(result.created.map(({ key, file }) => [key, file]));
    return ownershipChanges(content, module.name, own, (key, id) => {
      const file = made.get(key) ?? existing.get(key)?.file;
      return file === undefined ? "none" : ids.get(id) === file ? "same" : "other";
    });
  }

  return {
    fields,
    /** Returns the reason why the records have to be read again. */
    read,
    end,
  };
}

/** @throws Failure, before any change, if pages cannot be retired. */
function retireGone(
  content: string,
  listing: SourceIndex,
  gone: ReadonlySet<string>,
  options: MoveOptions,
): void {
  for (const file of gone) {
    if (!hasFolder(file)) continue;
    const folder = file.slice(0, -"index.json".length);
    for (let i = 0; i < listing.count; i++) {
      const path = listing.path(i);
      if (path.startsWith(folder) && !gone.has(path))
        throw new Failure(`${file} has no record any more, but the subpage ${path}. Move that page first.`);
    }
  }
  const pages = [...gone].flatMap((file) => (isDraftFile(file) ? [] : [join(content, file)]));
  if (pages.length > 0) retireAll(content, pages, options);
  if (options.isDry !== true) for (const file of gone) if (isDraftFile(file)) rmSync(join(content, file));
}
