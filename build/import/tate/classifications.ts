/**
 * The classifications in Tate's open data have names but no ids, and a page needs an id. These ids are this project's
 * own, numbered in the order of the table, and mean nothing outside it. Pages must keep their ids: never renumber,
 * and give a new name the next number. The type is also this project's own, named in the style of the API's page
 * types.
 */
const NAMES = [
  "on paper, unique",
  "on paper, print",
  "painting",
  "sculpture",
  "installation",
  "relief",
  "block for printing",
  "time-based media",
  "supporting material",
];

const TYPE = "artworks.Classification";

export interface Classification {
  id: number;
  meta: { type: string };
}

const CLASSIFICATIONS: ReadonlyMap<string, Classification> = new Map(
  NAMES.map((name, i) => [name, { id: i + 1, meta: { type: TYPE } }]),
);

export const classificationOf = (name: string): Classification | undefined => CLASSIFICATIONS.get(name);
