import type { Code } from "../../../build/findings/catalogue/index.ts";
import { slip, type Row } from "../row.ts";
import { WORK } from "../site.ts";

const SOUND = String.raw`"<p>The <em>Marsh</em> at <a href=\"/visit/access/\">dusk</a>.</p>"`;

const inJson = (text: string): string => text.replaceAll('"', String.raw`\"`);

/** A row for `wrong` in place of `right` in the valid text. The hint leads back to `right`, or to `becomes`. */
function fragment(
  did: string,
  [right, wrong, becomes = right]: [right: string, wrong: string, becomes?: string],
  code: Code,
  marked: string,
  says: string[],
  more: Parameters<typeof slip>[6] = {},
): Row {
  const having = (text: string): string => SOUND.replace(inJson(right), () => inJson(text));
  return slip(WORK, did, [SOUND, having(wrong), having(becomes)], code, inJson(marked), says, more);
}

const byHand = { byHand: true } as const;

export const HTML: readonly Row[] = [
  fragment(
    "an element that is not closed",
    ["</em>", ""],
    "html-unclosed",
    "<em>",
    ["<em> is opened here but never closed", "Write </em> where it ends"],
    byHand,
  ),
  fragment("an element closed without its slash", ["</em>", "<em>"], "html-unclosed", "<em>", [
    "<em> is opened a second time here",
    "Write </em> here, with the slash",
  ]),
  fragment(
    "an element closed that is not open",
    [".</p>", ".</strong></p>"],
    "html-stray-close",
    "</strong>",
    ["closes an element that is not open here", "Delete it"],
  ),
  fragment(
    "two elements closed in the wrong order",
    ["<em>Marsh</em>", "<em><strong>Marsh</em></strong>", "<em><strong>Marsh</strong></em>"],
    "html-misnested",
    "</em>",
    ["</em> comes before </strong>", "…</strong></em>"],
  ),
  fragment("a script", [".</p>", ".</p><script>go()</script>"], "html-element", "<script>", [
    "<script> is not allowed",
    "Delete it and everything up to </script>.",
  ]),
  fragment(
    "an embedded film",
    [".</p>", '.</p><iframe src="https://films.example/1"></iframe>'],
    "html-element",
    '<iframe src="https://films.example/1">',
    ["Delete it, and link to what it shows instead"],
    byHand,
  ),
  fragment(
    "an element of old",
    ["<em>Marsh</em>", "<strike>Marsh</strike>", "<s>Marsh</s>"],
    "html-element",
    "<strike>",
    ["Write <s>…</s> instead"],
  ),
  fragment(
    "a heading that is the page's",
    [
      "<p>The <em>Marsh</em> at",
      "<h1>Wet</h1><p>The <em>Marsh</em> at",
      "<h2>Wet</h2><p>The <em>Marsh</em> at",
    ],
    "html-element",
    "<h1>",
    ["Write <h2>…</h2> instead"],
  ),
  fragment(
    "a misspelt element",
    ["<em>Marsh</em>", "<strnog>Marsh</strnog>", "<strong>Marsh</strong>"],
    "html-element",
    "<strnog>",
    ["Did you mean <strong>?", "then </strong>"],
  ),
  fragment("a style", ["<em>", '<em style="color: red">'], "html-inline-style", 'style="color: red"', [
    "the website decides how a text looks",
    'Delete style="…"',
  ]),
  fragment("an attribute of old", ["<p>", '<p align="center">'], "html-attribute", 'align="center"', [
    "Delete the attribute and its value",
  ]),
  fragment("a misspelt attribute", ["href", "hreff"], "html-attribute", 'hreff="/visit/access/"', [
    'Did you mean "href"?',
  ]),
  fragment("something that runs", ["<em>", '<em onclick="go()">'], "html-event-handler", 'onclick="go()"', [
    "would run a script",
    'Delete onclick="…"',
  ]),
  fragment(
    "an attribute given twice",
    ["<a href", '<a href="/art/" href'],
    "html-duplicate-attribute",
    'href="/visit/access/"',
    ["twice", "delete the other"],
    byHand,
  ),
  fragment(
    "a link that runs a script",
    ["/visit/access/", "javascript:go()"],
    "html-link-scheme",
    "javascript:go()",
    ["which is not allowed", "/a/path on this website"],
    byHand,
  ),
  fragment(
    "a link without its slash",
    ["/visit/access/", "visit/access/"],
    "html-link-form",
    "visit/access/",
    ["does not begin with a slash", "Write /visit/access/"],
  ),
  fragment(
    "a link without https",
    ["/visit/access/", "www.example.org/art/", "https://www.example.org/art/"],
    "html-link-form",
    "www.example.org/art/",
    ["Write https://www.example.org/art/"],
  ),
  fragment(
    "a link with a space",
    ["/visit/access/", "/visit/ access/"],
    "html-link-form",
    "/visit/ access/",
    ["contains a space"],
    byHand,
  ),
  fragment("an empty link", ["/visit/access/", ""], "html-link-form", "", ["leads nowhere"], byHand),
  fragment(
    "two slashes",
    ["/visit/access/", "//www.example.org/art/", "https://www.example.org/art/"],
    "html-link-form",
    "//www.example.org/art/",
    ["begins with two slashes", "Write https://www.example.org/art/"],
  ),
  fragment(
    "a link to a page that there is not",
    ["/visit/access/", "/visit/acess/"],
    "dead-link",
    "/visit/acess/",
    ["does not lead to a page of this site", "“/visit/access/”?"],
  ),
  fragment(
    "a link to a page that is nowhere near",
    ["/visit/access/", "/visit/some/where/else/"],
    "dead-link",
    "/visit/some/where/else/",
    ["remove the link"],
    byHand,
  ),
  fragment(
    "a complete link to a page of the own website that there is not",
    ["/visit/access/", "https://www.example.org/visit/acess/", "https://www.example.org/visit/access/"],
    "dead-link",
    "https://www.example.org/visit/acess/",
    ["does not lead to a page of this site", "“https://www.example.org/visit/access/”?"],
  ),
  fragment(
    "a complete link spelt in another way",
    ["/visit/access/", "http://EXAMPLE.org/visit/acess/", "http://EXAMPLE.org/visit/access/"],
    "dead-link",
    "http://EXAMPLE.org/visit/acess/",
    ["“http://EXAMPLE.org/visit/access/”?"],
  ),
  fragment(
    "a link to the own computer",
    ["/visit/access/", "http://localhost:3000/visit/access/"],
    "unlikely-host",
    "http://localhost:3000/visit/access/",
    ["is on localhost", "Write /visit/access/ if it is on this website"],
  ),
  fragment(
    "a link to a name of the own network",
    ["/visit/access/", "http://intranet/visit/access/"],
    "unlikely-host",
    "http://intranet/visit/access/",
    ["is on intranet", "Write /visit/access/ if it is on this website"],
  ),
  fragment(
    "tags of which only the first characters are written as text",
    ["<em>Marsh</em>", "&lt;em>Marsh&lt;/em>"],
    "unlikely-markup",
    "&lt;em>Marsh&lt;/em>",
    ["Write <em>Marsh</em> instead"],
  ),
  fragment(
    "tags written as text",
    ["<em>Marsh</em>", "&lt;em&gt;Marsh&lt;/em&gt;"],
    "unlikely-markup",
    "&lt;em&gt;Marsh&lt;/em&gt;",
    ["readers see as written", "Write <em>Marsh</em> instead"],
  ),
  fragment(
    "Markdown",
    ["<em>Marsh</em>", "**Marsh**", "<strong>Marsh</strong>"],
    "unlikely-markup",
    "**Marsh**",
    ["has Markdown", "Write <strong>Marsh</strong> instead"],
  ),
  fragment(
    "a link of Markdown",
    ["<em>Marsh</em>", "[Marsh](/visit/)", "<a href='/visit/'>Marsh</a>"],
    "unlikely-markup",
    "[Marsh](/visit/)",
    ["Write <a href='/visit/'>Marsh</a> instead"],
  ),
  fragment(
    "a character encoded twice",
    ["dusk", "dusk &amp;amp; dawn", "dusk &amp; dawn"],
    "unlikely-markup",
    "&amp;amp;",
    ["a character encoded twice", "Write &amp; instead"],
  ),
  fragment("a comment", ["<p>The", "<!-- date? --><p>The"], "html-comment", "<!-- date? -->", [
    "Comments",
    "Delete it",
  ]),
  fragment(
    "a tag that does not end",
    [".</p>", ".</p"],
    "html-unfinished",
    "</p",
    ["does not end", 'End it with ">"'],
    byHand,
  ),
  fragment("a sign for less than", ["dusk", "dusk <b"], "html-unfinished", "<b<", ["write &lt;"], byHand),
  fragment(
    "a value without its closing mark",
    ['access/">', "access/>"],
    "html-unfinished",
    '<a href="/visit/access/>dusk</a>.</p>',
    ["does not end", "close its quotation marks"],
    byHand,
  ),
  fragment(
    "a list in a paragraph",
    [".</p>", ".<ul><li>one</li></ul></p>", ".</p><ul><li>one</li></ul>"],
    "html-nesting",
    "<ul>",
    ["is not allowed"],
    byHand,
  ),
];
