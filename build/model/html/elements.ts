/**
 * The rules of an element: its attributes, and the nesting that browsers preserve. The elements are those that an
 * editor would write in a caption or a catalogue entry: paragraphs, emphasis, quotations, lists, headings below the
 * page's own, sections, tables, figures with their images, and what texts in other scripts need (`lang`, `dir`,
 * `ruby`).
 *
 * Not allowed are elements that load, run, embed, ask for input or change how the rest is parsed, and `header`,
 * `footer`, `main` and `nav`, which are parts of the page around a text.
 */
export interface ElementRules {
  attributes: ReadonlySet<string>;
  isVoid: boolean;
  /** The parents that it may have; any if undefined. */
  parents: ReadonlySet<string> | undefined;
  /** The only children that it may have, and then no text; any if undefined. */
  children: ReadonlySet<string> | undefined;
  /** Open elements that a browser closes when it meets this element's opening tag. */
  closes: ReadonlySet<string>;
  /** Whether the browser then closes only that element, and keeps open those that were opened inside it. */
  closesAlone: boolean;
  /** The elements at which the browser stops its search for such open elements. */
  closesWithin: ReadonlySet<string>;
}

const set = (names = ""): ReadonlySet<string> => new Set(names.split(" ").filter((name) => name !== ""));

const CELLS = set("table caption td th");
const BLOCKS = set(
  "article aside blockquote caption dd details dl dt figcaption figure h2 h3 h4 h5 h6 li ol pre section summary table tbody td tfoot th thead tr ul",
);
const TABLE = set("table");
const blocksBut = (...names: string[]): ReadonlySet<string> =>
  new Set([...BLOCKS].filter((b) => !names.includes(b)));

interface ElementRow {
  attributes?: string;
  isVoid?: true;
  parents?: string;
  children?: string;
  closes?: string;
  closesAlone?: true;
  within?: ReadonlySet<string>;
}

const block: ElementRow = { closes: "p" };
const heading: ElementRow = {
  closes: "p h2 h3 h4 h5 h6",
  within: new Set([...blocksBut("h2", "h3", "h4", "h5", "h6"), "address", "div"]),
};
const cell: ElementRow = { parents: "tr", closes: "td th", within: TABLE };

const rowsOf = (names: string, row: ElementRow): Record<string, ElementRow> =>
  Object.fromEntries(names.split(" ").map((name) => [name, row]));

const ROWS: Record<string, ElementRow> = {
  // Phrases.
  ...rowsOf("abbr b bdi bdo cite code dfn em i kbd mark ruby s samp small span strong sub sup u var", {}),
  // `name` marks the target of a link in older texts. On a link, unlike on an image or a form, it does not make
  // browsers create a variable. `download` saves the linked file, which browsers do only for files of the same host.
  a: { attributes: "download href hreflang name rel target", closes: "a", closesAlone: true },
  br: { isVoid: true },
  ...rowsOf("del ins", { attributes: "cite datetime" }),
  img: { isVoid: true, attributes: "src alt width height loading" },
  q: { attributes: "cite" },
  ...rowsOf("rp rt", { parents: "ruby", closes: "rt rp", within: set("ruby") }),
  time: { attributes: "datetime" },
  wbr: { isVoid: true },
  // Blocks. Articles, asides and sections only group their content.
  ...rowsOf("address article aside div dl figure p pre section ul", block),
  blockquote: { ...block, attributes: "cite" },
  // Opens and closes without a script; its event handler (`ontoggle`) is refused like every other.
  details: { ...block, attributes: "name open" },
  figcaption: { ...block, parents: "figure" },
  ...rowsOf("h2 h3 h4 h5 h6", heading),
  hr: { ...block, isVoid: true },
  ol: { ...block, attributes: "start reversed type" },
  summary: { ...block, parents: "details" },
  // Parts of lists.
  ...rowsOf("dd dt", { parents: "dl div", closes: "dd dt", within: blocksBut("dd", "dt") }),
  li: { attributes: "value", parents: "ul ol", closes: "li", within: blocksBut("li") },
  // Tables.
  table: { ...block, children: "caption colgroup thead tbody tfoot tr" },
  caption: { parents: "table", closes: "caption", within: TABLE },
  colgroup: {
    attributes: "span",
    parents: "table",
    children: "col",
    closes: "caption colgroup",
    within: TABLE,
  },
  col: { isVoid: true, attributes: "span", parents: "colgroup" },
  ...rowsOf("tbody tfoot thead", {
    parents: "table",
    children: "tr",
    closes: "caption colgroup thead tbody tfoot tr td th",
    within: TABLE,
  }),
  tr: {
    parents: "table thead tbody tfoot",
    children: "td th",
    closes: "caption colgroup tr td th",
    within: TABLE,
  },
  td: { ...cell, attributes: "colspan rowspan headers" },
  th: { ...cell, attributes: "colspan rowspan headers scope abbr" },
};

