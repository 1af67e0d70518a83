import { attributesOf, ELEMENTS, LINK_ATTRIBUTES } from "../../build/page/html/elements.ts";

/** HTML in the manner of several programs, with the wrappers, styles and empty lines they add; its text. */
export const PASTED: readonly (readonly [source: string, clipboard: string, text: string])[] = [
  [
    "Google Docs: everything in <b>, styles for bold and slanted, a list beside its item",
    `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-5e1f0a3c"><h1 dir="ltr" style="line-height:1.38"><span style="font-size:20pt;font-weight:400;font-style:normal">The quay</span></h1><p dir="ltr" style="line-height:1.38;margin-top:0pt"><span style="font-size:11pt;font-weight:400;font-style:normal;white-space:pre-wrap;">At low water, </span><span style="font-size:11pt;font-weight:700;font-style:normal;white-space:pre-wrap;">two boats</span><span style="font-weight:400;font-style:italic;white-space:pre-wrap;"> rest</span><span style="font-weight:400;white-space:pre-wrap;"> on </span><a href="https://example.org/mud" style="text-decoration:none;"><span style="color:#1155cc;text-decoration:underline;white-space:pre-wrap;">the mud</span></a><span style="font-weight:400;">.</span></p><br><ul style="margin-top:0"><li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation"><span style="font-weight:400">ropes</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span style="font-weight:400">hemp</span></p></li></ul></ul></b><br class="Apple-interchange-newline">`,
    '<h2>The quay</h2><p>At low water, <strong>two boats</strong><em> rest</em> on <a href="https://example.org/mud">the mud</a>.</p><ul><li>ropes<ul><li>hemp</li></ul></li></ul>',
  ],
  [
    "Word: conditional comments, <o:p>, lists as paragraphs",
    `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=ProgId content=Word.Document><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {mso-style-parent:""; margin:0cm;} --></style><!--[if gte mso 9]><xml><w:WordDocument></w:WordDocument></xml><![endif]--></head><body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment--><h1>Tides<o:p></o:p></h1><p class=MsoNormal><b style='mso-bidi-font-weight:normal'><span lang=EN-US style='mso-ansi-language:EN-US'>Spring</span></b><span lang=EN-US> tides<span style='mso-spacerun:yes'>&nbsp;&nbsp; </span>rise\nmost, <i>neap</i> tides least.<o:p></o:p></span></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>moon<o:p></o:p></p><p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span><![endif]>full</p><p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp; </span></span>sun</p><p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span>first</p><p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>2.<span>&nbsp; </span></span>second<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference>[1]</span></a></p><!--EndFragment--></body></html>`,
    "<h2>Tides</h2><p><strong>Spring</strong> tides rise most, <em>neap</em> tides least.</p><ul><li>moon<ul><li>full</li></ul></li><li>sun</li></ul><ol><li>first</li><li>second[1]</li></ol>",
  ],
  [
    "Word: a table",
    `<meta name=Generator content="Microsoft Word 15"><table class=MsoTableGrid border=1 style='border-collapse:collapse'><tr style='mso-yfti-irow:0'><td width=300 valign=top style='width:225pt'><p class=MsoNormal><b>Boat<o:p></o:p></b></p></td><td width=300><p class=MsoNormal>Crew<o:p></o:p></p></td></tr><tr><td><p class=MsoNormal>Petrel</p></td><td><p class=MsoNormal><o:p>&nbsp;</o:p></p></td></tr></table>`,
    "<table><tbody><tr><td><strong>Boat</strong></td><td>Crew</td></tr><tr><td>Petrel</td><td></td></tr></tbody></table>",
  ],
  [
    "Word on the web: a list in a wrapper for each item",
    `<div class="OutlineElement"><p class="Paragraph" paraid="1"><span data-contrast="auto" lang="EN-GB" class="TextRun"><span class="NormalTextRun">Bring:</span></span><span class="EOP" data-ccp-props="{}">&nbsp;</span></p></div><div class="ListContainerWrapper"><ul class="BulletListStyle1" role="list"><li data-aria-level="1" role="listitem"><p class="Paragraph"><span class="TextRun">a net</span><span class="EOP">&nbsp;</span></p></li></ul></div><div class="ListContainerWrapper"><ul class="BulletListStyle1" role="list"><li data-aria-level="1"><p class="Paragraph"><span class="TextRun">a lamp</span></p></li></ul></div>`,
    "<p>Bring:</p><ul><li>a net</li><li>a lamp</li></ul>",
  ],
  [
    "Gmail: lines as <div>, an empty one between paragraphs",
    `<div dir="ltr"><div>Dear all,</div><div><br></div><div>the <b>ferry</b> is back:&nbsp;<a href="https://example.org/" target="_blank" rel="noreferrer">times</a></div><div><ul><li>nine</li><li style="margin-left:15px">ten</li></ul></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex">No boats<br>today</blockquote></div>`,
    '<p>Dear all,</p><p>the <strong>ferry</strong> is back:\u00a0<a href="https://example.org/">times</a></p><ul><li>nine</li><li>ten</li></ul><blockquote><p>No boats<br>today</p></blockquote>',
  ],
  [
    "Outlook: <o:p> in empty paragraphs, a table that lays out",
    `<meta name="Generator" content="Microsoft Word 15 (filtered medium)"><div class="WordSection1"><table border="0" cellspacing="0"><tr><td style="padding:0"><p class="MsoNormal"><span style="font-size:11.0pt;mso-fareast-language:EN-US">Dear all,<o:p></o:p></span></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal"><span style="display:none;mso-hide:all">Preview</span>the <i>Petrel</i> sails<br>at <a href="mailto:quay@example.org"><span style="color:#0563C1">nine</span></a>.<o:p></o:p></p></td></tr></table></div>`,
    '<p>Dear all,</p><p>the <em>Petrel</em> sails<br>at <a href="mailto:quay@example.org">nine</a>.</p>',
  ],
  [
    "Apple Notes: classes of lines, a list with dashes",
    `<html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px} span.s1 {font: 12.0px Helvetica}</style></head><body><p class="p1"><span class="s1"><b>Nets</b></span></p><p class="p2"><span class="s1"></span><br></p><p class="p1"><span class="s1">Mend<span class="Apple-converted-space">&nbsp;</span>them <i>dry</i></span></p><ul class="Apple-dash-list"><li class="li1"><span class="s2"></span><span class="s1">twine</span></li></ul></body></html>`,
    "<p><strong>Nets</strong></p><p>Mend them <em>dry</em></p><ul><li>twine</li></ul>",
  ],
  [
    "LibreOffice: <font>, languages, paragraphs in items",
    `<html><head><meta name="generator" content="LibreOffice 24.2 (Linux)"/><style type="text/css">p { margin-bottom: 0.25cm }</style></head><body lang="en-GB" dir="ltr"><p style="line-height: 100%"><font face="Liberation Serif"><span lang="en-GB"><b>Nets</b></span></font> <span style="font-style: normal"><u>dry</u></span></p>\n<p><br/>\n<br/>\n\n</p>\n<ol>\n\t<li><p style="margin-bottom: 0cm">twine</p></li>\n\t<li><p>cork<sup>2</sup></p>\n</li></ol></body></html>`,
    "<p><strong>Nets</strong> <u>dry</u></p><ol><li>twine</li><li>cork<sup>2</sup></li></ol>",
  ],
  [
    "Chrome: part of a line",
    `<meta charset='utf-8'><span style="color: rgb(0, 0, 0); font-family: serif; font-style: normal; font-weight: 400; display: inline !important; float: none;"> and </span><em style="font-weight: 400;">then</em><span> more</span>`,
    "<p> and <em>then</em> more</p>",
  ],
  [
    "a web page: sections, a heading in bold, scripts, links in the page",
    `<article class="post" id="x"><header><h1 style="font-weight: 700;">Cork</h1></header><div class="body" onclick="run()"><p style="font-style: normal;">It <span class="k">floats</span> <i lang="fr">bien</i>, see <a href="#note">note</a>, <a href="javascript:alert(1)">run</a> and <a href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener">more</a>.<script>alert(1)</script></p><p> </p><p>Second<br>line<br></p><figure><img src="https://example.org/a.jpg" alt="A pier" class="k" style="width:1px" srcset="b 2x"><figcaption>A pier</figcaption></figure><details><summary>More</summary><div>hidden</div></details><dl><dt>a</dt><dd><p>b</p></dd></dl></div></article>`,
    '<h2>Cork</h2><p>It floats <em lang="fr">bien</em>, see note, run and <a href="https://example.org/a?b=1&amp;c=2">more</a>.</p><p>Second<br>line</p><figure><img src="https://example.org/a.jpg" alt="A pier"><figcaption>A pier</figcaption></figure><details><summary>More</summary><p>hidden</p></details><dl><dt>a</dt><dd>b</dd></dl>',
  ],
  [
    "a web page: items with several paragraphs, text beside blocks, code",
    `<ul>\n <li>one</li>\n <li><p>two</p><p>three</p></li>\n</ul>text<p>para</p><pre><code>a\n  b</code></pre><hr><table><thead><tr><th><b>A</b></th></tr></thead><tbody><tr><td colspan="1" rowspan="2">1</td></tr></tbody></table>`,
    '<ul><li><p>one</p></li><li><p>two</p><p>three</p></li></ul><p>text</p><p>para</p><pre>a\n  b</pre><hr><table><thead><tr><th><strong>A</strong></th></tr></thead><tbody><tr><td rowspan="2">1</td></tr></tbody></table>',
  ],
  [
    "a web mail: blank lines as two line breaks",
    `<div>One<br>line<br><br><br>Two <strong><br></strong></div>`,
    "<p>One<br>line</p><p>Two</p>",
  ],
];

