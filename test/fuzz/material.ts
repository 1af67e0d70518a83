import { modelsIn } from "../../build/model/model.ts";
import { programModel } from "../../build/model/program-model.ts";

/** The values of mutations, at the limits of the allowed values. */
export const NUMBERS = [
  ..."0 -0 1 -1 2 1.0 1e2 1E+2 0.1 0.10 1e-7 0.30000000000000004 1e21 1e400 -1e400 1e-400 5e-324".split(" "),
  ..."9007199254740991 9007199254740992 9007199254740993 12345678901234567890 0.1000000000000000055".split(
    " ",
  ),
  ..."1856.5 123456789012345678 01 1. .5 +1 0x1 1e 1_000 Infinity NaN true false null {} []".split(" "),
  "1" + "0".repeat(400),
];

export const STRINGS = [
  "",
  " ",
  "é😀日本\u2028",
  "\u0000\u001f\u007f",
  "\ud83d",
  ..."Marsh N00530 n00001 N0053 DISPLAY_CAPTION TECHNIQUE display-caption Loan-out __proto__".split(" "),
  ..."2004-02-29 2003-02-29 2004-02-29T23:59:59 2004-02-29T23:59:59Z 2004-02-29T23:59:59.5+14:00".split(" "),
  "2004-02-29 23:59:59.0",
  "1 22 333",
  "1  2",
  ..."0-599 599-0 https://www.example.org/ http://a https:// //example.org javascript:alert(1)".split(" "),
  ...String.raw`/ /visit/ /shop?q=1 //a /\a https://www.example.org/a\b`.split(" "),
  "/a b",
  ..."<p>Marsh</p> <p>Marsh <b><i>Marsh</b></i> <script>alert(1)</script>".split(" "),
  '<a href="/visit/">x</a>',
  '<a href="java&#115;cript:x">x</a>',
  "1 < 2 & 3",
  "<!-- x -->",
  '<p class="a" onclick="x">',
  ...programModel.names,
  "a".repeat(5000),
];

export const TOKENS = [
  ...'{ } [ ] , : " \' \\ // /* */ null true false - + 1e5 "id" "__proto__" "x":1 \u0000 \u00a0 \ufeff \u2028'.split(
    " ",
  ),
  "\n",
  "\t",
  "{}",
  "[]",
  '""',
  '"\\u0000"',
  '"\\ud800"',
];

/** The names of all fields, and names with a meaning in JavaScript. */
export const KEYS = [
  "",
  ..."__proto__ constructor toString hasOwnProperty 0 $schema titel".split(" "),
  ...new Set(
    programModel.names
      .flatMap((type) => Array.from(modelsIn(programModel.sourceOf(type)), ([, path]) => path.at(-1) ?? ""))
      .filter((name) => !["", "*"].includes(name)),
  ),
];
