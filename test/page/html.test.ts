import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { html as catalogue } from "../../build/findings/catalogue/html.ts";
import { hintOf, messageOf, type Finding } from "../../build/findings/finding.ts";
import { checkFragment, linksIn } from "../../build/page/html.ts";
import { ELEMENTS } from "../../build/page/html/elements.ts";

const problemsOf = (html: string) => checkFragment(html).problems;

/** The findings, each as its code and the text that it marks. */
const found = (html: string): string[] =>
  problemsOf(html).map(({ code, start, end }) => `${code.replace("html-", "")} ${html.slice(start, end)}`);

const linked = (href: string): string[] => found(`<a href="${href}">x</a>`);

const how = (html: string): unknown[] =>
  problemsOf(html).map(({ args }) => ("how" in args ? args.how : args));

describe("allowed HTML", () => {
  test.each([
    "",
    "Plain text, with a line\nbreak",
    "Smith & Sons; AT&T; a &b; &amp; &eacute; &#233; &nonsense;",
    "1 < 2, 3 <4, <- and <3, <<, <é>, 2 > 1",
    "<p>One<br>two<br/>three<br />four<wbr>five</p><hr>",
    '<a href="/art/artworks/a-b_c?x=1&amp;y=2&z=3#top">x</a>',
    '<a href="https://www.example.org/">x</a><a href="HTTP://example.org:8080/a?b#c" rel="external" target="_blank">y</a>',
    '<a href="mailto:a@example.org">m</a><a href="tel:+44-20">t</a><a href="#note-1">1</a><a href="#">top</a>',
    "<a id='note-1' class=note lang=de dir=ltr title='a > b'>x</a>",
    '<span data-artist-id="7" data-x.y:z aria-label="7" role="note">x</span>',
    '<q cite="https://example.org/q">x</q><blockquote cite="/q"><p>x</p></blockquote>',
    "<P>Upper <EM>Case</Em></p>",
    "<h2>a</h2><h3>b</h3><h4>c</h4><h5>d</h5><h6>e</h6><pre><code>x</code></pre>",
    "<ul>\n<li>a <ul><li>b</li></ul></li>\n<li><p>c</p></li></ul><ol start=3 reversed><li value=9>a</li></ol>",
    "<dl><dt>a</dt><dd>b</dd><div><dt>c</dt><dd>d</dd></div></dl>",
    '<figure><img src="/a.jpg" alt="A &quot;marsh&quot;" width="3" height="4"><figcaption>x</figcaption></figure>',
    '<table> <caption>x</caption> <colgroup><col><col span="2"></colgroup> <thead><tr><th scope="col">a</th></tr></thead> <tbody><tr><td colspan="2">b</td></tr></tbody></table>',
    "<table><tr><td><p>x</p><table><tr><td>y</td></tr></table></td></tr></table>",
    "<ruby>北<rp>(</rp><rt>ほく</rt><rp>)</rp></ruby> <bdo dir=rtl>x</bdo> <time datetime=1819>1819</time>",
    "<b><p>a phrase around a paragraph</p></b><a href=/x><div>x</div></a>",
    '<p title="a < b">x</p>',
    '<p title="a <b> c">x</p>',
    "<p title='1 <2, <é>, <3 and <br'>x</p>",
    "<section><h2>a</h2><p>b</p></section><article><p>c</p></article><aside>d</aside>",
    '<details open name="x"><summary>a</summary><p>b</p><ul><li>c</li></ul></details>',
    "<ul><li><section><ul><li>a</li></ul></section></li></ul>",
    '<a name="note-1">x</a><a href="?page=2">2</a><a href="?page=2#top">2</a><a href="?">x</a>',
    '<a href="tel:+44 20 7887">x</a><a href="tel:(020) 7887-8888">x</a>',
    '<a href="/a.pdf" download>x</a><a href="/a.pdf" download="marsh.pdf">x</a>',
    '<p hidden>x</p><span xml:lang="de" lang="de">x</span>',
    '<a href="https://www.münchen.example/straße">x</a><a href="https://ŁÓDŹ.example">y</a>',
    '<a href="https://xn--mnchen-3ya.example/">x</a><a href="https://[2001:db8::1]:8080/">y</a>',
    '<a href="https://example.org/@user?a@b#c@d">x</a><a href="/@user">y</a><a href="/é">z</a>',
    '<span data-artist-id="7" data-gtm-name="a" data-role="b" data-id data-title="c" data-v-7ba5bd90>x</span>',
    '<span data-next="a" data-bindery="b" data-actions="c" data-texture="d" data-method-of-print="e">x</span>',
    "&lt;script&gt;alert(1)&lt;/script&gt;",
  ])("%j", (html) => {
    expect(found(html)).toEqual([]);
  });
});

