import type { Row } from "../row.ts";
import { ACCESS, SOUND, WORK } from "../site.ts";

/** Fields beside the mistake: only a few, because every mistake is also tried on a single line. */
const ID = '"id": 12';
const META = '"meta": {"type": "standardpages.GeneralPage"}';
const TITLE = '"title": "Access"';
const AT_WORK =
  '"id": 31, "meta": {"type": "artworks.ArtworkPage"}, "title": "Marsh", "acno": "D00001", "acquisitionYear": 1900, "end_year": 1850, "mltYear": 1848, "classification": {"id": 2}';
const YEAR = '"start_year": 1848';

const page = (...fields: string[]): string => `{${[ID, META, ...fields].join(", ")}}`;
const lines = (...fields: string[]): string => `{\n${[ID, META].join(",\n")},\n${fields.join(",\n")}\n}\n`;
const work = (...fields: string[]): string => `{${[AT_WORK, ...fields].join(", ")}}`;
const image = (ratio: string): string =>
  work(
    YEAR,
    `"master_images": [{"sizes": [[600, "0-599", "/a.jpg"]], "default_url": "/a.jpg", "current_size": "0-599", "height_ratio": ${ratio}, "max_width": 600, "alt_text": "A marsh"}]`,
  );
const labels = (written: string): string =>
  work(YEAR, `"location_card": {"data": {"card_label": ${written}}}`);
const groups = (written: string): string => work(`"groups": ${written}`, YEAR);

/**
 * Words that the finding must contain, words that it must not contain, and files with the mistake and after the
 * correction.
 */
interface Kind {
  says: string[];
  not?: string[];
  files: [before: string, after: string][];
}

