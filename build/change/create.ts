import { Failure } from "../base/failure.ts";
import { hintOf, isError, messageOf, nearest, type Finding, type Place } from "../findings/finding.ts";
import { editedText, type SourceOperation } from "../source/json/edit.ts";
import {
  fieldName,
  nodeAt,
  type Path,
  isObject,
  type JsonObject,
  type ObjectNode,
} from "../source/json/object.ts";
import { parseJson, type ParsedJson } from "../source/json/parse.ts";
import { placeOf } from "../source/json/place.ts";
import { markLanguages } from "../model/languages.ts";
import { modelOf } from "../model/types.ts";
import { fieldsIn, memberNames, type ValueModel } from "../model/model.ts";
import type { PageModel } from "../model/page.ts";
import type { PageType, PageTypes } from "../model/page-types.ts";
import { schemaReference } from "../outputs/contract/location.ts";
import { PageChecker } from "../check/page.ts";
import { typeOf } from "../check/nodes.ts";
import { SourceReader } from "../source/read.ts";
import { findSources } from "../source/find.ts";
import { formatJson } from "../source/json/format.ts";
import { changeSources } from "./apply.ts";
import { filesById, freeId } from "./ids.ts";
import { siteIn } from "./files.ts";
import { readHistory, sourceNamed } from "./pages.ts";
import { schemaChange } from "./schema.ts";
import { addressAt, findTarget, type Target } from "./target.ts";

interface NewPage {
  model: PageModel;
  type: PageType;
  reference: string;
  id: number;
  slug: string;
  title?: string | undefined;
  /** Values of the fields that only some types have. */
  facts: Readonly<JsonObject>;
  /** Whether to include optional fields, with their defaults. */
  allFields: boolean;
}

export interface CreateOptions extends Pick<NewPage, "title" | "facts" | "allFields"> {
  content: string;
  model?: PageModel | undefined;
  type: PageType;
  path: string;
  draft: boolean;
  id?: number | undefined;
}

export interface Created {
  target: Target;
  id: number;
  title: string;
  /** The address on the website; absent if `_site.json` is missing or has errors. */
  address?: string;
  /** Required values that were not given. Each is an error until the editor fills it in. */
  guessed: { place: Place; field: string; value: string }[];
}

/** Writes a new source, valid except for its `guessed` values. @throws Failure with the reason if it cannot. */
export function create(options: CreateOptions): Created {
  const { type, facts, title, allFields } = options;
  const model = modelOf(options.content, options.model);
  const { target, id, reference, site } = placeOfNew(options, model, type);
  const { slug } = target;
  const { source, guessed } = newSource({ model, type, reference, id, slug, title, facts, allFields });
  const text = formatJson(source);
  const parsed = parseJson(target.file, Buffer.from(text));
  const places = guessed.flatMap((field) => {
    const at = parsed.root && nodeAt(parsed.root, field).node;
    if (at === undefined) return [];
    const [place, value] = [placeOf(parsed.source, at.start, at.end), text.slice(at.start, at.end)];
    return [{ place, field: fieldName(field), value }];
  });
  const isPlaceholder = (found: Finding): boolean => places.some((one) => isAt(found, one));
  const { findings } = new PageChecker({ model, site }).check(parsed);
  assertValid(findings.filter((f) => !isPlaceholder(f)));
  write(options.content, model, target.file, text);
  const created: Created = {
    target,
    id,
    title: String(source["title"]),
    guessed: places.filter((one) => findings.some((found) => isError(found) && isAt(found, one))),
  };
  if (site !== undefined) created.address = addressAt(target, site);
  return created;
}

const isAt = ({ place }: Finding, one: { place: Place }): boolean =>
  place.line >= one.place.line && place.line <= (one.place.endLine ?? place.line);

