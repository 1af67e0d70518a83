export type Severity = "error" | "warning";

/** The catalogue's entry of one code. `Args` are the facts that its texts need; all prose is in the catalogue. */
export interface CatalogueEntry<Args> {
  severity: Severity;
  /** The mistake, in one sentence, for an editor who does not program. */
  message: (args: Args) => string;
  /** The correction, in one sentence. */
  hint: (args: Args) => string;
  /** A minimal example of the mistake and its correction, for the page of codes. */
  example: { wrong: string; right: string };
}

export const entry = <Args = object>(of: CatalogueEntry<Args>): CatalogueEntry<Args> => of;
