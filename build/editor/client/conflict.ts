import type { SourceFile } from "../../change/change.ts";
import { h } from "../../browse/dom.js";
import { show as inWords } from "../../browse/own-fields.js";
import { rich } from "../../browse/rich.js";
import type { JsonObject } from "../../source/json/object.ts";
import type { SourceOperation } from "../../source/json/edit.ts";
import { beginning, differences, pageOf, type FieldDifference, type FormModel } from "../form/model.ts";
import { fieldsOf, type Field } from "../form/fields.ts";
import { isEqual, pathText, shownText } from "../form/values.ts";
import { Conflict } from "../store.ts";
import { button, help, div } from "./parts.ts";

/** A value in words, as the page itself shows it. */
function shown(field: Field | undefined, value: unknown): HTMLElement {
  const box = h("div", { class: "owned", dir: "auto" }, value === undefined ? "(not written)" : "");
  if (value === undefined) return box;
  if (field === undefined) box.append(h("pre", {}, shownText(value)));
  else
    void inWords(field, value, (text) => rich(text, "")).then((nodes) =>
      box.replaceChildren(...(nodes.length === 0 ? ["(empty)"] : nodes)),
    );
  return box;
}

const NOTES = {
  me: "You changed this field.",
  them: "This field was changed in the file.",
  both: "You changed this field, and it was changed in the file too.",
} as const;

/** The message if a new page cannot be written because its file is another page's; undefined if the file is its own. */
export function messageIfTaken({ file, current }: Conflict, page: JsonObject): string | undefined {
  if (current === null || pageOf(current)?.["id"] === page["id"]) return undefined;
  return `Not saved: ${file} is another page. Choose another slug or parent.`;
}

const primary = (label: string, click: () => void): HTMLElement => button(label, click, { class: "primary" });

const section = (...children: (Node | string)[]): HTMLElement =>
  h(
    "section",
    { class: "conflict", "aria-label": "Changed in the meantime", tabindex: "-1" },
    h("h2", {}, "Changed in the meantime"),
    ...children,
  );

interface ConflictOptions {
  model: FormModel;
  /** The page's file now; undefined if there is none. */
  now: () => Promise<SourceFile | undefined> | undefined;
  /** Called with the current text of the file, and the operations that make the chosen page of it. */
  onChosen: (file: string, text: string | null, operations: readonly SourceOperation[]) => void;
}

/** Both versions of a file that has changed since the form was opened, or the page's new file. */
export async function conflictView(cause: Conflict, options: ConflictOptions): Promise<HTMLElement> {
  const { model, onChosen } = options;
  const now = cause.current === null ? await options.now()?.catch(() => undefined) : undefined;
  if (now === undefined || now.file === cause.file) return versionsView(cause, options);
  const { file, text } = now;
  const onContinue = (): void => {
    const theirs = pageOf(text);
    const operations = theirs && model.onto(theirs);
    if (operations !== undefined) onChosen(file, text, operations);
    else view.replaceWith(versionsView(new Conflict(file, text), options));
  };
  const view = section(
    h("p", {}, `${cause.file} has moved to ${file} since you opened it. Nothing was saved.`),
    primary("Put your changes on the moved page", onContinue),
  );
  return view;
}

function versionsView(conflict: Conflict, options: ConflictOptions): HTMLElement {
  const { file, message, current } = conflict;
  const { model, onChosen } = options;
  const theirs = pageOf(current);
  if (theirs !== undefined) return choice(conflict, theirs, options);
  return section(
    h("p", {}, `${message} Nothing was saved.`),
    h("pre", {}, current ?? "(no file)"),
    current === null
      ? primary("Write your version as a new file", () => onChosen(file, null, beginning(model.page)))
      : h("p", {}, "The file is no longer valid JSON. Correct it, then save again."),
  );
}

/** Lets the editor choose between both versions of a page, field by field. */
function choice(conflict: Conflict, theirs: JsonObject, options: ConflictOptions): HTMLElement {
  const { file, message, current } = conflict;
  const { model, onChosen } = options;
  const differ = (): FieldDifference[] => differences(model.pages, model.before, model.page, theirs);
  const found = differ();
  const choices = new Map<FieldDifference, "mine" | "theirs">();
  for (const one of found) choices.set(one, one.by === "them" ? "theirs" : "mine");
  const fields = new Map(
    fieldsOf(model.pages, model.type).map(({ path, field }) => [pathText(path), field] as const),
  );
  const sets = found.map((one) => {
    const name = `conflict-${pathText(one.path)}`;
    const option = (which: "mine" | "theirs", label: string): HTMLElement =>
      div(
        "version",
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name,
            value: which,
            checked: choices.get(one) === which,
            change: () => choices.set(one, which),
          }),
          ` ${label}`,
        ),
        shown(fields.get(pathText(one.path)), one[which]),
      );
    return h(
      "fieldset",
      { class: "group", "data-conflict": pathText(one.path) },
      h("legend", {}, one.label),
      help(NOTES[one.by]),
      div("versions", option("mine", "Your version"), option("theirs", "The version in the file")),
    );
  });
  const isMine = (one: FieldDifference): boolean => {
    const shownOne = found.find(({ path }) => pathText(path) === pathText(one.path));
    // The choice was between the values shown; a later value was typed after it.
    return shownOne !== undefined && isEqual(shownOne.mine, one.mine)
      ? choices.get(shownOne) === "mine"
      : one.by !== "them";
  };
  const go = (): void => onChosen(file, current, model.operationsOn(differ().filter(isMine)));
  return section(
    h("p", {}, `${message} Nothing was saved. Choose a version of each field that differs, then save again.`),
    ...sets,
    found.length === 0 ? h("p", {}, "Both versions have the same values.") : "",
    primary("Use the chosen versions", go),
  );
}
