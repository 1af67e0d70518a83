export type Severity = "error" | "warning";

/** A correction that a program can carry out: it writes a value, or deletes the field. */
export type Correction = { write: string | number | boolean } | { delete: true };

/** Undefined if the text is not known. */
export const writing = (text: string | undefined): Correction | undefined =>
  text === undefined ? undefined : { write: text };

export type Text<Args> = string | ((args: Args) => string);

export const textOf = <Args>(text: Text<Args>, args: Args): string =>
  typeof text === "string" ? text : text(args);

/** The catalogue's entry of one code. `Args` are the facts that its texts need: those of `facts`, unless some may be missing. All prose is in the catalogue. */
export interface CatalogueEntry<Args> {
  /** An error if it is left out (`entry`). */
  severity?: "warning";
  /** The mistake, in one sentence, for an editor who does not program. */
  message: Text<Args>;
  /** The correction, in one sentence. */
  hint: Text<Args>;
  /** The same correction for a program, if the hint leaves no choice. */
  correction?: (args: Args) => Correction | undefined;
  /** The facts of the example, with which the page of codes prints real messages; left out if the texts need none. */
  facts?: Args;
  /** A minimal example of the mistake and its correction, for the page of codes. */
  example: { wrong: string; right: string };
}

/** The facts of the example may only be left out if the texts need none. */
type Entry<Args> = CatalogueEntry<Args> & (keyof Args extends never ? unknown : { facts: Args });

export const entry = <Args = object>(of: Entry<Args>): CatalogueEntry<Args> => of;

export const warning = <Args = object>(of: Entry<Args>): CatalogueEntry<Args> => ({
  severity: "warning",
  ...of,
});
