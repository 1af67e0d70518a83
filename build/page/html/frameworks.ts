/**
 * Attributes that a well-known framework acts on wherever it finds them, also in a text that a website puts into its
 * page: with these an author of texts could run a script, or send a form in a visitor's name, as by an event handler.
 * Every other `data-…` is what the standard has it for, a note for the website's own scripts, and may stand in a text.
 */
const FRAMEWORKS: readonly [names: RegExp, framework: string][] = [
  // Values are expressions, and those of data-ng-click or data-ng-init calls; “-”, “:” and “_” are one to AngularJS.
  [/^data-ng[-:_]/, "AngularJS"],
  // Values are expressions: Knockout and Kendo UI run data-bind; Datastar runs all of these.
  [/^data-bind(?:$|[-:_])/, "Knockout or Datastar"],
  // Whatever begins so is the handler of an event to Datastar, and to scripts that copy the browsers' “on…”.
  [/^data-on/, "Datastar"],
  [
    /^data-(?:attr|class|computed|effect|ignore|indicator|init|json-signals|persist|ref|replace-url|show|signals|style|text)(?:$|[-:_])/,
    "Datastar",
  ],
  // Requests to any address, with what they answer put into the page; data-hx-on is a handler.
  [/^data-(?:hx|ic|sse|ws)-/, "htmx"],
  // Expressions, where a website gives Alpine or Vue valid names. A hash is only Vue's mark of what a style is for.
  [/^data-x-/, "Alpine"],
  [/^data-v-(?![\da-f]{8}(?:-s)?$)/, "Vue"],
  // Calls of the page's own controllers, and what they are told.
  [/^data-(?:controller|action|reflex)$/, "Stimulus"],
  // Requests in place of a link, with any method, and what they answer put into the page.
  [/^data-(?:turbo|turbolinks)(?:$|-)/, "Turbo"],
  [/^data-(?:method|remote)$/, "Rails"],
  [/^data-ajax(?:$|-)/, "ASP.NET"],
  [/^data-phx-/, "Phoenix"],
  // Directives of a page's server-rendered components: their values are expressions.
  [/^data-wp-/, "WordPress"],
  [/^data-amp-bind-/, "AMP"],
  [/^data-rv-/, "Rivets"],
  [/^data-dojo-/, "Dojo"],
  [/^data-win-/, "WinJS"],
  [/^data-mage-init$/, "Magento"],
  // Widgets that open, load or replace parts of the page, some with HTML from another attribute.
  [/^data-(?:bs-|toggle$)/, "Bootstrap"],
  [/^data-uk-/, "UIkit"],
  // Templates that a server runs, where it puts a text into one.
  [/^data-th-/, "Thymeleaf"],
  [/^data-sly-/, "HTL"],
];

/** The framework that would act on an attribute; `attribute` is in small letters. */
export const frameworkOf = (attribute: string): string | undefined =>
  attribute.startsWith("data-") ? FRAMEWORKS.find(([names]) => names.test(attribute))?.[1] : undefined;
