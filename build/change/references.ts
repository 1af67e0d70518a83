import { isObject, objectIn, type JsonObject } from "../source/json/object.ts";
import { Failure } from "../base/failure.ts";
import { compare, nearest } from "../findings/finding.ts";
import { printable, printableJson } from "../findings/printable.ts";
import { modelsIn, type ListedObjects } from "../model/model.ts";
import type { PageModel } from "../model/page.ts";
import { readSources } from "../source/read.ts";
import { findSources } from "../source/find.ts";

/** An object that pages refer to, such as a subject, as most of them write it. */
export interface Reference {
  /** The object's fields in a source. */
  written: JsonObject;
  pages: number;
  /** The values of each field of those pages that tells what the object is, most frequent first. */
  beside: string[][];
}

/** The lists of objects that pages of a site can refer to, with the paths of the objects in a source. */
function listsOf(model: PageModel): Map<string, ListedObjects & { paths: Map<string, string[]> }> {
  const lists: ReturnType<typeof listsOf> = new Map();
  for (const [at, path] of model.names.flatMap((type) => [...modelsIn(model.of(type).source)])) {
    const listed = at.kind === "object" ? at.listed : undefined;
    if (listed === undefined || path.length === 0) continue;
    const { paths } = lists.get(listed.list) ?? { paths: new Map<string, string[]>() };
    lists.set(listed.list, { ...listed, paths: paths.set(path.join("/"), path) });
  }
  return lists;
}

export const listNames = (model: PageModel): string[] => [...listsOf(model).keys()];

const ALIASES: Record<string, string> = { artists: "contributors" };

/** The objects at a path, in which `*` is every element of a list. */
function objectsAt(value: unknown, [step, ...rest]: readonly string[]): JsonObject[] {
  if (step === "*") return Array.isArray(value) ? value.flatMap((one) => objectsAt(one, rest)) : [];
  if (!isObject(value)) return [];
  return step === undefined ? [value] : objectsAt(value[step], rest);
}

/** The objects of a list that the pages of a site refer to, sorted by name. @throws Failure if there is no such list. */
export function referencesOf(content: string, model: PageModel, named: string): Reference[] {
  const lists = listsOf(model);
  const known =
    lists.get(named) ?? (Object.hasOwn(ALIASES, named) ? lists.get(ALIASES[named] ?? "") : undefined);
  if (known === undefined) {
    const meant = nearest(named, [...lists.keys(), ...Object.keys(ALIASES)]);
    throw new Failure(
      `--list: expected ${[...lists.keys()].join(", ")}, found “${named}”.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
    );
  }
  const { fields, beside, paths } = known;
  const uses = new Map<unknown, { file: string; written: string; beside: unknown[] }[]>();
  for (const { file, bytes } of readSources(content, findSources(content).listing)) {
    // Files that are not JSON are skipped. Other errors do not matter here.
    const page = objectIn(bytes?.toString("utf8") ?? "") ?? {};
    for (const one of [...paths.values()].flatMap((path) => objectsAt(page, path))) {
      const key = one[fields[0] ?? ""];
      if (typeof key !== "number" && (typeof key !== "string" || key === "")) continue;
      const given = fields.filter((field) => one[field] !== undefined);
      const written = JSON.stringify(Object.fromEntries(given.map((field) => [field, one[field]])));
      const use = { file, written, beside: beside.map((field) => page[field]) };
      uses.set(key, [...(uses.get(key) ?? []), use]);
    }
  }
  return Array.from(uses.values(), (all) => ({
    written: JSON.parse(byCount(all.map(({ written }) => written))[0] ?? "{}") as JsonObject,
    pages: new Set(all.map(({ file }) => file)).size,
    beside: beside.map((_, k) => byCount(all.map((use) => use.beside[k]))),
  })).sort((a, b) => compare(nameOf(a), nameOf(b)));
}

function nameOf({ written }: Reference): string | number {
  const [key, ...values] = Object.values(written);
  const name = [key, ...values].find((value) => typeof value === "string");
  return name === undefined ? Number(key) : name.toLowerCase();
}

function byCount(values: readonly unknown[]): string[] {
  const counts = new Map<string, number>();
  for (const text of values)
    if (typeof text === "string" && text !== "") counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || compare(a, b)).map(([text]) => text);
}

/** @param named its id, or a format or medium. @throws Failure, with a list, if none or several match. */
export function classificationNamed(content: string, model: PageModel, named: string): number {
  if (/^\d+$/.test(named)) return Number(named);
  const all = referencesOf(content, model, "classifications");
  const word = named.toLowerCase();
  const fits = [
    ({ beside: [first = []] }: Reference) => first.some((text) => text.toLowerCase() === word),
    ({ beside: [first = []] }: Reference) => first.some((text) => text.toLowerCase().includes(word)),
    ({ beside }: Reference) => beside.flat().some((text) => text.toLowerCase().includes(word)),
  ];
  const found = fits.map((matches) => all.filter(matches)).find((some) => some.length > 0) ?? [];
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return Number(only.written["id"]);
  const which = found.length === 0 ? "No work here is" : "Works of several classifications are";
  const ids = (found.length === 0 ? all : found).map((one) => `  ${referenceLine(one)}`);
  throw new Failure(
    `--classification: ${which} “${named}”. Write the id of one of these${ids.length === 0 ? "; there are none yet." : `:\n${ids.join("\n")}`}`,
  );
}

/** A line, safe to print, whose fields can be copied into a source, with the values that tell what the object is. */
export function referenceLine({ written, pages, beside }: Reference): string {
  const like = beside.flatMap((values) => values.slice(0, 2)).join("; ");
  const fields = Object.entries(written).map(([field, value]) => `${printableJson(field)}: ${spaced(value)}`);
  return `${fields.join(", ")}  (${pages === 1 ? "1 page" : `${pages} pages`}${like === "" ? "" : `: ${printable(like)}`})`;
}

const spaced = (value: unknown): string =>
  isObject(value)
    ? `{ ${Object.entries(value)
        .map(([field, one]) => `${printableJson(field)}: ${spaced(one)}`)
        .join(", ")} }`
    : printableJson(value);
