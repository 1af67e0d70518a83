import type { Args } from "../../findings/catalogue/index.ts";
import type { html as htmlCatalogue } from "../../findings/catalogue/html.ts";

type HtmlCode = keyof typeof htmlCatalogue | "unlikely-host";

/** Its range is in UTF-16 units of the decoded string. */
export type HtmlProblem = {
  [C in HtmlCode]: { code: C; args: Args<C>; start: number; end: number };
}[HtmlCode];

/** The address with entities decoded, and its range. */
export interface HtmlLink {
  href: string;
  start: number;
  end: number;
}

export interface CheckedFragment {
  /** In the order of their locations; at most one hundred. */
  problems: readonly HtmlProblem[];
  /** Links of the fragment; all of them if it has no problem. */
  links: readonly HtmlLink[];
  /** The number of further problems. */
  unlisted: number;
  /** Whether the check stopped at the maximum number of problems, so that there may be more. */
  isCut: boolean;
}