describe("elements", () => {
  test.each([
    ["<script>if (a < b) document.write('<p>')</script>", ["element <script>"]],
    ["<SCRIPT src=//x></SCRIPT >", ["element <SCRIPT src=//x>"]],
    ["<style>p { color: red }</style>", ["element <style>"]],
    ["<p><iframe src='https://example.org'></iframe></p>", ["element <iframe src='https://example.org'>"]],
    [
      "<form action=/x><input name=a><button>b</button></form>",
      ["element <form action=/x>", "element <input name=a>", "element <button>"],
    ],
    ["<object data=x><param name=y></object>", ["element <object data=x>"]],
    [
      "<embed src=x></embed><link rel=x><meta name=x><base href=/>",
      ["element <embed src=x>", "element <link rel=x>", "element <meta name=x>", "element <base href=/>"],
    ],
    [
      "<svg onload=alert(1)><path d=x /><svg></svg><script>x</script></svg><p>x</p>",
      ["element <svg onload=alert(1)>"],
    ],
    ["<svg/><p>x", ["element <svg/>", "unclosed <p>"]],
    ["<math><mi><b></math>", ["element <math>"]],
    ["<template><p></template>", ["element <template>"]],
    ["<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>", ["element <noscript>"]],
    ["<title><img src=x onerror=alert(1)></title>", ["element <title>"]],
    ["<textarea></p></textarea><xmp><b></xmp>", ["element <textarea>", "element <xmp>"]],
    ["a<plaintext><b>x", ["element <plaintext>"]],
    ["<h1>x</h1>", ["element <h1>"]],
    ["<font color=red onclick=x>x</font>", ["element <font color=red onclick=x>"]],
    ["<main><nav>x</nav></main>", ["element <main>", "element <nav>"]],
    ["<center><p>x</center>", ["element <center>", "unclosed <p>"]],
    ["<menu><li>x</li></menu>", ["element <menu>"]],
    ["<my-element>x", ["element <my-element>"]],
    ["<constructor>x</constructor><__proto__>", ["element <constructor>"]],
    ["<image src=/x>", ["element <image src=/x>"]],
    ["<p\u0000>x</p\u0000>", ["element <p\u0000>"]],
    ["<p/onclick=x>x</p>", ["event-handler onclick=x"]],
  ])("%j", (html, problems) => {
    expect(found(html)).toEqual(problems);
  });

  test("suggests the intended name for an unknown one", () => {
    expect(problemsOf("<storng>x</storng>")[0]?.args).toEqual({ element: "storng", nearest: "strong" });
    expect(problemsOf("<p tilte='x'>x</p>")[0]?.args).toMatchObject({
      attribute: "tilte",
      nearest: "title",
    });
    expect(problemsOf("<svg></svg>")[0]?.args).toEqual({ element: "svg" });
  });
});

