import { type Correction, entry, writing, warning } from "../entry.ts";
import { lastName, quoted, values } from "./values.ts";

/** The hints of `wrong-type`: the value that is meant, or an example. */

const VALUE_IN_TEXT = /^the text “(-?\d+(?:\.\d+)?|true|false)”$/;

/** Values that people write for true and for false. */
const TRUE = /^the (?:text “(?:true|yes|on|y)”|number 1)$/i;
const FALSE = /^the (?:text “(?:false|no|off|n)”|number 0)$/i;

/** For a value that was written differently: an object, or a list. “…” replaces unknown values. */
export interface Example {
  written: string;
  /** The kind and a search word, as arguments of `npx page-api new --list`. */
  list?: string;
}

const exampleHint = (begin: string, { written, list }: Example): string =>
  list === undefined
    ? `${begin}${written}`
    : `${begin}${written}. To see those that the site has, run: npx page-api new --list ${list}`;

/** A year among words: `c.1857`. */
const YEAR_IN_TEXT = /^the text “\D*([12]\d{3})\D*”$/;

const TYPE_IN_TEXT = /^the text “(\w+\.\w+)”$/;

interface WrongType {
  field: string;
  found: string;
  expected: string;
  example?: Example | undefined;
}

/** The number, true or false that a value of another type means, as it is written. */
function valueMeant({ found, expected }: WrongType): string | undefined {
  const value = VALUE_IN_TEXT.exec(found)?.[1];
  if (value !== undefined && expected.endsWith(/\d/.test(value) ? "number" : "true or false")) return value;
  if (expected !== "true or false") return undefined;
  return TRUE.test(found) ? "true" : FALSE.test(found) ? "false" : undefined;
}

function typeCorrection(args: WrongType): Correction | undefined {
  const value = valueMeant(args);
  if (value === undefined) return undefined;
  if (value === "true" || value === "false") return { write: value === "true" };
  const number = Number(value);
  return String(number) === value ? { write: number } : undefined;
}

function typeHint(args: WrongType): string {
  const { field, found, expected, example } = args;
  const type = field === "meta" ? TYPE_IN_TEXT.exec(found)?.[1] : undefined;
  if (type !== undefined) return `Write {"type": "${type}"} instead.`;
  const value = valueMeant(args);
  if (value !== undefined) return `Write ${value}, without quotation marks.`;
  const year = expected === "a whole number" ? YEAR_IN_TEXT.exec(found)?.[1] : undefined;
  if (year !== undefined) return `Write ${year}, without quotation marks. Words belong in a field for texts.`;
  if (field !== "meta" && example !== undefined && found !== "null") return exampleHint("Write ", example);
  if (expected.startsWith("a text") && /^(the number|true|false)/.test(found))
    return "Put it in quotation marks.";
  if (expected.startsWith("a list") && found === "an object") return "Put it in square brackets: [{…}].";
  if (expected === "true or false") return "Write true or false, in lowercase and without quotation marks.";
  if (found === "null" && field !== "meta.type")
    return `Write ${expected}, or leave the field out if it is not required.`;
  return `Write ${expected}.`;
}

const AFTER_THE_TYPE = "The rules of the type are not checked yet.";

interface OtherType {
  type: string;
  label: string;
}

const pagesOf = (types: OtherType[]): string =>
  types.map(({ label }) => `${label.toLowerCase()}s`).join(" and ");

const aPage = (label: string): string => `${/^[aeiou]/i.test(label) ? "an" : "a"} ${label.toLowerCase()}`;

