import { FragmentCheck, type CheckedFragment } from "./html/fragment.ts";
import { pageLink, type HtmlLink } from "./html/links.ts";
import { visibleMarkup } from "./html/markup.ts";
import { readTokens } from "./html/tokens.ts";

const VALID: CheckedFragment = { problems: [], links: [], unlisted: 0, isCut: false };

/** @param isRaw whether Wagtail's own elements are allowed */
export function checkFragment(html: string, isRaw = false): CheckedFragment {
  if (!html.includes("<") && visibleMarkup(html).length === 0) return VALID;
  const check = new FragmentCheck(html, isRaw);
  readTokens(html, check);
  return check.result();
}

export function linksIn(html: string): HtmlLink[] {
  const links: HtmlLink[] = [];
  if (!/<a[\s/]/i.test(html)) return links;
  readTokens(html, {
    openTag: (tag) => {
      const page = pageLink(tag);
      if (page !== undefined) links.push(page);
      const { name, attributes } = tag;
      const href = name === "a" ? attributes.find((attribute) => attribute.name === "href") : undefined;
      if (href !== undefined) links.push({ href: href.value, ...href.valueSpan });
    },
  });
  return links;
}
