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

export interface CheckedFragment {
  /** In the order of their places; of a very bad fragment the first hundred. */
  problems: readonly HtmlProblem[];
  /** How many more were found. */
  unlisted: number;
  /** Whether the fragment was left at so many that it may have yet more. */
  isCut: boolean;
}

const SOUND: CheckedFragment = { problems: [], unlisted: 0, isCut: false };

/** What is wrong with an HTML fragment. */
export function checkFragment(html: string): CheckedFragment {
  if (!html.includes("<")) return SOUND;
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
