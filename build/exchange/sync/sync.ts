import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../base/failure.ts";
import { plural, thousands } from "../../base/numbers.ts";
import { openStaging } from "../../base/lock.ts";
import { changeSources } from "../../change/apply.ts";
import type { FileChange } from "../../change/change.ts";
import { freeId } from "../../change/ids.ts";
import { readHistory, siteIn } from "../../change/pages.ts";
import { asParent, SourceChecker } from "../../check/source.ts";
import { finding, isError, startOf, type Finding } from "../../findings/finding.ts";
import { languageAt, languagesOf, markLanguages } from "../../model/languages.ts";
import { memberNames } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import type { Site } from "../../model/site.ts";
import type { Parent } from "../../model/tree.ts";
import { schemaReference } from "../../outputs/contract/location.ts";
import { slugOfName } from "../../source/address.ts";
import { assertComplete } from "../../source/complete.ts";
import { whenFree } from "../../source/journal.ts";
import { editedText, type MemberNames, type SourceOperation } from "../../source/json/edit.ts";
import { formatJson } from "../../source/json/format.ts";
import { isObject, objectIn, valueAt, type JsonObject } from "../../source/json/object.ts";
import { parseJson } from "../../source/json/parse.ts";
import { SourceReader } from "../../source/read.ts";
import { findSources } from "../../source/find.ts";
import { type SourceIndex } from "../../source/source-index.ts";
import { syncHelpers, type SyncHelpers } from "./helpers.ts";
import { movePages, retireGone } from "./leaving.ts";
import { ownershipChanges, ownershipsIn, type Ownership } from "./ownership.ts";
import { isDraft, isSection, ownerAbove, placeOf, PagePlaces } from "./places.ts";
import { openExport, type Export, type PlacedRecord, type Records } from "./records.ts";
import { scan, scanJob } from "./scan.ts";
import { StagedPages } from "./staged.ts";
import { UniqueValues } from "./unique.ts";
import {
  assertModule,
  assertPage,
  fingerprint,
  inOrder,
  isEmpty,
  isSame,
  keysIn,
  ownedValues,
  plainKey,
  SeenKeys,
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

const recordPlace = ({ file, line }: Omit<PlacedRecord, "record">): string => `${file}:${line}`;

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
      const run = new SyncRun(module, options, records, staging, knownFields);
      await run.read().catch(endUnwritten);
      const { doubtful } = run;
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

class SyncRun<Item> {
  /** The fields that the module has returned. */
  readonly fields: Set<string>;
  /** Why pages were compared by other fields than those of the collection system; undefined if they were not. */
  doubtful: string | undefined;
  private readonly result: SyncResult = {
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
  private readonly site: Site;
  private readonly listing: SourceIndex;
  /** The folders of home pages. */
  private readonly homes: ReadonlySet<string>;
  private readonly places: PagePlaces;
  private readonly checker: SourceChecker;
  private readonly helpers: ReturnType<typeof syncHelpers>;
  private readonly before: Ownership | undefined;
  /** Existing pages of this name by key. */
  private readonly existing = new Map<string, string>();
  /** By file, of the fields that were known before the run. A page that is taken over has none. */
  private readonly fingerprints = new Map<string, readonly [number, number]>();
  private readonly knownFields: readonly string[];
  /** The known fields that the module has not returned yet. */
  private readonly unreturned: Set<string>;
  private readonly ids = new Map<number, string>();
  private readonly unique: UniqueValues;
  private readonly seen = new SeenKeys();
  private readonly paged = new Set<string>();
  private readonly parents = new Map<string, Parent | undefined>();
  /** Of the pages of each folder: the search for the schema costs more than a page. */
  private readonly schemas = new Map<string, string>();
  private readonly staged: StagedPages;
  /** The number of pages that had a value, by owned fields without a value in any record so far. */
  private readonly missing = new Map<string, number>();
  /** The paths of fields in the order of each type. */
  private readonly orders = new Map<string, string[]>();
  private readonly steps = new Map<string, readonly string[]>();
  /** The places of the records of misplaced pages, by the files of these. */
  private readonly recordsAt = new Map<string, Omit<PlacedRecord, "record">>();
  private compared = 0;

  private readonly module: Sync<Item>;
  private readonly options: SyncOptions;
  private readonly records: Export;
  private readonly staging: string;

  constructor(
    module: Sync<Item>,
    options: SyncOptions,
    records: Export,
    staging: string,
    knownFields: readonly string[] | undefined,
  ) {
    const { content, model, folder } = options;
    this.module = module;
    this.options = options;
    this.records = records;
    this.staging = staging;
    this.staged = new StagedPages(content, staging);
    const { listing, hasSite } = findSources(content);
    const site = hasSite ? siteIn(content) : undefined;
    if (site === undefined)
      throw new Failure("_site.json is missing or has errors: fix it first (npx page-api check).");
    markLanguages(listing, site);
    this.site = site;
    this.listing = listing;
    this.places = new PagePlaces(listing, site);
    this.homes = new Set(["", ...languagesOf(site).map(({ folder: home }) => home)]);
    this.checker = new SourceChecker({ model, site });
    this.unique = new UniqueValues(model, site);
    this.helpers = syncHelpers(content, folder, () => this.result.images++);
    this.before = ownershipsIn(content)[module.name];
    this.fields = new Set(knownFields ?? this.before?.fields);
    this.knownFields = [...this.fields];
    this.unreturned = new Set(this.fields);
    for (const path of this.fields) this.missing.set(path, 0);
  }

  /** Reads what the site has already. */
  private async scan(): Promise<void> {
    const { content } = this.options;
    const { listing, module } = this;
    const fields = this.knownFields.map((path) => this.stepsOf(path));
    const { fields: unique } = this.unique;
    const job = scanJob({ content, listing, prefix: `${module.name}:`, fields, unique });
    const parts = await scan(job);
    for (let i = 0; i < listing.count; i++) {
      const id = job.ids[i] ?? 0;
      if (id !== 0) this.ids.set(id, listing.path(i));
    }
    for (const { values } of parts) this.unique.addAll(values, listing);
    for (const [i, key] of parts.flatMap(({ keys }) => keys).sort(([a], [b]) => a - b)) {
      this.follow(key, listing.path(i));
      this.fingerprints.set(listing.path(i), [
        job.fingerprints[2 * i] ?? 0,
        job.fingerprints[2 * i + 1] ?? 0,
      ]);
    }
    for (const i of module.adopt === undefined
      ? []
      : parts.flatMap(({ free }) => free).sort((a, b) => a - b)) {
      const page = objectIn(readFileSync(join(content, listing.path(i)), "utf8"));
      this.follow((page && module.adopt?.(page)) ?? "", listing.path(i));
    }
    for (const { id, address } of readHistory(content).retired)
      if (!this.ids.has(id)) this.ids.set(id, address);
  }

  private follow(key: string | number, file: string): void {
    if (key === "") return;
    const other = this.existing.get(String(key));
    if (other !== undefined)
      throw new Failure(
        `${other} and ${file} have the same record, ${key}. Give one of them another meta.external_id, or none.`,
      );
    this.existing.set(String(key), file);
  }

  async read(): Promise<void> {
    await this.scan();
    const { module, result, options } = this;
    let withoutKey = 0;
    let columns = "";
    for await (const placed of this.records.read()) {
      result.records++;
      options.progress?.(result.records);
      const key = this.called("key", placed, () => module.key(placed.record as Item));
      if (key === undefined || key === null || key === "") {
        withoutKey++;
        columns ||= isObject(placed.record) ? Object.keys(placed.record).slice(0, 20).join(", ") : "";
        continue;
      }
      if (!this.seen.add(String(key))) throw await this.doubled(String(key), placed);
      this.take(String(key), placed);
    }
    const trusted = trust(result.records, withoutKey, columns, this.seen.size);
    if (trusted !== undefined) throw new Failure(`${module.name}: ${trusted}`);
    this.releaseFields();
    if (this.doubtful !== undefined) return;
    this.findGone();
    if (options.yes !== true) this.assertLikely();
    this.moveAndRetire(true);
  }

  /** Calls a function of the module. @throws Failure with the place of the record */
  private called<T>(name: "key" | "page", placed: PlacedRecord, call: () => T): T {
    try {
      return call();
    } catch (cause) {
      const { message } = cause as Error;
      throw new Failure(
        cause instanceof Failure
          ? `${recordPlace(placed)}: ${message}`
          : `${this.module.name}: ${name}() fails for the record at ${recordPlace(placed)}: ${message}. Look at the columns of the export, and at the module.`,
      );
    }
  }

  private async doubled(key: string, placed: PlacedRecord): Promise<Failure> {
    let first = "";
    if (this.records.isRepeatable)
      for await (const other of this.records.read())
        if (String(this.module.key(other.record as Item)) === key) {
          first = `${recordPlace(other)} and `;
          break;
        }
    return new Failure(
      `${this.module.name}: two records have the key ${key}: ${first}${recordPlace(placed)}. Export each record once.`,
    );
  }

  private take(key: string, placed: PlacedRecord): void {
    const { result, module, helpers } = this;
    const page = this.called("page", placed, () => module.page(placed.record as Item, helpers));
    const missing = helpers.takeMissing();
    if (page === undefined || page === null) {
      result.withoutPage++;
      return;
    }
    assertPage(page, module.name, recordPlace(placed));
    this.paged.add(key);
    if (missing.length > 0) return this.refuse(key, placed, missing);
    const file = this.existing.get(key);
    const values = ownedValues(page);
    for (const path of Object.keys(values)) {
      if (this.unreturned.size > 0) this.unreturned.delete(path);
      // The id stays: addresses of responses depend on it.
      if (path === "id" || this.fields.has(path)) continue;
      this.fields.add(path);
      this.missing.set(path, 0);
      this.orders.clear();
      if (this.compared > 0)
        this.doubtful ??= `the field ${path} occurs for the first time after other pages`;
    }
    if (file === undefined) this.create(key, page, values, placed);
    else this.update(key, file, page, values, placed);
  }

  /** Fields that the module does not return any more belong to editors, with their values. */
  private releaseFields(): void {
    if (this.paged.size === 0) return;
    for (const path of this.unreturned) {
      this.fields.delete(path);
      if (this.compared > 0) this.doubtful ??= `the module returns the field ${path} no longer`;
    }
    this.result.released = (this.before?.fields ?? []).filter((path) => !this.fields.has(path));
  }

  private refuse(key: string, placed: Omit<PlacedRecord, "record">, findings: readonly Finding[]): void {
    const place = { file: placed.file, line: Math.max(1, placed.line), column: 1 };
    this.result.refused.push({ key, findings: findings.map((one) => ({ ...one, place })) });
  }

  private create(key: string, page: SyncPage, values: Record<string, unknown>, placed: PlacedRecord): void {
    const { restore } = this.options;
    const retired = this.before?.retired?.[key];
    if (retired !== undefined && restore !== true) {
      this.result.returned.push({ key, file: placed.file, line: placed.line });
      return;
    }
    const { file, findings: wrong, ...place } = this.places.ofNew(page);
    const { slug } = place;
    const clash = this.places.at(place);
    if (clash !== undefined) wrong.push(finding("slug-clash", { slug, other: clash }, startOf(file)));
    const given = values["id"];
    const id = typeof given === "number" ? given : (retired ?? this.freeId(key));
    const taken = this.ids.get(id);
    if (taken !== undefined && retired !== id)
      wrong.push(finding("id-clash", { id, file, other: taken }, startOf(file)));
    values["id"] = id;
    values["meta.external_id"] = `${this.module.name}:${key}`;
    const source = sourceOf(this.schemaOf(file), this.orderOf(page.meta.type), values);
    const text = formatJson(source);
    const found = wrong.length > 0 ? wrong : this.errorsIn(file, text, source, place, source);
    if (found.length > 0) return this.refuse(key, placed, found);
    this.ids.set(id, file);
    this.places.add(file, place);
    this.unique.replace(file, {}, source);
    this.count(values);
    if (this.options.dryRun !== true) this.staged.add(file, undefined, text);
    this.result.created.push({ key, file });
  }

  /** The same for a record in each run: a branch that each night begins again has the same pages. */
  private freeId(key: string): number {
    let attempt = 0;
    return freeId(this.ids, () => (fingerprint([this.module.name, key, attempt++])[0] >>> 0) / 2 ** 32);
  }

  private update(
    key: string,
    file: string,
    page: SyncPage,
    values: Record<string, unknown>,
    placed: PlacedRecord,
  ): void {
    const { content } = this.options;
    this.compared++;
    if (!this.places.isAt(file, page)) {
      const { file: to, findings } = this.places.ofNew({ ...page, draft: isDraft(file) });
      if (findings.length > 0) return this.refuse(key, placed, findings);
      this.recordsAt.set(file, { file: placed.file, line: placed.line });
      this.result.misplaced.push({
        key,
        file,
        to: isSection(file) ? to.replace(/\.json$/, "/index.json") : to,
      });
    }
    if (this.fields.size === this.knownFields.length && this.isKnown(file, values)) {
      this.count(values);
      this.result.unchanged++;
      return;
    }
    const old = readFileSync(join(content, file), "utf8");
    const current = objectIn(old);
    if (current === undefined) throw new Failure(`${file} has errors: fix it first (npx page-api check).`);
    const external = `${this.module.name}:${key}`;
    const wanted: Record<string, unknown> = { ...values, "meta.external_id": external };
    const operations: SourceOperation[] = [];
    const fields: string[] = [];
    for (const path of [...this.fields, "meta.external_id"]) {
      const steps = this.stepsOf(path);
      const [now, then] = [valueAt(current, steps), wanted[path]];
      if (isSame(now, then)) continue;
      fields.push(path);
      operations.push(
        isEmpty(then) ? { kind: "remove", path: steps } : { kind: "set", path: steps, value: then },
      );
    }
    this.count(values, current);
    if (operations.length === 0) {
      this.result.unchanged++;
      return;
    }
    const { root } = parseJson(file, Buffer.from(old));
    if (root === undefined) throw new Failure(`${file} has errors: fix it first (npx page-api check).`);
    const text = editedText(old, root, operations, this.namesOf(page.meta.type));
    const after = objectIn(text) ?? {};
    const found = this.errorsIn(file, text, after, placeOf(file));
    if (found.length > 0) return this.refuse(key, placed, found);
    this.unique.replace(file, current, after);
    if (this.options.dryRun !== true) this.staged.add(file, old, text);
    this.result.changed.push({ key, file, fields: fields.sort() });
  }

  private isKnown(file: string, values: Record<string, unknown>): boolean {
    const known = this.fingerprints.get(file);
    if (known === undefined) return false;
    const [low, high] = fingerprint(this.knownFields.map((path) => values[path]));
    return known[0] === low && known[1] === high;
  }

  private namesOf(type: string): MemberNames {
    const { model } = this.options;
    return memberNames(model.sourceOf(model.has(type) ? type : undefined));
  }

  private schemaOf(file: string): string {
    const folder = dirname(file);
    let schema = this.schemas.get(folder);
    if (schema === undefined)
      this.schemas.set(folder, (schema = schemaReference(this.options.content, file)));
    return schema;
  }

  private errorsIn(
    file: string,
    text: string,
    page: JsonObject,
    { parent, slug }: { parent: string; slug: string },
    value?: JsonObject,
  ): Finding[] {
    const language = languageAt(file, this.site);
    const at = { parent: this.parentAt(parent), slug, ...(language && { language }) };
    const keys = value === undefined ? NaN : keysIn(value);
    const { findings } = this.checker.checkMade(file, text, value ?? {}, keys, at);
    const errors = isDraft(file) ? [] : findings.filter(isError);
    return [...errors, ...this.unique.clashes(file, page)];
  }

  /** The page of a folder with the facts that its subpages need. */
  private parentAt(folder: string): Parent | "root" | undefined {
    if (!this.parents.has(folder)) {
      const file = folder === "" ? "index.json" : `${folder}/index.json`;
      const read = new SourceReader().readBytes(join(this.options.content, file), file);
      const position = {
        parent: this.homes.has(folder) ? ("root" as const) : this.parentAt(ownerAbove(folder)),
        slug: slugOfName(folder.slice(folder.lastIndexOf("/") + 1)),
      };
      this.parents.set(folder, asParent(this.checker.check(read, position), position, this.site));
    }
    return this.parents.get(folder);
  }

  private stepsOf(path: string): readonly string[] {
    let steps = this.steps.get(path);
    if (steps === undefined) this.steps.set(path, (steps = path.split(".")));
    return steps;
  }

  private orderOf(type: string): string[] {
    let order = this.orders.get(type);
    if (order === undefined) {
      const paths = new Set([...this.fields, "id", "meta.external_id"]);
      this.orders.set(type, (order = inOrder(this.options.model, type, paths)));
    }
    return order;
  }

  private count(values: Record<string, unknown>, before?: JsonObject): void {
    for (const [path, had] of this.missing)
      if (!isEmpty(values[path])) this.missing.delete(path);
      else if (!isEmpty(valueAt(before, this.stepsOf(path)))) this.missing.set(path, had + 1);
  }

  private findGone(): void {
    for (const [key, file] of this.existing)
      if (!this.paged.has(key) && this.fingerprints.has(file)) this.result.gone.push({ key, file });
  }

  /** Signs of a broken export. @throws Failure with the sign, and with the option that goes on. */
  private assertLikely(): void {
    const { before, module } = this;
    const { gone } = this.result;
    const stop = (sign: string): never => {
      throw new Failure(`${module.name}: ${sign} Look at the export, or go on with --yes.`);
    };
    const { encodings } = this.records;
    if (before?.encoding !== undefined && encodings.length > 0 && before.encoding !== encodings.join(" "))
      stop(`the export is in ${encodings.join(" and ")}, and the last one was in ${before.encoding}.`);
    const plain = new Map(gone.length === 0 ? [] : Array.from(this.paged, (key) => [plainKey(key), key]));
    const renamed = gone.find(({ key }) => plain.has(plainKey(key)));
    if (renamed !== undefined)
      stop(`the key ${renamed.key} is written ${plain.get(plainKey(renamed.key))} now.`);
    const pages = this.fingerprints.size;
    const many = Math.max(1, MAX_GONE * pages);
    if (gone.length > many)
      stop(`the export lacks the records of ${thousands(gone.length)} of ${plural(pages, "page")}.`);
    for (const [path, had] of this.missing)
      if (had > many)
        stop(`no record has a value for ${path}, which ${plural(had, "page")} have. Was its column renamed?`);
  }

  private moveAndRetire(isDry: boolean): void {
    const { content, move, retire } = this.options;
    const { result } = this;
    if (move === true && result.misplaced.length > 0) {
      const left = movePages(content, this.places, result.misplaced, { isDry });
      for (const { key, file, to } of left) {
        const args = { slug: placeOf(to).slug, other: this.places.at(placeOf(to)) ?? to };
        const placed = this.recordsAt.get(file);
        if (placed !== undefined) this.refuse(key, placed, [finding("slug-clash", args, startOf(to))]);
      }
      result.misplaced = result.misplaced.filter((one) => !left.includes(one));
    }
    if (retire === true && result.gone.length > 0)
      retireGone(content, this.listing, new Set(result.gone.map(({ file }) => file)), { isDry });
  }

  async end(): Promise<SyncResult> {
    const { result, options, staged } = this;
    if (options.dryRun === true) return result;
    this.helpers.copyImages(this.staging);
    for (const file of await staged.place()) this.lost(file);
    if (this.ownership().length > 0)
      await whenFree(() => changeSources(options.content, () => [{ files: this.ownership() }, undefined]));
    // Each of them is all or nothing, and the next run goes on.
    this.moveAndRetire(false);
    return result;
  }

  /** An editor saved the page while the records were read: the next run follows. */
  private lost(file: string): void {
    const { created, changed, lost } = this.result;
    for (const list of [created, changed]) {
      const k = list.findIndex((one) => one.file === file);
      const [one] = k === -1 ? [] : list.splice(k, 1);
      if (one !== undefined) lost.push({ key: one.key, file });
    }
  }

  private ownership(): FileChange[] {
    const { module, options, fields, records, before } = this;
    const encoding = records.encodings.length > 0 ? records.encodings.join(" ") : before?.encoding;
    const own: Ownership = {
      ...(module.label !== undefined && { label: module.label }),
      ...(encoding !== undefined && { encoding }),
      fields: [...fields].sort(),
    };
    const made = new Map(this.result.created.map(({ key, file }) => [key, file]));
    return ownershipChanges(options.content, module.name, own, (key, id) => {
      const file = made.get(key) ?? this.existing.get(key);
      return file === undefined ? "none" : this.ids.get(id) === file ? "same" : "other";
    });
  }
}
