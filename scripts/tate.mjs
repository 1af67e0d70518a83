// The works of Tate's open collection data, as records of a collection system: a module for `page-api sync`.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The classifications in the data have names but no ids, and a page needs an id. These ids are this project's own, numbered
 * in the order of the list, and mean nothing outside it. Never renumber them: give a new name the next number.
 */
const CLASSIFICATIONS = [
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

/** Why a work has no page; of several reasons, the first counts. */
const REASONS = {
  "no-date-range": "no date range",
  "half-a-date": "a date range without two years",
  "accession-number": "an accession number other than one letter and five digits",
  unclassified: "no classification",
  "unknown-classification": "a classification without an id in this project's table",
  "no-acquisition-year": "no acquisition year",
  "no-id": "no id from 1 to 2^53-1",
  "no-title": "no title",
  "no-address": "no address of the form /art/artworks/<slug>",
};

const ADDRESS = /^https?:\/\/[^/?#\s]+\/art\/artworks\/(?!index$)([a-z\d][\w-]{0,249})$/i;
const ARTIST_ADDRESS = /^https?:\/\/[^/?#\s]+(?:[/?#]\S*)?$/i;

const isText = (value) => typeof value === "string" && value !== "" && !/\p{Surrogate}/u.test(value);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value) => (isText(value) ? value : undefined);
const list = (value) => (Array.isArray(value) ? value.filter(isObject) : []);

/** An integer, even if the data has it as digits in a text. */
function integer(value) {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Without members that have no value. */
const present = (fields) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== undefined &&
        value !== null &&
        value !== "" &&
        !(Array.isArray(value) && value.length === 0),
    ),
  );

function* jsonFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* jsonFiles(path);
    else if (entry.name.endsWith(".json")) yield path;
  }
}

/** The addresses of artists. A few have two files with the same id, but with different names, dates and addresses. */
function artistsIn(checkout) {
  const artists = new Map();
  for (const file of jsonFiles(join(checkout, "artists"))) {
    const { id, fc, date, url } = JSON.parse(readFileSync(file, "utf8"));
    if (isText(url) && ARTIST_ADDRESS.test(url))
      artists.set(id, [...(artists.get(id) ?? []), { name: fc, date: date ?? undefined, url }]);
  }
  return (id, name, date) => {
    const found = artists.get(id) ?? [];
    const nearest =
      found.find((one) => one.name === name && one.date === date) ??
      found.find((one) => one.name === name) ??
      found[0];
    return nearest?.url;
  };
}

const uniqueIds = (items) => [...new Set(items.map(({ id }) => id).filter(Number.isSafeInteger))].join(" ");

/** The tree of subjects as a list, each after its parent, without the root: it is no subject of the work. */
function subjectsIn(root) {
  const subjects = [];
  const open = isObject(root) ? [{ data: root, level: 0, parent: 0 }] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { data, level, parent } = next;
    const { id } = data;
    if (!Number.isSafeInteger(id) || id < 1) continue;
    if (level > 0) subjects.push(present({ id, name: text(data.name), level, parent_id: parent }));
    for (const child of list(data.children).reverse())
      open.push({ data: child, level: level + 1, parent: id });
  }
  return subjects;
}

/** A role before the name shows only in the line of artists: “after Thomas Bewick”. */
function contributor({ id, fc, date, role, append_role_after_name: isAfter }, allArtists, addressOf) {
  const [name, dates, shown] = [text(fc), text(date), text(role)];
  const isBefore = shown !== undefined && name !== undefined && allArtists.includes(`${shown} ${name}`);
  return present({
    prepend_role_to_name: isBefore || undefined,
    append_role_to_name: isAfter === true || undefined,
    role_display: shown,
    fc: name,
    date: dates,
    url: addressOf(Number.isSafeInteger(id) ? id : undefined, name, dates),
  });
}

function reasonAgainst(work) {
  const { dateRange, classification } = work;
  if (dateRange === undefined || dateRange === null) return "no-date-range";
  if (integer(dateRange.startYear) === undefined || integer(dateRange.endYear) === undefined)
    return "half-a-date";
  if (!isText(work.acno) || !/^[A-Z]\d{5}$/i.test(work.acno)) return "accession-number";
  if (!classification) return "unclassified";
  if (!CLASSIFICATIONS.includes(classification)) return "unknown-classification";
  if (integer(work.acquisitionYear) === undefined) return "no-acquisition-year";
  if (!(integer(work.id) >= 1)) return "no-id";
  if (!isText(work.title)) return "no-title";
  return ADDRESS.test(work.url ?? "") ? undefined : "no-address";
}

/**
 * @param checkout the folder that contains `artworks/` and `artists/`.
 * @returns the module, with the number of works without a page, by reason.
 */
export function tate(checkout) {
  const addressOf = artistsIn(checkout);
  const withoutPage = new Map();
  return {
    name: "tate",
    label: "Tate's collection data",
    withoutPage,
    async *records() {
      for (const file of jsonFiles(join(checkout, "artworks"))) {
        let record = {};
        try {
          record = JSON.parse(readFileSync(file, "utf8"));
        } catch {
          // A damaged file counts as a work without a date range.
        }
        yield { file, ...record };
      }
    },
    key: ({ file, acno }) => (isText(acno) ? acno : file),
    page(work) {
      const reason = reasonAgainst(work);
      if (reason !== undefined) {
        withoutPage.set(REASONS[reason], (withoutPage.get(REASONS[reason]) ?? 0) + 1);
        return undefined;
      }
      const { startYear, endYear } = work.dateRange;
      const allArtists = text(work.all_artists);
      const contributors = list(work.contributors);
      const subjects = subjectsIn(work.subjects);
      const group = text(work.catalogueGroup?.shortTitle);
      return {
        parent: "/art/artworks",
        folder: `_${work.acno.slice(0, 3).toLowerCase()}`,
        slug: ADDRESS.exec(work.url)?.[1] ?? "",
        id: integer(work.id),
        meta: { type: "artworks.ArtworkPage" },
        title: work.title,
        acno: work.acno,
        allArtists,
        dimensions: text(work.dimensions),
        dateText: text(work.dateText),
        medium: text(work.medium),
        creditLine: text(work.creditLine),
        foreignTitle: text(work.foreignTitle),
        finberg: text(work.finberg),
        mltArtists: uniqueIds(contributors),
        mltMovements: uniqueIds(list(work.movements)),
        mltSubjects: uniqueIds(subjects),
        acquisitionYear: integer(work.acquisitionYear),
        start_year: integer(startYear),
        end_year: integer(endYear),
        mltYear: integer(startYear),
        classification: {
          id: CLASSIFICATIONS.indexOf(work.classification) + 1,
          meta: { type: "artworks.Classification" },
        },
        catalogue_group: group && { title: group },
        contributors: contributors
          .map((one) => contributor(one, allArtists ?? "", addressOf))
          .filter((one) => Object.keys(one).length > 0),
        subjects,
      };
    },
  };
}
