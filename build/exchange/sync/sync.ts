import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../base/failure.ts";
import { plural, thousands } from "../../base/numbers.ts";
import { openStaging } from "../../base/lock.ts";
import { statIfThere } from "../../base/file.ts";
import { freeId, idIn } from "../../change/ids.ts";
import { move, retireAll } from "../../change/move.ts";
import { readHistory, siteIn } from "../../change/pages.ts";
import { textNumber } from "../../check/site.ts";
import { asParent, SourceChecker } from "../../check/page.ts";
import { finding, isError, startOf, type Finding } from "../../findings/finding.ts";
import { memberNames } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import type { Site } from "../../model/site.ts";
import { addressesOf, linkPath, sitePath, type Parent } from "../../model/tree.ts";
import { schemaReference } from "../../outputs/contract/location.ts";
import { GROUP, isSlug, nameOfSlug, slugKey, slugOfName } from "../../source/address.ts";
import { assertComplete } from "../../source/complete.ts";
import { findSources, type SourceIndex, readSources, SourceReader } from "../../source/read.ts";
import { editedText, type SourceOperation } from "../../source/json/edit.ts";
import { formatJson } from "../../source/json/format.ts";
import { isObject, objectIn, valueAt, type JsonObject } from "../../source/json/object.ts";
import { parseJson } from "../../source/json/parse.ts";
import { SYNC } from "../../source/site-files.ts";
import { StagedPages } from "./staged.ts";
import { syncHelpers, type SyncHelpers } from "./helpers.ts";
import { ownershipsIn, type Ownership } from "./ownership.ts";
import {
  assertModule,
  fingerprint,
  inOrder,
  isEmpty,
  isSame,
  keysIn,
  ownedValues,
  ownerAbove,
  plainKey,
  sourceOf,
  trust,
  type SyncPage,
  type SyncResult,
} from "./values.ts";
import { openExport, type Export, type PlacedRecord, type Records } from "./records.ts";

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
      // A field that occurred first after some pages were compared belongs to the collection system on these too.
      if (run.isComplete) return await run.end();
      if (!records.isRepeatable)
        throw new Failure(
          `${module.name}: the field ${run.late} occurs for the first time after other pages. Make “records” a function, so that the records can be read twice.`,
        );
      knownFields = [...run.fields];
    }
  } finally {
    close();
  }
}

/** @throws Failure with the same reason */
function endUnwritten(cause: unknown): never {
  throw cause instanceof Failure ? new Failure(`${cause.message} Nothing was written.`) : cause;
}

