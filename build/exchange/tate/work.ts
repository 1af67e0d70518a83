import { type AddressBook, type Data, integerOf, isText, MemberReader, present } from "./data.ts";
import { inOrder, type LeftOut, type Reason } from "./report.ts";

const ACNO = /^[A-Z]\d{5}$/i;

/**
 * The address of a work, with a slug that `content/` accepts: `index` is the name of a folder's own page, and
 * a longer slug is no valid file name.
 */
const ADDRESS = /^https?:\/\/[^/?#\s]+\/art\/artworks\/(?!index$)([a-z\d][\w-]{0,249})$/i;

/**
 * Turns a work of Tate's open data into the source of its page, with the fields in the API's order.
 *
 * @returns the page with its location in the artwork index, or the reasons why it has none.
 */
export function workOf(data: Data, addresses: AddressBook) {
  const leftOut: LeftOut[] = [];
  const reasons: Reason[] = [];
  const read = new MemberReader(data, "", leftOut);
  const need = <T>(value: T | undefined, code: Reason["code"], found: unknown): T | undefined => {
    if (value === undefined) reasons.push(found === undefined || found === null ? { code } : { code, found });
    return value;
  };

  const id = need(pageId(data["id"]), "no-id", data["id"]);
  const acno = isText(data["acno"]) ? data["acno"] : undefined;
  const fits = need(
    acno !== undefined && ACNO.test(acno) ? acno : undefined,
    "accession-number",
    data["acno"],
  );
  const title = need(isText(data["title"]) ? data["title"] : undefined, "no-title", data["title"]);
  const slug = need(slugInAddress(data["url"]), "no-address", data["url"]);
  const years = yearsOf(data["dateRange"], reasons);
  const acquired = need(integerOf(data["acquisitionYear"]), "no-acquisition-year", data["acquisitionYear"]);
  const classification = classify(data["classification"], reasons);

  const allArtists = read.text("all_artists");
  const contributors = read.objects("contributors").map((c) => contributorOf(c, allArtists ?? "", addresses));
  const group = read.object("catalogueGroup")?.text("shortTitle");
  const subjects = subjectsOf(read.object("subjects"));

  const page = present({
    id,
    meta: { type: "artworks.ArtworkPage" },
    title,
    acno,
    allArtists,
    dimensions: read.text("dimensions"),
    dateText: read.text("dateText"),
    medium: read.text("medium"),
    creditLine: read.text("creditLine"),
    foreignTitle: read.text("foreignTitle"),
    finberg: read.text("finberg"),
    mltArtists: idsOf(contributors),
    mltMovements: idsOf(read.objects("movements").map(identified)),
    mltSubjects: idsOf(subjects),
    acquisitionYear: acquired,
    start_year: years?.start,
    end_year: years?.end,
    mltYear: years?.start,
    classification,
    catalogue_group: group === undefined ? undefined : { title: group },
    contributors: contributors.map((c) => c.fields).filter((fields) => Object.keys(fields).length > 0),
    subjects: subjects.map((s) => s.fields),
  });
  return {
    id,
    acno,
    place:
      slug === undefined || fits === undefined
        ? undefined
        : { group: `_${fits.slice(0, 3).toLowerCase()}`, slug },
    page,
    reasons: inOrder(reasons),
    leftOut,
    withoutAddress: contributors.filter((c) => c.fields["url"] === undefined).length,
  };
}

function pageId(value: unknown): number | undefined {
  const id = integerOf(value);
  return id !== undefined && id >= 1 ? id : undefined;
}

const slugInAddress = (address: unknown): string | undefined =>
  typeof address === "string" ? ADDRESS.exec(address)?.[1] : undefined;

function yearsOf(range: unknown, reasons: Reason[]): { start: number; end: number } | undefined {
  if (range === undefined || range === null) {
    reasons.push({ code: "no-date-range" });
    return undefined;
  }
  const { startYear, endYear } = range as Data;
  const start = integerOf(startYear);
  const end = integerOf(endYear);
  if (start !== undefined && end !== undefined) return { start, end };
  reasons.push({ code: "half-a-date", found: range });
  return undefined;
}

function classify(name: unknown, reasons: Reason[]): Data | undefined {
  if (name === undefined || name === null || name === "") {
    reasons.push({ code: "unclassified" });
    return undefined;
  }
  const classification = typeof name === "string" ? CLASSIFICATIONS.get(name) : undefined;
  if (classification === undefined) reasons.push({ code: "unknown-classification", found: name });
  return classification && { ...classification };
}

/** An element of a list of the page, and its id in the data. */
interface Identified {
  id: number | undefined;
  fields: Data;
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value);

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

const identified = (read: MemberReader): Identified => ({ id: read.take("id", isId), fields: {} });

/** The data's own ids, separated by spaces: the API's format for “more like this” lists. */
const idsOf = (items: Identified[]): string =>
  [...new Set(items.map((item) => item.id).filter((id) => id !== undefined))].join(" ");

function contributorOf(read: MemberReader, allArtists: string, addresses: AddressBook): Identified {
  const { id } = identified(read);
  const name = read.text("fc");
  const date = read.text("date");
  const role = read.text("role");
  // The data marks a role after the name. A role before the name shows only in the line of artists: "after Thomas
  // Bewick".
  const isBefore = role !== undefined && name !== undefined && allArtists.includes(`${role} ${name}`);
  const isAfter = read.take("append_role_after_name", isBoolean);
  const fields = present({
    prepend_role_to_name: isBefore || undefined,
    append_role_to_name: isAfter || undefined,
    role_display: role,
    fc: name,
    date,
    url: addresses(id, name, date),
  });
  return { id, fields };
}

/** The tree of subjects as a list, each after its parent, without the root: it is no subject of the work. */
function subjectsOf(root: MemberReader | undefined): Identified[] {
  const subjects: Identified[] = [];
  const open = root ? [{ read: root, level: 0, parent: 0 }] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { read, level, parent } = next;
    const id = pageId(read.take("id", isId));
    if (id === undefined) {
      read.leftOut.push({ field: read.path.slice(0, -1), found: read.data });
      continue;
    }
    if (level > 0) {
      const name = read.text("name");
      const labels = name === undefined ? { id } : { id, name };
      subjects.push({ id, fields: { ...labels, level, parent_id: parent } });
    }
    for (const child of read.objects("children").reverse())
      open.push({ read: child, level: level + 1, parent: id });
  }
  return subjects;
}

/**
 * The classifications in Tate's open data have names but no ids, and a page needs an id. These ids are this
 * project's own, numbered in the order of the table, and mean nothing outside it. Pages must keep their ids:
 * never renumber, and give a new name the next number. The type is also this project's own, named in the
 * style of the API's page types.
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

const CLASSIFICATIONS: ReadonlyMap<string, Data> = new Map(
  NAMES.map((name, i) => [name, { id: i + 1, meta: { type: TYPE } }]),
);
