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
  toggleBlock,
  toggleList,
  toggleQuote,
} from "../../build/editor/form/html/commands.ts";
import { pastedText } from "../../build/editor/form/html/paste.ts";
import { formattedText } from "../../build/editor/form/html/print.ts";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { readJson } from "../files.ts";

const COMMANDS: Record<string, Command> = {
  bulleted: toggleList("ul"),
  numbered: toggleList("ol"),
  quotation: toggleQuote,
  heading: toggleBlock("h2"),
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
  const plugins = [history(), tidying];
  let state = EditorState.create({ doc: formatted.doc, plugins });
  const places: number[] = [];
  for (const mark of ["|", "[", "]"]) {
    const pos = positionOf(state.doc, mark);
    if (pos === undefined) continue;
    places.push(pos);
    state = EditorState.create({ doc: state.tr.replace(pos, pos + 1, Slice.empty).doc, plugins });
  }
  const [from = 0, to = from] = places;
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)));
  for (const name of commands.split(" ")) state = pressed(state, name);
  return { html: formatted.print(state.doc), state };
}

type Row = [before: string, commands: string, after: string];
/** Uses of the tools, and of the keyboard. */
const { tools, keys } = readJson(PROGRAM_FOLDER, "test/editor/tools.json") as Record<"tools" | "keys", Row[]>;

describe("the tools of formatted text", () => {
  it.each(tools)("%j, %s: %s", (before, commands, expected) => {
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

  it.each(keys)("%j, %s: %s", (before, commands, expected) => {
    expect(after(before, commands).html).toBe(expected);
  });
});