/** The copy has another id, no date of first publication, and follows no record. Errors stay. @throws Failure if it cannot. */
export function copy(from: string, options: CopyOptions): Copied {
  const { content, title, facts } = options;
  const model = modelOf(content, options.model);
  const original = new SourceReader().read(content, sourceNamed(content, from)).parsed();
  return createFrom(original, options, ({ root, type, id, reference, target }) => {
    const operations: SourceOperation[] = [];
    const set = (at: readonly string[], value: unknown): void =>
      void operations.push({ kind: "set", path: at, value });
    set(["id"], id);
    if (nodeAt(root, ["$schema"]).found) set(["$schema"], reference);
    if (nodeAt(root, ["meta", "first_published_at"]).found) set(["meta", "first_published_at"], null);
    const record = ["meta", "external_id"];
    if (nodeAt(root, record).found) operations.push({ kind: "remove", path: record });
    const { infer, source: page } = model.of(type);
    for (const [field, value] of Object.entries({ title, ...(infer?.(facts, target.slug) ?? facts) }))
      if (isObject(value)) for (const [key, one] of Object.entries(value)) set([field, key], one);
      else if (value !== undefined) set([field], value);
    return editedText(original.source.text, root, operations, memberNames(page));
  });
}

type CopyOptions = Omit<CreateOptions, "type" | "allFields">;
type Copied = Omit<Created, "guessed">;

/** What the text of a page that is made of another needs to know. */
interface Copying extends ReturnType<typeof placeOfNew> {
  root: ObjectNode;
  type: PageType;
}

/** Writes a new page that is made of another. Errors that this one has stay. @throws Failure if it cannot. */
export function createFrom(
  original: ParsedJson,
  options: CopyOptions,
  textOf: (copying: Copying) => string,
): Copied {
  const { root, source } = original;
  const model = modelOf(options.content, options.model);
  const type = root && typeOf(root, model);
  if (root?.type !== "object" || type === undefined)
    throw new Failure(`${source.file} is not a page with a known type: fix it first (npm run check).`);
  const place = placeOfNew(options, model, type);
  const { target, id, site } = place;
  const text = textOf({ ...place, root, type });
  const checker = new PageChecker({ model, site });
  const before = new Set(checker.check(original).findings.map(messageOf));
  const copied = parseJson(target.file, Buffer.from(text));
  assertValid(checker.check(copied).findings.filter((f) => !before.has(messageOf(f))));
  write(options.content, model, target.file, text);
  const written = copied.root && nodeAt(copied.root, ["title"]).node;
  return { target, id, title: written?.type === "string" ? written.value : "" };
}

/** The position and id of a new page. @throws Failure if there cannot be such a page, or if its type lacks a given field. */
function placeOfNew(
  { content, path: named, draft, id, facts }: CopyOptions,
  model: PageModel,
  type: PageType,
) {
  const others = Object.keys(facts).filter((field) => !model.of(type).own.includes(field));
  if (others.length > 0)
    throw new Failure(`A page of type ${type} has no ${others.join(", ")}: leave out the option.`);
  const { listing } = findSources(content);
  const site = siteIn(content);
  markLanguages(listing, site);
  const isOneName = !draft && /(?:^|\/)(?!_|index$)[^/.]+$/.test(named);
  const place = isOneName && model.of(type).isFolder ? `${named}/` : named;
  const target = findTarget({ content, model, listing, site }, place, type, draft);
  const taken = filesById(content, listing);
  const other = id === undefined ? undefined : taken.get(id)?.at(-1);
  if (other !== undefined)
    throw new Failure(`The id ${id} is taken: ${other} has it. Leave out --id for a free one.`);
  const retired = id === undefined ? undefined : readHistory(content).retired.find((one) => one.id === id);
  if (retired !== undefined)
    throw new Failure(
      `The id ${id} belongs to the retired page ${retired.address}. Leave out --id for a free one.`,
    );
  const reference = schemaReference(content, target.file);
  return { target, id: id ?? freeId(taken), reference, site };
}

/** @throws Failure with the errors among the findings, if there are any. */
function assertValid(findings: readonly Finding[]): void {
  const wrong = findings.filter(isError);
  if (wrong.length > 0) throw new Failure(wrong.map((f) => `${messageOf(f)}\n  ${hintOf(f)}`).join("\n"));
}

