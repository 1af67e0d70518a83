import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { html as catalogue } from "../../build/findings/catalogue/html.ts";
import { hintOf, messageOf, type Finding } from "../../build/findings/finding.ts";
import { checkFragment, linksIn } from "../../build/model/html.ts";
import { ELEMENTS } from "../../build/model/html/elements.ts";
import { readJson } from "../files.ts";

/** Fragments by what they show, each with its findings; and the addresses of links that have a finding, by its code. */
const { fragments, addresses } = readJson(PROGRAM_FOLDER, "test/model/fragments.json") as {
  fragments: Record<string, Record<string, string[]>>;
  addresses: Record<"link-scheme" | "link-form", string[]>;
};

const problemsOf = (html: string) => checkFragment(html).problems;

/** The findings, each as its code and the text that it marks. */
const found = (html: string): string[] =>
  problemsOf(html).map(({ code, start, end }) => `${code.replace("html-", "")} ${html.slice(start, end)}`);

const linked = (href: string): string[] => found(`<a href="${href}">x</a>`);

const how = (html: string) => problemsOf(html).map(({ args }) => ("how" in args ? args.how : args));

describe.each(Object.entries(fragments))("%s", (_, findings) => {
  test.each(Object.entries(findings))("%j", (html, problems) => {
    expect(found(html)).toEqual(problems);
  });
});

describe("elements", () => {
  test("suggests the intended name for an unknown one", () => {
    expect(problemsOf("<storng>x</storng>")[0]?.args).toEqual({ element: "storng", nearest: "strong" });
    expect(problemsOf("<p tilte='x'>x</p>")[0]?.args).toMatchObject({ attribute: "tilte", nearest: "title" });
    expect(problemsOf("<svg></svg>")[0]?.args).toEqual({ element: "svg" });
  });
});

describe("attributes that frameworks execute", () => {
  test.each([
    ["AngularJS", "data-ng-click data-ng:init DATA-NG_INCLUDE"],
    ["Knockout or Datastar", "data-bind data-bind:value"],
    ["htmx", "data-hx-get data-hx-on:click"],
    ["Datastar", "data-on data-onclick data-on-click data-on:load__once data-effect data-attr:href"],
    ["Alpine", "data-x-init data-x-on:click"],
    ["Vue", "data-v-html data-v-on:click"],
    ["Turbo", "data-turbo-method data-turbolinks"],
    ["Stimulus", "data-controller data-action"],
    ["Rails", "data-method data-remote"],
    ["ASP.NET", "data-ajax-success"],
    ["WordPress", "data-wp-on--click"],
    ["Dojo", "data-dojo-props"],
    ["Bootstrap", "data-bs-toggle data-toggle"],
    ["UIkit", "data-uk-tooltip"],
  ])("are instructions to %s: %s", (framework, attributes) => {
    for (const attribute of attributes.split(" "))
      for (const html of [`<a href="/x" ${attribute}="y">x</a>`, `<span ${attribute}>x</span>`])
        expect(problemsOf(html)).toMatchObject([
          { code: "html-framework-attribute", args: { attribute: attribute.toLowerCase(), framework } },
        ]);
  });
});

describe("links", () => {
  test.each(addresses["link-scheme"])("no scheme but http, https, mailto and tel: %j", (href) => {
    expect(linked(href)).toEqual([`link-scheme ${href}`]);
  });

  test.each(addresses["link-form"])(
    "no form but complete, site-relative, or a place on the page: %j",
    (href) => {
      expect(linked(href)).toEqual([`link-form ${href}`]);
    },
  );

  test.each([
    ["https://www.museum.example@evil.example/", "user", "evil.example"],
    ["https://a@b:c@EVIL.example", "user", "evil.example"],
    ["https://www.museum.example。evil.example/", "spelling", "www.museum.example.evil.example"],
    ["https://www.ｍuseum.example/", "spelling", "www.museum.example"],
    ["https://www.muѕeum.example/", "spelling", "www.xn--mueum-i2e.example"],
    ["https://0x7f.1/", "spelling", "127.0.0.1"],
    ["https://museum.example/\u202ea", "characters", undefined],
  ])("%j: the finding shows the misleading part, and the host", (href, problem, host) => {
    expect(problemsOf(`<a href="${href}">x</a>`)[0]?.args).toEqual({
      attribute: "href",
      link: href,
      problem,
      ...(host === undefined ? {} : { host }),
    });
  });

  test("the location is the value's, however it is written", () => {
    expect(found("<a href = 'x'>a</a><a href=y>b</a><a href>c</a><a href=>d</a>")).toEqual([
      "link-form x",
      "link-form y",
      "link-form ",
      "link-form ",
    ]);
    const html = "<a class=c href='javascript:x'>a</a>";
    expect(problemsOf(html)[0]).toMatchObject({
      start: html.indexOf("javascript"),
      args: { scheme: "javascript" },
    });
  });

  test("an image or the source of a quotation is a file on the web", () => {
    expect(
      found('<img src="mailto:a@b.c"><img src="data:image/png;base64,x"><img src="#a"><q cite="tel:1">x</q>'),
    ).toEqual([
      "link-scheme mailto:a@b.c",
      "link-scheme data:image/png;base64,x",
      "link-form #a",
      "link-scheme tel:1",
    ]);
    expect(found("<img src=x onerror=alert(1)>")).toEqual(["link-form x", "event-handler onerror=alert(1)"]);
  });
});