const KINDS: Record<string, Kind> = {
  "a quotation mark in a text": {
    says: ["inside this text", String.raw`Write \"`, "″ for inches"],
    not: ["comma"],
    files: [
      [page('"title": "12" x 14"'), page(String.raw`"title": "12\" x 14"`)],
      [`{"title": "12" x 14", ${ID}, ${META}}`, String.raw`{"title": "12\" x 14", ${ID}, ${META}}`],
      [`{\n"title": "12"",\n${ID},\n${META}}`, `{\n"title": "12\\"",\n${ID},\n${META}}`],
      [lines('"title": "The "Marsh" at dusk"'), lines(String.raw`"title": "The \"Marsh\" at dusk"`)],
      [page('"title": "The "Marsh", at dusk"'), page(String.raw`"title": "The \"Marsh\", at dusk"`)],
      [labels('["3" wide", "x"]'), labels(String.raw`["3\" wide", "x"]`)],
    ],
  },
  "inches before a comma": {
    says: ["inside this text", "″ for inches"],
    not: ["field's name"],
    files: [
      [lines('"title": "Support 9", laid down"'), lines(String.raw`"title": "Support 9\", laid down"`)],
      [page('"title": "9", 10" and 12", laid"'), page(String.raw`"title": "9\", 10\" and 12\", laid"`)],
      [labels('["Support 9", laid down", "x"]'), labels(String.raw`["Support 9\", laid down", "x"]`)],
    ],
  },
  "yes and no": {
    says: ["is not a JSON value", "without quotation marks; if the field is a text"],
    files: [
      [work('"isLoanedOut": yes', YEAR), work('"isLoanedOut": true', YEAR)],
      [work('"isLoanedOut": No', YEAR), work('"isLoanedOut": false', YEAR)],
    ],
  },
  "two quotation marks at the end": {
    says: ["an extra quotation mark", "Delete it."],
    files: [[`{\n"title": "Marsh"",\n${ID},\n${META}}`, `{\n"title": "Marsh",\n${ID},\n${META}}`]],
  },
  "something between the thousands": {
    says: ["not a valid number", "nothing between the thousands", "Write 33730299 instead."],
    not: ["comma is missing", "field's name"],
    files: [
      ["33,730,299", "33730299"],
      ["33.730.299", "33730299"],
      ["33 730 299", "33730299"],
      ["33'730'299", "33730299"],
      ["33\u00a0730\u00a0299", "33730299"],
      ["33\u202f730\u202f299", "33730299"],
      ["33_730_299", "33730299"],
    ].map(([wrong, right]) => [`{"id": ${wrong}, ${META}, ${TITLE}}`, `{"id": ${right}, ${META}, ${TITLE}}`]),
  },
  "a comma in a year": {
    says: ["“1,848”", "Write 1848 instead."],
    files: [
      [work('"start_year": 1,848'), work(YEAR)],
      [work('"start_year": 1,848', '"isLoanedOut": true'), work(YEAR, '"isLoanedOut": true')],
    ],
  },
  "a comma before decimals": {
    says: ["not a valid number", "a point before the decimals", "instead."],
    not: ["thousands"],
    files: [
      [image("0,75"), image("0.75")],
      [image("1,333"), image("1.333")],
    ],
  },
  "another sign for a comma": {
    says: ["Expected a comma, found", "Write , instead."],
    files: [
      [`{${ID}; ${META}, ${TITLE}}`, `{${ID}, ${META}, ${TITLE}}`],
      [`{${ID}，${META}, ${TITLE}}`, `{${ID},${META}, ${TITLE}}`],
      [`{\n${ID};\n${META},\n${TITLE}\n}`, `{\n${ID},\n${META},\n${TITLE}\n}`],
      [`{${ID}. ${META}, ${TITLE}}`, `{${ID}, ${META}, ${TITLE}}`],
    ],
  },
  "a sign at the end": {
    says: ["Nothing belongs here, found", "Delete it."],
    files: [
      [`{${ID}, ${META}, ${TITLE};}`, page(TITLE)],
      [`${page(TITLE)};`, page(TITLE)],
      [`${page(TITLE)},`, page(TITLE)],
      [`{${ID}, ${META}, ${TITLE}.\n}`, `{${ID}, ${META}, ${TITLE}\n}`],
    ],
  },
  "another sign for a colon": {
    says: ["Expected a colon between a field's name and its value, found", "Write : instead."],
    files: [
      [page('"title"; "Access"'), page(TITLE)],
      [page('"title" = "Access"'), page('"title" : "Access"')],
      [page('"title" => "Access"'), page('"title" : "Access"')],
      [page('"title"："Access"'), page('"title":"Access"')],
    ],
  },
  "no colon": {
    says: ["The colon between the field's name and its value is missing", "Write a colon here."],
    files: [[page('"title" "Access"'), page('"title": "Access"')]],
  },
  "two colons": {
    says: ["an extra colon", "Delete the colon."],
    files: [[page('"title":: "Access"'), page(TITLE)]],
  },
  "a zero-width space": {
    says: ["invisible character", "zero-width space (U+200B)", "Delete it."],
    files: [[`{\u200b${ID}, ${META}, ${TITLE}}`, page(TITLE)]],
  },
  "a no-break space": {
    says: ["invisible character", "no-break space (U+00A0)", "Delete it"],
    files: [[page('"title":\u00a0"Access"'), page('"title":"Access"')]],
  },
  "a line separator": {
    says: ["invisible character", "line separator (U+2028)", "Delete it."],
    files: [[`{${ID}, ${META}, ${TITLE}\u2028}`, page(TITLE)]],
  },
  "typographic quotation marks": {
    says: ["Expected a straight quotation mark, found a typographic one", "with straight quotation marks"],
    files: [
      [page('“title”: "Access"'), page(TITLE)],
      [page('"title": „Access“'), page(TITLE)],
      [page('"title": «Access»'), page(TITLE)],
      [page('"title": ‘It’s a marsh’'), page('"title": "It’s a marsh"')],
      [page('"title": “The "Marsh" at dusk”'), page(String.raw`"title": "The \"Marsh\" at dusk"`)],
    ],
  },
  "a typographic mark that closes a text": {
    says: ["The text ends with a typographic quotation mark (”)", "Write a straight quotation mark instead"],
    files: [
      [`{\n"title": "Access”,\n${ID},\n${META}}`, `{\n"title": "Access",\n${ID},\n${META}}`],
      [`{"title": "Access”, ${ID}, ${META}}`, `{"title": "Access", ${ID}, ${META}}`],
    ],
  },
  "a text that is not closed": {
    says: ["The closing quotation mark of this text is missing", 'Write " where the text ends.'],
    not: ["comma"],
    files: [
      [`{\n"title": "Access,\n${ID},\n${META}}`, `{\n"title": "Access",\n${ID},\n${META}}`],
      [lines('"title": "Access'), lines(TITLE)],
      [labels('["x", "0-9, "/a.jpg"]'), labels('["x", "0-9", "/a.jpg"]')],
    ],
  },
  "a name that is not closed": {
    says: ["The closing quotation mark of the name “title” is missing", 'Write " here.'],
    files: [[page('"title: "Access"'), page(TITLE)]],
  },
  "a name or text that is not opened": {
    says: ["The opening quotation mark is missing before", 'Write " here.'],
    files: [
      [page('title": "Access"'), page(TITLE)],
      [page('"title": Access"'), page(TITLE)],
    ],
  },
  "a text over two lines": {
    says: ["A line break inside a text", 'that is to stay: "Marsh at dusk"'],
    files: [
      [page('"title": "Marsh\n  at dusk"'), page('"title": "Marsh at dusk"')],
      [page('"title": "Marsh\r\n\r\nat dusk"'), page('"title": "Marsh at dusk"')],
    ],
  },
  "a text over two lines, with quotation marks in it": {
    says: ["A line break inside a text"],
    files: [
      [
        work('"medium": "Ink\nby "hand" on paper"', YEAR),
        work(String.raw`"medium": "Ink by \"hand\" on paper"`, YEAR),
      ],
    ],
  },
  "other quotation marks": {
    says: ["Expected a double quotation mark", "with double quotation marks"],
    files: [
      [page("'title': \"Access\""), page(TITLE)],
      [page('`title`: "Access"'), page(TITLE)],
      [page("\"title\": 'It's a marsh'"), page('"title": "It\'s a marsh"')],
    ],
  },
  "a single quotation mark before a text": {
    says: ["Expected a double quotation mark, found a single one", 'Write " instead.'],
    files: [[page('"title": \'Access"'), page(TITLE)]],
  },
  "a comma at the end": {
    says: ["There is an extra comma here: nothing follows it", "Delete the comma."],
    files: [
      [`{${ID}, ${META}, ${TITLE},}`, page(TITLE)],
      [`{\n${ID},\n${META},\n${TITLE},\n}\n`, lines(TITLE)],
      [groups('[{"id": 21, "shortTitle": "The sea"},]'), groups('[{"id": 21, "shortTitle": "The sea"}]')],
    ],
  },
  "two commas": {
    says: ["There is an extra comma here.", "Delete the comma."],
    files: [
      [`{${ID},, ${META}, ${TITLE}}`, page(TITLE)],
      [labels('["x",,"y"]'), labels('["x","y"]')],
    ],
  },
  "a comma at the beginning": {
    says: ["There is nothing before this comma", "Delete the comma."],
    files: [[`{, ${ID}, ${META}, ${TITLE}}`, `{ ${ID}, ${META}, ${TITLE}}`]],
  },
  "no comma": {
    says: ["A comma is missing before", "Write a comma here."],
    files: [
      [`{${ID} ${META}, ${TITLE}}`, page(TITLE)],
      [`{${TITLE} ${ID}, ${META}}`, `{${TITLE}, ${ID}, ${META}}`],
      [`{\n${ID},\n${META}\n${TITLE}\n}\n`, lines(TITLE)],
      [`{${META} ${ID}, ${TITLE}}`, `{${META}, ${ID}, ${TITLE}}`],
      [labels('["x" "y"]'), labels('["x", "y"]')],
    ],
  },
  "a number that is none": {
    says: ["is not a valid number", "if the field is a text"],
    files: [
      [work('"start_year": 0001848'), work(YEAR)],
      [work('"start_year": +1848'), work(YEAR)],
      [work('"start_year": 1848.'), work(YEAR)],
      [image(".5"), image("0.5")],
    ],
  },
  "a text that begins with a digit": {
    says: ["is not a number, and a text needs quotation marks"],
    files: [
      [work(YEAR, '"dateText": 1856-1860'), work(YEAR, '"dateText": "1856-1860"')],
      [work(YEAR, '"dateText": 1848-11-20'), work(YEAR, '"dateText": "1848-11-20"')],
      [work(YEAR, '"dateText": 1848?'), work(YEAR, '"dateText": "1848?"')],
      [work(YEAR, '"dateText": 1840s'), work(YEAR, '"dateText": "1840s"')],
      [work(YEAR, '"dimensions": 12cm'), work(YEAR, '"dimensions": "12cm"')],
      [lines('"title": 3 Marshes, with rooks'), lines('"title": "3 Marshes, with rooks"')],
      [work('"dateText": 12 June 1848', YEAR), work('"dateText": "12 June 1848"', YEAR)],
      [work(YEAR, '"dimensions": 610 x 914 mm'), work(YEAR, '"dimensions": "610 x 914 mm"')],
    ],
  },
  "true and null as others write them": {
    says: ["is not a JSON value", "in lowercase and without quotation marks"],
    files: [
      [work(YEAR, '"isLoanedOut": True'), work(YEAR, '"isLoanedOut": true')],
      [work(YEAR, '"isLoanedOut": FALSE'), work(YEAR, '"isLoanedOut": false')],
      [work(YEAR, '"iiif_id": None'), work(YEAR, '"iiif_id": null')],
    ],
  },
  "a text without quotation marks": {
    says: ["The text “Marsh at dusk, with rooks” has no quotation marks"],
    files: [
      [page('"title": Marsh at dusk, with rooks'), page('"title": "Marsh at dusk, with rooks"')],
      [lines('"title": Marsh at dusk, with rooks'), lines('"title": "Marsh at dusk, with rooks"')],
    ],
  },
  "an address without quotation marks": {
    says: ["has no quotation marks"],
    files: [
      [
        work('"shop_url": https://www.example.org/shop', YEAR),
        work('"shop_url": "https://www.example.org/shop"', YEAR),
      ],
      [work('"shop_api_url": /shop?q=marsh', YEAR), work('"shop_api_url": "/shop?q=marsh"', YEAR)],
    ],
  },
  "a name without quotation marks": {
    says: ["The field's name “title” has no quotation marks"],
    files: [[page('title: "Access"'), page(TITLE)]],
  },
  "a comment": {
    says: ["JSON does not allow comments", "Delete the comment."],
    files: [
      [`// moved\n${page(TITLE)}`, `\n${page(TITLE)}`],
      [`{${ID}, # ours\n${META}, ${TITLE}}`, `{${ID}, \n${META}, ${TITLE}}`],
      [`{/* ours */${ID}, ${META}, ${TITLE}}`, page(TITLE)],
      [`<!-- ours -->\n${page(TITLE)}`, `\n${page(TITLE)}`],
      [`# ours\n${page(TITLE)}`, `\n${page(TITLE)}`],
    ],
  },
  "a bracket that is not closed": {
    says: ["is not closed", "Write"],
    files: [
      [
        `{\n  ${ID},\n  "meta": {\n    "type": "standardpages.GeneralPage",\n  ${TITLE}\n}\n`,
        `{\n  ${ID},\n  "meta": {\n    "type": "standardpages.GeneralPage"},\n  ${TITLE}\n}\n`,
      ],
      [labels('["x", "y"').replace(/\}+$/, "}}}"), labels('["x", "y"]')],
      [
        groups('[{"id": 21, "shortTitle": "The sea", {"id": 22, "shortTitle": "Rain"}]'),
        groups('[{"id": 21, "shortTitle": "The sea"}, {"id": 22, "shortTitle": "Rain"}]'),
      ],
    ],
  },
  "a list that is not closed before a name": {
    says: ["The list that begins on line", "is not closed", "Write ], here."],
    not: ["A comma is missing"],
    files: [
      [
        `{${AT_WORK},\n"groups": [{"id": 21, "shortTitle": "The sea"}\n${YEAR}}`,
        `{${AT_WORK},\n"groups": [{"id": 21, "shortTitle": "The sea"}],\n${YEAR}}`,
      ],
    ],
  },
  "an object that is not closed in a list": {
    says: ["The object that begins on line", "is not closed", "Write } here."],
    files: [
      [
        `{${AT_WORK},\n"groups": [{"id": 21, "shortTitle": "The sea"],\n${YEAR}}`,
        `{${AT_WORK},\n"groups": [{"id": 21, "shortTitle": "The sea"}],\n${YEAR}}`,
      ],
    ],
  },
  "another bracket": {
    says: ["cannot close the", "instead."],
    files: [
      [page('"title": "Access"').replace('GeneralPage"}', 'GeneralPage"]'), page(TITLE)],
      [labels('["x"}'), labels('["x"]')],
    ],
  },
  "a bracket too many": {
    says: ["All brackets are already closed before this }", "Delete it"],
    files: [[`${page(TITLE)}}`, page(TITLE)]],
  },
  "a file that was cut off": {
    says: ["may have been cut off", "If nothing is missing but the end, write"],
    files: [
      [`{${ID}, ${TITLE}, "meta": {"type": "standardpages.GeneralPage"`, `{${ID}, ${TITLE}, ${META}}`],
      [`{${ID}, ${META}, "title": "Acc`, `{${ID}, ${META}, "title": "Acc"}`],
    ],
  },
  "a merge that is not finished": {
    says: ["An unsolved merge", "Keep the right version"],
    not: ["name", "comma"],
    files: [
      [
        `{\n${ID},\n${META},\n<<<<<<< HEAD\n${TITLE}\n=======\n"title": "Entry"\n>>>>>>> main\n}\n`,
        lines(TITLE),
      ],
      [
        `{\n${ID},\n${META},\n<<<<<<< HEAD\n${TITLE}\n||||||| 1a2b3c4\n"title": "Ways"\n=======\n"title": "Entry"\n>>>>>>> main\n}\n`,
        lines(TITLE),
      ],
      [
        `{\n<<<<<<< HEAD\n${ID},\n=======\n"id": 11,\n>>>>>>> main\n${META},\n<<<<<<< HEAD\n${TITLE}\n=======\n"title": "Entry"\n>>>>>>> main\n}\n`,
        lines(TITLE),
      ],
      [
        `<<<<<<< HEAD\n${page(TITLE)}\n=======\n${page('"title": "Entry"')}\n>>>>>>> main\n`,
        `${page(TITLE)}\n`,
      ],
    ],
  },
  "a merge that was finished but for a line": {
    says: ["A line that git wrote when two versions were merged is left here", "Delete it"],
    files: [
      [`{\n${ID},\n${META},\n=======\n${TITLE}\n}\n`, `{\n${ID},\n${META},\n\n${TITLE}\n}\n`],
      [`${page(TITLE)}\n>>>>>>> main\n`, `${page(TITLE)}\n\n`],
      [`${page(TITLE)}\r\n>>>>>>> main\r\n`, `${page(TITLE)}\r\n\r\n`],
    ],
  },
  "a sentence before it": {
    says: ["The file begins with “", "Delete everything before the first {"],
    files: [
      [`Here is the page:\n${page(TITLE)}\n`, page(TITLE)],
      [`“${page(TITLE)}”`, page(TITLE)],
    ],
  },
  "a { too many": {
    says: ["There is an extra { here", "the extra } at the end"],
    files: [[`{${page(TITLE)}}`, page(TITLE)]],
  },
  "no { for an object": {
    says: ['The { before “"type"” is missing', "Write { here."],
    files: [
      [`{${ID}, "meta": "type": "standardpages.GeneralPage"}, ${TITLE}}`, page(TITLE)],
      [
        `{\n${ID},\n"meta":\n  "type": "standardpages.GeneralPage"\n},\n${TITLE}\n}`,
        `{\n${ID},\n"meta":\n  {"type": "standardpages.GeneralPage"\n},\n${TITLE}\n}`,
      ],
    ],
  },
  "a code fence around it": {
    says: ["The file begins with a code fence", "Delete the line with ```"],
    files: [[`\`\`\`json\n${page(TITLE)}\n\`\`\`\n`, `${page(TITLE)}\n`]],
  },
  "a program around it": {
    says: ["as a program does", "Delete everything before the first {"],
    files: [
      [`export default ${page(TITLE)};\n`, page(TITLE)],
      [`const page = ${page(TITLE)};\n`, page(TITLE)],
    ],
  },
  "no brackets around it": {
    says: ["The curly brackets around the page's fields are missing", "Write { before the first field"],
    files: [[`${ID}, ${META}, ${TITLE}`, page(TITLE)]],
  },
  "round brackets": {
    says: ["JSON has no round brackets", "instead."],
    files: [
      [groups('[{"id": 21, "shortTitle": "The sea"})'), groups('[{"id": 21, "shortTitle": "The sea"}]')],
      [groups("[]").replace("[]", "(]"), groups("[]")],
    ],
  },
};

