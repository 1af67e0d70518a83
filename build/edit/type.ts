import { Failure } from "../base/failure.ts";
import { nearest } from "../findings/finding.ts";
import { PAGE_TYPES, rowOf, type PageType } from "../page/types.ts";

/** A type's name without app, case, punctuation and “page”, so that editors can write it in several ways. */
const plain = (name: string): string =>
  name
    .slice(name.indexOf(".") + 1)
    .toLowerCase()
    .replace(/[^a-z]/g, "")
    .replace(/page$/, "");

export const SHORT_NAMES: readonly string[] = PAGE_TYPES.map((type) => rowOf(type).shortName);

/** The page type that an editor named, by its full or short name. @throws Failure if there is none. */
export function pageTypeNamed(name: string): PageType {
  const found = PAGE_TYPES.find(
    (type) =>
      type === name ||
      (!name.includes(".") && [type, rowOf(type).shortName].some((known) => plain(known) === plain(name))),
  );
  if (found !== undefined) return found;
  const meant = nearest(name, [...PAGE_TYPES, ...SHORT_NAMES]);
  throw new Failure(
    `There is no page type “${name}”.${meant === undefined ? "" : ` Did you mean “${meant}”?`}\n` +
      `The types are: ${PAGE_TYPES.map((type) => `${rowOf(type).shortName} (${type})`).join(", ")}.`,
  );
}
