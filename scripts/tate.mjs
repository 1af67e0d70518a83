// The works of Tate's open collection data, as records of a collection system: a module for `page-api sync`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import glob from "fast-glob";

/**
 * The classifications in the data have names but no ids, and a page needs an id. These ids are this project's own, numbered
 * in the order of the list, and mean nothing outside it. Never renumber them: give a new name the next number.
 */
const CLASSIFICATIONS = [
  ["on paper, unique", "on paper, print", "painting", "sculpture", "installation", "relief"],
  ["block for printing", "time-based media", "supporting material"],
].flat();

/** The texts that a page has by the same names. */
const SAME_TEXTS = ["dimensions", "dateText", "medium", "creditLine", "foreignTitle", "finberg"];

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

/** The JSON files of a folder with their values; a damaged file has none. */
function* filesIn(checkout, folder) {
  for (const file of glob.sync(`${folder}/**/*.json`, { cwd: checkout }).sort()) {
    let value;
    try {
      value = JSON.parse(readFileSync(join(checkout, file), "utf8"));
    } catch {
      // The file is not JSON.
    }
    yield [file, isObject(value) ? value : undefined];
  }
}

/** The addresses of artists. A few have two files with the same id, but with different names, dates and addresses. */
function artistsIn(checkout) {
  const artists = new Map();
  for (const [, { id, fc, date, url } = {}] of filesIn(checkout, "artists"))
    if (isText(url) && ARTIST_ADDRESS.test(url))
      artists.set(id, [...(artists.get(id) ?? []), { name: fc, date: date ?? undefined, url }]);
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

/**
 * @param checkout the folder that contains `artworks/` and `artists/`.
 * @returns the module, with the files that are no works.
 */
export function tate(checkout) {
  const addressOf = artistsIn(checkout);
  const damaged = [];
  return {
    name: "tate",
    label: "Tate's collection data",
    damaged,
    async *records() {
      for (const [file, work] of filesIn(checkout, "artworks"))
        if (work === undefined) damaged.push(file);
        else yield { ...work, file };
    },
    key: ({ acno, file }) => (isText(acno) ? acno : file),
    // Of a work that lacks a value or has a wrong one, the page is refused with the reason.
    page(work) {
      const { startYear, endYear } = work.dateRange ?? {};
      const allArtists = text(work.all_artists);
      const contributors = list(work.contributors);
      const subjects = subjectsIn(work.subjects);
      const group = text(work.catalogueGroup?.shortTitle);
      return {
        parent: "/art/artworks",
        folder: `_${String(work.acno).slice(0, 3).toLowerCase()}`,
        slug: ADDRESS.exec(work.url)?.[1] ?? "",
        id: integer(work.id) ?? 0,
        meta: { type: "artworks.ArtworkPage" },
        title: text(work.title),
        acno: text(work.acno),
        allArtists,
        ...Object.fromEntries(SAME_TEXTS.map((name) => [name, text(work[name])])),
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