export const PASTED_PLAIN: readonly (readonly [plain: string, text: string])[] = [
  ["One\r\nline\r\n\r\nTwo\n", "<p>One<br>line</p><p>Two</p>"],
  [" word ", "<p> word </p>"],
  ["a  b\n \n\n\nc & <d>", "<p>a  b</p><p>c &amp; &lt;d&gt;</p>"],
];

const CHILDREN: Record<string, string> = { ul: "li", ol: "li", dl: "dt" };

function contentOf(name: string): string {
  const [child = CHILDREN[name]] = ELEMENTS.get(name)?.children ?? [];
  if (child === undefined) return "x";
  return ELEMENTS.get(child)?.isVoid ? `<${child}>` : `<${child}>${contentOf(child)}</${child}>`;
}

function inParents(name: string, html: string): string {
  const [parent] = ELEMENTS.get(name)?.parents ?? [];
  return parent === undefined ? html : inParents(parent, `<${parent}>${html}</${parent}>`);
}

/** Each element of the project's table, with all its attributes, inside the parents that it needs. */
export const everyElement = (): string[] =>
  [...ELEMENTS].map(([name, rules]) => {
    const attributes = [...attributesOf(rules), "data-x", "aria-label"]
      .map((attribute) => ` ${attribute}='${LINK_ATTRIBUTES.has(attribute) ? "/a/" : 'a\u00a0"b"'}'`)
      .join("");
    const element = rules.isVoid
      ? `<${name}${attributes}>`
      : `<${name}${attributes}>${contentOf(name)}</${name}>`;
    return inParents(name, element);
  });
