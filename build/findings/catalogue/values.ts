import { shortened } from "../../base/shortened.ts";
import { entry, writing, warning } from "../entry.ts";

export const quoted = (text: string): string => `“${shortened(text, 80)}”`;

/** @param more what to do if the nearest value is not meant. */
export const meantOr = (nearest: string | undefined, otherwise: string, more = ""): string =>
  nearest === undefined ? otherwise : `Did you mean “${nearest}”?${more}`;

/** The last name in a field's path: `id` of `subjects[3].id`. */
export const lastName = (field: string): string => field.slice(field.lastIndexOf(".") + 1);

export const values = {
  "dates-reversed": warning({
    message: ({ start, end, startValue, endValue }) =>
      `“${end}” (${endValue}) is before “${start}” (${startValue}).`,
    hint: ({ start, end }) => `Swap them, or correct “${start}” or “${end}”.`,
    facts: { start: "start_year", end: "end_year", startValue: "1850", endValue: "1840" },
    example: { wrong: '"start_year": 1850, "end_year": 1840', right: '"start_year": 1840, "end_year": 1850' },
  }),
  "expires-too-early": entry({
    message: ({ start, end, startValue, endValue }) =>
      `“${end}” (${endValue}) is not later than “${start}” (${startValue}), so the page would never be live.`,
    hint: ({ start, end }) => `Correct “${start}” or “${end}”, or leave one of them out.`,
    facts: {
      start: "meta.go_live_at",
      end: "meta.expire_at",
      startValue: "2027-03-01T10:00:00+01:00",
      endValue: "2027-02-01T10:00:00+01:00",
    },
    example: {
      wrong: '"go_live_at": "2027-03-01T10:00:00+01:00", "expire_at": "2027-02-01T10:00:00+01:00"',
      right: '"go_live_at": "2027-03-01T10:00:00+01:00", "expire_at": "2027-04-01T10:00:00+02:00"',
    },
  }),
  "home-dates": entry({
    message: ({ field }) => `The home page is always live, so it has no “${field}”.`,
    hint: "Delete the field.",
    facts: { field: "meta.go_live_at" },
    example: {
      wrong: '"go_live_at": "2027-03-01T10:00:00+01:00" on the home page',
      right: "the field left out",
    },
  }),
  "future-publication": warning<{ field: string; live?: string; found: string }>({
    message: ({ field, live, found }) =>
      `“${field}” (${found}) is in the future${live === undefined ? "" : `, but only “${live}” can delay the page`}.`,
    hint: ({ field, live, found }) =>
      live === undefined
        ? "Correct the date."
        : `If the page goes live then, write "${lastName(live)}": "${found}" instead of "${lastName(field)}". Otherwise, correct the date.`,
    facts: {
      field: "meta.first_published_at",
      live: "meta.go_live_at",
      found: "2999-03-01T10:00:00Z",
    },
    example: {
      wrong: '"first_published_at": "2999-03-01T10:00:00Z"',
      right: '"go_live_at": "2999-03-01T10:00:00Z"',
    },
  }),
  "future-acquisition": warning({
    message: ({ field, year }) => `“${field}” is ${year}, a year in the future.`,
    hint: "Check its digits.",
    facts: { field: "acquisitionYear", year: 2199 },
    example: { wrong: '"acquisitionYear": 2199', right: '"acquisitionYear": 1999' },
  }),
  "unlikely-year": warning({
    message: ({ field, found, near }) => `The year ${found} of “${field}” is far from ${near}.`,
    hint: "Check its digits: a year has four.",
    facts: { field: "start_year", found: 18480, near: "the other years (1849, 1848)" },
    example: {
      wrong: '"start_year": 18480, "end_year": 18490',
      right: '"start_year": 1848, "end_year": 1849',
    },
  }),
  "unlikely-ratio": warning<{ field: string; found: number; right?: number }>({
    message: ({ field, found }) =>
      `“${field}” is ${found}, but it is the height of an image divided by its width: 1 for a square, 0.75 for four by three.`,
    hint: ({ found, right }) =>
      right === undefined
        ? "Divide the height of the image by its width."
        : `Write ${right} if ${found} is a percentage; otherwise divide the height of the image by its width.`,
    facts: { field: "master_images[0].height_ratio", found: 62, right: 0.62 },
    example: { wrong: '"height_ratio": 62', right: '"height_ratio": 0.62' },
  }),
  "image-ratio": warning({
    message: ({ field, found, width, height }) =>
      `“${field}” is ${found}, but the image is ${width} pixels wide and ${height} pixels high.`,
    hint: ({ right }) => `Write ${right}`,
    correction: ({ right }) => ({ write: right }),
    facts: { field: "master_images[0].height_ratio", found: 5, width: 480, height: 660, right: 1.375 },
    example: { wrong: '"height_ratio": 5 for an image of 480 by 660 pixels', right: '"height_ratio": 1.375' },
  }),
  "image-width": warning({
    message: ({ field, found, right }) => `“${field}” is ${found}, but the image is ${right} pixels wide.`,
    hint: ({ right }) => `Write ${right}`,
    correction: ({ right }) => ({ write: right }),
    facts: { field: "master_images[0].max_width", found: 10, right: 480 },
    example: { wrong: '"max_width": 10 for an image of 480 by 660 pixels', right: '"max_width": 480' },
  }),
  "missing-alt-text": warning({
    message: ({ field }) =>
      `The image has no “${lastName(field)}”, so people who cannot see the image get no description of it.`,
    hint: ({ field }) => `Describe the image in one sentence, as its "${lastName(field)}".`,
    facts: { field: "master_images[0].alt_text" },
    example: {
      wrong: '"master_images": [{"sizes": […], …}]',
      right: '"master_images": [{"sizes": […], …, "alt_text": "A marsh with two herons"}]',
    },
  }),
  "unlikely-path": warning<{ found: string; right?: string | undefined }>({
    message: ({ found }) => `The image address ${quoted(found)} has “.” or “..” between its slashes.`,
    hint: ({ right }) => (right === undefined ? "Write the address without them." : `Write ${right}`),
    correction: ({ right }) => writing(right),
    facts: { found: "/art/../marsh.jpg", right: "/marsh.jpg" },
    example: { wrong: '"/art/../marsh.jpg"', right: '"/marsh.jpg"' },
  }),
  "unlikely-host": warning<{ found: string; host: string; field?: string; path?: string }>({
    message: ({ found, host }) =>
      `The address ${quoted(found)} is on ${host}, which only your own computer or network can reach.`,
    hint: ({ path }) =>
      path === undefined
        ? "Write the address that visitors of the website can reach."
        : `Write ${path} if it is on this website; otherwise the address that visitors can reach.`,
    facts: { found: "http://localhost:3000/visit/", host: "localhost", path: "/visit/" },
    example: { wrong: '<a href="http://localhost:3000/visit/">', right: '<a href="/visit/">' },
  }),
  "acno-case": warning({
    message: ({ field, found }) =>
      `“${field}”: the letter of the accession number ${quoted(found)} is lowercase.`,
    hint: ({ right }) => `Write ${right}`,
    correction: ({ right }) => writing(right),
    facts: { field: "acno", found: "n00530", right: "N00530" },
    example: { wrong: '"acno": "n00530"', right: '"acno": "N00530"' },
  }),
  "space-around": warning({
    message: ({ field }) => `“${field}” has white space at its beginning or end.`,
    hint: ({ right }) =>
      right === "" ? "Delete the white space, or write a text." : `Delete the white space: ${quoted(right)}.`,
    correction: ({ right }) => writing(right === "" ? undefined : right),
    facts: { field: "title", right: "Marsh" },
    example: { wrong: '"title": "Marsh "', right: '"title": "Marsh"' },
  }),
  "markup-in-text": warning({
    message: ({ field, found, kind }) =>
      `“${field}” is plain text, but has ${kind}, which people will see as it is written: ${quoted(found)}.`,
    hint: "Write only the text, and each character as it is (& for &amp;).",
    facts: { field: "title", found: "<em>", kind: "an HTML tag" },
    example: { wrong: '"title": "<em>Marsh</em> &amp; pool"', right: '"title": "Marsh & pool"' },
  }),
  "invisible-in-title": warning({
    message: ({ field, name }) => `“${field}” has an invisible character: ${name}.`,
    hint: "Delete it, or type this part of the text again.",
    facts: { field: "title", name: "zero-width space (U+200B)" },
    example: { wrong: '"title": "Marsh\\u200b"', right: '"title": "Marsh"' },
  }),
  "site-slash": entry({
    message: ({ field, found }) => `“${field}” must not end in a slash: found ${quoted(found)}.`,
    hint: ({ found }) => `Write ${found.replace(/\/+$/, "")}`,
    facts: { field: "site_url", found: "https://www.example.org/" },
    example: {
      wrong: '"site_url": "https://www.example.org/"',
      right: '"site_url": "https://www.example.org"',
    },
  }),
};