/** Writes the page with the schema, or neither. */
const write = (content: string, model: PageModel, file: string, text: string): void =>
  changeSources(content, () => [
    { files: [...schemaChange(content, model), { file, before: null, after: text }] },
    undefined,
  ]);

/** A new source, with its fields in the API's order, and the names of the fields that the editor has to fill in. */
export function newSource({ model, type, reference, id, slug, title, facts, allFields }: NewPage): {
  source: JsonObject;
  guessed: Path[];
} {
  const { placeholders = {}, infer, source: page } = model.of(type);
  const known: JsonObject = { id, meta: { type }, title, ...(infer?.(facts, slug) ?? facts) };
  const source: JsonObject = { $schema: reference };
  const guessed: Path[] = [];
  for (const [field, of] of page.fields) {
    const { empty } = of;
    const given = known[field];
    const placeholder = placeholders[field];
    if (isObject(given)) {
      const complete = { ...(isObject(placeholder) ? placeholder : {}), ...given };
      source[field] = field === "meta" ? completed(of, complete) : complete;
      for (const [name, one] of field === "meta" ? fieldsIn(of) : [])
        if (isNeeded(one) && complete[name] === undefined) guessed.push([field, name]);
    } else if (given !== undefined) source[field] = given;
    else if (isNeeded(of)) {
      source[field] = placeholder ?? placeholderOf(of);
      guessed.push([field]);
    } else if (allFields && empty !== undefined) source[field] = empty;
  }
  return { source, guessed };
}

/** Whether the value that an omitted field gets is an error. */
function isNeeded(model: ValueModel): boolean {
  if (model.isRequired) return true;
  if (model.isNullable) return false;
  if (model.kind === "list") return (model.min ?? 0) > 0;
  return model.kind === "object" && [...model.fields.values()].some(isNeeded);
}

/** An object with the empty values, or the placeholders, of its omitted fields. */
const completed = (model: ValueModel, given: JsonObject): JsonObject =>
  Object.fromEntries(
    Array.from(fieldsIn(model), ([name, field]) => {
      const omitted = isNeeded(field) ? placeholderOf(field) : field.empty;
      return [name, given[name] ?? omitted] as const;
    }).filter(([, value]) => value !== undefined),
  );

/** An empty value for a required field, which is an error until the editor fills it in: no page is published with a guess. */
function placeholderOf(model: ValueModel): unknown {
  switch (model.kind) {
    case "text":
      return "";
    case "list":
      // Nobody has chosen the type of a block yet.
      return model.element.kind === "block"
        ? []
        : Array.from({ length: model.min ?? 1 }, () => placeholderOf(model.element));
    case "object":
      return Object.fromEntries(
        [...model.fields].flatMap(([name, field]) => (isNeeded(field) ? [[name, placeholderOf(field)]] : [])),
      );
    default:
      return null;
  }
}

/** A type's name without app, case, punctuation and “page”, so that editors can write it in several ways. */
const plain = (name: string): string =>
  name
    .slice(name.indexOf(".") + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/page$/, "");

export const shortNames = (types: PageTypes): string[] => types.names.map((type) => types.of(type).shortName);

export const typesOf = (types: PageTypes): string =>
  `The types are: ${types.names.map((type) => `${types.of(type).shortName} (${type})`).join(", ")}.`;

/** The page type that an editor named, by its full or short name. @throws Failure if there is none. */
export function pageTypeNamed(types: PageTypes, name: string): PageType {
  const namesOf = (type: PageType): string[] => [type, types.of(type).shortName];
  const isAlike = (known: string): boolean => !name.includes(".") && plain(known) === plain(name);
  const found =
    types.names.find((type) => namesOf(type).includes(name)) ??
    types.names.find((type) => namesOf(type).some(isAlike));
  if (found !== undefined) return found;
  const meant = nearest(name, [...types.names, ...shortNames(types)]);
  throw new Failure(
    `There is no page type “${name}”.${meant === undefined ? "" : ` Did you mean “${meant}”?`}\n${typesOf(types)}`,
  );
}
