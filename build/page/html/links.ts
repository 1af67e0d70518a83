import type { LinkProblem } from "../../findings/catalogue/html.ts";
import { forms } from "../forms.ts";

export type BadLink =
  | { code: "html-link-scheme"; args: { attribute: string; scheme: string } }
  | { code: "html-link-form"; args: { attribute: string; link: string; problem: LinkProblem } };

const TEXT_SCHEMES = new Set(["http", "https", "mailto", "tel"]);
const FILE_SCHEMES = new Set(["http", "https"]);

/** White space, control characters, and what browsers read as a slash or as the end of an attribute or tag. */
const UNFIT = /[\s\p{Cc}"<>\\]/u;

/** What is wrong with an address, judged as a browser would read it; `link` has its entities decoded. */
export function badLink(attribute: string, link: string): BadLink | undefined {
  const form = (problem: LinkProblem): BadLink => ({
    code: "html-link-form",
    args: { attribute, link: shortened(link), problem },
  });
  const scheme = schemeOf(link);
  if (scheme !== undefined && !(attribute === "href" ? TEXT_SCHEMES : FILE_SCHEMES).has(scheme.toLowerCase()))
    return { code: "html-link-scheme", args: { attribute, scheme: shortened(scheme) } };
  if (link === "") return form("empty");
  if (UNFIT.test(link)) return form("characters");
  if (scheme !== undefined) {
    if (link.length === scheme.length + 1) return form("empty");
    return /^https?$/i.test(scheme) && !forms["absolute-url"].holds(link) ? form("host") : undefined;
  }
  if (link.startsWith("//")) return form("two-slashes");
  if (isSiteRelative(link) || (link.startsWith("#") && attribute === "href")) return undefined;
  return form("relative");
}

export const isSiteRelative = (link: string): boolean => forms["site-relative"].holds(link);

/** Browsers skip control characters and spaces before an address, and tabs and line breaks anywhere in it. */
function schemeOf(link: string): string | undefined {
  return /^[\s\p{Cc}]*([a-z][a-z\d+.\t\n\r-]*):/iu.exec(link)?.[1]?.replaceAll(/[\t\n\r]/g, "");
}

const LONGEST = 60;

/** As much of a text as a message can quote, never half of a character. */
export const shortened = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
