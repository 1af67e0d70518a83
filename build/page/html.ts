import type { Args } from "../findings/catalogue/index.ts";
import type { html as htmlCatalogue } from "../findings/catalogue/html.ts";
import { FragmentCheck } from "./html/fragment.ts";
import { isSiteRelative } from "./html/links.ts";
import { readTokens } from "./html/tokens.ts";

type HtmlCode = keyof typeof htmlCatalogue;

/** Something wrong with an HTML fragment; the place is in UTF-16 units of the decoded string. */
export type HtmlProblem = {
  [C in HtmlCode]: { code: C; args: Args<C>; start: number; end: number };
}[HtmlCode];

/** What is wrong with an HTML fragment, in the order of the places; of a very bad one, the first hundred problems. */
export function checkFragment(html: string): HtmlProblem[] {
  if (!html.includes("<")) return [];
  const check = new FragmentCheck(html);
  readTokens(html, check);
  return check.result();
}

const nothing = (): void => undefined;

/** The links to pages of this website, for whoever knows which pages there are. */
export function siteRelativeLinks(html: string): { href: string; start: number; end: number }[] {
  const links: { href: string; start: number; end: number }[] = [];
  if (!/<a\s/i.test(html)) return links;
  readTokens(html, {
    openTag: ({ name, attributes }) => {
      const href = name === "a" ? attributes.find((attribute) => attribute.name === "href") : undefined;
      if (href !== undefined && isSiteRelative(href.value))
        links.push({ href: href.value, ...href.valueSpan });
    },
    text: nothing,
    closeTag: nothing,
    other: nothing,
    unfinished: nothing,
    quotes: nothing,
    isDone: () => false,
  });
  return links;
}
