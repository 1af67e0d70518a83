import { baseKeymap } from "prosemirror-commands";
import { history, undo } from "prosemirror-history";
import { Slice, type Node } from "prosemirror-model";
import { AllSelection, EditorState, TextSelection, type Command } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import {
  isListed,
  isQuoted,
  newLine,
  tidying,
  toggleList,
  toggleQuote,
} from "../../build/editor/form/html/commands.ts";
import { pastedText } from "../../build/editor/form/html/paste.ts";
import { formattedText } from "../../build/editor/form/html/print.ts";

const COMMANDS: Record<string, Command> = {
  bulleted: toggleList("ul"),
  numbered: toggleList("ol"),
  quotation: toggleQuote,
  enter: newLine,
  backspace: baseKeymap["Backspace"] as Command,
  undo,
  all: (state, dispatch) => {
    dispatch?.(state.tr.setSelection(new AllSelection(state.doc)));
    return true;
  },
  type: (state, dispatch) => {
    dispatch?.(state.tr.insertText("x"));
    return true;
  },
  paste: (state, dispatch) => {
    dispatch?.(state.tr.replaceSelection(pastedText("x\n\ny", [])));
    return true;
  },
};

function positionOf(doc: Node, mark: string): number | undefined {
  let found: number | undefined;
  doc.descendants((node, pos) => {
    const at = node.text?.indexOf(mark) ?? -1;
    if (at >= 0) found = pos + at;
  });
  return found;
}

function pressed(state: EditorState, name: string): EditorState {
  let next = state;
  COMMANDS[name]?.(state, (tr) => {
    next = state.apply(tr);
  });
  return next;
}

/** The text after some commands. In the text before, `|` is the caret, or `[` and `]` are around the selection. */
function after(marked: string, commands: string): { html: string; state: EditorState } {
  const formatted = formattedText(marked);
  if (formatted === undefined) throw new Error(marked);
  let state = EditorState.create({ doc: formatted.doc, plugins: [history(), tidying] });
  const places: number[] = [];
  for (const mark of ["|", "[", "]"]) {
    const pos = positionOf(state.doc, mark);
    if (pos === undefined) continue;
    places.push(pos);
    state = EditorState.create({
      doc: state.tr.replace(pos, pos + 1, Slice.empty).doc,
      plugins: [history(), tidying],
    });
  }
  const [from = 0, to = from] = places;
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)));
  for (const name of commands.split(" ")) state = pressed(state, name);
  return { html: formatted.print(state.doc), state };
}

const LIST = "<ul><li>a|</li><li>b</li></ul>";
const THREE = "<ul><li>a</li><li>b|</li><li>c</li></ul>";
const MIXED = "<p>[a</p><ul><li>b</li></ul><ol><li>c</li></ol><p>d]</p>";
const NESTED = "<ul><li>[a<ul><li>b</li></ul></li><li>c]</li></ul>";
const QUOTED = "<p>[a</p><blockquote><p>b</p></blockquote><ul><li>c]</li></ul>";
const CELL = "<table><tr><td>a|</td></tr></table>";
const PARAGRAPHS = "<ul><li>a</li><li><p>b|</p></li></ul>";

