import { JsonEditor, type SourceOperation } from "../../source/json/edit.ts";
import { valueOf, type Path, isObject, valueAt, type JsonObject } from "../../source/json/object.ts";
import { parseJson } from "../../source/json/parse.ts";
import { memberNames } from "../../model/model.ts";
import { ownerOf, type Owner } from "../../model/ownership.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import { fieldsOf, type Field, type FieldPath, type PageField } from "./fields.ts";
import { isEqual, isTyped, pathText } from "./values.ts";

/** The source is not a JSON object, so that it has no fields. */
export class NotAPage extends Error {
  override readonly name = "NotAPage";
}

export function pageOf(text: string | null): JsonObject | undefined {
  const { root } = parseJson("", new TextEncoder().encode(text ?? ""));
  const page = root && valueOf(root);
  return isObject(page) ? page : undefined;
}

export const beginning = (page: JsonObject): SourceOperation[] => [{ kind: "set", path: [], value: page }];

/** The state of a form: the text that it was opened with, and the operations on the page since then. */
export class FormModel {
  readonly pages: PageModel;
  /** The exact text that the form was opened with; null for a new page. */
  opened: string | null = null;
  /** A JSON value, so that the browser can keep it. */
  operations: readonly SourceOperation[] = [];
  /** Called after a field was written because it follows from another one. */
  onFollow: (field: string) => void = () => undefined;
  /** `_sync.json`, if the page may follow a record of a collection system. */
  sync: JsonObject | undefined;
  owner: Owner | undefined;
  /** The edits that were not applied, because their fields belong to the collection system. */
  refused: SourceOperation[] = [];
  private editor!: JsonEditor;

  constructor(
    pages: PageModel,
    opened: string | null,
    operations: readonly SourceOperation[] = [],
    sync?: JsonObject,
  ) {
    this.pages = pages;
    this.sync = sync;
    this.begin(opened, operations);
  }

  /** Continues from another text. @throws NotAPage */
  begin(opened: string | null, operations: readonly SourceOperation[] = []): void {
    const { source, root } = parseJson("", new TextEncoder().encode(opened ?? "{}"));
    if (root?.type !== "object") throw new NotAPage();
    this.opened = opened;
    this.editor = new JsonEditor(source.text, root);
    this.operations = [];
    this.owner = ownerOf(this.before, this.sync);
    for (const operation of operations) this.apply(operation);
  }

  private apply(operation: SourceOperation): void {
    if (isOwned(this.owner, operation.path)) {
      this.refused.push(operation);
      return;
    }
    this.editor.apply(operation);
    const before = this.operations.at(-1);
    // The last of several values typed into one field counts.
    const isSame =
      before !== undefined &&
      isWritten(before) &&
      isWritten(operation) &&
      isEqual(before.path, operation.path);
    this.operations = [...(isSame ? this.operations.slice(0, -1) : this.operations), operation];
  }

  /** The page when the form was opened; empty for a new page. */
  get before(): JsonObject {
    return this.editor.before as JsonObject;
  }

  get page(): JsonObject {
    return this.editor.value as JsonObject;
  }

  /** The page's type; the usual type if the page has none or an unknown one. */
  get type(): PageType {
    const type = this.value(["meta", "type"]);
    return this.pages.has(type) ? type : this.pages.usual;
  }

  get fields(): readonly PageField[] {
    return fieldsOf(this.pages, this.type);
  }

  value(path: FieldPath): unknown {
    return valueAt(this.page, path);
  }

  /** Applies an edit, and writes the values that follow from it. A value that a person wrote stays. */
  private edit(operation: SourceOperation): void {
    const before = this.page;
    this.apply(operation);
    const { page } = this;
    for (const { field, value } of this.pages.of(this.type).follows ?? []) {
      const [old, next] = [value(before), value(page)];
      const isFollowing = isEqual(before[field] ?? "", old ?? "");
      if (isEqual(old, next) || operation.path[0] === field || !isFollowing) continue;
      this.apply(
        next === undefined ? { kind: "remove", path: [field] } : { kind: "set", path: [field], value: next },
      );
      this.onFollow(field);
    }
  }

  /** @param written the value as JSON that a person wrote */
  set(path: FieldPath, value: unknown, written?: string): void {
    // A list keeps its length: only the element's own button removes it.
    const isElement = Array.isArray(this.value(path.slice(0, -1)));
    this.edit(
      value === undefined && !isElement
        ? { kind: "remove", path }
        : { kind: "set", path, value: value ?? null, ...(written !== undefined && { written }) },
    );
  }

  /** The value of a field as the source has it. */
  written(path: FieldPath): string {
    return this.editor.printAt(path);
  }

  add(path: FieldPath, element: unknown, at?: number): number {
    const list = this.value(path);
    const index = at ?? (Array.isArray(list) ? list.length : 0);
    this.edit({ kind: "insert", path: [...path, index], value: element });
    return index;
  }

  remove(path: FieldPath, index: number): void {
    this.edit({ kind: "remove", path: [...path, index] });
  }

  move(path: FieldPath, index: number, by: number): void {
    this.edit({ kind: "move", path: [...path, index], to: index + by });
  }

  /** Continues from the saved text of a page. Edits since then are kept. */
  saved(text: string, saved: JsonObject): void {
    const { page } = this;
    this.begin(text);
    if (page !== saved)
      for (const operation of writes(differences(this.pages, this.before, page))) this.apply(operation);
  }

