import { entry, warning } from "../entry.ts";

const INSTEAD: Readonly<Record<string, string>> = {
  acronym: "Write <abbr>…</abbr> instead.",
  big: "Write <strong>…</strong> instead, or leave the size to the website.",
  center: "Write <p> or <div> instead, with a class that the website knows.",
  font: "Write <span> instead, with a class that the website knows.",
  h1: "Write <h2>…</h2> instead; the page's title is its only <h1>.",
  strike: "Write <s>…</s> instead.",
  tt: "Write <code>…</code> instead.",
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
  if (EMBEDS.has(element)) return 'Delete it, and link to what it shows instead: <a href="https://…">.';
  if (WITH_CONTENT.has(element)) return `Delete the element, from this tag to </${element}>.`;
  if (nearest !== undefined) return `Did you mean <${nearest}>? Its closing tag is then </${nearest}>.`;
  return "Delete the tag, and its closing tag if it has one. To show the sign <, write &lt;.";
}

const LINK_FORMS =
  "Write https://…, http://…, mailto:…, tel:…, /a/path on this website, or #place or ?query on this page.";

/** Added to a hint if the rest of the text can only be checked once this mistake is corrected. */
const REST = "The rest of the text is checked after that.";

export const html = {
  "html-element": entry<{ element: string; nearest?: string }>({
    message: ({ element }) =>
      `<${element}> is not allowed in a text: only the elements of ordinary prose are.`,
    hint: ({ element, nearest }) => instead(element, nearest),
    facts: { element: "script" },
    example: { wrong: "<script>alert(1)</script>", right: "<p>A text.</p>" },
  }),
  "html-attribute": entry<{ element: string; attribute: string; nearest?: string }>({
    message: ({ element, attribute }) =>
      `The attribute "${attribute}" is not allowed on <${element}> in a text.`,
    hint: ({ nearest }) =>
      nearest === undefined
        ? "Delete the attribute and its value."
        : `Did you mean "${nearest}"? Otherwise, delete it.`,
    facts: { element: "p", attribute: "align" },
    example: { wrong: '<p align="center">Marsh</p>', right: "<p>Marsh</p>" },
  }),
  "html-event-handler": entry({
    message: ({ element, attribute }) =>
      `"${attribute}" on <${element}> would run a script, which is not allowed in a text.`,
    hint: ({ attribute }) => `Delete ${attribute}="…".`,
    facts: { element: "a", attribute: "onclick" },
    example: { wrong: '<a href="/art" onclick="go()">Art</a>', right: '<a href="/art">Art</a>' },
  }),
  "html-framework-attribute": entry({
    message: ({ element, attribute, framework }) =>
      `"${attribute}" on <${element}> is an instruction to a script (${framework}), which is not allowed in a text.`,
    hint: ({ attribute }) =>
      `Delete ${attribute}="…". If it is only a note for the website, give it another name that begins with data-.`,
    facts: { element: "span", attribute: "data-ng-click", framework: "AngularJS" },
    example: {
      wrong: '<span data-ng-click="go()">Art</span>',
      right: '<span data-artist-id="558">Art</span>',
    },
  }),
  "html-inline-style": entry({
    message: ({ element }) => `<${element}> has its own style, but the website decides how a text looks.`,
    hint: 'Delete style="…". For emphasis, write <em> or <strong>, or use a class that the website knows.',
    facts: { element: "span" },
    example: { wrong: '<span style="color: red">Marsh</span>', right: "<em>Marsh</em>" },
  }),
  "html-duplicate-attribute": entry({
    message: ({ element, attribute }) =>
      `<${element}> has the attribute "${attribute}" twice, but browsers ignore the second.`,
    hint: "Keep the correct one and delete the other.",
    facts: { element: "a", attribute: "href" },
    example: { wrong: '<a href="/art" href="/visit">Art</a>', right: '<a href="/art">Art</a>' },
  }),
  "html-link-scheme": entry({
    message: ({ attribute, scheme }) =>
      `The ${attribute} begins with "${scheme}:", which is not allowed in a text.`,
    hint: ({ attribute }) =>
      attribute === "href" ? LINK_FORMS : "Write https://…, http://…, or /a/path on this website.",
    facts: { attribute: "href", scheme: "javascript" },
    example: { wrong: '<a href="javascript:go()">Art</a>', right: '<a href="/art">Art</a>' },
  }),
  "html-link-form": entry<{ attribute: string; link: string; problem: LinkProblem; host?: string }>({
    message: ({ attribute, link, problem, host = "" }) => {
      const { says }: LinkWords = LINK_PROBLEMS[problem];
      const what = problem === "spelling" ? `host in the ${attribute}` : attribute;
      const subject = link === "" ? `The ${what} is empty, so it` : `The ${what} "${link}"`;
      return `${subject} ${typeof says === "string" ? says : says(host)}`;
    },
    hint: ({ problem, link }) => {
      const { hint }: LinkWords = LINK_PROBLEMS[problem];
      // A long link is shown in part, so the hint cannot repeat it.
      return typeof hint === "string" ? hint : hint(link.includes("…") ? "https://…" : link);
    },
    facts: { attribute: "href", link: "art/artworks", problem: "relative" },
    example: { wrong: '<a href="art/artworks">Works</a>', right: '<a href="/art/artworks">Works</a>' },
  }),
  "html-unclosed": entry<{ element: string; how: "opened" | "slashed" | "repeated" }>({
    message: ({ element, how }) => UNCLOSED[how].message(element),
    hint: ({ element, how }) => UNCLOSED[how].hint(element),
    facts: { element: "em", how: "opened" },
    example: { wrong: "<p>The <em>Marsh</p>", right: "<p>The <em>Marsh</em></p>" },
  }),
  "html-stray-close": entry({
    message: ({ element, isVoid }) =>
      isVoid
        ? `</${element}> is not allowed: <${element}> has no content, so it has no closing tag.`
        : `</${element}> closes an element that is not open here.`,
    hint: ({ element, isVoid }) =>
      isVoid
        ? `Delete it, or write <${element}> if that is meant.`
        : "Delete it, or add the opening tag that is missing.",
    facts: { element: "em", isVoid: false },
    example: { wrong: "<p>The Marsh</em></p>", right: "<p>The <em>Marsh</em></p>" },
  }),
  "html-misnested": entry({
    message: ({ outer, inner }) =>
      `</${outer}> comes before </${inner}>, but <${inner}> was opened inside <${outer}>.`,
    hint: ({ outer, inner }) => `Close the element that was opened last first: …</${inner}></${outer}>.`,
    facts: { outer: "b", inner: "i" },
    example: { wrong: "<b><i>Marsh</b></i>", right: "<b><i>Marsh</i></b>" },
  }),
  "html-nesting": entry({
    message: ({ what, where }) =>
      `${what} is not allowed ${where}: browsers would move it, or close the element around it.`,
    hint: ({ what }) => NESTING[what] ?? "Put it before or after that element, or close that element first.",
    facts: { what: "<ul>", where: "in <p>" },
    example: { wrong: "<p>Two: <ul><li>one</li></ul></p>", right: "<p>Two:</p><ul><li>one</li></ul>" },
  }),
  "html-nested-too-deep": entry({
    message: ({ limit }) =>
      `Elements are nested more than ${limit} levels deep here, which browsers do not keep.`,
    hint: `No text needs this: look for elements that were never closed. ${REST}`,
    facts: { limit: 100 },
    example: { wrong: "<div><div><div>…", right: "<div>…</div>" },
  }),
  "html-unfinished": entry({
    message: ({ found }) => `A tag begins here but does not end: ${found}`,
    hint: `End it with ">" (and close its quotation marks). To show the sign <, write &lt;. ${REST}`,
    facts: { found: "</p" },
    example: { wrong: "<p>The Marsh</p", right: "<p>The Marsh</p>" },
  }),
  "html-quotes": entry({
    message: ({ element, found }) => `The quotation marks in this <${element}> do not match, near: ${found}`,
    hint: `Write name="value", with straight quotation marks; inside a value, write " as &quot; and < as &lt;. ${REST}`,
    facts: { element: "a", found: '"/art>Art</a> <a href="' },
    example: {
      wrong: '<a href="/art>Art</a> <a href="/visit">Visit</a>',
      right: '<a href="/art">Art</a> <a href="/visit">Visit</a>',
    },
  }),
  "html-comment": entry({
    message: ({ found }) =>
      `Comments and declarations are not allowed, as they would be published with the text: ${found}`,
    hint: 'Delete it up to its end (for a comment, "-->").',
    facts: { found: "<!-- check the date -->" },
    example: { wrong: "<p>Marsh</p><!-- check the date -->", right: "<p>Marsh</p>" },
  }),
  "unlikely-markup": warning<{ kind: string; found: string; write?: string }>({
    message: ({ kind, found }) => `The text has ${kind}, which readers see as written: ${found}`,
    hint: ({ write }) =>
      write === undefined || write.length > MAX_WRITE
        ? "Write it as HTML, such as <em>…</em>, or put it into <code>…</code> if readers should see it like this."
        : `Write ${write} instead, or put it into <code>…</code> if readers should see it like this.`,
    facts: {
      kind: "tags written as text",
      found: "&lt;em&gt;Marsh&lt;/em&gt;",
      write: "<em>Marsh</em>",
    },
    example: { wrong: "<p>&lt;em&gt;Marsh&lt;/em&gt;</p>", right: "<p><em>Marsh</em></p>" },
  }),
};

