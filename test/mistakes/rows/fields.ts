import { added, slips, type Row } from "../row.ts";
import { pngOf } from "../../site/site.ts";
import { ACCESS, VALID, WORK } from "../site.ts";

/** The site with its images in `_media/`. */
const WITH_IMAGES = {
  "_site.json": (VALID["_site.json"] ?? "").replace(
    "https://media.example.org",
    "https://api.example.org/media",
  ),
  [WORK]: (VALID[WORK] ?? "").replaceAll(".jpg", ".png"),
  "_media/images/marsh-600.png": pngOf(600, 372),
  "_media/images/marsh-900.png": pngOf(900, 558),
};

const MEDIUM = '"medium": "Ink on paper"';
const TITLE = '"title": "Access"';
const INK = '"Ink on paper"';
const IMAGE = '"default_url": "/images/marsh-600.jpg"';
const YEAR = '"acquisitionYear": 1900';
const LOANED = '"isLoanedOut": false';
const GROUP = '{ "id": 21, "shortTitle": "The sea" }';
const CLASS = '"classification": { "id": 2 }';
const GENERAL = '"standardpages.GeneralPage"';
const { raw } = String;

export const FIELDS: readonly Row[] = [
  ...slips(WORK, {
    "a year among words": ["wrong-type", YEAR, '"acquisitionYear": "about 1900"'],
    "a year in quotation marks": ["wrong-type", YEAR, '"acquisitionYear": "1900"'],
    "minus zero": ["inexact-number", YEAR, '"acquisitionYear": -0', { byHand: ["Write 0,"] }],
    "a number that is too large": [
      "inexact-number",
      YEAR,
      '"acquisitionYear": 1e400',
      { byHand: ["Write a smaller number"] },
    ],
    "a number for a text": ["wrong-type", MEDIUM, '"medium": 7', { becomes: '"medium": "7"' }],
    "true in quotation marks": ["wrong-type", LOANED, '"isLoanedOut": "false"'],
    "no for false": ["wrong-type", LOANED, '"isLoanedOut": "no"'],
    "a word for true or false": [
      "wrong-type",
      LOANED,
      '"isLoanedOut": "perhaps"',
      { byHand: ["Write true or false"] },
    ],
    "a word for a classification": [
      "wrong-type",
      CLASS,
      '"classification": "Drawing"',
      { byHand: ['Write {"id": …}', "npx page-api new --list classifications Drawing"] },
    ],
    "a number for an object": [
      "wrong-type",
      CLASS,
      '"classification": 2',
      { becomes: '"classification": {"id": 2}' },
    ],
    "a word for a subject": [
      "wrong-type",
      '{ "id": 101, "name": "nature", "level": 1, "parent_id": 1 }',
      '"nature"',
      { becomes: '{"id":101,"name":"nature","level":1,"parent_id":1}' },
    ],
    "a name for a group": ["wrong-type", GROUP, '"The sea"', { becomes: '{"id":21,"shortTitle":"The sea"}' }],
    "a name for a list of contributors": [
      "wrong-type",
      '[{ "fc": "Ada Vane", "date": "1812–1888", "url": "https://www.example.org/art/" }]',
      '"Ada Vane"',
      { byHand: ['Write [{"fc": "Ada Vane", "url": …}]', 'npx page-api new --list contributors "Ada Vane"'] },
    ],
    "a percentage for a ratio": ["unlikely-ratio", '"height_ratio": 0.62', '"height_ratio": 62'],
    "pixels for a ratio": [
      "unlikely-ratio",
      '"height_ratio": 0.62',
      '"height_ratio": 372',
      { byHand: ["Divide the height of the image by its width."] },
    ],
    "an image's path that goes up and down": [
      "unlikely-path",
      '[900, "600-899", "/images/marsh-900.jpg"]',
      '[900, "600-899", "/works/../images/marsh-900.jpg"]',
      { marked: '"/works/../images/marsh-900.jpg"' },
    ],
    "an image's path of Windows": ["json-escape", IMAGE, raw`"default_url": "\images\marsh-600.jpg"`],
    "an image's path with two backslashes": [
      "bad-form",
      IMAGE,
      raw`"default_url": "\\images\\marsh-600.jpg"`,
    ],
    "a subject under another id": [
      "unlikely-reference",
      '{ "id": 101, "name": "nature"',
      '{ "id": 110, "name": "nature"',
      { marked: "110" },
    ],
    "an object for a list of them": ["wrong-type", `[${GROUP}]`, GROUP],
    "null for a text": ["wrong-type", MEDIUM, '"medium": null', { byHand: ["leave the field out"] }],
    "a path of Windows": ["json-escape", INK, raw`"C:\été"`, { becomes: raw`"C:\\été"`, marked: raw`\é` }],
    "a tab in a text": [
      "json-escape",
      INK,
      '"Ink\ton paper"',
      { becomes: raw`"Ink\ton paper"`, marked: "\t" },
    ],
    "an accession number in small letters": ["acno-case", '"D00001"', '"d00001"'],
    "an accession number with a space": ["bad-form", '"D00001"', '"D 00001"'],
    "an accession number that is too short": ["bad-form", '"D00001"', '"D1"'],
    "ids with commas between": ["bad-form", '"101 1012"', '"101, 1012"'],
    "a web address without https": ["bad-form", '"https://www.example.org/art/"', '"www.example.org/art/"'],
    "an image without its slash": ["bad-form", IMAGE, '"default_url": "images/marsh-600.jpg"'],
    "a size the image has not": ["not-among-sizes", '"current_size": "0-599"', '"current_size": "0-600"'],
    "a code in small letters": ["bad-form", '"DISPLAY_CAPTION"', '"display_caption"'],
    Markdown: ["markup-in-text", INK, '"**Ink** on paper"', { marked: "**Ink**", byHand: ["Markdown"] }],
    "a misspelt field of works": ["unknown-field", '"medium"', '"medim"'],
    "a misspelt year": ["unknown-field", '"acquisitionYear"', '"aquisitionYear"'],
    "a misspelt part of a subject": ["unknown-field", '"level": 1', '"levle": 1', { marked: '"levle"' }],
    "artist for the artists' names": added(MEDIUM, '"artist": "Ada Vane"', { becomes: null }),
    "author for the artists' names": added(MEDIUM, '"author": "Ada Vane"', { becomes: null }),
    "Artists for the artists' names": added(MEDIUM, '"Artists": "Ada Vane"', { becomes: null }),
    "an image as a text": added(MEDIUM, '"image": "/images/a.jpg"', {
      byHand: ["“master_images”?", '"master_images": [{"sizes": …', '"default_url": …'],
    }),
    tags: added(MEDIUM, '"tags": ["nature"]', {
      byHand: ["“subjects”?", '"subjects": [{"id": …, "name": "nature"', "new --list subjects nature"],
    }),
    "no accession number": [
      "missing-field",
      '"acno": "D00001",\n  ',
      "",
      { marked: "{", byHand: ["“acno” is missing", "for example"] },
    ],
    "a work as a general page": ["unlikely-type", '"artworks.ArtworkPage"', GENERAL],
  }),
  ...slips(ACCESS, {
    "1 for true": ["wrong-type", '"show_in_menus": true', '"show_in_menus": 1'],
    "a backslash": [
      "json-escape",
      '"Access"',
      raw`"Access \ Ways"`,
      { becomes: raw`"Access \\ Ways"`, marked: raw`\ ` },
    ],
    "an id in quotation marks": ["wrong-type", '"id": 12', '"id": "12"'],
    "a space at the end of a title": ["space-around", '"Access"', '"Access "', { marked: " " }],
    "a space at the beginning": ["space-around", '"Getting around"', '"  Getting around"', { marked: "  " }],
    "an entity in a title": [
      "markup-in-text",
      '"Access"',
      '"Access &amp; exit"',
      { becomes: '"Access & exit"', marked: "&amp;", byHand: ["an HTML entity"] },
    ],
    "a title of spaces": ["space-around", '"Access"', '"  "', { marked: "  ", byHand: ["write a text"] }],
    "a zero-width space": ["invisible-in-title", '"Access"', '"Ac\u200bcess"', { marked: "\u200b" }],
    "a mark that turns the text": ["invisible-in-title", '"Access"', '"Access\u202e"', { marked: "\u202e" }],
    "a soft hyphen in a title": ["invisible-in-title", '"Access"', '"Ac\u00adcess"', { marked: "\u00ad" }],
    "a misspelt field": ["unknown-field", '"title"', '"tittle"'],
    "a field with a capital letter": ["unknown-field", '"title"', '"Title"'],
    "an image on a page that has none": added(TITLE, '"image": "/images/a.jpg"'),
    "a name for a title": ["unknown-field", '"title"', '"name"'],
    "a field of meta beside it": added(TITLE, '"search_description": "By train"', { becomes: null }),
    "a text for a page that has none": added(TITLE, '"streamfield": "By train."'),
    "content for a page that has none": added(TITLE, '"content": "By train."'),
    "a field of works on another page": added(TITLE, '"medium": "Ink"'),
    "a field of their own": added(TITLE, '"colour": "blue"', { byHand: ["has no field “colour”"] }),
    "the slug in the file": [
      "derived-field",
      '"show_in_menus": true,',
      '"slug": "access",\n    "show_in_menus": true,',
      { marked: '"slug"' },
    ],
    "no id": [
      "missing-field",
      '"id": 12,\n  ',
      "",
      { marked: "{", byHand: ["The required field “id” is missing", "npx page-api new --id"] },
    ],
    "no type": [
      "missing-field",
      '"type": "standardpages.GeneralPage",\n    ',
      "",
      { marked: "{", byHand: ["“meta.type” is missing"] },
    ],
    "half of a type": ["unknown-page-type", GENERAL, '"GeneralPage"'],
    "a misspelt type": ["unknown-page-type", GENERAL, '"standardpage.GeneralPage"'],
  }),
  ...(["height_ratio", "max_width"] as const).map((field): Row => {
    const [right, wrong] = field === "height_ratio" ? ["0.62", "1.4"] : ["900", "10"];
    const found = WITH_IMAGES[WORK].replace(`"${field}": ${right}`, `"${field}": ${wrong}`);
    return {
      did: `another ${field} than the image has`,
      before: { ...WITH_IMAGES, [WORK]: found },
      code: field === "height_ratio" ? "image-ratio" : "image-width",
      at: [WORK, wrong],
      after: { [WORK]: WITH_IMAGES[WORK] },
    };
  }),
  {
    did: "a type without meta around it",
    before: { [ACCESS]: '{ "id": 12, "type": "standardpages.GeneralPage", "title": "Access" }\n' },
    code: "unknown-field",
    at: [ACCESS, '"type"'],
    after: { [ACCESS]: '{ "id": 12, "meta": {"type": "standardpages.GeneralPage"}, "title": "Access" }\n' },
  },
  {
    did: "a type for meta",
    before: { [ACCESS]: '{ "id": 12, "meta": "standardpages.GeneralPage", "title": "Access" }\n' },
    code: "wrong-type",
    at: [ACCESS, GENERAL],
    after: { [ACCESS]: '{ "id": 12, "meta": {"type": "standardpages.GeneralPage"}, "title": "Access" }\n' },
  },
];
