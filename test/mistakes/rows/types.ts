import { programModel } from "../../../build/model/program-model.ts";
import { inFiles, slips, type Row } from "../row.ts";
import { VALID as SITE } from "../site.ts";
import { textsIn } from "../../fixtures.ts";

const TYPES = "_types.json";
const EVENT = "fair.json";

const VALID = textsIn("tide");

const using = (home: string): string =>
  `{\n  "uses": ${JSON.stringify([...programModel.names.filter((name) => name !== programModel.root), home])},\n  "types"`;

/** Mistakes in `_types.json`, and in the fields that it declares. */
export const DECLARED: readonly Row[] = [
  ...slips(
    TYPES,
    {
      "a misspelt key": ["unknown-key", '"label"', '"lable"'],
      "a type without a label": ["missing-key", '"label": "Tide",', "", { marked: "{", becomes: null }],
      "a kind that does not exist": ["unknown-kind", '"text", "max"', '"txt", "max"', { marked: '"txt"' }],
      "a misspelt shape": ["unknown-kind", '["Speaker"]', '["Speker"]', { marked: '"Speker"' }],
      "a list of a number": [
        "wrong-type",
        '["Speaker"]',
        "[7]",
        { marked: "7", byHand: ["expected the name of a kind", "Write the name of a kind, a list"] },
      ],
      "fields without curly brackets": [
        "wrong-type",
        '{ "name": "text!" }',
        '"name"',
        { marked: '"name"', byHand: ["expected an object in curly brackets", "Write an object"] },
      ],
      "a misspelt type of a parent": [
        "unknown-type",
        '"parents": ["home.HomePage"]',
        '"parents": ["home.Homepage"]',
        { marked: '"home.Homepage"' },
      ],
      "a misspelt type of the program": [
        "unknown-type",
        '{\n  "types"',
        using("home.Homepage"),
        { becomes: using("home.HomePage"), marked: '"home.Homepage"' },
      ],
      "a limit of another kind": [
        "unknown-key",
        '{ "kind": "text", "max": 10 }',
        '{ "kind": "text", "min": 10 }',
        { marked: '"min"', byHand: ["Delete it, or write one of these"] },
      ],
      "a shape of a text with a key": [
        "unknown-key",
        '{ "Speaker": { "fields": { "name": "text!" } } }',
        '{ "Speaker": { "kind": "text!", "key": "name" } }',
        { marked: '"key"', byHand: ["Delete it."], not: ["one of these"] },
      ],
      "a missing field to come after": ["bad-after", '"after": "start_date"', '"after": "strat_date"'],
      "a label of a type of the program that is not a text": [
        "wrong-type",
        '"tides.TidePage": {',
        '"home.HomePage": { "label": 7 },\n    "tides.TidePage": {',
        { marked: "7", becomes: '"home.HomePage": { "label": "7" },\n    "tides.TidePage": {' },
      ],
      "a misspelt kind": [
        "unknown-key",
        '{ "kind": "text", "max": 10 }',
        '{ "knid": "text", "max": 10 }',
        { marked: '"knid"' },
      ],
      "a mark and a default": [
        "field-form",
        '{ "kind": "text", "max": 10 }',
        '{ "kind": "text!", "max": 10, "default": "x" }',
        { marked: "{", byHand: ["a mark and a default", "Delete one of them"] },
      ],
      "a section that the form does not have": [
        "wrong-type",
        '{ "kind": "text", "max": 10 }',
        '{ "kind": "text", "max": 10, "section": "prices" }',
        { marked: '"prices"', byHand: ["one of these texts: identification, texts,"] },
      ],
    },
    VALID,
  ),
  ...inFiles({
    "Types.json for _types.json": [
      "wrong-case",
      { ...VALID, [TYPES]: null, "_Types.json": VALID[TYPES] ?? "" },
      { at: "_Types.json", after: { [TYPES]: VALID[TYPES] ?? "", "_Types.json": null } },
    ],
    "a language that is declared by hand, too": [
      "name-taken",
      {
        "_site.json": (SITE["_site.json"] ?? "").replace("{", '{ "locales": { "en": "English" },'),
        [TYPES]: '{ "every": { "meta": { "locale": { "const": "en" } } } }',
      },
      { at: TYPES, marked: '"locale"' },
    ],
  }),
  ...slips(
    EVENT,
    {
      "a value that is not among the choices": ["unknown-value", '"Tour"', '"Tours"'],
      "a misspelt type of a block": ["unknown-block", '"heading"', '"headign"'],
      "a text that is too long": [
        "out-of-range",
        '"The pier"',
        '"The whole pier"',
        { byHand: ["has 14 characters, but must have at most 10", "Shorten it by 4 characters"] },
      ],
      "the id of a page of another type": [
        "dead-reference",
        '"guide": 1',
        '"guide": 10',
        { byHand: ["which is of the type", "Write the id of a page of the type home.HomePage"] },
      ],
    },
    VALID,
  ),
];