test("explains how an element came to be open", () => {
  expect(how("<b>a")).toEqual(["opened"]);
  expect(how("<b/>a")).toEqual(["slashed"]);
  expect(how("<b>a<b>")).toEqual(["repeated"]);
  expect(how("<b class=x>a<b class=y>")).toEqual(["opened", "opened"]);
  expect(how("<p>a<p>b")).toEqual(["opened", "opened"]);
});

describe("more problems than are listed", () => {
  test.each([
    ["400 stray closing tags", "</b>".repeat(400), 300],
    ["400 unclosed elements", "<p>a".repeat(400), 300],
    ["400 elements", "<blink>a</blink>".repeat(400), 300],
    ["400 misplaced texts", `<table>${"x<tr></tr>".repeat(400)}</table>`, 300],
    ["101 links", '<a href="x">y</a>'.repeat(101), 1],
    ["100 links", '<a href="x">y</a>'.repeat(100), 0],
  ])("%s: the others are counted", (_, html, unlisted) => {
    expect(checkFragment(html)).toMatchObject({ unlisted, isCut: false });
    expect(problemsOf(html)).toHaveLength(100);
  });

  test.each([
    ["stray closing tags", "</b>".repeat(5000)],
    ["unclosed elements", "<p>a".repeat(5000)],
    ["misplaced texts", `<table>${"x<tr></tr>".repeat(5000)}</table>`],
  ])("%s that are not all counted: the finding says so", (_, html) => {
    const { unlisted, isCut } = checkFragment(html);
    expect(isCut).toBe(true);
    expect(unlisted).toBeGreaterThanOrEqual(900);
  });
});

describe("linksIn", () => {
  test("finds the links, decoded, with their locations", () => {
    const html =
      '<p><A HREF="/a?x=1&amp;y">a</A> <a class=x href=/b>b</a> <a href="https://example.org/">c</a></p>';
    const links = [
      ["/a?x=1&y", "/a?x=1&amp;y"],
      ["/b", "/b"],
      ["https://example.org/", "https://example.org/"],
    ];
    expect(linksIn(html).map(({ href, start, end }) => [href, html.slice(start, end)])).toEqual(links);
    expect(checkFragment(html).links).toEqual(linksIn(html));
  });

  test("ignores other elements, attributes and text", () => {
    expect(linksIn('<a name=c>c</a><img src="/d"><a title=" href=/e">e</a> href="/f"')).toEqual([]);
  });
});

const text = fc.stringMatching(/^[a-z &é;,]*$/);
const voids = [...ELEMENTS].filter(([name, rules]) => rules.isVoid && name !== "col").map(([name]) => name);
const phrases = "em strong b i u s sub sup span cite abbr code q small".split(" ");
const attributes = fc.constantFrom(
  "",
  ' class="a b"',
  " lang=de",
  ' data-id="7"',
  " title='a > b'",
  '\n  id="x"',
);

