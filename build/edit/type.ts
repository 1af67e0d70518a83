import { Failure } from "../base/failure.ts";
import { nearest } from "../findings/finding.ts";
import type { PageType, PageTypes } from "../page/page-types.ts";

/** A type's name without app, case, punctuation and “page”, so that editors can write it in several ways. */
const plain = (name: string): string =>
  name
    .slice(name.indexOf(".") + 1)
    .toLowerCase()
    .replace(/[^a-z]/g, "")
    .replace(/page$/, "");

export const shortNames = (types: PageTypes): string[] => types.names.map((type) => types.of(type).shortName);

/** A sentence that lists the types of a site. */
export const typesOf = (types: PageTypes): string =>
  `The types are: ${types.names.map((type) => `${types.of(type).shortName} (${type})`).join(", ")}.`;

/** The page type that an editor named, by its full or short name. @throws Failure if there is none. */
export function pageTypeNamed(types: PageTypes, name: string): PageType {
  const found = types.names.find(
    (type) =>
      type === name ||
      (!name.includes(".") && [type, types.of(type).shortName].some((known) => plain(known) === plain(name))),
  );
  if (found !== undefined) return found;
  const meant = nearest(name, [...types.names, ...shortNames(types)]);
  throw new Failure(
    `There is no page type “${name}”.${meant === undefined ? "" : ` Did you mean “${meant}”?`}\n${typesOf(types)}`,
  );
}
