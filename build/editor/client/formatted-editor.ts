import { baseKeymap, setBlockType, toggleMark } from "prosemirror-commands";
import { div } from "./parts.ts";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import type { MarkType } from "prosemirror-model";
import { liftListItem, sinkListItem } from "prosemirror-schema-list";
import { EditorState, type Command, type Transaction } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { h, onKey } from "../../browse/client/dom.js";
import {
  isListed,
  isQuoted,
  lineBreak,
  newLine,
  tidying,
  toggleList,
  toggleQuote,
} from "../form/html/commands.ts";
import type { FormattedText } from "../form/html/print.ts";
import { attributesIn, attributeText, schema, typeOf } from "../form/html/schema.ts";
import { clipboard } from "./clipboard.ts";

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
  run: Command;
  isActive?: (state: EditorState) => boolean;
}

const block = (label: string, name: string): Tool => ({
  label,
  run: (state, dispatch) =>
    setBlockType(typeOf(state.selection.$from.parent.type.name === name ? "p" : name))(state, dispatch),
  isActive: (state) => state.selection.$from.parent.type.name === name,
});

const TOOLS: readonly Tool[] = [
  { label: "Bold", run: toggle(BOLD), isActive: (state) => activeMark(state, BOLD) !== undefined },
  { label: "Italic", run: toggle(ITALIC), isActive: (state) => activeMark(state, ITALIC) !== undefined },
  block("Heading", "h2"),
  block("Subheading", "h3"),
  { label: "Bulleted list", run: toggleList("ul"), isActive: (state) => isListed(state, "ul") },
  { label: "Numbered list", run: toggleList("ol"), isActive: (state) => isListed(state, "ol") },
  { label: "Quotation", run: toggleQuote, isActive: isQuoted },
  { label: "Undo", run: undo },
  { label: "Redo", run: redo },
];

/** The link at the selection, with the range of its text. */
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

/** Formatted text in a box with a toolbar. */
export function formattedEditor(
  { doc, print }: FormattedText,
  label: string,
  onChange: (text: string) => void,
): { control: HTMLElement; toolbar: HTMLElement; focus: () => void; destroy: () => void } {
  const keys: Record<string, Command> = {
    "Mod-b": toggle(BOLD),
    "Mod-i": toggle(ITALIC),
    "Mod-z": undo,
    "Mod-y": redo,
    "Mod-Shift-z": redo,
    "Shift-Enter": lineBreak,
    Enter: newLine,
    "Mod-]": sinkListItem(typeOf("li")),
    "Mod-[": liftListItem(typeOf("li")),
    "Mod-k": () => {
      openLink();
      return true;
    },
  };
  const state = EditorState.create({
    doc,
    plugins: [history(), keymap(keys), keymap(baseKeymap), tidying],
  });
  const view = new EditorView(null, {
    state,
    ...clipboard,
    attributes: { role: "textbox", "aria-multiline": "true", class: "formatted", dir: "auto" },
    dispatchTransaction(transaction: Transaction) {
      const next = view.state.apply(transaction);
      view.updateState(next);
      update();
      if (transaction.docChanged) onChange(print(next.doc));
    },
  });

  const buttons = TOOLS.map((tool, index) => {
    const button = h(
      "button",
      {
        type: "button",
        tabindex: index === 0 ? "0" : "-1",
        "aria-pressed": tool.isActive === undefined ? undefined : "false",
        click: () => {
          tool.run(view.state, view.dispatch);
          view.focus();
        },
      },
      tool.label,
    );
    return { tool, button };
  });
  const linkButton = h("button", { type: "button", tabindex: "-1", click: () => openLink() }, "Link");
  const all = [...buttons.map(({ button }) => button), linkButton];
  const linkForm = h("div", { class: "link-form", role: "group", "aria-label": `Link: ${label}` });
  linkForm.hidden = true;
  const tools = h("div", { role: "toolbar", "aria-label": `Formatting: ${label}`, class: "tools" }, ...all);
  const toolbar = div("html-tools", tools, linkForm);
  // The toolbar is one tab stop; the arrow keys move between its buttons.
  onKey(tools, (event) => {
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
    const input = h("input", { type: "text", "aria-label": "Address of the link", spellcheck: "false" });
    input.value = found?.href ?? "";
    const close = (): void => {
      linkForm.hidden = true;
      linkForm.replaceChildren();
      view.focus();
    };
    const range = found !== undefined && empty ? found : { from, to };
    const write = (href: string): void => {
      const type = mark("a");
      let { tr } = view.state;
      tr = tr.removeMark(range.from, range.to, type);
      if (href !== "") {
        const others = attributesIn("a", found?.source ?? "")
          .filter(({ name }) => name !== "href")
          .map(({ name, value }) => attributeText(name, value));
        const link = type.create({ source: attributeText("href", href) + others.join("") });
        tr =
          range.from === range.to
            ? tr.insert(range.from, schema.text(href, [link]))
            : tr.addMark(range.from, range.to, link);
      }
      view.dispatch(tr);
      close();
    };
    onKey(input, (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        write(input.value.trim());
      } else if (event.key === "Escape") close();
    });
    linkForm.replaceChildren(
      input,
      h("button", { type: "button", click: () => write(input.value.trim()) }, "Set link"),
      found === undefined ? "" : h("button", { type: "button", click: () => write("") }, "Remove link"),
    );
    linkForm.hidden = false;
    input.focus();
  }

  update();
  return {
    control: view.dom,
    toolbar,
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
