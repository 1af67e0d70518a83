import { valueOf } from "../../json/node.ts";
import { isObject, type JsonObject } from "../../json/object.ts";
import { parseJson } from "../../json/parse.ts";
import { isPageType, rowOf, USUAL_TYPE, type PageType } from "../../page/types.ts";
import { fieldsOf, type Field, type FieldPath, type PageField } from "./fields.ts";
import { isEmpty, isEqual, pathText, valueAt, withValue } from "./values.ts";

/** An edited field of the page; undefined removes it. */
export interface EditedField {
  path: string;
  value: unknown;
}

/** Makes the new text of a source: only edited fields change their bytes. */
export type EditText = (text: string | null, edits: readonly EditedField[]) => string;

/** The source is not a JSON object. It has no fields, so it is edited as text. */
export class NotAPage extends Error {
  override readonly name = "NotAPage";
}

/** The page in a text. @throws NotAPage */
export function pageIn(text: string): JsonObject {
  const { root } = parseJson("", new TextEncoder().encode(text));
  const page = root && valueOf(root);
  if (!isObject(page)) throw new NotAPage();
  return page;
}

/** The page in a text; undefined if the text is not a page. */
export function pageOf(text: string | null): JsonObject | undefined {
  if (text === null) return undefined;
  try {
    return pageIn(text);
  } catch {
    return undefined;
  }
}

/** The state of a form: the text that it was opened with, and the edited page. */
export class FormModel {
  /** The exact text that the form was opened with; null for a new page. */
  opened: string | null;
  /** The page when the form was opened; empty for a new page. */
  before: JsonObject;
  page: JsonObject;
  private readonly editText: EditText;

  /** @param page the page to begin with, if it is not the page in `opened`. */
  constructor(opened: string | null, editText: EditText, page?: JsonObject) {
    this.opened = opened;
    this.before = opened === null ? {} : pageIn(opened);
    this.page = page ?? this.before;
    this.editText = editText;
  }

  /** The page's type; the usual type if the page has none or an unknown one. */
  get type(): PageType {
    const type = valueAt(this.page, ["meta", "type"]);
    return isPageType(type) ? type : USUAL_TYPE;
  }

  get fields(): readonly PageField[] {
    return fieldsOf(this.type);
  }

  value(path: FieldPath): unknown {
    return valueAt(this.page, path);
  }

  set(path: FieldPath, value: unknown): void {
    const before = valueAt(this.before, path);
    // If the edit restores the opened value, use the opened object, which keeps its bytes.
    const written = before !== undefined && isEqual(value, before) ? before : value;
    this.page = withValue(this.page, path, written) as JsonObject;
  }

  /** Adds an element to a list. @returns its index */
  add(path: FieldPath, element: unknown): number {
    const list = this.list(path);
    this.set(path, [...list, element]);
    return list.length;
  }

  remove(path: FieldPath, index: number): void {
    this.set(path, this.list(path).toSpliced(index, 1));
  }

  /** Moves an element of a list up (-1) or down (1). */
  move(path: FieldPath, index: number, by: -1 | 1): void {
    const list = this.list(path);
    const [element] = list.slice(index, index + 1);
    this.set(path, list.toSpliced(index, 1).toSpliced(index + by, 0, element));
  }

  /** Continues from the saved text. Edits since the saved page are kept. */
  saved(text: string, page: JsonObject): void {
    this.opened = text;
    this.before = pageIn(text);
    if (this.page === page) this.page = this.before;
  }

  /** The edited fields as whole values; `EditText` decides how the text changes. */
  get edits(): EditedField[] {
    const paths = new Map<string, FieldPath>();
    for (const { path } of this.fields) paths.set(pathText(path), path);
    for (const page of [this.before, this.page])
      for (const path of pathsIn(page)) paths.set(pathText(path), path);
    return [...paths.values()].flatMap((path): EditedField[] => {
      const value = valueAt(this.page, path);
      return isEqual(valueAt(this.before, path), value) ? [] : [{ path: pathText(path), value }];
    });
  }

  get isEdited(): boolean {
    return this.opened === null || this.edits.length > 0;
  }

  /** The text that saving writes. */
  get text(): string {
    const { edits } = this;
    return this.opened !== null && edits.length === 0 ? this.opened : this.editText(this.opened, edits);
  }

  private list(path: FieldPath): unknown[] {
    const list = this.value(path);
    return Array.isArray(list) ? list : [];
  }
}

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

/** The fields at the top of the form, and those that “Show empty fields” reveals. */
export function inOrder(
  fields: readonly PageField[],
  page: unknown,
): { first: PageField[]; empty: PageField[] } {
  const first: PageField[] = [];
  const empty: PageField[] = [];
  for (const one of fields) {
    const { field, path } = one;
    const isFirst = field.isRequired || field.control === "derived" || !isEmpty(field, valueAt(page, path));
    (isFirst ? first : empty).push(one);
  }
  return { first, empty };
}

/** The initial content of a new page, as `npm run new` writes it. */
export function newPage(type: PageType, id: number): JsonObject {
  const page: JsonObject = { id, meta: { type }, title: "" };
  const placeholders: Readonly<JsonObject> = rowOf(type).placeholders ?? {};
  for (const { path, field } of fieldsOf(type)) {
    const [name = ""] = path;
    if (path.length > 1 || !field.isRequired || Object.hasOwn(page, name)) continue;
    const value = Object.hasOwn(placeholders, name) ? withoutNull(placeholders[name]) : emptyText(field);
    if (value !== undefined) page[name] = value;
  }
  return page;
}

/** The initial value of a required field: a text is empty, a number or object is omitted until the editor writes it. */
const emptyText = (field: Field): unknown =>
  ["text", "long-text", "html", "choice"].includes(field.control) ? "" : undefined;

const withoutNull = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== null)
          .map(([name, member]) => [name, withoutNull(member)]),
      )
    : value;

/** A random id, one of 90 million, as `npm run new` draws it. The check of all pages finds a collision. */
export function drawnId(random: () => number): number {
  return 10_000_000 + Math.floor(random() * 90_000_000);
}
