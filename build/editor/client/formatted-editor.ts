import { baseKeymap, chainCommands, toggleMark } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import {
  type MarkType,
  DOMParser as Parser,
  DOMSerializer,
  Fragment,
  Slice,
  type Attrs,
  type DOMOutputSpec,
} from "prosemirror-model";
import { liftListItem, sinkListItem } from "prosemirror-schema-list";
import { EditorState, type Command, type Transaction } from "prosemirror-state";
import { EditorView, type EditorProps } from "prosemirror-view";
import { h, onKey } from "../../browse/dom.js";
import { ICONS } from "../../model/icons.ts";
import {
  divided,
  isAtTextEnd,
  isBlockOf,
  isEmptyText,
  isListed,
  isQuoted,
  lineBreak,
  newLine,
  tidying,
  toggleBlock,
  toggleList,
  toggleQuote,
  withLists,
} from "../form/html/commands.ts";
import type { FormattedText } from "../form/html/print.ts";
import { attributesIn, attributeText, schema, typeOf, allowedAttributes } from "../form/html/schema.ts";
import type { BlockOfText } from "./blocks.ts";
import { iconButton } from "./parts.ts";
import { COPIED, copiedBlocks, pastedBlocks, pastedText, readCopied } from "../form/html/paste.ts";

/* What the formatted text writes to the clipboard, and what it makes of a pasted text. */

const writes =
  (name: string, isEmpty: boolean) =>
  ({ attrs: { source = "" } }: { attrs: Attrs }): DOMOutputSpec => {
    const attributes = allowedAttributes(name, String(source));
    const element = name === "line" ? "div" : name;
    return isEmpty ? [element, attributes] : [element, attributes, 0];
  };

/** Writes the elements as they are for other programs, and exactly for another field. */
class Serializer extends DOMSerializer {
  constructor() {
    const nodes = Object.values(schema.nodes)
      .filter(({ isText }) => !isText)
      .map(({ name, isLeaf, inlineContent }) => [name, writes(name, isLeaf && !inlineContent)]);
    const marks = Object.keys(schema.marks).map((name) => [name, writes(name, false)]);
    super(
      { ...DOMSerializer.nodesFromSchema(schema), ...Object.fromEntries(nodes) },
      Object.fromEntries(marks),
    );
  }

  override serializeFragment(
    fragment: Fragment,
    options?: { document?: Document },
    target?: HTMLElement | DocumentFragment,
  ): HTMLElement | DocumentFragment {
    const nodes = super.serializeFragment(fragment, options, target);
    if (target === undefined) nodes.firstElementChild?.setAttribute(COPIED, copiedBlocks(fragment));
    return nodes;
  }
}

class PasteParser extends Parser {
  override parseSlice(root: Node): Slice {
    const copied = root instanceof Element ? root.querySelector(`[${COPIED}]`)?.getAttribute(COPIED) : null;
    const blocks = copied == null ? undefined : readCopied(copied);
    return Slice.maxOpen(blocks ?? pastedBlocks(root));
  }
}

export const clipboard = {
  clipboardSerializer: new Serializer(),
  clipboardParser: new PasteParser(schema, []),
  clipboardTextParser: (text, $context) => pastedText(text, $context.marks()),
  transformPasted: (slice, view) => withLists(slice, view.state.selection.$from),
  // The editor would apply the styles of another program, and lose those that only mean something to that program.
  transformPastedHTML: (html) => {
    const text = html.replace(/<style[\s>].*?<\/style>/gis, "");
    return text.includes(COPIED) ? text : text.replaceAll("data-pm-slice", "data-slice");
  },
} satisfies EditorProps;

const mark = (name: string): MarkType => schema.marks[name] as MarkType;

/** Elements with the same meaning to an editor: the first is written, all are recognized. */
const BOLD = ["strong", "b"];
const ITALIC = ["em", "i"];

function activeMark(state: EditorState, names: readonly string[]): MarkType | undefined {
  const { from, to, empty, $from } = state.selection;
  const marks = state.storedMarks ?? $from.marks();
  return names
    .map(mark)
    .find((type) => (empty ? type.isInSet(marks) !== undefined : state.doc.rangeHasMark(from, to, type)));
}

