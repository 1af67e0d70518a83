import { parseDocument } from "htmlparser2";
import { Fragment, Mark, type Node } from "prosemirror-model";
import { describe, expect, it } from "vitest";
import {
  copiedBlocks,
  pastedBlocks,
  pastedText,
  readCopied,
  type PastedNode,
} from "../../build/editor/form/html/paste.ts";
import { formattedText } from "../../build/editor/form/html/print.ts";
import { schema } from "../../build/editor/form/html/schema.ts";
import { checkFragment } from "../../build/model/html.ts";

import { everyElement, PASTED, PASTED_PLAIN } from "./pasted.ts";

type Parsed = ReturnType<typeof parseDocument>["children"][number];

const asDom = (one: Parsed): PastedNode => ({
  nodeName: "attributes" in one ? one.name : one.nodeType === 3 ? "#text" : "#comment",
  nodeValue: one.nodeType === 3 ? one.data : null,
  childNodes: "children" in one ? one.children.map(asDom) : [],
  attributes: "attributes" in one ? one.attributes : [],
});

const print = (blocks: Fragment): string => {
  const { print: printed } = formattedText("") ?? {};
  return printed?.(schema.node("doc", null, blocks)) ?? "";
};

describe("pasted text", () => {
  it.each(PASTED)("of %s", (_, clipboard, expected) => {
    const html = print(
      pastedBlocks({
        nodeName: "body",
        nodeValue: null,
        childNodes: parseDocument(clipboard).children.map(asDom),
      }),
    );
    // In a browser, the rows of a table are in a table body.
    expect(html.replace(/<table>(<tr>.*<\/tr>)<\/table>/, "<table><tbody>$1</tbody></table>")).toBe(expected);
    expect(checkFragment(html).problems).toEqual([]);
  });

  it.each(PASTED_PLAIN)("%j as plain text", (plain, expected) => {
    expect(print(pastedText(plain, Mark.none).content)).toBe(expected);
  });
});

describe("copied text", () => {
  it("keeps every element and attribute that HTML fields allow", () => {
    for (const html of everyElement()) {
      const formatted = formattedText(html);
      const doc = formatted?.doc as Node;
      const copied = readCopied(copiedBlocks(doc.content));
      expect(formatted?.print(doc.copy(copied ?? Fragment.empty))).toBe(html);
    }
  });

  it.each([
    "",
    "[]x",
    '[{"type":"script"}]',
    '[{"type":"p","attrs":{"source":" id=a><script>"}}]',
    '[{"type":"p","attrs":{"source":"x"}}]',
    '[{"type":"p","attrs":{"source":"","before":"<script>"}}]',
    '[{"type":"ul","content":[{"type":"p"}]}]',
  ])("is not %j", (text) => {
    expect(readCopied(text)).toBeUndefined();
  });
});
