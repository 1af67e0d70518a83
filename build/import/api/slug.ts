import { SLUG } from "../../sources/find.ts";

/** With `.json` after it, the longest that is a file's name everywhere. */
const LONGEST = 250;

/** Names of devices, which are no files on Windows, whatever their ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])$/i;

/** Why no source can have this slug, as the end of a sentence. */
export function slugFault(slug: string): string | undefined {
  if (!SLUG.test(slug))
    return "has other characters than letters, digits, - and _, or does not begin with a letter or digit";
  if (slug.length > LONGEST) return `has ${slug.length} characters; a file's name has room for ${LONGEST}`;
  return DEVICE.test(slug) ? "is the name of a device on Windows, where no file can have it" : undefined;
}
