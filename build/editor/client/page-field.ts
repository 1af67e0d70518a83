import { drafts } from "../../browse/client/drafts.js";
import { labelOf, record, recordsOf } from "../../browse/client/data.js";
import { h } from "../../browse/client/dom.js";
import { find } from "../../browse/client/search.js";
import type { Field, FieldPath } from "../form/fields.ts";
import { MAX_SUGGESTED } from "../form/things.ts";
import { shownText } from "../form/values.ts";
import { combobox, type Suggestion } from "./combobox.ts";
import type { FormContext } from "./context.ts";

/** Maximum number of search results whose types are read, and the number that is read at a time. */
const MAX_READ = 240;
const READ_AT_ONCE = 24;

/** The pages with the typed words. A reference or a link to a draft would be an error. */
export async function suggestPages(
  words: string,
  types: readonly string[] | undefined,
  choose: (id: number) => unknown,
): Promise<Suggestion[]> {
  const { ids } = await find(words);
  const found: Suggestion[] = [];
  for (let k = 0; k < Math.min(ids.length, MAX_READ) && found.length < MAX_SUGGESTED; k += READ_AT_ONCE)
    for (const { id, type, title } of await recordsOf(ids.slice(k, k + READ_AT_ONCE)))
      if (!drafts.has(id) && types?.includes(type) !== false)
        found.push({
          text: title || "Untitled",
          note: `${await labelOf(type)} · ${id}`,
          choose: () => choose(id),
        });
  return found.slice(0, MAX_SUGGESTED);
}

/** The control of a reference to a page: it shows the page's title, and suggests the pages with the typed words. */
export function pageField(
  context: FormContext,
  field: Field,
  path: FieldPath,
): [HTMLInputElement, HTMLElement] {
  const chosen = h("output", { class: "chosen-page" });
  const show = async (): Promise<void> => {
    const id = context.model.value(path);
    const page = typeof id === "number" ? await record(id).catch(() => undefined) : undefined;
    const words =
      page === undefined ? "No published page has this id." : `${await labelOf(page.type)} · ${page.id}`;
    if (context.model.value(path) !== id) return;
    control.value = page?.title ?? shownText(id);
    chosen.textContent = typeof id === "number" ? words : "";
  };
  const search = (words: string): Promise<Suggestion[]> =>
    suggestPages(words, field.reference?.types, (id) => {
      context.set(path, id);
      void show();
    });
  const control = combobox(path, field.label, search);
  control.placeholder = "Type the title of a page";
  control.value = shownText(context.model.value(path));
  control.addEventListener("input", () => {
    if (control.value.trim() !== "") return;
    context.set(path, field.isNullable ? context.none(path) : undefined);
    void show();
  });
  // A text that chooses no page is no value.
  control.addEventListener("change", () => void show());
  void show();
  return [control, chosen];
}
