import { inFiles, type Misplaced, type Row } from "../row.ts";
import { ACCESS, VALID, WORK } from "../site.ts";

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
const labels = (written: string) => work(YEAR, `"location_card": {"data": {"card_label": ${written}}}`);
const groups = (written: string): string => work(`"groups": ${written}`, YEAR);

/** Files with the mistake, and after the correction. */
const KINDS: Record<string, [before: string, after: string][]> = {
  "a quotation mark in a text": [
    [page('"title": "12" x 14"'), page(String.raw`"title": "12\" x 14"`)],
    [`{"title": "12" x 14", ${ID}, ${META}}`, String.raw`{"title": "12\" x 14", ${ID}, ${META}}`],
    [`{\n"title": "12"",\n${ID},\n${META}}`, `{\n"title": "12\\"",\n${ID},\n${META}}`],
    [lines('"title": "The "Marsh" at dusk"'), lines(String.raw`"title": "The \"Marsh\" at dusk"`)],
    [page('"title": "The "Marsh", at dusk"'), page(String.raw`"title": "The \"Marsh\", at dusk"`)],
    [labels('["3" wide", "x"]'), labels(String.raw`["3\" wide", "x"]`)],
  ],
  "inches before a comma": [
    [lines('"title": "Support 9", laid down"'), lines(String.raw`"title": "Support 9\", laid down"`)],
    [page('"title": "9", 10" and 12", laid"'), page(String.raw`"title": "9\", 10\" and 12\", laid"`)],
    [labels('["Support 9", laid down", "x"]'), labels(String.raw`["Support 9\", laid down", "x"]`)],
  ],
  "a zero-width space": [[`{\u200b${ID}, ${META}, ${TITLE}}`, page(TITLE)]],
  "a no-break space": [[page('"title":\u00a0"Access"'), page('"title":"Access"')]],
  "a line separator": [[`{${ID}, ${META}, ${TITLE}\u2028}`, page(TITLE)]],
  "typographic quotation marks": [
    [page('“title”: "Access"'), page(TITLE)],
    [page('"title": „Access“'), page(TITLE)],
    [page('"title": «Access»'), page(TITLE)],
    [page('"title": ‘It’s a marsh’'), page('"title": "It’s a marsh"')],
    [page('"title": “The "Marsh" at dusk”'), page(String.raw`"title": "The \"Marsh\" at dusk"`)],
  ],
  "a typographic mark that closes a text": [
    [`{\n"title": "Access”,\n${ID},\n${META}}`, `{\n"title": "Access",\n${ID},\n${META}}`],
    [`{"title": "Access”, ${ID}, ${META}}`, `{"title": "Access", ${ID}, ${META}}`],
  ],
  "a text that is not closed": [
    [`{\n"title": "Access,\n${ID},\n${META}}`, `{\n"title": "Access",\n${ID},\n${META}}`],
    [lines('"title": "Access'), lines(TITLE)],
    [labels('["x", "0-9, "/a.jpg"]'), labels('["x", "0-9", "/a.jpg"]')],
  ],
  "a name that is not closed": [[page('"title: "Access"'), page(TITLE)]],
  "a text over two lines": [
    [page('"title": "Marsh\n  at dusk"'), page('"title": "Marsh at dusk"')],
    [page('"title": "Marsh\r\n\r\nat dusk"'), page('"title": "Marsh at dusk"')],
  ],
  "a text over two lines, with quotation marks in it": [
    [
      work('"medium": "Ink\nby "hand" on paper"', YEAR),
      work(String.raw`"medium": "Ink by \"hand\" on paper"`, YEAR),
    ],
  ],
  "other quotation marks": [
    [page("'title': \"Access\""), page(TITLE)],
    [page('`title`: "Access"'), page(TITLE)],
    [page("\"title\": 'It's a marsh'"), page('"title": "It\'s a marsh"')],
  ],
  "a single quotation mark before a text": [[page('"title": \'Access"'), page(TITLE)]],
  "a comma at the end": [
    [`{${ID}, ${META}, ${TITLE},}`, page(TITLE)],
    [`{\n${ID},\n${META},\n${TITLE},\n}\n`, lines(TITLE)],
    [groups('[{"id": 21, "shortTitle": "The sea"},]'), groups('[{"id": 21, "shortTitle": "The sea"}]')],
  ],
  "a comma after the page": [[`${page(TITLE)},`, page(TITLE)]],
  "two commas": [
    [`{${ID},, ${META}, ${TITLE}}`, page(TITLE)],
    [labels('["x",,"y"]'), labels('["x","y"]')],
  ],
  "a comma at the beginning": [[`{, ${ID}, ${META}, ${TITLE}}`, `{ ${ID}, ${META}, ${TITLE}}`]],
  "no comma": [
    [`{${ID} ${META}, ${TITLE}}`, page(TITLE)],
    [`{${TITLE} ${ID}, ${META}}`, `{${TITLE}, ${ID}, ${META}}`],
    [`{\n${ID},\n${META}\n${TITLE}\n}\n`, lines(TITLE)],
    [`{${META} ${ID}, ${TITLE}}`, `{${META}, ${ID}, ${TITLE}}`],
    [labels('["x" "y"]'), labels('["x", "y"]')],
  ],
  "a text that begins with a digit": [
    [work(YEAR, '"dateText": 1856-1860'), work(YEAR, '"dateText": "1856-1860"')],
    [work(YEAR, '"dateText": 1848-11-20'), work(YEAR, '"dateText": "1848-11-20"')],
    [work(YEAR, '"dateText": 1848?'), work(YEAR, '"dateText": "1848?"')],
    [work(YEAR, '"dateText": 1840s'), work(YEAR, '"dateText": "1840s"')],
    [work(YEAR, '"dimensions": 12cm'), work(YEAR, '"dimensions": "12cm"')],
    [lines('"title": 3 Marshes, with rooks'), lines('"title": "3 Marshes, with rooks"')],
    [work('"dateText": 12 June 1848', YEAR), work('"dateText": "12 June 1848"', YEAR)],
    [work(YEAR, '"dimensions": 610 x 914 mm'), work(YEAR, '"dimensions": "610 x 914 mm"')],
  ],
  "a text without quotation marks": [
    [page('"title": Marsh at dusk, with rooks'), page('"title": "Marsh at dusk, with rooks"')],
    [lines('"title": Marsh at dusk, with rooks'), lines('"title": "Marsh at dusk, with rooks"')],
  ],
  "an address without quotation marks": [
    [
      work('"shop_url": https://www.example.org/shop', YEAR),
      work('"shop_url": "https://www.example.org/shop"', YEAR),
    ],
    [work('"shop_api_url": /shop?q=marsh', YEAR), work('"shop_api_url": "/shop?q=marsh"', YEAR)],
  ],
  "a name without quotation marks": [[page('title: "Access"'), page(TITLE)]],
  "a comment": [
    [`// moved\n${page(TITLE)}`, `\n${page(TITLE)}`],
    [`{${ID}, # ours\n${META}, ${TITLE}}`, `{${ID}, \n${META}, ${TITLE}}`],
    [`{/* ours */${ID}, ${META}, ${TITLE}}`, page(TITLE)],
    [`<!-- ours -->\n${page(TITLE)}`, `\n${page(TITLE)}`],
    [`# ours\n${page(TITLE)}`, `\n${page(TITLE)}`],
  ],
  "a bracket that is not closed": [
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
  "a list that is not closed before a name": [
    [
      `{${AT_WORK},\n"groups": [{"id": 21, "shortTitle": "The sea"}\n${YEAR}}`,
      `{${AT_WORK},\n"groups": [{"id": 21, "shortTitle": "The sea"}],\n${YEAR}}`,
    ],
  ],
  "an object that is not closed in a list": [
    [
      `{${AT_WORK},\n"groups": [{"id": 21, "shortTitle": "The sea"],\n${YEAR}}`,
      `{${AT_WORK},\n"groups": [{"id": 21, "shortTitle": "The sea"}],\n${YEAR}}`,
    ],
  ],
  "a bracket too many": [[`${page(TITLE)}}`, page(TITLE)]],
  "a file that was cut off": [
    [`{${ID}, ${TITLE}, "meta": {"type": "standardpages.GeneralPage"`, `{${ID}, ${TITLE}, ${META}}`],
    [`{${ID}, ${META}, "title": "Acc`, `{${ID}, ${META}, "title": "Acc"}`],
  ],
  "a merge that is not finished": [
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
};

/** The hint cannot know the right choice. */
const BY_HAND: [did: string, before: string | Buffer, byHand: string[]][] = [
  ["an empty file", "", ["The file is empty", "npx page-api new"]],
  ["only white space", " \n\n", ["The file is empty"]],
  [
    "cut off after a name",
    `{${ID}, ${META}, "title":`,
    ["may have been cut off", "from its last version in git"],
  ],
];

/** What few people write: one message, with what is marked. */
const OTHERS: [before: string, marked: string][] = [
  [page('"title": '), "}"],
  [page('"title": undefined'), "undefined"],
  [page('"title": True'), "True"],
  [work('"start_year": TBC'), "TBC"],
  [work('"start_year": 0001848'), "0001848"],
  [work('"start_year": +1848'), "+1848"],
  [work('"start_year": 1848.'), "1848."],
  [image(".5"), ".5"],
  [`{${ID}; ${META}, ${TITLE}}`, ";"],
  [`{${ID}，${META}, ${TITLE}}`, "，"],
  [`{${ID}, ${META}, ${TITLE}.\n}`, "."],
  [page('"title"x "Access"'), "x"],
  [page('title": "Access"'), "title"],
  [page('"title": Access"'), "Access"],
  [`{\n"title": "Marsh"",\n${ID},\n${META}}`, '",'],
  [labels('["x"}'), "}"],
  [`${ID}, ${META}, ${TITLE}`, ":"],
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

const fileOf = (text: string | Buffer) => (String(text).includes("artworks.ArtworkPage") ? WORK : ACCESS);

const wrong = (before: string | Buffer, after?: string, more: Misplaced[2] = {}): Misplaced => {
  const file = fileOf(before);
  return ["json-syntax", { [file]: before }, { after: { [file]: after ?? VALID[file] ?? "" }, ...more }];
};

const OWN = Object.entries(KINDS).flatMap(([kind, files]) =>
  files.map(([before, after], k): [did: string, Misplaced] => [
    files.length === 1 ? kind : `${kind} (${k + 1})`,
    wrong(before, after),
  ]),
);

const TOLD = BY_HAND.map(([did, before, byHand]): [string, Misplaced] => [
  did,
  wrong(before, undefined, { byHand }),
]);

const SHARED = OTHERS.map(([before, marked]): [string, Misplaced] => [
  `${marked} in the wrong place: ${before.slice(-40)}`,
  wrong(before, undefined, { byHand: [`“${marked}” cannot be here`], marked }),
]);

const TAKEN_OUT = OTHER_KINDS.map(([did, before, says]): [string, Misplaced] => [
  `${did} for a page`,
  ["json-syntax", { "visit/plan.json": before }, { says }],
]);

export const SYNTAX: readonly Row[] = inFiles(Object.fromEntries([...OWN, ...TOLD, ...SHARED, ...TAKEN_OUT]));
