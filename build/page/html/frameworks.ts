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
