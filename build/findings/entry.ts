export type Severity = "error" | "warning";

/** What the catalogue says of one code. `Args` are the facts a message needs; prose stays in the catalogue. */
export interface CatalogueEntry<Args> {
  severity: Severity;
  /** What is wrong with what was found: one sentence, for an editor who does not program. */
  message: (args: Args) => string;
  /** What to write instead: one sentence. */
  hint: (args: Args) => string;
  /** A smallest piece that provokes the finding and its mend, for the page of codes. */
  example: { wrong: string; right: string };
}

export const entry = <Args = object>(of: CatalogueEntry<Args>): CatalogueEntry<Args> => of;