class SyncRun<Item> {
  readonly fields: Set<string>;
  late: string | undefined;
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
    images: 0,
  };
  private readonly site: Site;
  private readonly listing: SourceIndex;
  private readonly checker: SourceChecker;
  private readonly helpers: ReturnType<typeof syncHelpers>;
  private readonly ownerships: Record<string, Ownership>;
  private readonly before: Ownership | undefined;
  /** Existing pages of this name by key. */
  private readonly existing = new Map<string, string>();
  /** By file, of the fields that were known before the run. */
  private readonly fingerprints = new Map<string, number>();
  private readonly knownFields: readonly string[];
  private readonly ids = new Map<number, string>();
  private readonly accessions = new Map<number, string>();
  /** The lines of records by key. */
  private readonly seen = new Map<string, string>();
  private readonly paged = new Set<string>();
  /** Folders of parent pages by their paths on the website. */
  private readonly parentFolders = new Map<string, string>();
  private readonly parents = new Map<string, Parent | undefined>();
  private readonly slugs = new Map<string, Map<string, string>>();
  /** Of the pages of each folder: the search for the schema costs more than a page. */
  private readonly schemas = new Map<string, string>();
  private readonly staged: StagedPages;
  /** The number of pages that had a value, by owned fields without a value in any record so far. */
  private readonly missing = new Map<string, number>();
  /** The paths of fields in the order of each type. */
  private readonly orders = new Map<string, string[]>();
  private readonly steps = new Map<string, readonly string[]>();
  private readonly retiredKeys: Record<string, number>;
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
    this.site = site;
    this.listing = listing;
    this.checker = new SourceChecker({ model, site });
    this.helpers = syncHelpers(content, folder, () => this.result.images++);
    this.ownerships = ownershipsIn(content);
    this.before = this.ownerships[module.name];
    this.fields = new Set(knownFields ?? this.before?.fields);
    this.knownFields = [...this.fields];
    for (const path of this.fields) this.missing.set(path, 0);
    this.retiredKeys = this.before?.retired ?? {};
    this.scan();
  }

  get isComplete(): boolean {
    return this.late === undefined;
  }

  /** Reads what the site has already. */
  private scan(): void {
    const { content } = this.options;
    const { listing, module } = this;
    const addressOf = addressesOf(listing, this.site);
    const prefix = `${module.name}:`;
    let i = 0;
    for (const { file, bytes } of readSources(content, listing)) {
      const number = i++;
      const owner = listing.parentOf(number);
      this.slugsOf(listing.folders[owner]?.path ?? "").set(slugKey(listing.slug(number)), file);
      if (listing.kind(number) === "index")
        this.parentFolders.set(sitePath(addressOf(number), this.site) ?? "", listing.folder(number).path);
      const text = bytes?.toString("utf8") ?? "";
      const page = objectIn(text);
      const id = page === undefined ? idIn(text) : page["id"];
      if (typeof id === "number") this.ids.set(id, file);
      if (page === undefined) {
        if (text.includes(`"${prefix}`))
          throw new Failure(`${file} has errors: fix it first (npx page-api check).`);
        continue;
      }
      if (typeof page["acno"] === "string") this.accessions.set(textNumber(page["acno"]), file);
      const external = valueAt(page, ["meta", "external_id"]);
      let key: string | number | null | undefined;
      if (typeof external === "string")
        key = external.startsWith(prefix) ? external.slice(prefix.length) : undefined;
      else key = module.adopt?.(page);
      if (key === undefined || key === null || key === "") continue;
      const other = this.existing.get(String(key));
      if (other !== undefined)
        throw new Failure(
          `${file} and ${other} have the same record, ${String(key)}. Give one of them another meta.external_id, or none.`,
        );
      this.existing.set(String(key), file);
      const values = this.knownFields.map((path) => valueAt(page, this.stepsOf(path)));
      if (external !== undefined) this.fingerprints.set(file, fingerprint(values));
    }
    for (const { id, address } of readHistory(content).retired)
      if (!this.ids.has(id)) this.ids.set(id, address);
  }

  private slugsOf(parent: string): Map<string, string> {
    let slugs = this.slugs.get(parent);
    if (slugs === undefined) this.slugs.set(parent, (slugs = new Map()));
    return slugs;
  }

  async read(): Promise<void> {
    const { module, result, options } = this;
    let withoutKey = 0;
    let columns = "";
    for await (const placed of this.records.read()) {
      result.records++;
      options.progress?.(result.records);
      const key = module.key(placed.record as Item);
      if (key === undefined || key === null || key === "") {
        withoutKey++;
        columns ||= isObject(placed.record) ? Object.keys(placed.record).slice(0, 20).join(", ") : "";
        continue;
      }
      this.take(String(key), placed);
    }
    const trusted = trust(result.records, withoutKey, columns, this.seen);
    if (trusted !== undefined) throw new Failure(`${module.name}: ${trusted}`);
    this.findGone();
    if (options.yes !== true) this.assertLikely();
  }

  private take(key: string, placed: PlacedRecord): void {
    const { seen, result, module } = this;
    const at = `${placed.file}:${placed.line}`;
    const other = seen.get(key);
    if (other !== undefined)
      throw new Failure(
        `${module.name}: two records have the key ${key}: ${other} and ${at}. Export each record once.`,
      );
    seen.set(key, at);
    const page = module.page(placed.record as Item, this.helpers);
    if (page === undefined) {
      result.withoutPage++;
      return;
    }
    this.paged.add(key);
    const file = this.existing.get(key);
    const values = ownedValues(page);
    for (const path of Object.keys(values)) {
      // The id stays: addresses of responses depend on it.
      if (path === "id" || this.fields.has(path)) continue;
      this.fields.add(path);
      this.missing.set(path, 0);
      this.orders.clear();
      if (this.compared > 0) this.late ??= path;
    }
    if (file === undefined) this.create(key, page, values, placed);
    else this.update(key, file, page, values, placed);
  }

  private refuse(key: string, placed: PlacedRecord, findings: readonly Finding[]): void {
    const place = { file: placed.file, line: Math.max(1, placed.line), column: 1 };
    this.result.refused.push({ key, findings: findings.map((one) => ({ ...one, place })) });
  }

  /** @throws Failure if the module names no place for a page. */
  private fileOfNew(
    { parent: address, folder, slug, draft = false }: SyncPage,
    placed: PlacedRecord,
  ): string {
    const at = `${placed.file}:${placed.line}`;
    const parent = this.parentFolders.get(linkPath(address));
    if (parent === undefined)
      throw new Failure(
        `${at}: “parent” is ${address}, but there is no page with this address that can have subpages. Make it first: npx page-api new.`,
      );
    if (folder !== undefined && !GROUP.test(folder))
      throw new Failure(`${at}: “folder” is ${folder}; a grouping folder begins with “_” and has no slash.`);
    const parts = [parent, folder, `${draft ? "_" : ""}${nameOfSlug(slug)}.json`];
    return parts.filter((part) => part !== "" && part !== undefined).join("/");
  }

  private create(key: string, page: SyncPage, values: Record<string, unknown>, placed: PlacedRecord): void {
    const { restore } = this.options;
    const retired = this.retiredKeys[key];
    if (retired !== undefined && restore !== true) {
      this.result.returned.push({ key, file: placed.file, line: placed.line });
      return;
    }
    const file = this.fileOfNew(page, placed);
    const parent = this.parentFolders.get(linkPath(page.parent)) ?? "";
    const { slug } = page;
    const wrong: Finding[] = [];
    if (!isSlug(slug)) wrong.push(finding("bad-slug", { slug, isFolder: false }, startOf(file)));
    const clash = this.slugsOf(parent).get(slugKey(slug));
    if (clash !== undefined) wrong.push(finding("slug-clash", { slug, other: clash }, startOf(file)));
    const given = values["id"];
    const id = typeof given === "number" ? given : freeId(this.ids);
    const taken = this.ids.get(id);
    if (taken !== undefined && retired !== id)
      wrong.push(finding("id-clash", { id, file, other: taken }, startOf(file)));
    values["id"] = id;
    values["meta.external_id"] = `${this.module.name}:${key}`;
    const source = sourceOf(this.schemaOf(file), this.orderOf(page.meta.type), values);
    const text = formatJson(source);
    const found =
      wrong.length > 0 ? wrong : this.errorsIn(file, text, source["acno"], { parent, slug }, source);
    if (found.length > 0) return this.refuse(key, placed, found);
    this.ids.set(id, file);
    this.slugsOf(parent).set(slugKey(slug), file);
    this.noteAccession(values["acno"], file);
    this.count(values);
    if (this.options.dryRun !== true) this.staged.add(file, undefined, text);
    this.result.created.push({ key, file });
  }

  private update(
    key: string,
    file: string,
    page: SyncPage,
    values: Record<string, unknown>,
    placed: PlacedRecord,
  ): void {
    const { content, model } = this.options;
    this.compared++;
    const place = this.placeOf(file);
    if (
      page.slug.normalize("NFC") !== place.slug ||
      this.parentFolders.get(linkPath(page.parent)) !== place.parent
    )
      this.result.misplaced.push({ key, file, to: this.fileOfNew(page, placed) });
    if (
      this.fields.size === this.knownFields.length &&
      this.fingerprints.get(file) === fingerprint(this.knownFields.map((path) => values[path]))
    ) {
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
    const text = editedText(old, root, operations, memberNames(model.sourceOf(page.meta.type)));
    const acno = this.fields.has("acno") ? values["acno"] : current["acno"];
    const found = this.errorsIn(file, text, acno, place);
    if (found.length > 0) return this.refuse(key, placed, found);
    this.noteAccession(values["acno"], file);
    if (this.options.dryRun !== true) this.staged.add(file, old, text);
    this.result.changed.push({ key, file, fields: fields.sort() });
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
    acno: unknown,
    { parent, slug }: { parent: string; slug: string },
    value?: JsonObject,
  ): Finding[] {
    const isDraft = /(?:^|\/)_[^/]*$/.test(file);
    const at = { parent: this.parentAt(parent), slug };
    const keys = value === undefined ? NaN : keysIn(value);
    const { findings } = this.checker.checkMade(file, text, value ?? {}, keys, at);
    const errors = isDraft ? [] : findings.filter(isError);
    const other = typeof acno === "string" ? this.accessions.get(textNumber(acno)) : undefined;
    if (other !== undefined && other !== file)
      errors.push(finding("acno-clash", { acno: String(acno), other }, startOf(file)));
    return errors;
  }

  private noteAccession(acno: unknown, file: string): void {
    if (typeof acno === "string") this.accessions.set(textNumber(acno), file);
  }

  /** The page of a folder with the facts that its subpages need. */
  private parentAt(folder: string): Parent | "root" | undefined {
    if (!this.parents.has(folder)) {
      const file = folder === "" ? "index.json" : `${folder}/index.json`;
      const read = new SourceReader().readBytes(join(this.options.content, file), file);
      const position = {
        parent: folder === "" ? ("root" as const) : this.parentAt(ownerAbove(folder)),
        slug: slugOfName(folder.slice(folder.lastIndexOf("/") + 1)),
      };
      this.parents.set(folder, asParent(this.checker.check(read, position), position, this.site));
    }
    return this.parents.get(folder);
  }

  private placeOf(file: string): { parent: string; slug: string } {
    const parts = file.split("/");
    let name = (parts.pop() ?? "").replace(/\.json$/, "");
    if (name === "index" || name === "_index") name = parts.pop() ?? "";
    return { parent: ownerAbove([...parts, ""].join("/")), slug: slugOfName(name.replace(/^_/, "")) };
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
    for (const [key, file] of this.existing) if (!this.paged.has(key)) this.result.gone.push({ key, file });
  }

  /** Signs of a broken export. @throws Failure with the sign, and with the option that goes on. */
  private assertLikely(): void {
    const { module, result, existing, before } = this;
    const stop = (sign: string): never => {
      throw new Failure(`${module.name}: ${sign} Look at the export, or go on with --yes.`);
    };
    const { encodings } = this.records;
    if (before?.encoding !== undefined && encodings.length > 0 && before.encoding !== encodings.join(" "))
      stop(`the export is in ${encodings.join(" and ")}, and the last one was in ${before.encoding}.`);
    const plain = new Map(Array.from(this.paged, (key) => [plainKey(key), key]));
    const renamed = result.gone.find(({ key }) => plain.has(plainKey(key)));
    if (renamed !== undefined)
      stop(`the key ${renamed.key} is written ${plain.get(plainKey(renamed.key))} now.`);
    if (result.gone.length > Math.max(1, MAX_GONE * existing.size))
      stop(
        `the export lacks the records of ${thousands(result.gone.length)} of ${plural(existing.size, "page")}.`,
      );
    for (const [path, had] of this.missing)
      if (had > Math.max(1, MAX_GONE * existing.size))
        stop(`no record has a value for ${path}, which ${plural(had, "page")} have. Was its column renamed?`);
  }

  async end(): Promise<SyncResult> {
    const { result, options, staged } = this;
    if (options.dryRun === true) return result;
    this.helpers.copyImages(this.staging);
    for (const file of await staged.place()) this.lost(file);
    this.saveOwnership();
    this.moveAndRetire();
    return result;
  }

  /** As the commands do: each of them is all or nothing, and the next run goes on. */
  private moveAndRetire(): void {
    const { content, model } = this.options;
    if (this.options.move === true)
      for (const { file, to } of this.result.misplaced) move(content, file, to, { model });
    const { gone } = this.result;
    if (this.options.retire !== true || gone.length === 0) return;
    for (const { key, file } of gone) {
      const id = idIn(readFileSync(join(content, file), "utf8"));
      if (id !== undefined) this.retiredKeys[key] = id;
    }
    // Before the pages are gone: a killed run must not let their records make new ones.
    this.saveOwnership();
    const drafts = new Set(gone.filter(({ file }) => /(?:^|\/)_[^/]*$/.test(file)).map(({ file }) => file));
    const pages = gone.flatMap(({ file }) => (drafts.has(file) ? [] : [file]));
    if (pages.length > 0) retireAll(content, pages, { model });
    for (const file of drafts) rmSync(join(content, file));
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

  private saveOwnership(): void {
    const { module, options, fields, records } = this;
    const ownership: Ownership = { fields: [...fields].sort() };
    if (module.label !== undefined) ownership.label = module.label;
    if (records.encodings.length > 0) ownership.encoding = records.encodings.join(" ");
    const retired = Object.entries(this.retiredKeys).filter(
      ([key]) => !this.paged.has(key) || !options.restore,
    );
    if (retired.length > 0) ownership.retired = Object.fromEntries(retired);
    const all = Object.entries({ ...this.ownerships, [module.name]: ownership }).sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    const text = formatJson(Object.fromEntries(all));
    const path = join(options.content, SYNC);
    if (statIfThere(path) !== undefined && readFileSync(path, "utf8") === text) return;
    const staged = join(options.content, STAGING, SYNC);
    writeFileSync(staged, text);
    renameSync(staged, path);
  }
}
