import { isObject, type JsonObject } from "../../build/source/json/object.ts";
import type { ValueModel } from "../../build/model/model.ts";
import { programModel } from "../../build/model/program-model.ts";
import type { PageType } from "../../build/model/page-types.ts";
import { fullValue } from "../response/valid.ts";
import { page, SITE } from "./site.ts";

/*
 * Every optional field of every object may be left out, alone and together with all others. Each page of this site
 * leaves out one of them; the last two of each type leave out all fields in the elements of lists, and all fields.
 */

/** The paths of the fields that a source may leave out; `*` is every element of a list. */
function* optionalFields(model: ValueModel, path: readonly string[] = []): Generator<readonly string[]> {
  if (model.kind === "list") yield* optionalFields(model.element, [...path, "*"]);
  if (model.kind !== "object") return;
  for (const [name, field] of model.fields) {
    if (field.kind === "derived") continue;
    if (!field.isRequired) yield [...path, name];
    yield* optionalFields(field, [...path, name]);
  }
}

function without(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === "*" && Array.isArray(value)) return value.map((element: unknown) => without(element, rest));
  if (name === undefined || !isObject(value)) return value;
  const { [name]: member, ...others } = value;
  return rest.length === 0 ? others : { ...others, [name]: without(member, rest) };
}

function variantsOf(type: PageType): unknown[] {
  const { meta, ...fields } = fullValue(programModel.of(type).source) as JsonObject & { meta: JsonObject };
  const full = { ...fields, meta: { ...meta, type, expire_at: "2999-12-31T00:00:00Z" } };
  const paths = [...optionalFields(programModel.of(type).source)].sort((a, b) => b.length - a.length);
  const inLists = paths.filter((path) => path.includes("*"));
  const all = [inLists, paths].map((omitted) => omitted.reduce<unknown>(without, full));
  return [full, ...paths.map((path) => without(full, path)), ...all];
}

/** The folder of a type's pages: of a page that may be above them, the home page if possible. */
function folderAbove(type: PageType): string {
  const [parent] = programModel.of(type).parents;
  return parent === undefined || programModel.of(type).parents.some((one) => programModel.isRoot(one))
    ? ""
    : folderOf(parent);
}
const folderOf = (type: PageType): string => `${folderAbove(type)}${type.replace(".", "-")}/`;

const COMMON = { "_site.json": SITE, "index.json": page(1, "home.HomePage", "Home") };

/** Sources by their paths. */
type Sources = Record<string, JsonObject>;

/** A site whose pages omit fields, the same site with every field, and the ids of the pages with the fewest fields. */
export function omittedSites(): { full: Sources; omitted: Sources; fewest: number[] } {
  const found: ReturnType<typeof omittedSites> = { full: { ...COMMON }, omitted: { ...COMMON }, fewest: [] };
  let id = 1;
  const put = (path: string, full: unknown, omitted: unknown): void => {
    id++;
    const own = (source: unknown) => {
      const { acno, meta, ...fields } = source as JsonObject & { meta: JsonObject };
      const { external_id: key, ...others } = meta;
      return {
        ...fields,
        id,
        title: `Page ${id}`,
        meta: key === undefined ? others : { ...others, external_id: `works:${id}` },
        ...(acno === undefined ? {} : { acno: `N${10_000 + id}` }),
      };
    };
    found.full[path] = own(full);
    found.omitted[path] = own(omitted);
  };
  for (const type of programModel.names.filter((one) => !programModel.isRoot(one))) {
    const [full, ...variants] = variantsOf(type);
    put(`${folderOf(type)}index.json`, full, full);
    for (const [k, variant] of variants.entries()) put(`${folderAbove(type)}p${id}-${k}.json`, full, variant);
    found.fewest.push(id - 1, id);
  }
  return found;
}
