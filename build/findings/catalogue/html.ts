import { entry } from "../entry.ts";

const INSTEAD: Readonly<Record<string, string>> = {
  acronym: "Write <abbr> instead.",
  big: "Write <strong> instead, or leave the size to the website.",
  center: "Write <p> or <div> instead, with a class that the website knows.",
  font: "Write <span> instead, with a class that the website knows.",
  h1: "Write <h2> instead; the page's title is its only <h1>.",
  strike: "Write <s> instead.",
  tt: "Write <code> instead.",
};

const EMBEDS = new Set(["audio", "embed", "frame", "frameset", "iframe", "object", "video"]);

const WITH_CONTENT = new Set(
  "button form math noscript script select style svg template textarea title xmp".split(" "),
);

const PAGE_PARTS = new Set(["footer", "header", "main", "nav"]);

function instead(element: string, nearest: string | undefined): string {
  const hint = INSTEAD[element];
  if (hint !== undefined) return hint;
  if (PAGE_PARTS.has(element)) return "Write <section> or <div> instead.";
  if (EMBEDS.has(element)) return 'Delete it; link to what it shows with <a href="https://…"> instead.';
  if (WITH_CONTENT.has(element)) return `Delete it, and everything up to </${element}>.`;
  if (nearest !== undefined) return `Did you mean <${nearest}>?`;
  return "Delete the tag, and its closing tag where it has one; write < as &lt; where it is meant as a sign.";
}

const LINK_FORMS =
  "Write https://…, http://…, mailto:…, tel:…, /a/path on this website, or #place or ?query on this page.";

/** Of what makes the rest of a text impossible to tell apart. */
const REST = "The text after it is checked once this is mended.";