/** The hint cannot know the right choice. */
const BY_HAND: [did: string, before: string | Buffer, says: string[], after?: string][] = [
  ["[ for {", `[${ID}, ${META}, ${TITLE}]`, ["This list has named fields", "Write { here and }"]],
  ["[ for { inside", groups('["id": 21, "shortTitle": "The sea"]'), ["This list has named fields"]],
  [
    "{ for [",
    groups('{{"id": 21, "shortTitle": "The sea"}}'),
    ["values without names", "Write [ here and ]"],
  ],
  ["{ for [ around texts", labels('{"x", "y"}'), ["values without names", "Write [ here and ]"]],
  ["an empty file", "", ["The file is empty", "npm run new"]],
  ["only white space", " \n\n", ["The file is empty"]],
  ["no value", page('"title": '), ["A value is missing before “}”"]],
  ["undefined", page('"title": undefined'), ["“undefined” is not a JSON value", "leave the field out"]],
  ["TBC for a year", work('"start_year": TBC'), ["“TBC” is not a JSON value"]],
  [
    "two pages in a file",
    `${page(TITLE)}\n${page('"title": "Entry"')}`,
    ["another begins", "a file of its own"],
  ],
  [
    "cut off after a name",
    `{${ID}, ${META}, "title":`,
    ["may have been cut off", "from its last version in git"],
  ],
  ["front matter", "---\ntitle: Access\n---\n", ["front matter", "in curly brackets"]],
];

