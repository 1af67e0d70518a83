import { h } from "../../browse/client/dom.js";
import type { JsonObject } from "../../json/object.ts";
import { differences, merged, type FieldDifference } from "../form/conflict.ts";
import { pageIn, type FormModel } from "../form/model.ts";
import { pathText } from "../form/values.ts";
import type { Conflict } from "../store.ts";

const shown = (value: unknown): string =>
  value === undefined
    ? "(not written)"
    : typeof value === "string"
      ? value
      : JSON.stringify(value, undefined, 2);

const NOTES = {
  me: "You changed this field.",
  them: "This field was changed in the file.",
  both: "You changed this field, and it was changed in the file too.",
} as const;

/** The page in a text; undefined if the text is not a page. */
function pageOf(text: string | null): JsonObject | undefined {
  if (text === null) return undefined;
  try {
    return pageIn(text);
  } catch {
    return undefined;
  }
}

/** The message if a new page cannot be written because its file is another page's; undefined if the file is its own. */
export function messageIfTaken({ file, current }: Conflict, page: JsonObject): string | undefined {
  if (current === null || pageOf(current)?.["id"] === page["id"]) return undefined;
  return `Not saved: ${file} is another page. Choose another slug or parent.`;
}

const section = (...children: (Node | string)[]): HTMLElement =>
  h(
    "section",
    { class: "conflict", "aria-label": "Changed in the meantime", tabindex: "-1" },
    h("h2", {}, "Changed in the meantime"),
    ...children,
  );

/**
 * Shows both versions of a file that has changed since the form was opened.
 *
 * @param onChosen called with the current text of the file and the page that the editor chose.
 */
export function conflictView(
  { message, current }: Conflict,
  model: FormModel,
  onChosen: (text: string | null, page: JsonObject) => void,
): HTMLElement {
  const theirs = pageOf(current);
  if (theirs !== undefined)
    return choice(message, { before: model.before, mine: model.page, theirs }, (page) =>
      onChosen(current, page),
    );
  return section(
    h("p", {}, `${message} Nothing was saved.`),
    h("pre", {}, current ?? "(no file)"),
    current === null
      ? h(
          "button",
          { type: "button", class: "primary", click: () => onChosen(null, model.page) },
          "Write your version as a new file",
        )
      : h("p", {}, "The file is no longer valid JSON. Correct it, then save again."),
  );
}

/** Lets the editor choose between both versions of a page, field by field. */
function choice(
  message: string,
  pages: { before: JsonObject; mine: JsonObject; theirs: JsonObject },
  onChosen: (page: JsonObject) => void,
): HTMLElement {
  const found = differences(pages.before, pages.mine, pages.theirs);
  const choices = new Map<FieldDifference, "mine" | "theirs">();
  for (const one of found) choices.set(one, one.by === "them" ? "theirs" : "mine");
  const fields = found.map((one) => {
    const name = `conflict-${pathText(one.path)}`;
    const option = (which: "mine" | "theirs", label: string): HTMLElement =>
      h(
        "div",
        { class: "version" },
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
        h("pre", { dir: "auto" }, shown(one[which])),
      );
    return h(
      "fieldset",
      { class: "group", "data-conflict": pathText(one.path) },
      h("legend", {}, one.label),
      h("p", { class: "help" }, NOTES[one.by]),
      h(
        "div",
        { class: "versions" },
        option("mine", "Your version"),
        option("theirs", "The version in the file"),
      ),
    );
  });
  const go = (): void =>
    onChosen(
      merged(
        pages.theirs,
        found.filter((one) => choices.get(one) === "mine"),
      ),
    );
  return section(
    h("p", {}, `${message} Nothing was saved. Choose a version of each field that differs, then save again.`),
    ...fields,
    found.length === 0 ? h("p", {}, "Both versions have the same values.") : "",
    h("button", { type: "button", class: "primary", click: go }, "Use the chosen versions"),
  );
}
