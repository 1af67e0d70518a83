import { DOMSerializer } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formattedText } from "../../build/editor/form/html/print.ts";
import { attributesIn, attributeText, isPhrase, schema } from "../../build/editor/form/html/schema.ts";
import { checkFragment } from "../../build/model/html.ts";
import { ELEMENTS } from "../../build/model/html/elements.ts";

const same = (html: string): boolean => {
  const formatted = formattedText(html);
  return formatted !== undefined && formatted.print(formatted.doc) === html;
};

describe("formatted text", () => {
  it("has exactly the elements that HTML fields allow", () => {
    const names = [...Object.keys(schema.nodes), ...Object.keys(schema.marks)];
    expect(names.filter((name) => !["doc", "text", "line"].includes(name)).sort()).toEqual(
      [...ELEMENTS.keys()].sort(),
    );
    expect(Object.keys(schema.marks).every(isPhrase)).toBe(true);
    expect(isPhrase("p")).toBe(false);
    expect(isPhrase("td")).toBe(false);
  });

  it.each([
    "",
    "bare text",
    "<p>One</p>",
    "<p>One</p>\n<p>Two <em>three <a href='/x' class=\"k\">four</a></em></p>\n",
    '<a href="/a">Turner</a>, <a href="/b">Girtin</a>',
    "Lines &amp; dots&nbsp;&lt;3",
    "Lines & dots",
    "<p>a<br />b<br/>c<br>d</p>",
    "<ul>\n  <li>an <i>x</i></li>\n  <li></li>\n</ul>",
    "<ol start=3><li><p>x</p><ul><li>y</li></ul></li></ol>",
    "<em><strong>y</strong></em>",
    "<strong><em>y</em></strong>",
    '<table><thead><tr><th scope="col">a</th></tr></thead><tbody>\n<tr><td colspan=2> <p>x</p></td></tr></tbody></table>',
    '<figure><img src="/x.jpg" alt="A pier"><figcaption>c</figcaption></figure>',
    "<ruby>漢<rt>kan</rt></ruby>",
    "<p>a</p>text<p>b</p>",
    "<dl><dt>a</dt><dd>b</dd></dl>",
    "<p>1 > 2</p>",
    "<blockquote>\n  <p>x</p>\n</blockquote>",
    "<details open><summary>More</summary><p>x</p></details>",
    "<pre>  two\n  lines</pre>",
    "<h2>a</h2><hr><p>b</p>",
  ])("keeps %j", (html) => {
    expect(same(html)).toBe(true);
  });

  it.each([
    "<!-- a comment -->",
    "<p>caf&eacute;</p>",
    "<P>x</P>",
    "<p>open",
    "<script>alert(1)</script>",
    "<em>a</em><em>b</em>",
    "<strong><p>x</p></strong>",
    "<p></p>",
  ])("leaves %j to the source", (html) => {
    expect(formattedText(html)).toBeUndefined();
  });

  it("never changes a text that it opens, whatever its tags", () => {
    const piece = fc.constantFrom(
      ...["p", "em", "a", "ul", "li", "b", "td", "tr", "table", "h2", "span", "br"].flatMap((name) => [
        `<${name}>`,
        `</${name}>`,
      ]),
      "a ",
      "\n",
      "&amp;",
      "& b",
      "&nbsp;",
      ' <a href="/x">',
      "é",
    );
    const property = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const html = pieces.join("");
      const formatted = formattedText(html);
      return formatted === undefined || formatted.print(formatted.doc) === html;
    });
    expect(fc.check(property, { numRuns: 3000, seed: 3 }).failed).toBe(false);
  });

  it("prints edited text as a fragment without findings", () => {
    const formatted = formattedText("One");
    const state = EditorState.create({ schema, ...(formatted === undefined ? {} : { doc: formatted.doc }) });
    const edit = state.tr
      .insertText(" < two & “three”", 4)
      .addMark(1, 4, schema.mark("strong", { source: "" }));
    const html = formatted?.print(edit.doc) ?? "";
    expect(html).toBe("<strong>One</strong> &lt; two &amp; “three”");
    expect(checkFragment(html).problems).toEqual([]);
  });

  it("makes paragraphs of two lines of bare text", () => {
    const formatted = formattedText("One two");
    const state = EditorState.create({ schema, ...(formatted === undefined ? {} : { doc: formatted.doc }) });
    expect(formatted?.print(state.tr.split(4).doc)).toBe("<p>One</p><p> two</p>");
  });

  it("shows no attribute that runs, styles or names anything", () => {
    const html =
      '<p class="save-bar" id="main"><a href="javascript:alert(1)" name="x">x</a><a href=" java\tscript:alert(1)">y</a><a href="/visit/" title="t">z</a></p>';
    const formatted = formattedText(html);
    const shown: string[] = [];
    formatted?.doc.descendants((node) => {
      shown.push(JSON.stringify(node.type.spec.toDOM?.(node)));
      for (const mark of node.marks) shown.push(JSON.stringify(mark.type.spec.toDOM?.(mark, true)));
    });
    expect(DOMSerializer.fromSchema(schema)).toBeDefined();
    expect(shown.join()).not.toMatch(/script|save-bar|main|"name"/);
    expect(shown.join()).toContain('{"href":"/visit/","title":"t"}');
    expect(formatted?.print(formatted.doc)).toBe(html);
  });

  it("writes the address of a link as an attribute", () => {
    const text = attributeText("href", '/x?a=1&b="2"');
    expect(text).toBe(' href="/x?a=1&amp;b=&quot;2&quot;"');
    expect(attributesIn("a", text)).toMatchObject([{ name: "href", value: '/x?a=1&b="2"' }]);
  });
});