/** Maximum length, in UTF-16 units, of a text that a hint suggests: people do not type longer ones from a hint. */
const MAX_WRITE = 100;

const UNCLOSED = {
  opened: {
    message: (element: string) => `<${element}> is opened here but never closed.`,
    hint: (element: string) => `Write </${element}> at the end of the element.`,
  },
  slashed: {
    message: (element: string) =>
      `<${element}/> opens an element but does not close it: browsers ignore the slash.`,
    hint: (element: string) =>
      `Write </${element}> at the end of the element, or delete the tag if the element is empty.`,
  },
  repeated: {
    message: (element: string) =>
      `<${element}> is opened a second time here, and neither of the two is closed.`,
    hint: (element: string) => `Write </${element}> here, with the slash, if the first one should end here.`,
  },
};

const NESTING: Readonly<Record<string, string>> = {
  "<summary>": "Put it directly inside <details>.",
  "<li>": "Put it directly inside <ul> or <ol>.",
  "<dt>": "Put it directly inside <dl>.",
  "<dd>": "Put it directly inside <dl>.",
  "<td>": "Put it directly inside <tr>.",
  "<th>": "Put it directly inside <tr>.",
  Text: "Put it in a cell (<td> or <th>), or in the <caption> of the table.",
};

interface LinkWords {
  /** Completes a sentence that begins with the link. */
  says: string | ((host: string) => string);
  hint: string | ((link: string) => string);
}

