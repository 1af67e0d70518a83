import type { html as htmlCatalogue, LinkProblem } from "../../findings/catalogue/html.ts";
import type { FieldMistake } from "../../findings/finding.ts";
import { addressProblem, hasUnfitCharacters, localHost } from "../../source/address.ts";
import { formats } from "../formats.ts";
import { referenceTo } from "../reference.ts";
import type { OpenTag, Span } from "./tokens.ts";

export type HtmlMistake = Extract<FieldMistake, { code: keyof typeof htmlCatalogue | "unlikely-host" }>;

/** An address with its entities decoded, and its range in UTF-16 units of the decoded string. */
export type HtmlLink = Span & { href: string };

/** Links may also lead to a mailbox or a telephone; images and sources of quotations are files on the web. */
const TEXT_SCHEMES = new Set(["http", "https", "mailto", "tel"]);
const FILE_SCHEMES = new Set(["http", "https"]);

/** Checks an address as a browser would read it; `link` has its entities decoded. */
export function badLink(attribute: string, link: string): HtmlMistake | undefined {
  const form = (problem: LinkProblem, host?: string): HtmlMistake => ({
    code: "html-link-form",
    args: { attribute, link: shortened(link), problem, ...(host === undefined ? {} : { host }) },
  });
  const written = schemeOf(link) ?? "";
  const scheme = written.toLowerCase();
  if (scheme !== "" && !(attribute === "href" ? TEXT_SCHEMES : FILE_SCHEMES).has(scheme))
    return { code: "html-link-scheme", args: { attribute, scheme: shortened(written) } };
  if (link === "") return form("empty");
  // People write telephone numbers in groups, and telephones ignore the spaces.
  if (hasUnfitCharacters(scheme === "tel" ? link.replaceAll(" ", "") : link)) return form("characters");
  if (scheme !== "") {
    const rest = link.slice(scheme.length + 1);
    if (rest.trim() === "") return form("empty");
    // An email address has a host too, so its letters must be ASCII.
    if (scheme === "mailto") return /^[^?]*[^!-~?]/.test(rest) ? form("mailbox") : undefined;
    if (scheme === "tel") return undefined;
    const found = addressProblem(link);
    if (found !== undefined) return form(found.problem, "host" in found ? found.host : undefined);
    const host = localHost(link);
    if (host === undefined) return undefined;
    const path = link.replace(/^[^/]*\/\/[^/?#]*/, "");
    return {
      code: "unlikely-host",
      args: { found: shortened(link), host, ...(isSiteRelative(path) ? { path } : {}) },
    };
  }
  if (link.startsWith("//")) return form("two-slashes");
  if (isSiteRelative(link)) return undefined;
  // A fragment or a query leads to the same page, whichever page shows the text.
  if (attribute === "href" && /^[#?]/.test(link)) return undefined;
  return form("relative");
}

/** A link to a page by its id, as Wagtail stores it: `<a linktype="page" id="3">`. */
export function pageLink({ name, attributes }: OpenTag): HtmlLink | undefined {
  if (name !== "a" || !attributes.some((one) => one.name === "linktype" && one.value === "page"))
    return undefined;
  const id = attributes.find((one) => one.name === "id");
  return id === undefined || !/^[1-9]\d{0,15}$/.test(id.value)
    ? undefined
    : { href: referenceTo(Number(id.value)), ...id.valueSpan };
}

/** The mistake of a link to a page that has no id, or another text in its place. */
export function badPageLink(tag: OpenTag): (HtmlMistake & Span) | undefined {
  const { attributes, start, end } = tag;
  const isToPage = attributes.some((one) => one.name === "linktype" && one.value === "page");
  if (tag.name !== "a" || !isToPage || pageLink(tag) !== undefined) return undefined;
  const id = attributes.find((one) => one.name === "id");
  const args = { attribute: "id", link: shortened(id?.value ?? ""), problem: "page" } as const;
  return { code: "html-link-form", args, ...(id?.valueSpan ?? { start, end }) };
}

export const isSiteRelative = (link: string): boolean => formats["site-relative"].matches(link);

/** Browsers skip control characters and spaces before an address, and tabs and line breaks anywhere in it. */
function schemeOf(link: string): string | undefined {
  return /^[\s\p{Cc}]*([a-z][a-z\d+.\t\n\r-]*):/iu.exec(link)?.[1]?.replaceAll(/[\t\n\r]/g, "");
}

/** Maximum length of a quotation in a message, in UTF-16 units. */
const MAX_QUOTE_LENGTH = 60;

/** Cut to the length that a message quotes, but not inside a surrogate pair. */
export const shortened = (text: string): string =>
  text.length > MAX_QUOTE_LENGTH
    ? `${text.slice(0, MAX_QUOTE_LENGTH).replace(/[\uD800-\uDBFF]$/, "")}…`
    : text;
