import type { Args } from "../../findings/catalogue/index.ts";
import type { html as htmlCatalogue } from "../../findings/catalogue/html.ts";

type HtmlCode = keyof typeof htmlCatalogue | "unlikely-host";

/** Something wrong with an HTML fragment; the place is in UTF-16 units of the decoded string. */
export type HtmlProblem = {
  [C in HtmlCode]: { code: C; args: Args<C>; start: number; end: number };
}[HtmlCode];

/** A link of a fragment: its address with entities decoded, and where it is written. */
export interface HtmlLink {
  href: string;
  start: number;
  end: number;
}

export interface CheckedFragment {
  /** In the order of their places; of a very bad fragment the first hundred. */
  problems: readonly HtmlProblem[];
  /** Links of the fragment; all of them if it has no problem. */
  links: readonly HtmlLink[];
  /** How many more were found. */
  unlisted: number;
  /** Whether the fragment was left at so many that it may have yet more. */
  isCut: boolean;
}