/** Removes the active one of the marks, else adds the first. */
const toggle =
  (names: readonly string[]): Command =>
  (state, dispatch) =>
    toggleMark(activeMark(state, names) ?? mark(names[0] ?? ""))(state, dispatch);

interface Tool {
  label: string;
  icon: string;
  keys?: string;
  run: Command;
  isActive?: (state: EditorState) => boolean;
}

const block = (label: string, name: string, icon: string): Tool => ({
  label,
  icon,
  run: toggleBlock(name),
  isActive: (state) => isBlockOf(state, name),
});

const phrase = (label: string, names: readonly string[], keys: string, icon: string): Tool => ({
  label,
  icon,
  keys,
  run: toggle(names),
  isActive: (state) => activeMark(state, names) !== undefined,
});

const list = (label: string, name: string, icon: string): Tool => ({
  label,
  icon: `M7 4h7M7 8h7M7 12h7${icon}`,
  run: toggleList(name),
  isActive: (state) => isListed(state, name),
});

const TOOLS: readonly Tool[] = [
  phrase("Bold", BOLD, "B", "M4 2h5a3 3 0 0 1 0 6H4zM4 8h6a3 3 0 0 1 0 6H4z"),
  phrase("Italic", ITALIC, "I", "M7 2h5M4 14h5M10 2L6 14"),
  block("Heading", "h2", ICONS.heading),
  block("Subheading", "h3", "M4 5v9M12 5v9M4 9.5h8"),
  list("Bulleted list", "ul", "M3 4h.1M3 8h.1M3 12h.1M2.5 4h1M2.5 8h1M2.5 12h1"),
  list("Numbered list", "ol", "M2 3l1.5-1v4M2 9.5h2.5L2 13.5h2.5"),
  { label: "Quotation", icon: ICONS.quote, run: toggleQuote, isActive: isQuoted },
  { label: "Undo", icon: "M3 6h7a4 4 0 0 1 0 8H6M6 3L3 6l3 3", keys: "Z", run: undo },
  { label: "Redo", icon: "M13 6H6a4 4 0 0 0 0 8h4M10 3l3 3-3 3", keys: "Y", run: redo },
];
const titled = (label: string, keys: string | undefined): { title: string } => ({
  title:
    keys === undefined ? label : `${label} (${/Mac|iP/.test(navigator.platform) ? "⌘" : "Ctrl+"}${keys})`,
});

function linkAt(state: EditorState): { from: number; to: number; href: string; source: string } | undefined {
  const { $from } = state.selection;
  const type = mark("a");
  const found = type.isInSet($from.marks()) ?? type.isInSet($from.nodeAfter?.marks ?? []);
  if (found === undefined) return undefined;
  let [from, to] = [$from.start(), $from.start()];
  let isRange = false;
  $from.parent.forEach((child, offset) => {
    const start = $from.start() + offset;
    const isSame = child.marks.some((one) => one.eq(found));
    if (isSame && (!isRange || to < start)) from = start;
    if (isSame && start <= $from.pos + 1) [isRange, to] = [true, start + child.nodeSize];
  });
  const source = String(found.attrs["source"]);
  const href = attributesIn("a", source).find(({ name }) => name === "href")?.value ?? "";
  return { from, to, href, source };
}

/** Writes the link, with a text if none is selected; for undefined, removes it. */
export type WriteLink = (href: string | undefined, text?: string) => void;

/** Shows the form of a link: its address, or an empty text, and what writes it. */
export type AskForLink = (href: string, write: WriteLink, focus: () => void) => void;

interface EditorOptions {
  label: string;
  onChange: (text: string) => void;
  askForLink: AskForLink;
  block: BlockOfText | undefined;
}

/** Runs a command in a text that is a block, if the selection is where the key is the list's. */
const inBlock =
  (isAt: (state: EditorState) => boolean, run: ((anchor: Element) => void) | undefined): Command =>
  (state, _dispatch, view) => {
    if (run === undefined || view === undefined || !isAt(state)) return false;
    run(view.dom);
    return true;
  };