describe("attributes", () => {
  test.each([
    ['<p onclick="x">a</p>', ['event-handler onclick="x"']],
    ["<p OnMouseOver = 'x' >a</p>", ["event-handler OnMouseOver = 'x'"]],
    ["<br onload>", ["event-handler onload"]],
    ["<p\nonclick=x>a</p>", ["event-handler onclick=x"]],
    ['<p style="color: red">a</p>', ['inline-style style="color: red"']],
    ["<p align=center>a</p>", ["attribute align=center"]],
    ["<p href=/x>a</p>", ["attribute href=/x"]],
    ['<img src="/a" srcset="//x 2x">', ['attribute srcset="//x 2x"']],
    ["<a xlink:href='javascript:x'>a</a>", ["attribute xlink:href='javascript:x'"]],
    ["<p constructor toString>a</p>", ["attribute constructor", "attribute toString"]],
    ["<p class=a CLASS=b>a</p>", ["duplicate-attribute CLASS=b"]],
    ["<a href='/a' href='javascript:x'>a</a>", ["duplicate-attribute href='javascript:x'"]],
    ["<p once one on>a</p>", ["event-handler once", "event-handler one", "attribute on"]],
    ["<p data->a</p>", ["attribute data-"]],
  ])("%j", (html, problems) => {
    expect(found(html)).toEqual(problems);
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
  test.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " javascript:alert(1)",
    "\u0001javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript\r:alert(1)",
    "java&Tab;script:alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A;avascript&#58;alert(1)",
    "&#0000106avascript:alert(1)",
    "javascript&colon;alert(1)",
    "&NewLine;javascript:alert(1)",
    "vbscript:x",
    "data:text/html,x",
    "file:///etc/passwd",
    "ftp://example.org",
    "blob:https://example.org",
    "javascript://example.org/%0aalert(1)",
    "localhost:3000",
  ])("no scheme but http, https, mailto and tel: %j", (href) => {
    expect(linked(href)).toEqual([`link-scheme ${href}`]);
  });

  test.each([
    "",
    "art/artworks",
    "../art",
    "www.example.org",
    "java%73cript:alert(1)",
    "//example.org/x",
    "&#47;&sol;example.org",
    "/\\example.org",
    "/&bsol;example.org",
    "\\\\example.org",
    "/\t/example.org",
    "/ /example.org",
    " /art",
    "/art ",
    "/a b",
    "/a\u00a0b",
    "/a\u0000b",
    "https:example.org",
    "https:/example.org",
    "https://",
    "https:///example.org",
    "https:\\\\example.org",
    "http://exa mple.org",
    "https://[::1",
    "mailto:",
    "tel:",
    "tel: ",
    "tel:1\t2",
    "tel:1\u00a02",
    "mailto: ",
    "mailto:info@m\u0443seum.example",
    "https://www.museum.example@evil.example/",
    "https://www.museum.example:443@evil.example/",
    "https://@evil.example/",
    "https://user:password@museum.example",
    "https:&#47;&#47;www.museum.example&commat;evil.example",
    "https://www.muѕeum.example/",
    "https://ορera.example/",
    "https://аррӏе.example",
    "https://www.ｍuseum.example/",
    "https://www.museum.example。evil.example/",
    "https://www.museum.example．evil.example/",
    "https://www.museum.example｡evil.example/",
    "https://www.museum.example&#x3002;evil.example/",
    "https://www.museum.example／evil.example/",
    "https://www.museum.example⁄evil.example/",
    "https://www.museum.example%2eevil.example/",
    "https://%65vil.example/",
    "https://muse\u00adum.example/",
    "https://museum\u200b.example/",
    "https://muſeum.example/",
    "https://mu\u0308nchen.example/",
    "https://museııım.example/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://017700000001/",
    "https://museum.example/\u202egpj.exe",
    "https://museum.example/&#x202e;gpj.exe",
    "https://museum.example/?q=\u2066a",
    "/a\u200bb",
    "/a&ZeroWidthSpace;b",
    "/a\u115fb",
    "/a\u{e0041}b",
    "/a\u2800b",
    "/a\u0085b",
    "?a\u202eb",
    "#a\u200fb",
  ])("no form but complete, site-relative, or a place on the page: %j", (href) => {
    expect(linked(href)).toEqual([`link-form ${href}`]);
  });

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

describe("every opened element is closed", () => {
  test.each([
    ["<p>a", ["unclosed <p>"]],
    ["<p>a <b>b</p>", ["unclosed <b>"]],
    ["<p>a<p>b</p>", ["unclosed <p>"]],
    ["<p>a<ul><li>b</li></ul>", ["unclosed <p>"]],
    ["<ul><li>a<li>b</li></ul>", ["unclosed <li>"]],
    ["<ul><li><p>a<li>b</li></ul>", ["unclosed <li>", "unclosed <p>"]],
    ["<dl><dt>a<dd>b</dd></dl>", ["unclosed <dt>"]],
    ["<table><tr><td>a<td>b</td></tr></table>", ["unclosed <td>"]],
    ["<table><tr><td>a</td><tr><td>b</td></tr></table>", ["unclosed <tr>"]],
    ["<table><thead><tr><th>a</th></tr><tbody></tbody></table>", ["unclosed <thead>"]],
    ["<table><caption>a<tr></tr></table>", ["unclosed <caption>"]],
    ["<table><tr><td>a</td></tr><p>b</p>c", ["unclosed <table>"]],
    ["<span/>a", ["unclosed <span/>"]],
    ["<p>The <b>Marsh<b> at dusk</p>", ["unclosed <b>"]],
    ['<a href="/a">x<a href="/b">y</a>', ['unclosed <a href="/a">']],
    ['<a href="/a">x<ul><li><a href="/b">y</a></li></ul>', ['unclosed <a href="/a">']],
    ["<h2>a<ul><li><h3>b</h3></li></ul>", ["unclosed <h2>"]],
    ["<p>a</b></p>", ["stray-close </b>"]],
    ["a</p >b", ["stray-close </p >"]],
    ["a</br>b</img>", ["stray-close </br>", "stray-close </img>"]],
    ["a</input>", ["stray-close </input>"]],
    ["a</unknown>", ["stray-close </unknown>"]],
    ["<p>a</>b</p></>", ["stray-close </>", "stray-close </>"]],
    ["<b><i>a</b></i>", ["misnested </b>"]],
    ["<b><i><u>a</b></u></i>", ["misnested </b>"]],
    ["<div><p>a</div></p>", ["misnested </div>"]],
    ["<p><ul><li>a</li></ul></p>", ["nesting <ul>"]],
    ["<p><span><div>a</div></span></p>", ["nesting <div>"]],
    ["<p>a<hr>b</p>", ["nesting <hr>"]],
    ["<p>a<p>b</p></p>", ["nesting <p>"]],
    ["<h2>a<h3>b</h3></h2>", ["nesting <h3>"]],
    ['<a href="/a">x<b><a href="/b">y</a></b></a>', ['nesting <a href="/b">']],
    ["<li>a</li><li>b</li>", ["nesting <li>"]],
    ["<li>a</li><li>b</li></ul>", ["nesting <li>"]],
    ["<ul><b><li>a</li></b></ul>", ["nesting <li>"]],
    ["<dd>a</dd>", ["nesting <dd>"]],
    ["<td>a</td>", ["nesting <td>"]],
    ["<table><td>a</td></table>", ["nesting <td>"]],
    ["<table><tr><em>a</em> b</td></tr></table>", ["stray-close </td>"]],
    ["<table>a<tr>b<td>c</td></tr></table>", ["nesting a", "nesting b"]],
    ["<table>&nbsp;<tr><td></td></tr></table>", ["nesting &nbsp;"]],
    ["<table><p>a</p><br><tr><td>b</td></tr></table>", ["nesting <p>", "nesting <br>"]],
    ["<table><tr><td>a</td></tr><script>x</script></table>", ["element <script>"]],
    ["<figcaption>a</figcaption>", ["nesting <figcaption>"]],
    ["<summary>a</summary>", ["nesting <summary>"]],
    ["<details><p><summary>a</summary></details>", ["unclosed <p>"]],
    ["<p>a<section>b</section></p>", ["nesting <section>"]],
    ["<section><p>a</section>", ["unclosed <p>"]],
  ])("%j", (html, problems) => {
    expect(found(html)).toEqual(problems);
  });

  test("explains how an element came to be open", () => {
    expect(how("<b>a")).toEqual(["opened"]);
    expect(how("<b/>a")).toEqual(["slashed"]);
    expect(how("<b>a<b>")).toEqual(["repeated"]);
    expect(how("<b class=x>a<b class=y>")).toEqual(["opened", "opened"]);
    expect(how("<p>a<p>b")).toEqual(["opened", "opened"]);
  });
});

describe("text that is not a tag, or not a complete one", () => {
  test.each([
    ["a <b", ["unfinished <b"]],
    ["a <", ["unfinished <"]],
    ["a </", ["unfinished </"]],
    ["<p>a</p", ["unfinished </p"]],
    ["<p>a</p x>", ["unfinished </p"]],
    ['</p x="><a title=" ><script>alert(1)</script>">x</a>', ["unfinished </p"]],
    ["<p <b>a</b></p>", ["unfinished <p "]],
    ["<p<b>a</b>", ["unfinished <p<b"]],
    ["<p>a</p<b>b</b>", ["unfinished </p<b"]],
    ["a </ p> b", ["unfinished </ p>"]],
    ["I </3 <b>you</b>", ["unfinished </3 <b>"]],
    ["<scr", ["unfinished <scr"]],
    ['<p title="a>b</p>', ['unfinished <p title="a>b</p>']],
    ["<p class", ["unfinished <p class"]],
    ["<p class=a/", ["unfinished <p class=a/"]],
    ['<a href="/x>A</a> and <a href="/y">B</a>', ['quotes href="']],
    ['<a href="/x"">A</a>', ['quotes "']],
    ['<p title="He said "hi"">a</p>', ['quotes hi""']],
    ["<p title='it's'>a</p>", ["quotes s'"]],
    ['<a href=/x">A</a>', ["quotes href="]],
    ["<a href=“/x”>A</a>", ["quotes href="]],
    ["<p =a>b</p>", ["quotes =a"]],
    ["<p title='<img src=x onerror=alert(1)>'>a</p>", ["quotes title='"]],
    ["<p title='</script>'>a</p>", ["quotes title='"]],
    ["<p title='<!-- a'>a</p>", ["quotes title='"]],
    ['<p title="A>A</p> <p class="b">B</p>', ['quotes title="']],
    ['<p title="A> <b class="b">B</b></p>', ['quotes title="']],
    ["a<!-- b -->c<!---->", ["comment <!-- b -->", "comment <!---->"]],
    ["<!--><script>alert(1)</script>-->", ["comment <!-->", "element <script>"]],
    ["<!--[if IE]><script>x</script><![endif]-->", ["comment <!--[if IE]><script>x</script><![endif]-->"]],
    ["a<!-- b --!>c", ["comment <!-- b --!>"]],
    ["a<!-- b", ["comment <!-- b"]],
    ["<!DOCTYPE html>a", ["comment <!DOCTYPE html>"]],
    ["<![CDATA[ a ]]>", ["comment <![CDATA[ a ]]>"]],
    ["<?php a ?>b<!b>", ["comment <?php a ?>", "comment <!b>"]],
    ["<!", ["comment <!"]],
  ])("%j", (html, problems) => {
    expect(found(html)).toEqual(problems);
  });
});

describe("hostile sizes", () => {
  const many = 200_000;

  test.each([
    ["nested elements", "<div>".repeat(many), 1],
    ["unclosed paragraphs", "<p>".repeat(many), 100],
    ["stray closing tags", "</b>".repeat(many), 100],
    ["wrong orders", "<b><i></b></i>".repeat(many), 100],
    ["attributes", `<p ${"a ".repeat(many)}>`, 1],
    ["forbidden elements", "<blink>".repeat(many), 100],
    ["comments", "<!---->".repeat(many), 100],
    ["open comments", "<!--".repeat(many), 1],
    ["signs", "<".repeat(many), 1],
    ["misplaced texts", `<table>${"x<br>".repeat(many)}</table>`, 100],
    ["one long link", `<a href="${" ".repeat(many)}x">a</a>`, 1],
    ["well-formed elements", "<p>a <b>b</b></p>".repeat(many), 0],
  ])("%s", (_, html, problems) => {
    expect(problemsOf(html)).toHaveLength(problems);
  });
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
