/** Abbreviations in field names, by their lowercase form. */
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

/** Everyday words that find a field, in addition to its name and description; by field name. */
const EVERYDAY_WORDS: Readonly<Record<string, string>> = {
  expire_at: "expiry expiration end unpublish until",
  go_live_at: "publish publication release schedule start embargo from",
  first_published_at: "publication",
};

/** The words that find a field, in addition to its name and description. */
export const everydayWords = (name: string, control: string): string =>
  `${EVERYDAY_WORDS[name] ?? ""} ${/date|year/.test(control) ? "date" : ""}`;

/** The singular of a label: “Subject” for “Subjects”. */
export const singular = (label: string): string =>
  label.endsWith("ies") ? `${label.slice(0, -3)}y` : label.replace(/s$/, "");