  /** The operations that put the edits onto a changed file; undefined if the file's other changes leave a choice. */
  onto(theirs: JsonObject): SourceOperation[] | undefined {
    const found = differences(this.pages, this.before, this.page, theirs);
    return found.every(({ by }) => by === "me") ? this.operationsOn(found) : undefined;
  }

  /** The same if only fields of a collection system have changed too, with these fields and the system. */
  ontoFollowed(theirs: JsonObject) {
    const owner = ownerOf(theirs, this.sync);
    const found = differences(this.pages, this.before, this.page, theirs);
    const followed = found.filter(({ by, path }) => by === "them" && isOwned(owner, path));
    const own = found.filter((one) => !followed.includes(one));
    if (owner === undefined || followed.length === 0 || !own.every(({ by }) => by === "me")) return undefined;
    return { operations: this.operationsOn(own), label: owner.label, fields: followed };
  }

  /** The operations that put fields onto a changed file: the form's own, or new values of what these do not write alone. */
  operationsOn(fields: readonly FieldDifference[]): SourceOperation[] {
    const { operations } = this;
    const own = fields.filter(
      ({ by, path }) =>
        by === "me" && !operations.some((one) => one.path.length < path.length && isBelow(path, one.path)),
    );
    return [
      ...operations.filter((one) => own.some(({ path }) => isBelow(one.path, path))),
      ...writes(fields.filter((one) => !own.includes(one))),
    ];
  }

  get isEdited(): boolean {
    return this.opened === null || !isEqual(this.before, this.page);
  }

  /** The text that saving writes. */
  get text(): string {
    const { opened, page, editor } = this;
    if (opened !== null && !this.isEdited) return opened;
    const type = this.value(["meta", "type"]);
    return editor.print(memberNames(this.pages.has(type) ? this.pages.sourceOf(type) : undefined, page));
  }
}

/** Whether a path is in a field of a collection system. The members of `meta` are fields of their own. */
export const isOwned = (owner: Owner | undefined, [name, member]: Path): boolean =>
  owner?.fields.has(name === "meta" ? `meta.${String(member)}` : String(name)) === true;

/** Whether a path is another one, or leads into its value. */
const isBelow = (path: Path, other: Path): boolean => other.every((step, k) => step === path[k]);

/** Whether an operation writes one field, so that the next one of the field replaces it. */
const isWritten = ({ kind, path }: SourceOperation): boolean =>
  kind === "set" || (kind === "remove" && typeof path.at(-1) === "string");

/** The paths of all fields of a page, known or unknown; members of `meta` are fields of the page. */
function* pathsIn(page: JsonObject): Generator<FieldPath> {
  for (const [name, value] of Object.entries(page))
    if (name === "meta" && isObject(value)) for (const member of Object.keys(value)) yield [name, member];
    else yield [name];
}

/** The fields of a page that its type does not have: they can only be removed. */
export function unknownFields(page: JsonObject, fields: readonly PageField[]): FieldPath[] {
  const known = new Set(fields.map(({ path }) => pathText(path)));
  return [...pathsIn(page)].filter((path) => !known.has(pathText(path)) && pathText(path) !== "$schema");
}

export interface FieldDifference {
  path: FieldPath;
  label: string;
  mine: unknown;
  theirs: unknown;
  /** The side that changed the field since the form was opened. */
  by: "me" | "them" | "both";
}

export function differences(pages: PageModel, before: JsonObject, mine: JsonObject, theirs = before) {
  const type = valueAt(mine, ["meta", "type"]);
  const fields = pages.has(type) ? fieldsOf(pages, type) : [];
  const labels = new Map(fields.map(({ path, field }) => [pathText(path), field.label]));
  const paths = new Map<string, FieldPath>();
  for (const { path } of fields) paths.set(pathText(path), path);
  for (const page of [mine, theirs, before])
    for (const path of unknownFields(page, fields)) paths.set(pathText(path), path);
  return [...paths].flatMap(([name, path]): FieldDifference[] => {
    const [old, own, other] = [before, mine, theirs].map((page) => valueAt(page, path));
    if (isEqual(own, other)) return [];
    const by = isEqual(old, own) ? "them" : isEqual(old, other) ? "me" : "both";
    return [{ path, label: labels.get(name) ?? name, mine: own, theirs: other, by }];
  });
}

const writes = (fields: readonly FieldDifference[]): SourceOperation[] =>
  fields.map(({ path, mine }) =>
    mine === undefined ? { kind: "remove", path } : { kind: "set", path, value: mine },
  );

/** The initial content of a new page, as `npx page-api new` writes it. */
export function newPage(pages: PageModel, type: PageType, id: number): JsonObject {
  const page: JsonObject = { id, meta: { type }, title: "" };
  const placeholders: Readonly<JsonObject> = pages.of(type).placeholders ?? {};
  for (const { path, field } of fieldsOf(pages, type)) {
    const [name = ""] = path;
    if (path.length > 1 || !field.isRequired || Object.hasOwn(page, name)) continue;
    const value = Object.hasOwn(placeholders, name) ? withoutNull(placeholders[name]) : emptyText(field);
    if (value !== undefined) page[name] = value;
  }
  return page;
}

/** The initial value of a required field: a text is empty, another value is omitted until the editor writes it. */
const emptyText = (field: Field): unknown =>
  isTyped(field) || typeof field.choices[0]?.value === "string" ? "" : undefined;

const withoutNull = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== null)
          .map(([name, member]) => [name, withoutNull(member)]),
      )
    : value;
