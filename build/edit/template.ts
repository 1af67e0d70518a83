import { definitionOf } from "../page/field.ts";
import { sourceSchemas, type ArtworkSource } from "../page/page.ts";
import { type PageType } from "../page/types.ts";

/** What only a person can know of an artwork. */
export type ArtworkFacts = Pick<
  ArtworkSource,
  "acno" | "acquisitionYear" | "start_year" | "end_year" | "mltYear"
> & { classification: { id: number } };

/** What the API says of every classification. */
const CLASSIFICATION = "artworks.Classification";

/** Values that no page can have: until a person writes others, each is an error at its place. */
const PLACEHOLDERS = {
  acno: "",
  acquisitionYear: null,
  start_year: null,
  end_year: null,
  mltYear: null,
  classification: { id: null, meta: { type: CLASSIFICATION } },
};

/** Sound values in their places, so that a page's defaults can be worked out. */
const SOUND = {
  title: "x",
  acno: "X00000",
  acquisitionYear: 0,
  start_year: 0,
  end_year: 0,
  mltYear: 0,
  classification: { id: 1, meta: { type: CLASSIFICATION } },
};

export interface NewPage {
  type: PageType;
  reference: string;
  id: number;
  slug: string;
  title?: string | undefined;
  facts: Partial<ArtworkFacts>;
  /** Every field there is, with its default, and not only those that are required. */
  allFields: boolean;
}

/** A new source: its fields in the order of the interface, and the names of those that a person has to look at. */
export function newSource(page: NewPage): {
  source: Record<string, unknown>;
  guessed: string[];
} {
  const guessed: (keyof typeof SOUND)[] = [];
  // A title made of a file's name would look as if somebody had written it.
  const title = page.title ?? "";
  if (page.title === undefined) guessed.push("title");
  const required: Record<string, unknown> = { id: page.id, meta: { type: page.type }, title };
  if (page.type === "artworks.ArtworkPage") {
    const known = inferred(page.facts, page.slug);
    for (const key of Object.keys(PLACEHOLDERS) as (keyof ArtworkFacts)[])
      if (known[key] === undefined) guessed.push(key);
    Object.assign(required, PLACEHOLDERS, known);
    if (known.classification !== undefined)
      required["classification"] = { ...known.classification, meta: { type: CLASSIFICATION } };
  }
  const schema = sourceSchemas[page.type];
  const only = (values: Record<string, unknown>) =>
    Object.fromEntries(guessed.map((key) => [key, values[key]]));
  const { success, data } = schema.safeParse({ ...required, ...only(SOUND) });
  // Where a given value is wrong, the check of the written source says so.
  const complete: Record<string, unknown> = success ? { ...data, ...only(required) } : required;
  const definition = definitionOf(schema);
  const order = definition.type === "object" ? Object.keys(definition.shape) : [];
  const source: Record<string, unknown> = { $schema: page.reference };
  for (const key of order)
    if (key === "meta" || (page.allFields && key in complete)) source[key] = complete[key];
    else if (key in required) source[key] = required[key];
  return { source, guessed };
}

const ACNO = /(?:^|-)([a-z]\d{5})$/i;

/** A work's file is often named after it. */
export const acnoIn = (slug: string): string | undefined => ACNO.exec(slug)?.[1]?.toUpperCase();

/** Most works are of one year. */
function inferred(facts: Partial<ArtworkFacts>, slug: string): Partial<ArtworkFacts> {
  const start = facts.start_year ?? facts.end_year;
  const acno = acnoIn(slug);
  return {
    ...(acno === undefined ? {} : { acno }),
    ...(start === undefined ? {} : { start_year: start, end_year: start, mltYear: start }),
    ...facts,
  };
}