export const LINK_PROBLEMS = {
  empty: {
    says: "leads nowhere.",
    hint: `${LINK_FORMS} Or remove the link and keep its text.`,
  },
  relative: {
    says: "does not begin with a slash, so it would lead to a different address from every page.",
    hint: (link) =>
      /^(?:www\.|[\w-]+(?:\.[\w-]+)+\/)/.test(link)
        ? `Write https://${link} if it is another website.`
        : /^\w[^\s.:]*$/.test(link)
          ? `Write /${link} if that is its path on this website, or a complete address with https://.`
          : "Write the whole path on this website, beginning with one slash, or a complete address with https://.",
  },
  "two-slashes": {
    says: "begins with two slashes, so it would lead to another website.",
    hint: (link) =>
      link.startsWith("//")
        ? `Write https:${link} if it is another website, or one slash before a path on this one.`
        : "Write https:// before the address of another website, or one slash before a path on this one.",
  },
  characters: {
    says: "contains a space, a backslash or an invisible character.",
    hint: "Delete it; inside an address, write a space as %20 and a slash as /.",
  },
  incomplete: {
    says: "is not a complete address.",
    hint: "Write https:// and then the name of the website, for example https://www.example.org/visit",
  },
  user: {
    says: (host) => `leads to ${host}: everything before the "@" is only a user name.`,
    hint: 'Delete the user name and the "@", and check that the link leads to the right website.',
  },
  spelling: {
    says: (host) => `can be mistaken for another: browsers read it as ${host}.`,
    hint: "Check that this is the right website, and then write its host as browsers read it.",
  },
  page: {
    says: "is not the id of a page.",
    hint: "Write the id of a page of this site, in digits, or a link with an href.",
  },
  mailbox: {
    says: "has letters in its e-mail address that can be mistaken for others.",
    hint: "Write the e-mail address in plain letters (a to z), and a host in another script as xn--….",
  },
} satisfies Record<string, LinkWords>;

export type LinkProblem = keyof typeof LINK_PROBLEMS;