/** What can be wrong with an HTML fragment in a field. */
export const html = {
  "html-element": entry<{ element: string; nearest?: string }>({
    severity: "error",
    message: ({ element }) =>
      `<${element}> is not allowed in a text: only the elements of ordinary prose are.`,
    hint: ({ element, nearest }) => instead(element, nearest),
    example: { wrong: "<script>alert(1)</script>", right: "<p>A text.</p>" },
  }),
  "html-attribute": entry<{ element: string; attribute: string; nearest?: string }>({
    severity: "error",
    message: ({ element, attribute }) => `<${element}> cannot have the attribute "${attribute}" in a text.`,
    hint: ({ nearest }) =>
      nearest === undefined
        ? "Delete the attribute and its value."
        : `Did you mean "${nearest}"? If not, delete it.`,
    example: { wrong: '<p align="center">Marsh</p>', right: "<p>Marsh</p>" },
  }),
  "html-event-handler": entry<{ element: string; attribute: string }>({
    severity: "error",
    message: ({ element, attribute }) =>
      `"${attribute}" on <${element}> would run a script, and texts have no scripts.`,
    hint: ({ attribute }) => `Delete ${attribute}="…".`,
    example: { wrong: '<a href="/art" onclick="go()">Art</a>', right: '<a href="/art">Art</a>' },
  }),
  "html-framework-attribute": entry<{ element: string; attribute: string; framework: string }>({
    severity: "error",
    message: ({ element, attribute, framework }) =>
      `"${attribute}" on <${element}> is an instruction to a program (${framework}), and texts run no programs.`,
    hint: ({ attribute }) =>
      `Delete ${attribute}="…"; if it is only a note for the website, give it another name that begins with data-.`,
    example: {
      wrong: '<span data-ng-click="go()">Art</span>',
      right: '<span data-artist-id="558">Art</span>',
    },
  }),
  "html-inline-style": entry<{ element: string }>({
    severity: "error",
    message: ({ element }) => `<${element}> has a style of its own; how a text looks is the website's.`,
    hint: () =>
      'Delete style="…"; for emphasis write <em> or <strong>, or give a class that the website knows.',
    example: { wrong: '<span style="color: red">Marsh</span>', right: "<em>Marsh</em>" },
  }),
  "html-duplicate-attribute": entry<{ element: string; attribute: string }>({
    severity: "error",
    message: ({ element, attribute }) =>
      `<${element}> has the attribute "${attribute}" twice; browsers ignore the second.`,
    hint: () => "Keep the one that is right and delete the other.",
    example: { wrong: '<a href="/art" href="/visit">Art</a>', right: '<a href="/art">Art</a>' },
  }),
  "html-link-scheme": entry<{ attribute: string; scheme: string }>({
    severity: "error",
    message: ({ attribute, scheme }) =>
      `The ${attribute} begins with "${scheme}:", and a text cannot have such links.`,
    hint: ({ attribute }) =>
      attribute === "href" ? LINK_FORMS : "Write https://…, http://…, or /a/path on this website.",
    example: { wrong: '<a href="javascript:go()">Art</a>', right: '<a href="/art">Art</a>' },
  }),
  "html-link-form": entry<{ attribute: string; link: string; problem: LinkProblem; host?: string }>({
    severity: "error",
    message: ({ attribute, link, problem, host }) => LINK_PROBLEMS[problem].message(attribute, link, host),
    hint: ({ problem }) => LINK_PROBLEMS[problem].hint,
    example: { wrong: '<a href="art/artworks">Works</a>', right: '<a href="/art/artworks">Works</a>' },
  }),
  "html-unclosed": entry<{ element: string; how: "opened" | "slashed" | "repeated" }>({
    severity: "error",
    message: ({ element, how }) => UNCLOSED[how].message(element),
    hint: ({ element, how }) => UNCLOSED[how].hint(element),
    example: { wrong: "<p>The <em>Marsh</p>", right: "<p>The <em>Marsh</em></p>" },
  }),
  "html-stray-close": entry<{ element: string; isVoid: boolean }>({
    severity: "error",
    message: ({ element, isVoid }) =>
      isVoid
        ? `</${element}> cannot be: <${element}> has no content, and so no closing tag.`
        : `</${element}> closes what is not open here.`,
    hint: ({ element, isVoid }) =>
      isVoid
        ? `Delete it, or write <${element}> where one is meant.`
        : "Delete it, or write the opening tag where it is missing.",
    example: { wrong: "<p>The Marsh</em></p>", right: "<p>The <em>Marsh</em></p>" },
  }),
  "html-misnested": entry<{ outer: string; inner: string }>({
    severity: "error",
    message: ({ outer, inner }) =>
      `</${outer}> stands before </${inner}>, but <${inner}> was opened inside <${outer}>.`,
    hint: ({ outer, inner }) => `Close what was opened last first: …</${inner}></${outer}>.`,
    example: { wrong: "<b><i>Marsh</b></i>", right: "<b><i>Marsh</i></b>" },
  }),
  "html-nesting": entry<{ what: string; where: string }>({
    severity: "error",
    message: ({ what, where }) =>
      `${what} cannot stand ${where}; browsers would move it or close what it stands in.`,
    hint: ({ what }) =>
      NESTING[what] ?? "Put it before or after, or close the element that it stands in first.",
    example: { wrong: "<p>Two: <ul><li>one</li></ul></p>", right: "<p>Two:</p><ul><li>one</li></ul>" },
  }),
  "html-nested-too-deep": entry<{ limit: number }>({
    severity: "error",
    message: ({ limit }) => `Elements are nested more than ${limit} deep here, which browsers do not keep.`,
    hint: () => `No text needs this; look for elements that were never closed. ${REST}`,
    example: { wrong: "<div><div><div>…", right: "<div>…</div>" },
  }),
  "html-unfinished": entry<{ found: string }>({
    severity: "error",
    message: ({ found }) => `A tag begins here and is not finished: ${found}`,
    hint: () =>
      `Finish it with ">" (and close its quotation marks); write "<" as &lt; where it is meant as a sign. ${REST}`,
    example: { wrong: "<p>The Marsh</p", right: "<p>The Marsh</p>" },
  }),
  "html-quotes": entry<{ element: string; found: string }>({
    severity: "error",
    message: ({ element, found }) => `The quotation marks in this <${element}> do not match, near: ${found}`,
    hint: () =>
      `Write every attribute as name="value" with straight quotation marks; inside a value write " as &quot; and < as &lt;. ${REST}`,
    example: {
      wrong: '<a href="/art>Art</a> <a href="/visit">Visit</a>',
      right: '<a href="/art">Art</a> <a href="/visit">Visit</a>',
    },
  }),
  "html-comment": entry<{ found: string }>({
    severity: "error",
    message: ({ found }) =>
      `Comments and declarations would be published with the text, and cannot be in it: ${found}`,
    hint: () => 'Delete it to its end (of a comment, "-->").',
    example: { wrong: "<p>Marsh</p><!-- check the date -->", right: "<p>Marsh</p>" },
  }),
};