export const fields = {
  "not-an-object": entry<{ found: string; isPage?: boolean }>({
    message: ({ found }) => `Expected one object in curly brackets, found ${found}.`,
    hint: ({ found, isPage }) =>
      found === "a list"
        ? `Delete the [ at the beginning and the ] at the end${isPage === true ? ": a file is one page" : ""}.`
        : "Begin the file with { and end it with }.",
    facts: { found: "a list", isPage: true },
    example: { wrong: "[]", right: '{"id": 7, …}' },
  }),
  "unknown-field": entry<{
    field: string;
    nearest?: string | undefined;
    owner: string;
    /** The reason: pages of this type have no text, or only these types have the field. */
    why?: "text" | OtherType[] | undefined;
    /** An example of the nearest field, if its value has another type than the value found. */
    example?: Example | undefined;
  }>({
    message: ({ field, nearest, owner, why }) =>
      Array.isArray(why) && nearest !== undefined
        ? `Pages of this type have no field ${quoted(field)}; only ${pagesOf(why)} have a field with this meaning: “${nearest}”.`
        : Array.isArray(why)
          ? `Only ${pagesOf(why)} have the field ${quoted(field)}; pages of this type do not.`
          : why === "text"
            ? `Pages of this type have no text, so there is no field ${quoted(field)}: their responses have only an id, a title and “meta”.`
            : `${owner[0]?.toUpperCase()}${owner.slice(1)} has no field ${quoted(field)}.`,
    hint: ({ nearest, why, example }) =>
      Array.isArray(why)
        ? `Delete the field; if the page is ${why.map(({ label }) => aPage(label)).join(" or ")}, write ${why.map(({ type }) => `"${type}"`).join(" or ")} as its type.`
        : why === "text"
          ? "Delete the field; a short text for search engines can be in “meta.search_description”."
          : nearest === undefined
            ? "Check the field's spelling and place, or delete it."
            : nearest.includes(".")
              ? `Did you mean “${nearest}”? Then move it into “${nearest.slice(0, nearest.indexOf("."))}”: "${nearest.slice(0, nearest.indexOf("."))}": {"${lastName(nearest)}": …}`
              : example === undefined
                ? `Did you mean “${nearest}”? Otherwise, delete the field.`
                : exampleHint(`Did you mean “${nearest}”? Then write "${nearest}": `, example),
    facts: { field: "tittle", nearest: "title", owner: "a page of this type" },
    example: { wrong: '"tittle": "Marsh"', right: '"title": "Marsh"' },
  }),
  "derived-field": entry({
    message: ({ field, from }) =>
      `“${field}” does not belong in a source: the build derives it from ${from}.`,
    hint: ({ field }) =>
      field === "meta.slug"
        ? "Delete this field (npx page-api move changes the slug, and with it the address), or run: npx page-api fix"
        : "Delete this field, or run: npx page-api fix",
    correction: () => ({ delete: true }),
    facts: { field: "meta.slug", from: "the name of the file or folder" },
    example: { wrong: '"meta": {"slug": "marsh"}', right: "the file's name: marsh.json" },
  }),
  "missing-field": entry({
    message: ({ field }) => `The required field “${field}” is missing.`,
    hint: ({ field, expected }) =>
      field === "id"
        ? 'Add "id" inside these brackets, with a number that no other page has: npx page-api new --id prints one.'
        : /^["{[\d]/.test(expected)
          ? `Add it inside these brackets, for example: "${lastName(field)}": ${expected}`
          : `Add "${lastName(field)}" inside these brackets, with ${expected}.`,
    facts: { field: "title", expected: "a text in quotation marks" },
    example: { wrong: '{"id": 7}', right: '{"id": 7, "title": "Marsh"}' },
  }),
  "wrong-type": entry<WrongType>({
    message: ({ field, found, expected }) => `“${field}”: expected ${expected}, found ${found}.`,
    hint: typeHint,
    correction: typeCorrection,
    facts: { field: "acquisitionYear", found: "the text “1856”", expected: "a whole number" },
    example: { wrong: '"acquisitionYear": "1856"', right: '"acquisitionYear": 1856' },
  }),
  "bad-form": entry<{
    field: string;
    found: string;
    expected: string;
    example: string;
    isSame?: boolean;
    other?: string | undefined;
  }>({
    message: ({ field, found, expected }) => `“${field}”: expected ${expected}, found ${quoted(found)}.`,
    hint: ({ example, isSame, other }) =>
      isSame !== true
        ? `Write it like this: ${example}`
        : other === undefined
          ? `Write ${example}`
          : `Write ${example} if the day is written first, or ${other} if the month is.`,
    correction: ({ example, isSame, other }) =>
      isSame === true && other === undefined ? { write: example } : undefined,
    facts: {
      field: "exhibitions[0].startDate",
      found: "31.12.2026",
      expected: "an existing date, as year-month-day",
      example: "2026-12-31",
    },
    example: { wrong: '"startDate": "31.12.2026"', right: '"startDate": "2026-12-31"' },
  }),
  "empty-field": entry({
    message: ({ field }) => `“${field}” must not be empty.`,
    hint: ({ expected }) => `Write ${expected}.`,
    facts: { field: "title", expected: "a text" },
    example: { wrong: '"title": ""', right: '"title": "Marsh"' },
  }),
  "bad-id": entry({
    message: ({ field, found }) =>
      `“${field}”: expected a whole number from 1 to 9007199254740991, found ${found}.`,
    hint: ({ field }) =>
      field === "id"
        ? "Write a number that no other page has, without quotation marks: npx page-api new --id prints one."
        : "Write a positive whole number, without quotation marks.",
    facts: { field: "id", found: "0" },
    example: { wrong: '"id": 0', right: '"id": 27417' },
  }),
  "unknown-page-type": entry<{ found: string; nearest?: string | undefined; known: string }>({
    message: ({ found }) => `${quoted(found)} is not a page type.`,
    hint: ({ nearest, known }) =>
      nearest === undefined
        ? `Write one of these: ${known}. ${AFTER_THE_TYPE}`
        : `Did you mean “${nearest}”? The page types are: ${known}. ${AFTER_THE_TYPE}`,
    correction: ({ nearest }) => writing(nearest),
    facts: {
      found: "artworks.Artwork",
      nearest: "artworks.ArtworkPage",
      known: "artworks.ArtworkPage, artworks.ArtworkIndexPage, …",
    },
    example: { wrong: '"type": "artworks.Artwork"', right: '"type": "artworks.ArtworkPage"' },
  }),
  "unlikely-type": entry<{ found: string; likely: string; names: string[] }>({
    message: ({ found, likely, names }) =>
      `The type is ${found}, but the page has ${names.length} fields that only ${likely} has: ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}.`,
    hint: ({ likely }) =>
      `If it is such a page, write "${likely}"; otherwise delete these fields. ${AFTER_THE_TYPE}`,
    facts: {
      found: "standardpages.GeneralPage",
      likely: "artworks.ArtworkPage",
      names: ["acno", "start_year", "end_year", "classification"],
    },
    example: {
      wrong: '"meta": {"type": "standardpages.GeneralPage"}, "acno": "N00530", "start_year": 1840, …',
      right: '"meta": {"type": "artworks.ArtworkPage"}, "acno": "N00530", "start_year": 1840, …',
    },
  }),
  "misplaced-type": entry({
    message: ({ type, parent }) => `A page of type ${type} cannot be below ${parent}.`,
    hint: ({ type, allowed }) => `Move the file, or correct the type: ${type} belongs ${allowed}.`,
    facts: {
      type: "artworks.ArtworkPage",
      parent: "a page of type home.HomePage",
      allowed: "below artworks.ArtworkIndexPage",
    },
    example: {
      wrong: "an ArtworkPage below the home page",
      right: "an ArtworkPage below an ArtworkIndexPage",
    },
  }),
  "outside-media": entry({
    message: ({ found, media }) =>
      `The image address ${quoted(found)} does not stay below ${media}, the media host.`,
    hint: ({ media }) =>
      `Write an address that begins with ${media}/, or only the part after it, beginning with /; no “..” may lead out of it.`,
    facts: { found: "https://elsewhere.example/a.jpg", media: "https://media.example.org" },
    example: { wrong: '"https://elsewhere.example/a.jpg"', right: '"/a.jpg"' },
  }),
  "media-missing": entry<{
    found: string;
    path?: string | undefined;
    base: string;
    nearest?: string | undefined;
  }>({
    message: ({ found, path, base }) =>
      path === undefined
        ? `The address ${quoted(found)} leads to no image: the images of _media/ are published below ${base}.`
        : `There is no image _media/${path}, so ${quoted(found)} leads to nothing.`,
    hint: ({ path, nearest: like }) =>
      like !== undefined
        ? `Did you mean “${like}”? Otherwise add the image to content/_media/.`
        : path === undefined
          ? "Write the address of an image in content/_media/, or set media_url in _site.json to their address."
          : `Add the image as content/_media/${path}, or write the address of an image that is there.`,
    correction: ({ nearest: like }) => writing(like),
    facts: { found: "/marsh.jpg", path: "marsh.jpg", base: "https://api.example.org/media/" },
    example: { wrong: '"/marsh.jpg" without content/_media/marsh.jpg', right: '"/marsh.jpg" with it' },
  }),
  "not-among-sizes": entry({
    message: ({ field, found }) => `“${field}” is ${quoted(found)}, but this image has no such size.`,
    hint: ({ known }) => `Write one of these: ${known}.`,
    facts: { field: "master_images[0].current_size", found: "0-9", known: "0-599" },
    example: {
      wrong: '"current_size": "0-9", and only "0-599" in sizes',
      right: '"current_size": "0-599"',
    },
  }),
  "new-value": warning({
    message: ({ field, found }) => `“${field}” has a value that has not been used before: ${quoted(found)}.`,
    hint: ({ known }) =>
      `If it is a mistake, write one of these: ${known}. If it is intended, leave it: it is published as it is.`,
    facts: { field: "exhibitions[0].type", found: "Loan", known: "Collection based display, Loan-out" },
    example: { wrong: '"type": "Loan"', right: '"type": "Loan-out"' },
  }),
  "unspecified-value": warning({
    message: ({ field }) =>
      `The API contract does not specify the content of “${field}”, so it is published unchecked.`,
    hint: "Make sure that clients expect it, or leave the field out.",
    facts: { field: "related_media" },
    example: { wrong: '"related_media": [{"id": 3}]', right: "the field left out" },
  }),
  ...values,
};