/** Sorted, because of two names that are equally near to a misspelt one, the first is suggested. */
const TABLE_OF_ELEMENTS = Object.fromEntries(Object.entries(ROWS).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** What HTML may have too if it is stored as Wagtail stores it: references to pages and files, and headings of the first level. */
const TABLE_OF_RAW_ELEMENTS: Record<string, ElementRow> = {
  a: { ...TABLE_OF_ELEMENTS["a"], attributes: `${TABLE_OF_ELEMENTS["a"]?.attributes} linktype` },
  embed: { isVoid: true, attributes: "embedtype url alt format" },
  h1: { ...heading, closes: `${heading.closes} h1` },
};

const rulesOf = (table: Record<string, ElementRow>): ReadonlyMap<string, ElementRules> =>
  new Map(
    Object.entries(table).map(([name, row]) => [
      name,
      {
        attributes: set(row.attributes),
        isVoid: row.isVoid ?? false,
        parents: row.parents === undefined ? undefined : set(row.parents),
        children: row.children === undefined ? undefined : set(row.children),
        closes: set(row.closes),
        closesAlone: row.closesAlone ?? false,
        closesWithin: row.within ?? CELLS,
      },
    ]),
  );

export const ELEMENTS = rulesOf(TABLE_OF_ELEMENTS);
export const RAW_ELEMENTS = rulesOf({ ...TABLE_OF_ELEMENTS, ...TABLE_OF_RAW_ELEMENTS });

/**
 * `xml:lang` comes from XHTML, and browsers ignore it. `hidden` is allowed because reviewers still see the text in the
 * source and the response, and the website may show it.
 */
const GLOBAL_ATTRIBUTES = set("class dir hidden id lang role title translate xml:lang");

export const isAllowed = (rules: ElementRules, attribute: string): boolean =>
  rules.attributes.has(attribute) ||
  GLOBAL_ATTRIBUTES.has(attribute) ||
  /^(?:data|aria)-[\w.:-]+$/.test(attribute);

export const attributesOf = (rules: ElementRules): string[] => [...rules.attributes, ...GLOBAL_ATTRIBUTES];

export const LINK_ATTRIBUTES = set("href src cite");

/** Not allowed, and never with a closing tag. */
export const OTHER_VOID = set(
  "area base basefont bgsound embed frame image input keygen link meta param source track",
);

/** Not allowed, and their content is not text: one finding is enough for the element and its content. */
export const OPAQUE = set(
  "applet audio canvas frameset iframe map math noembed noframes noscript object plaintext script select style svg template textarea title video xmp",
);

/** The opaque elements that `/>` closes. */
export const FOREIGN = set("math svg");

/**
 * Attributes that well-known frameworks act on wherever they occur: the author of a text could run a script,
 * or send a form in a visitor's name. Others are allowed: they are notes for the website's own scripts.
 */
const FRAMEWORKS: readonly [names: RegExp, framework: string][] = [
  // Values are expressions; those of data-ng-click and data-ng-init are calls. AngularJS treats “-”, “:” and “_” alike.
  [/^data-ng[-:_]/, "AngularJS"],
  // Values are expressions: Knockout and Kendo UI run data-bind; Datastar runs all of these.
  [/^data-bind(?:$|[-:_])/, "Knockout or Datastar"],
  // An event handler in Datastar, and in scripts that copy the browsers' “on…”.
  [/^data-on/, "Datastar"],
  [
    /^data-(?:attr|class|computed|effect|ignore|indicator|init|json-signals|persist|ref|replace-url|show|signals|style|text)(?:$|[-:_])/,
    "Datastar",
  ],
  // Requests to any URL, whose responses are inserted into the page; data-hx-on is an event handler.
  [/^data-(?:hx|ic|sse|ws)-/, "htmx"],
  // Expressions, if a website configures Alpine or Vue to use valid attribute names. A hash is only Vue's mark for
  // scoped styles.
  [/^data-x-/, "Alpine"],
  [/^data-v-(?![\da-f]{8}(?:-s)?$)/, "Vue"],
  // Calls of the page's own controllers, with arguments.
  [/^data-(?:controller|action|reflex)$/, "Stimulus"],
  // Requests in place of a link, with any method, whose responses are inserted into the page.
  [/^data-(?:turbo|turbolinks)(?:$|-)/, "Turbo"],
  [/^data-(?:method|remote)$/, "Rails"],
  [/^data-ajax(?:$|-)/, "ASP.NET"],
  [/^data-phx-/, "Phoenix"],
  // Directives of server-rendered components; their values are expressions.
  [/^data-wp-/, "WordPress"],
  [/^data-amp-bind-/, "AMP"],
  [/^data-rv-/, "Rivets"],
  [/^data-dojo-/, "Dojo"],
  [/^data-win-/, "WinJS"],
  [/^data-mage-init$/, "Magento"],
  // Widgets that open, load or replace parts of the page, some with HTML from another attribute.
  [/^data-(?:bs-|toggle$)/, "Bootstrap"],
  [/^data-uk-/, "UIkit"],
  // Templates that a server runs, if it inserts a text into one.
  [/^data-th-/, "Thymeleaf"],
  [/^data-sly-/, "HTL"],
];

/** @param attribute in lowercase */
export const frameworkOf = (attribute: string): string | undefined =>
  attribute.startsWith("data-") ? FRAMEWORKS.find(([names]) => names.test(attribute))?.[1] : undefined;