describe("the tools of formatted text", () => {
  it.each([
    ["<p>a|</p>", "bulleted", "<ul><li>a</li></ul>"],
    ["<p>a|</p>", "bulleted bulleted", "<p>a</p>"],
    ["<p>a|</p>", "bulleted numbered", "<ol><li>a</li></ol>"],
    ["<p>a|</p>", "bulleted numbered numbered", "<p>a</p>"],
    ["a|", "numbered", "<ol><li>a</li></ol>"],
    [LIST, "numbered", "<ol><li>a</li><li>b</li></ol>"],
    [LIST, "bulleted", "<p>a</p><ul><li>b</li></ul>"],
    [LIST, "all bulleted", "<p>a</p><p>b</p>"],
    [LIST, "all numbered", "<ol><li>a</li><li>b</li></ol>"],
    [LIST, "all numbered numbered", "<p>a</p><p>b</p>"],
    [LIST, "all numbered undo", "<ul><li>a</li><li>b</li></ul>"],
    [THREE, "bulleted", "<ul><li>a</li></ul><p>b</p><ul><li>c</li></ul>"],
    [THREE, "bulleted bulleted", "<ul><li>a</li><li>b</li><li>c</li></ul>"],
    [MIXED, "numbered", "<ol><li>a</li><li>b</li><li>c</li><li>d</li></ol>"],
    [MIXED, "numbered numbered", "<p>a</p><p>b</p><p>c</p><p>d</p>"],
    ["<ul><li>a<ul><li>b|</li></ul></li></ul>", "bulleted", "<ul><li>a</li></ul><p>b</p>"],
    [NESTED, "numbered", "<ol><li>a<ol><li>b</li></ol></li><li>c</li></ol>"],
    [NESTED, "bulleted", "<p>a</p><p>b</p><p>c</p>"],
    ['<ol class="k" start="3" type="a"><li>a|</li></ol>', "bulleted", '<ul class="k"><li>a</li></ul>'],
    ['<p id="n">[a</p><p>b]</p>', "bulleted", '<ul><li><p id="n">a</p></li><li><p>b</p></li></ul>'],
    ["<ul><li><p>a</p></li></ul><p>b|</p>", "bulleted", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"],
    [CELL, "bulleted", "<table><tr><td><ul><li>a</li></ul></td></tr></table>"],
    [CELL, "bulleted bulleted", "<table><tr><td>a</td></tr></table>"],
    ["<p>a|</p>", "quotation", "<blockquote><p>a</p></blockquote>"],
    ["<p>a|</p>", "quotation quotation", "<p>a</p>"],
    ["a|", "quotation quotation", "<p>a</p>"],
    ["<blockquote><p>a|</p><p>b</p></blockquote>", "quotation", "<p>a</p><blockquote><p>b</p></blockquote>"],
    [QUOTED, "quotation", "<blockquote><p>a</p><p>b</p><ul><li>c</li></ul></blockquote>"],
    [QUOTED, "quotation quotation", "<p>a</p><p>b</p><ul><li>c</li></ul>"],
    ["<p>a|</p><p>b</p>", "all quotation", "<blockquote><p>a</p><p>b</p></blockquote>"],
    ["<p>a|</p><p>b</p>", "all quotation quotation", "<p>a</p><p>b</p>"],
  ])("%j, %s: %s", (before, commands, expected) => {
    const { html, state } = after(before, commands);
    expect(html).toBe(expected);
    // A tool is pressed exactly if pressing it again ends its element.
    for (const [name, isActive] of [
      ["bulleted", isListed(state, "ul")],
      ["numbered", isListed(state, "ol")],
      ["quotation", isQuoted(state)],
    ] as const) {
      const toggled = pressed(state, name);
      const isStill =
        name === "quotation" ? isQuoted(toggled) : isListed(toggled, name === "bulleted" ? "ul" : "ol");
      expect([name, isStill]).toEqual([name, !isActive]);
    }
  });

  it.each([
    ["<ul><li>a</li><li>b|</li></ul>", "enter type", "<ul><li>a</li><li>b</li><li>x</li></ul>"],
    ["<ul><li>a</li><li>b|</li></ul>", "enter enter type", "<ul><li>a</li><li>b</li></ul><p>x</p>"],
    ["<ul><li><p>a|</p></li></ul>", "enter type", "<ul><li><p>a</p></li><li><p>x</p></li></ul>"],
    ["<ul><li><p>a|</p></li></ul>", "enter enter type", "<ul><li><p>a</p></li></ul><p>x</p>"],
    [
      "<blockquote><ul><li>a|</li></ul></blockquote>",
      "enter enter type",
      "<blockquote><ul><li>a</li></ul><p>x</p></blockquote>",
    ],
    ["<ul><li>a</li></ul><p>|b</p>", "backspace", "<ul><li>a</li><li>b</li></ul>"],
    ["<ul><li><p>a</p></li></ul><p>|b</p>", "backspace", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"],
    ["One| two", "enter type", "<p>One</p><p>x two</p>"],
    ["<div>a|</div>", "enter type", "<div><p>a</p><p>x</p></div>"],
    ["<div>a|b</div>", "enter", "<div><p>a</p><p>b</p></div>"],
    [
      "<details><summary>a|</summary><p>b</p></details>",
      "enter type",
      "<details><summary>a</summary><p>x</p><p>b</p></details>",
    ],
    ["<details><summary>a|c</summary></details>", "enter", "<details><summary>a</summary><p>c</p></details>"],
    [
      "<details><summary>a</summary><p>b|</p></details>",
      "enter type",
      "<details><summary>a</summary><p>b</p><p>x</p></details>",
    ],
    [
      "<table><caption>a|</caption><tr><td>b</td></tr></table>",
      "enter type",
      "<table><caption>a<br>x</caption><tr><td>b</td></tr></table>",
    ],
    ["<table><tr><td>a|b</td></tr></table>", "enter", "<table><tr><td><p>a</p><p>b</p></td></tr></table>"],
    ['<p id="n" class="k">a|b</p>', "enter", '<p id="n" class="k">a</p><p class="k">b</p>'],
    ["One|", "paste", "<p>Onex</p><p>y</p>"],
    ["<p>a</p>b<p>c|</p>", "type", "<p>a</p>b<p>cx</p>"],
    ["<p>a</p>b<p>c|</p>", "enter type", "<p>a</p>b<p>c</p><p>x</p>"],
    [PARAGRAPHS, "type", "<ul><li>a</li><li><p>bx</p></li></ul>"],
    [PARAGRAPHS, "enter undo", "<ul><li>a</li><li><p>b</p></li></ul>"],
  ])("%j, %s: %s", (before, commands, expected) => {
    expect(after(before, commands).html).toBe(expected);
  });
});
