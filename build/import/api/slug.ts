import { isReservedName } from "../../page/address.ts";
import { SLUG } from "../../sources/find.ts";

/** Maximum number of characters of a slug: with `.json` after it, it is a valid file name on every system. */
const MAX_SLUG_LENGTH = 250;

/** The reason why no source can have this slug, as the end of a sentence. */
export function slugFault(slug: string): string | undefined {
  if (!SLUG.test(slug))
    return "has characters other than letters, digits, - and _, or does not begin with a letter or digit";
  if (slug.length > MAX_SLUG_LENGTH)
    return `has ${slug.length} characters; a file's name can have at most ${MAX_SLUG_LENGTH}`;
  return isReservedName(slug)
    ? "is the name of a device on Windows, so no file there can have it"
    : undefined;
}