/** Files of other kinds. The correction moves them out of the content folder. */
const OTHER_KINDS: [did: string, before: string | Buffer, says: string[]][] = [
  ["a web page", "<!DOCTYPE html>\n<p>Access</p>", ["a web page (HTML)"]],
  ["a piece of HTML", "<p>Access</p>", ["a web page (HTML)"]],
  ["YAML", "id: 12\nmeta:\n  type: standardpages.GeneralPage\n", ["a text in YAML"]],
  ["a table", "title,id\nAccess,12\n", ["a table (CSV)"]],
  ["Markdown", "# Access\n\nBy train.\n", ["a text in Markdown"]],
  ["a Word file", Buffer.from("504b0304140006000800", "hex"), ["a Word file"]],
  ["an old Word file", Buffer.from("d0cf11e0a1b11ae1", "hex"), ["an old Word or Excel file"]],
  ["a PNG", Buffer.from("89504e470d0a1a0a", "hex"), ["a picture (PNG)"]],
  ["a JPEG", Buffer.from("ffd8ffe000104a46", "hex"), ["a picture (JPEG)"]],
  ["a GIF", "GIF89a", ["a picture"]],
  ["a PDF", "%PDF-1.7\n", ["a PDF"]],
];

const fileOf = (text: string | Buffer): string =>
  String(text).includes("artworks.ArtworkPage") ? WORK : ACCESS;

const OWN = Object.entries(KINDS).flatMap(([kind, { says, not = [], files }]) =>
  files.map(([before, after], k): Row => {
    const file = fileOf(before);
    return {
      did: files.length === 1 ? kind : `${kind} (${k + 1})`,
      before: { [file]: before },
      code: "json-syntax",
      at: [file],
      says,
      not,
      after: { [file]: after },
    };
  }),
);

const TOLD = BY_HAND.map(([did, before, says]): Row => {
  const file = fileOf(before);
  return {
    did,
    before: { [file]: before },
    code: "json-syntax",
    at: [file],
    says,
    after: { [file]: SOUND[file] ?? "" },
    byHand: true,
  };
});

const TAKEN_OUT = OTHER_KINDS.map(([did, before, says]): Row => ({
  did: `${did} for a page`,
  before: { "visit/plan.json": before },
  code: "json-syntax",
  at: ["visit/plan.json"],
  says: [...says, "Move it out of the content folder"],
}));

export const SYNTAX: readonly Row[] = [...OWN, ...TOLD, ...TAKEN_OUT];
