// The works of Tate's open collection data, as records of a collection system: a module for `page-api sync`.

import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * The classifications in the data have names but no ids, and a page needs an id. These ids are this project's own, numbered
 * in the order of the list, and mean nothing outside it. Never renumber them: give a new name the next number.
 */
const CLASSIFICATIONS = [
  ["on paper, unique", "on paper, print", "painting", "sculpture", "installation", "relief"],
  ["block for printing", "time-based media", "supporting material"],
].flat();

/** Why a work has no page; of several reasons, the first counts. */
export const REASONS = {
  "damaged-file": "the file is not a JSON object in UTF-8",
  "no-date-range": "no date range",
  "half-a-date": "a date range without two years",
  "accession-number": "an accession number other than one letter and five digits",
  unclassified: "no classification",
  "unknown-classification": "a classification without an id in this project's table",
  "no-acquisition-year": "no acquisition year",
  "no-id": "no id from 1 to 2^53-1",
  "id-taken": "an id that another page has",
  "no-title": "no title",
  "no-address": "no address of the form /art/artworks/<slug>",
  "slug-taken": "an address that another work has (upper and lower case count as the same)",
};

const ADDRESS = /^https?:\/\/[^/?#\s]+\/art\/artworks\/(?!index$)([a-z\d][\w-]{0,249})$/i;
const ARTIST_ADDRESS = /^https?:\/\/[^/?#\s]+(?:[/?#]\S*)?$/i;

const isText = (value) => typeof value === "string" && value !== "" && value.isWellFormed();
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value) => (isText(value) ? value : undefined);
const list = (value) => (Array.isArray(value) ? value.filter(isObject) : []);

/** An integer, even if the data has it as digits in a text. */
function integer(value) {
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? number : undefined;
}

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
    if (level > 0) subjects.push({ id, name: text(data.name), level, parent_id: parent });
    for (const child of list(data.children).reverse())
      open.push({ data: child, level: level + 1, parent: id });
  }
  return subjects;
}

/** A role before the name shows only in the line of artists: “after Thomas Bewick”. */
function contributor({ id, fc, date, role, append_role_after_name: isAfter }, allArtists, addressOf) {
  const [name, dates, shown] = [text(fc), text(date), text(role)];
  const isBefore = shown !== undefined && name !== undefined && allArtists.includes(`${shown} ${name}`);
  return {
    prepend_role_to_name: isBefore || undefined,
    append_role_to_name: isAfter === true || undefined,
    role_display: shown,
    fc: name,
    date: dates,
    url: addressOf(Number.isSafeInteger(id) ? id : undefined, name, dates),
  };
}

/** Why a work has no page, in the order of `REASONS`. */
function* reasonsAgainst({ dateRange, acno, classification, acquisitionYear, id, title, url }) {
  const years = [dateRange?.startYear, dateRange?.endYear].map(integer);
  if (dateRange === undefined || dateRange === null) yield "no-date-range";
  else if (years.includes(undefined)) yield "half-a-date";
  if (!isText(acno) || !/^[A-Z]\d{5}$/i.test(acno)) yield "accession-number";
  if (!classification) yield "unclassified";
  else if (!CLASSIFICATIONS.includes(classification)) yield "unknown-classification";
  if (integer(acquisitionYear) === undefined) yield "no-acquisition-year";
  if (!(integer(id) >= 1)) yield "no-id";
  if (!isText(title)) yield "no-title";
  if (!ADDRESS.test(url ?? "")) yield "no-address";
}

/**
 * @param checkout the folder that contains `artworks/` and `artists/`.
 * @returns the module, with the works that have no page.
 */
export function tate(checkout) {
  const addressOf = artistsIn(checkout);
  const withoutPage = [];
  return {
    name: "tate",
    label: "Tate's collection data",
    withoutPage,
    async *records() {
      const skipped = join(checkout, "/").length;
      for (const file of jsonFiles(join(checkout, "artworks"))) {
        const work = { file: file.slice(skipped).replaceAll(sep, "/") };
        try {
          yield Object.assign(JSON.parse(readFileSync(file, "utf8")), work);
        } catch {
          // The file counts as damaged.
          yield work;
        }
      }
    },
    key: ({ file, acno }) => (isText(acno) ? acno : file),
    page(work) {
      const { file, id = null, acno = null } = work;
      const reasons = Object.keys(work).length === 1 ? ["damaged-file"] : [...reasonsAgainst(work)];
      if (reasons.length > 0) {
        withoutPage.push({ file, id, acno, reasons: reasons.map((code) => ({ code })) });
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
          .filter((one) => Object.values(one).some((value) => value !== undefined)),
        subjects,
      };
    },
  };
}
