import type { Args } from "../../findings/catalogue/index.ts";
import type { html as htmlCatalogue } from "../../findings/catalogue/html.ts";

type HtmlCode = keyof typeof htmlCatalogue | "unlikely-host";

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
