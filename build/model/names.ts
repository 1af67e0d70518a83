/** Other names that people write for a field, by field. */
const OTHER_NAMES: Record<string, string> = {
  title: "heading headline name",
  allArtists: "artist artists author authors creator creators maker makers painter",
  master_images: "image images img photo photos picture pictures thumbnail",
  subjects: "keyword keywords subject tag tags topics",
  acno: "accession accession_no accession_number accessionNumber inventory_number number",
  creditLine: "credit credit_line credits",
  dateText: "date display_date",
  medium: "material materials technique",
  start_year: "year",
  resources: "caption captions texts",
};

/** Everyday words that find a field, in addition to its name and description; by field name. */
export const EVERYDAY_WORDS: Readonly<Record<string, string>> = {
  expire_at: "expiry expiration end unpublish until",
  go_live_at: "publish publication release schedule start embargo from",
  first_published_at: "publication",
};

const MEANT = new Map(
  Object.entries(OTHER_NAMES).flatMap(([field, names]) =>
    names.split(" ").map((name) => [name.toLowerCase(), field] as const),
  ),
);

export const meantBy = (name: string): string | undefined => MEANT.get(name.toLowerCase());

/** Field names that people try for the text of a page. */
export const TEXT_NAMES =
  /^(?:body|content|contents|text|intro|introduction|summary|description|html|sections|blocks|streamfield)$/i;

const ABBREVIATIONS = new Map(
  ["API", "CC", "HTML", "IIIF", "MLT", "SEO", "URL"].map((word) => [word.toLowerCase(), word]),
);

/** The name of a field in words: `acquisitionYear` and `acquisition_year` are “Acquisition year”. */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .split("_")
    .map((word) => ABBREVIATIONS.get(word.toLowerCase()) ?? word.toLowerCase());
  const text = words.join(" ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