export function formattedEditor(
  { doc, print }: FormattedText,
  { label, onChange, askForLink, block: own }: EditorOptions,
): { control: HTMLElement; toolbar: HTMLElement; focus: () => void; destroy: () => void } {
  const keys: Record<string, Command> = {
    "Mod-b": toggle(BOLD),
    "Mod-i": toggle(ITALIC),
    "Mod-z": undo,
    "Mod-y": redo,
    "Mod-Shift-z": redo,
    "Shift-Enter": lineBreak,
    "/": inBlock(isEmptyText, own?.menu),
    Backspace: inBlock(isEmptyText, own?.join),
    Enter: chainCommands(inBlock(isAtTextEnd, own?.next), newLine),
    "Mod-]": sinkListItem(typeOf("li")),
    "Mod-[": liftListItem(typeOf("li")),
    "Mod-k": () => {
      openLink();
      return true;
    },
  };
  const state = EditorState.create({ doc, plugins: [history(), keymap(keys), keymap(baseKeymap), tidying] });
  const view = new EditorView(null, {
    state,
    ...clipboard,
    handlePaste: ({ state: now }, { clipboardData }, slice) => {
      if (own === undefined) return false;
      if (own.insert(clipboardData?.getData("text/plain") ?? "")) return true;
      const parts = divided(now, slice);
      if (parts === undefined) return false;
      own.divide(parts, (nodes) => print(now.doc.type.create(null, nodes)));
      return true;
    },
    attributes: { role: "textbox", "aria-multiline": "true", class: "formatted", dir: "auto" },
    dispatchTransaction(transaction: Transaction) {
      const next = view.state.apply(transaction);
      view.updateState(next);
      update();
      if (transaction.docChanged) onChange(print(next.doc));
    },
  });

  const buttons = TOOLS.map((tool, index) => {
    const run = (): void => {
      tool.run(view.state, view.dispatch);
      view.focus();
    };
    const made = iconButton(tool.label, tool.icon, run, {
      tabindex: index === 0 ? "0" : "-1",
      "aria-pressed": tool.isActive === undefined ? undefined : "false",
      ...titled(tool.label, tool.keys),
    });
    return { tool, button: made };
  });
  const link = iconButton("Link", ICONS.link, () => openLink(), { tabindex: "-1", ...titled("Link", "K") });
  const all = [...buttons.map(({ button }) => button), link];
  const toolbar = h("div", { role: "toolbar", "aria-label": `Formatting: ${label}`, class: "tools" }, ...all);
  // The selection stays when a tool is pressed.
  toolbar.addEventListener("mousedown", (event) => event.preventDefault());
  // The toolbar is one tab stop; the arrow keys move between its buttons.
  onKey(toolbar, (event) => {
    const at = all.findIndex((button) => button === document.activeElement);
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || at === -1) return;
    event.preventDefault();
    const next = all[(at + by + all.length) % all.length];
    for (const button of all) button.tabIndex = button === next ? 0 : -1;
    next?.focus();
  });

  function update(): void {
    for (const { tool, button } of buttons)
      if (tool.isActive !== undefined) button.setAttribute("aria-pressed", String(tool.isActive(view.state)));
  }

  function openLink(): void {
    const found = linkAt(view.state);
    const { from, to, empty } = view.state.selection;
    const range = found !== undefined && empty ? found : { from, to };
    const write: WriteLink = (href, text = href) => {
      const type = mark("a");
      let tr = view.state.tr.removeMark(range.from, range.to, type);
      if (href !== undefined) {
        const others = attributesIn("a", found?.source ?? "")
          .filter(({ name }) => name !== "href")
          .map(({ name, value }) => attributeText(name, value));
        const made = type.create({ source: attributeText("href", href) + others.join("") });
        tr =
          range.from === range.to
            ? tr.insert(range.from, schema.text(text || href, [made]))
            : tr.addMark(range.from, range.to, made);
      }
      view.dispatch(tr);
      view.focus();
    };
    askForLink(found?.href ?? "", write, () => view.focus());
  }

  update();
  return { control: view.dom, toolbar, focus: () => view.focus(), destroy: () => view.destroy() };
}