const UNCLOSED = {
  opened: {
    message: (element: string) => `<${element}> is opened here and never closed.`,
    hint: (element: string) => `Write </${element}> where it ends.`,
  },
  slashed: {
    message: (element: string) =>
      `<${element}/> opens an element and does not close it: browsers ignore the slash here.`,
    hint: (element: string) => `Write </${element}> where it ends, or delete it where it holds nothing.`,
  },
  repeated: {
    message: (element: string) =>
      `<${element}> is opened a second time here, and neither of the two is closed.`,
    hint: (element: string) => `Write </${element}> here, with the slash, where the first is to end.`,
  },
};

const NESTING: Readonly<Record<string, string>> = {
  "<summary>": "Put it directly into <details>.",
  "<li>": "Put it directly into <ul> or <ol>.",
  "<dt>": "Put it directly into <dl>.",
  "<dd>": "Put it directly into <dl>.",
  "<td>": "Put it directly into <tr>.",
  "<th>": "Put it directly into <tr>.",
  Text: "Put it into a cell, <td> or <th>, or into the table's <caption>.",
};

export type LinkProblem =
  | "empty"
  | "relative"
  | "two-slashes"
  | "characters"
  | "incomplete"
  | "user"
  | "spelling"
  | "mailbox";

const LINK_PROBLEMS: Record<
  LinkProblem,
  { message: (attribute: string, link: string, host?: string) => string; hint: string }
> = {
  empty: {
    message: (attribute, link) =>
      `The ${attribute} ${link === "" ? "is empty, and" : `"${link}"`} leads nowhere.`,
    hint: `${LINK_FORMS} Or delete the link and keep its text.`,
  },
  relative: {
    message: (attribute, link) =>
      `The ${attribute} "${link}" has no slash at its beginning: it would lead elsewhere from every page.`,
    hint: "Write the whole path on this website, beginning with one slash, or a complete address with https://.",
  },
  "two-slashes": {
    message: (attribute, link) =>
      `The ${attribute} "${link}" begins with two slashes: it would lead to another website.`,
    hint: "Write https:// before another website's address, or one slash before a path on this one.",
  },
  characters: {
    message: (attribute, link) =>
      `The ${attribute} "${link}" has a space, a backslash or an invisible character in it.`,
    hint: "Delete it; write a space inside an address as %20, and a slash as /.",
  },
  incomplete: {
    message: (attribute, link) => `The ${attribute} "${link}" is not a complete address.`,
    hint: "Write https:// and then the website's name, like https://www.example.org/visit",
  },
  user: {
    message: (attribute, link, host = "") =>
      `The ${attribute} "${link}" leads to ${host}: everything before the "@" is only a user name.`,
    hint: 'Delete the user name and the "@", and check that the link leads to the right website.',
  },
  spelling: {
    message: (attribute, link, host = "") =>
      `The host in the ${attribute} "${link}" can be mistaken for another: browsers read it as ${host}.`,
    hint: "Check that this is the right website, and then write its host as browsers read it.",
  },
  mailbox: {
    message: (attribute, link) =>
      `The ${attribute} "${link}" has letters in its e-mail address that can be mistaken for others.`,
    hint: "Write the e-mail address in plain letters (a to z); write the host of one in another script as xn--….",
  },
};
