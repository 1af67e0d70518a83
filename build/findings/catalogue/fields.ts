import { entry, writing } from "../entry.ts";
import { argument } from "../printable.ts";
import { exampleHint, typeCorrection, typeHint, type Example, type WrongType } from "./wrong-type.ts";

const quoted = (text: string): string => `“${text.length > 80 ? `${text.slice(0, 77)}…` : text}”`;

/** The last name in a field's path: `id` of `subjects[3].id`. */
const lastName = (field: string): string => field.slice(field.lastIndexOf(".") + 1);

const AFTER_THE_TYPE = "The rules of the type are not checked yet.";

/** A page type that has the field. */
interface OtherType {
  type: string;
  label: string;
}

const pagesOf = (types: OtherType[]): string =>
  types.map(({ label }) => `${label.toLowerCase()}s`).join(" and ");

const aPage = (label: string): string => `${/^[aeiou]/i.test(label) ? "an" : "a"} ${label.toLowerCase()}`;

/** Mistakes in the fields of a page or of _site.json. */
export const fields = {
  "not-an-object": entry<{ found: string; isPage?: boolean }>({
    severity: "error",
    message: ({ found }) => `Expected one object in curly brackets, found ${found}.`,
    hint: ({ found, isPage }) =>
      found === "a list"
        ? `Delete the [ at the beginning and the ] at the end${isPage === true ? ": a file is one page" : ""}.`
        : "Begin the file with { and end it with }.",
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
    severity: "error",
    message: ({ field, nearest, owner, why }) =>
      Array.isArray(why) && nearest !== undefined
        ? `Pages of this type have no field ${quoted(field)}; only ${pagesOf(why)} have a field with this meaning: “${nearest}”.`
        : Array.isArray(why)
          ? `Only ${pagesOf(why)} have the field ${quoted(field)}; pages of this type have none of their own.`
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
    example: { wrong: '"tittle": "Marsh"', right: '"title": "Marsh"' },
  }),
  "derived-field": entry<{ field: string; from: string }>({
    severity: "error",
    message: ({ field, from }) =>
      `“${field}” does not belong in a source: the build derives it from ${from}.`,
    hint: ({ field }) =>
      field === "meta.slug"
        ? "Delete this field (npm run move changes the slug, and with it the address), or run: npm run fix"
        : "Delete this field, or run: npm run fix",
    correction: () => ({ delete: true }),
    example: { wrong: '"meta": {"slug": "marsh"}', right: "the file's name: marsh.json" },
  }),
  "missing-field": entry<{ field: string; expected: string }>({
    severity: "error",
    message: ({ field }) => `The required field “${field}” is missing.`,
    hint: ({ field, expected }) =>
      field === "id"
        ? 'Add "id" inside these brackets, with a number that no other page has: npm run new -- --id prints one.'
        : /^["{[\d]/.test(expected)
          ? `Add it inside these brackets, for example: "${lastName(field)}": ${expected}`
          : `Add "${lastName(field)}" inside these brackets, with ${expected}.`,
    example: { wrong: '{"id": 7}', right: '{"id": 7, "title": "Marsh"}' },
  }),
  "wrong-type": entry<WrongType>({
    severity: "error",
    message: ({ field, found, expected }) => `“${field}”: expected ${expected}, found ${found}.`,
    hint: typeHint,
    correction: typeCorrection,
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
    severity: "error",
    message: ({ field, found, expected }) => `“${field}”: expected ${expected}, found ${quoted(found)}.`,
    hint: ({ example, isSame, other }) =>
      isSame !== true
        ? `Write it like this: ${example}`
        : other === undefined
          ? `Write ${example}`
          : `Write ${example} if the day is written first, or ${other} if the month is.`,
    correction: ({ example, isSame, other }) =>
      isSame === true && other === undefined ? { write: example } : undefined,
    example: { wrong: '"startDate": "31.12.2026"', right: '"startDate": "2026-12-31"' },
  }),
  "empty-field": entry<{ field: string; expected: string }>({
    severity: "error",
    message: ({ field }) => `“${field}” must not be empty.`,
    hint: ({ expected }) => `Write ${expected}.`,
    example: { wrong: '"title": ""', right: '"title": "Marsh"' },
  }),
  "bad-id": entry<{ field: string; found: string }>({
    severity: "error",
    message: ({ field, found }) =>
      `“${field}”: expected a whole number from 1 to 9007199254740991, found ${found}.`,
    hint: ({ field }) =>
      field === "id"
        ? "Write a number that no other page has, without quotation marks: npm run new -- --id prints one."
        : "Write a positive whole number, without quotation marks.",
    example: { wrong: '"id": 0', right: '"id": 27417' },
  }),
  "unknown-page-type": entry<{ found: string; nearest?: string | undefined; known: string }>({
    severity: "error",
    message: ({ found }) => `${quoted(found)} is not a page type.`,
    hint: ({ nearest, known }) =>
      nearest === undefined
        ? `Write one of these: ${known}. ${AFTER_THE_TYPE}`
        : `Did you mean “${nearest}”? The page types are: ${known}. ${AFTER_THE_TYPE}`,
    correction: ({ nearest }) => writing(nearest),
    example: { wrong: '"type": "artworks.Artwork"', right: '"type": "artworks.ArtworkPage"' },
  }),
  "unlikely-type": entry<{ found: string; likely: string; names: string[] }>({
    severity: "error",
    message: ({ found, likely, names }) =>
      `The type is ${found}, but the page has ${names.length} fields that only ${likely} has: ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}.`,
    hint: ({ likely }) =>
      `If it is such a page, write "${likely}"; otherwise delete these fields. ${AFTER_THE_TYPE}`,
    example: {
      wrong: '"meta": {"type": "standardpages.GeneralPage"}, "acno": "N00530", "start_year": 1840, …',
      right: '"meta": {"type": "artworks.ArtworkPage"}, "acno": "N00530", "start_year": 1840, …',
    },
  }),
  "misplaced-type": entry<{ type: string; parent: string; allowed: string }>({
    severity: "error",
    message: ({ type, parent }) => `A page of type ${type} cannot be below ${parent}.`,
    hint: ({ type, allowed }) => `Move the file, or correct the type: ${type} belongs ${allowed}.`,
    example: {
      wrong: "an ArtworkPage below the home page",
      right: "an ArtworkPage below an ArtworkIndexPage",
    },
  }),
  "id-clash": entry<{ id: number; file: string; other: string; isDraft?: boolean }>({
    severity: "error",
    message: ({ id, other, isDraft }) =>
      isDraft === true
        ? `This draft has the id ${id}, which ${other} has too.`
        : `Two pages have the id ${id}: this one and ${other}.`,
    hint: ({ file, isDraft }) =>
      isDraft === true
        ? `Give the draft a free id before it is published: npm run fix -- --ids ${argument(file)}`
        : `Keep it for the page that is already published. If this file is the copy, give it a free id: npm run fix -- --ids ${argument(file)}`,
    example: { wrong: '"id": 7 in two files', right: '"id": 7 in one, "id": 8 in the other' },
  }),
  "outside-media": entry<{ found: string; media: string }>({
    severity: "error",
    message: ({ found, media }) =>
      `The image address ${quoted(found)} does not stay below ${media}, the media host.`,
    hint: ({ media }) =>
      `Write an address that begins with ${media}/, or only the part after it, beginning with /; no “..” may lead out of it.`,
    example: { wrong: '"https://elsewhere.example/a.jpg"', right: '"/a.jpg"' },
  }),
  "media-missing": entry<{
    found: string;
    path?: string | undefined;
    base: string;
    nearest?: string | undefined;
  }>({
    severity: "error",
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
    example: { wrong: '"/marsh.jpg" without content/_media/marsh.jpg', right: '"/marsh.jpg" with it' },
  }),
  "not-among-sizes": entry<{ field: string; found: string; known: string }>({
    severity: "error",
    message: ({ field, found }) => `“${field}” is ${quoted(found)}, but this image has no such size.`,
    hint: ({ known }) => `Write one of these: ${known}.`,
    example: {
      wrong: '"current_size": "0-9", and only "0-599" in sizes',
      right: '"current_size": "0-599"',
    },
  }),
  "new-value": entry<{ field: string; found: string; known: string }>({
    severity: "warning",
    message: ({ field, found }) => `“${field}” has a value that has not been used before: ${quoted(found)}.`,
    hint: ({ known }) =>
      `If it is a mistake, write one of these: ${known}. If it is intended, leave it: it is published as it is.`,
    example: { wrong: '"type": "Loan"', right: '"type": "Loan-out"' },
  }),
  "unspecified-value": entry<{ field: string }>({
    severity: "warning",
    message: ({ field }) =>
      `The API contract does not specify the content of “${field}”, so it is published unchecked.`,
    hint: () => "Make sure that clients expect it, or leave the field out.",
    example: { wrong: '"related_media": [{"id": 3}]', right: "the field left out" },
  }),
  "dates-reversed": entry<{ start: string; end: string; startValue: string; endValue: string }>({
    severity: "warning",
    message: ({ start, end, startValue, endValue }) =>
      `“${end}” (${endValue}) is before “${start}” (${startValue}).`,
    hint: ({ start, end }) => `Swap them, or correct “${start}” or “${end}”.`,
    example: { wrong: '"start_year": 1850, "end_year": 1840', right: '"start_year": 1840, "end_year": 1850' },
  }),
  "expires-too-early": entry<{ start: string; end: string; startValue: string; endValue: string }>({
    severity: "error",
    message: ({ start, end, startValue, endValue }) =>
      `“${end}” (${endValue}) is not later than “${start}” (${startValue}), so the page would never be live.`,
    hint: ({ start, end }) => `Correct “${start}” or “${end}”, or leave one of them out.`,
    example: {
      wrong: '"go_live_at": "2027-03-01T10:00:00+01:00", "expire_at": "2027-02-01T10:00:00+01:00"',
      right: '"go_live_at": "2027-03-01T10:00:00+01:00", "expire_at": "2027-04-01T10:00:00+02:00"',
    },
  }),
  "home-dates": entry<{ field: string }>({
    severity: "error",
    message: ({ field }) => `The home page is always live, so it has no “${field}”.`,
    hint: () => "Delete the field.",
    example: {
      wrong: '"go_live_at": "2027-03-01T10:00:00+01:00" on the home page',
      right: "the field left out",
    },
  }),
  "future-publication": entry<{ field: string; live?: string; found: string }>({
    severity: "warning",
    message: ({ field, live, found }) =>
      `“${field}” (${found}) is in the future${live === undefined ? "" : `, but only “${live}” can delay the page`}.`,
    hint: ({ field, live, found }) =>
      live === undefined
        ? "Correct the date."
        : `If the page goes live then, write "${lastName(live)}": "${found}" instead of "${lastName(field)}". Otherwise, correct the date.`,
    example: {
      wrong: '"first_published_at": "2999-03-01T10:00:00Z"',
      right: '"go_live_at": "2999-03-01T10:00:00Z"',
    },
  }),
  "future-acquisition": entry<{ field: string; year: number }>({
    severity: "warning",
    message: ({ field, year }) => `“${field}” is ${year}, a year in the future.`,
    hint: () => "Check its digits.",
    example: { wrong: '"acquisitionYear": 2199', right: '"acquisitionYear": 1999' },
  }),
  "unlikely-year": entry<{ field: string; found: number; near: string }>({
    severity: "warning",
    message: ({ field, found, near }) => `The year ${found} of “${field}” is far from ${near}.`,
    hint: () => "Check its digits: a year has four.",
    example: {
      wrong: '"start_year": 18480, "end_year": 18490',
      right: '"start_year": 1848, "end_year": 1849',
    },
  }),
  "unlikely-ratio": entry<{ field: string; found: number; right?: number }>({
    severity: "warning",
    message: ({ field, found }) =>
      `“${field}” is ${found}, but it is the height of an image divided by its width: 1 for a square, 0.75 for four by three.`,
    hint: ({ found, right }) =>
      right === undefined
        ? "Divide the height of the image by its width."
        : `Write ${right} if ${found} is a percentage; otherwise divide the height of the image by its width.`,
    example: { wrong: '"height_ratio": 62', right: '"height_ratio": 0.62' },
  }),
  "image-ratio": entry<{ field: string; found: number; width: number; height: number; right: number }>({
    severity: "warning",
    message: ({ field, found, width, height }) =>
      `“${field}” is ${found}, but the image is ${width} pixels wide and ${height} pixels high.`,
    hint: ({ right }) => `Write ${right}`,
    correction: ({ right }) => ({ write: right }),
    example: { wrong: '"height_ratio": 5 for an image of 480 by 660 pixels', right: '"height_ratio": 1.375' },
  }),
  "image-width": entry<{ field: string; found: number; right: number }>({
    severity: "warning",
    message: ({ field, found, right }) => `“${field}” is ${found}, but the image is ${right} pixels wide.`,
    hint: ({ right }) => `Write ${right}`,
    correction: ({ right }) => ({ write: right }),
    example: { wrong: '"max_width": 10 for an image of 480 by 660 pixels', right: '"max_width": 480' },
  }),
  "missing-alt-text": entry<{ field: string }>({
    severity: "warning",
    message: ({ field }) =>
      `The image has no “${lastName(field)}”, so people who cannot see the image get no description of it.`,
    hint: ({ field }) => `Describe the image in one sentence, as its "${lastName(field)}".`,
    example: {
      wrong: '"master_images": [{"sizes": […], …}]',
      right: '"master_images": [{"sizes": […], …, "alt_text": "A marsh with two herons"}]',
    },
  }),
  "unlikely-path": entry<{ found: string; right?: string | undefined }>({
    severity: "warning",
    message: ({ found }) => `The image address ${quoted(found)} has “.” or “..” between its slashes.`,
    hint: ({ right }) => (right === undefined ? "Write the address without them." : `Write ${right}`),
    correction: ({ right }) => writing(right),
    example: { wrong: '"/art/../marsh.jpg"', right: '"/marsh.jpg"' },
  }),
  "unlikely-host": entry<{ found: string; host: string; field?: string; path?: string }>({
    severity: "warning",
    message: ({ found, host }) =>
      `The address ${quoted(found)} is on ${host}, which only your own computer or network can reach.`,
    hint: ({ path }) =>
      path === undefined
        ? "Write the address that visitors of the website can reach."
        : `Write ${path} if it is on this website; otherwise the address that visitors can reach.`,
    example: { wrong: '<a href="http://localhost:3000/visit/">', right: '<a href="/visit/">' },
  }),
  "acno-case": entry<{ field: string; found: string; right: string }>({
    severity: "warning",
    message: ({ field, found }) =>
      `“${field}”: the letter of the accession number ${quoted(found)} is lowercase.`,
    hint: ({ right }) => `Write ${right}`,
    correction: ({ right }) => writing(right),
    example: { wrong: '"acno": "n00530"', right: '"acno": "N00530"' },
  }),
  "space-around": entry<{ field: string; right: string }>({
    severity: "warning",
    message: ({ field }) => `“${field}” has white space at its beginning or end.`,
    hint: ({ right }) => `Delete the white space: ${quoted(right)}.`,
    correction: ({ right }) => writing(right),
    example: { wrong: '"title": "Marsh "', right: '"title": "Marsh"' },
  }),
  "markup-in-text": entry<{ field: string; found: string; kind: string }>({
    severity: "warning",
    message: ({ field, found, kind }) =>
      `“${field}” is plain text, but has ${kind}, which people will see as it is written: ${quoted(found)}.`,
    hint: () => "Write only the text, and each character as it is (& for &amp;).",
    example: { wrong: '"title": "<em>Marsh</em> &amp; pool"', right: '"title": "Marsh & pool"' },
  }),
  "invisible-in-title": entry<{ field: string; name: string }>({
    severity: "warning",
    message: ({ field, name }) => `“${field}” has an invisible character: ${name}.`,
    hint: () => "Delete it, or type this part of the text again.",
    example: { wrong: '"title": "Marsh\\u200b"', right: '"title": "Marsh"' },
  }),
  "site-slash": entry<{ field: string; found: string }>({
    severity: "error",
    message: ({ field, found }) => `“${field}” must not end in a slash: found ${quoted(found)}.`,
    hint: ({ found }) => `Write ${found.replace(/\/+$/, "")}`,
    example: {
      wrong: '"site_url": "https://www.example.org/"',
      right: '"site_url": "https://www.example.org"',
    },
  }),
};
