import { slips, type Row, type Slip } from "../row.ts";
import { WORK } from "../site.ts";

const VALID = String.raw`"<p>The <em>Marsh</em> at <a href=\"/visit/access/\">dusk</a>.</p>"`;

const inJson = (text: string): string => text.replaceAll('"', String.raw`\"`);

/** The rows of mistakes in one fragment of the valid text. */
const fragments = (mistakes: Readonly<Record<string, Slip>>): Row[] =>
  Object.entries(mistakes).flatMap(
    ([did, [code, right, wrong, { becomes, marked = wrong, ...more } = {}]]) => {
      const having = (text: string): string => VALID.replace(inJson(right), () => inJson(text));
      const own = { becomes: having(becomes ?? right), marked: inJson(marked), ...more };
      return slips(WORK, { [did]: [code, VALID, having(wrong), own] });
    },
  );

const MARSH = "<em>Marsh</em>";
const LINK = "/visit/access/";
const ART = "https://www.example.org/art/";

export const HTML: readonly Row[] = fragments({
  "an element closed without its slash": ["html-unclosed", "</em>", "<em>"],
  "a closed element, not open": ["html-stray-close", ".</p>", ".</strong></p>", { marked: "</strong>" }],
  "two elements closed in the wrong order": [
    "html-misnested",
    MARSH,
    "<em><strong>Marsh</em></strong>",
    { becomes: "<em><strong>Marsh</strong></em>", marked: "</em>" },
  ],
  "a script": ["html-element", ".</p>", ".</p><script>go()</script>", { marked: "<script>" }],
  "an embedded film": [
    "html-element",
    ".</p>",
    '.</p><iframe src="https://films.example/1"></iframe>',
    {
      marked: '<iframe src="https://films.example/1">',
      byHand: ["Delete it, and link to what it shows instead"],
    },
  ],
  "an element of old": [
    "html-element",
    MARSH,
    "<strike>Marsh</strike>",
    { becomes: "<s>Marsh</s>", marked: "<strike>" },
  ],
  "a heading that is the page's": [
    "html-element",
    "<p>The <em>Marsh</em> at",
    "<h1>Wet</h1><p>The <em>Marsh</em> at",
    { becomes: "<h2>Wet</h2><p>The <em>Marsh</em> at", marked: "<h1>" },
  ],
  "a misspelt element": [
    "html-element",
    MARSH,
    "<strnog>Marsh</strnog>",
    { becomes: "<strong>Marsh</strong>", marked: "<strnog>" },
  ],
  "a style": ["html-inline-style", "<em>", '<em style="color: red">', { marked: 'style="color: red"' }],
  "an attribute of old": ["html-attribute", "<p>", '<p align="center">', { marked: 'align="center"' }],
  "a misspelt attribute": ["html-attribute", "href", "hreff", { marked: 'hreff="/visit/access/"' }],
  "something that runs": ["html-event-handler", "<em>", '<em onclick="go()">', { marked: 'onclick="go()"' }],
  "a link without its slash": ["html-link-form", LINK, "visit/access/"],
  "a link without https": ["html-link-form", LINK, "www.example.org/art/", { becomes: ART }],
  "two slashes": ["html-link-form", LINK, "//www.example.org/art/", { becomes: ART }],
  "a link to a page that there is not": ["dead-link", LINK, "/visit/acess/"],
  "a complete link to a page of the own website that there is not": [
    "dead-link",
    LINK,
    "https://www.example.org/visit/acess/",
    { becomes: "https://www.example.org/visit/access/" },
  ],
  "a complete link spelt in another way": [
    "dead-link",
    LINK,
    "http://EXAMPLE.org/visit/acess/",
    { becomes: "http://EXAMPLE.org/visit/access/" },
  ],
  "a link to the own computer": ["unlikely-host", LINK, "http://localhost:3000/visit/access/"],
  "a link to a name of the own network": ["unlikely-host", LINK, "http://intranet/visit/access/"],
  "tags whose first characters are text": ["unlikely-markup", MARSH, "&lt;em>Marsh&lt;/em>"],
  "tags written as text": ["unlikely-markup", MARSH, "&lt;em&gt;Marsh&lt;/em&gt;"],
  Markdown: ["unlikely-markup", MARSH, "**Marsh**", { becomes: "<strong>Marsh</strong>" }],
  "a link of Markdown": [
    "unlikely-markup",
    MARSH,
    "[Marsh](/visit/)",
    { becomes: "<a href='/visit/'>Marsh</a>" },
  ],
  "a character encoded twice": [
    "unlikely-markup",
    "dusk",
    "dusk &amp;amp; dawn",
    { becomes: "dusk &amp; dawn", marked: "&amp;amp;" },
  ],
  "a comment": ["html-comment", "<p>The", "<!-- date? --><p>The", { marked: "<!-- date? -->" }],
  "a sign for less than": ["html-unfinished", "dusk", "dusk <b", { marked: "<b<", byHand: ["write &lt;"] }],
  "a value without its closing mark": [
    "html-unfinished",
    'access/">',
    "access/>",
    {
      marked: '<a href="/visit/access/>dusk</a>.</p>',
      byHand: ["does not end", "close its quotation marks"],
    },
  ],
});