/** Fragments as an editor would write them: blocks of phrases, lists and tables. */
const { fragment } = fc.letrec<{
  phrase: string;
  inline: string;
  item: string;
  block: string;
  fragment: string;
}>((tie) => ({
  phrase: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(...voids.filter((name) => name !== "hr")).map((name) => `<${name}>`),
    fc
      .tuple(fc.constantFrom(...phrases), attributes, tie("inline"))
      .map(([n, a, s]) => `<${n}${a}>${s}</${n}>`),
  ),
  inline: fc.array(tie("phrase"), { maxLength: 3 }).map((parts) => parts.join("")),
  item: tie("inline"),
  block: fc.oneof(
    { maxDepth: 3 },
    fc
      .tuple(fc.constantFrom("p", "h2", "h3", "pre"), attributes, tie("inline"))
      .map(([n, a, s]) => `<${n}${a}>${s}</${n}>`),
    fc
      .array(tie("fragment"), { minLength: 1, maxLength: 3 })
      .map((items) => `<ul>${items.map((i) => `<li>${i}</li>`).join("\n")}</ul>`),
    fc.tuple(tie("item"), tie("fragment")).map(([term, told]) => `<dl><dt>${term}</dt><dd>${told}</dd></dl>`),
    fc
      .tuple(fc.constantFrom("div", "blockquote", "figure"), tie("fragment"))
      .map(([n, s]) => `<${n}>${s}</${n}>`),
    fc
      .array(tie("fragment"), { minLength: 1, maxLength: 3 })
      .map(
        (cells) =>
          `<table><thead><tr>${cells.map((c) => `<td>${c}</td>`).join(" ")}</tr></thead><tbody></tbody></table>`,
      ),
  ),
  fragment: fc.oneof(
    tie("inline"),
    fc.array(tie("block"), { maxLength: 3 }).map((blocks) => blocks.join("\n")),
  ),
}));

describe("properties", () => {
  test("an allowed fragment has no problem", () => {
    fc.assert(
      fc.property(fragment, (html) => {
        expect(found(html)).toEqual([]);
      }),
    );
  });

  test("without one of its closing tags, it has one problem: an element is not closed", () => {
    fc.assert(
      fc.property(fragment, fc.nat(), (html, n) => {
        const closing = [...html.matchAll(/<\/\w+>/g)];
        fc.pre(closing.length > 0);
        const { 0: tag, index } = closing[n % closing.length] as RegExpExecArray;
        const codes = problemsOf(html.slice(0, index) + html.slice(index + tag.length)).map((p) => p.code);
        expect(codes).toEqual(["html-unclosed"]);
      }),
    );
  });

  test("without one of its opening tags, it has a problem", () => {
    fc.assert(
      fc.property(fragment, fc.nat(), (html, n) => {
        const opening = [...html.matchAll(/<(?!img|br|wbr)\w+(?:"[^"]*"|'[^']*'|[^>"'])*>/g)];
        fc.pre(opening.length > 0);
        const { 0: tag, index } = opening[n % opening.length] as RegExpExecArray;
        expect(found(html.slice(0, index) + html.slice(index + tag.length))).not.toEqual([]);
      }),
    );
  });

  const soup = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ..."<>\"'=/!?-& \n".split(""),
          ..."</ <!-- --> <![CDATA[ &# &amp; on href= javascript:".split(" "),
        ),
        fc.constantFrom(
          ...[...ELEMENTS.keys(), "script", "svg", "title"].flatMap((n) => [`<${n}>`, `</${n}>`, `<${n} `]),
        ),
        fc.string({ unit: "binary", maxLength: 5 }),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(""));

  test("any input has findings inside it, in order and with messages, and never throws", () => {
    fc.assert(
      fc.property(soup, (html) => {
        let last = 0;
        for (const problem of problemsOf(html)) {
          const { code, start, end } = problem;
          expect(code in catalogue).toBe(true);
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(html.length).toBeGreaterThanOrEqual(end);
          const finding = { ...problem, place: { file: "a", line: 1, column: 1 } } as Finding;
          expect(messageOf(finding)).toBeTruthy();
          expect(hintOf(finding)).toBeTruthy();
          last = start;
        }
        const { links, problems } = checkFragment(html);
        expect(problems.length === 0 ? links : linksIn(html)).toEqual(linksIn(html));
      }),
      { numRuns: 2000 },
    );
  });

  test("a script, an event handler and a javascript: link are found anywhere in a text", () => {
    const attacks = fc.constantFrom(
      "<script>x</script>",
      "<img src=/x onerror=x>",
      '<a href="javascript:x">x</a>',
      "<svg onload=x>",
    );
    fc.assert(
      fc.property(fragment, attacks, fc.nat(), (html, attack, n) => {
        const gaps = [...html.matchAll(/<(?:"[^"]*"|'[^']*'|[^>"'])*>|$/g)].map((match) => match.index);
        const at = gaps[n % gaps.length] ?? 0;
        expect(problemsOf(html.slice(0, at) + attack + html.slice(at))).not.toEqual([]);
      }),
    );
  });
});

const shown = Object.entries(catalogue).filter(([code]) => code !== "html-nested-too-deep");

test.each(shown)("the example of %s has the finding, and its correction does not", (code, { example }) => {
  expect(problemsOf(example.wrong).map((p) => p.code)).toEqual([code]);
  expect(found(example.right)).toEqual([]);
});
