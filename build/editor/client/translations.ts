import { languageOf, record } from "../../browse/data.js";
import { editHref } from "../../browse/editing.js";
import { languageLinks } from "../../browse/translations.js";
import { languageAt } from "../../model/languages.ts";
import type { FormContext, PlacedControl } from "./context.ts";

/* What the form of a page shows on a site with several languages. */

export interface TranslatedForm {
  id: number;
  /** Empty for a new page. */
  file: string;
  /** The parent of a new page. */
  parent: number | undefined;
  head: HTMLElement;
  context: FormContext;
}

const isText = (control: HTMLElement): boolean =>
  control.isContentEditable || control.matches("textarea:not(.is-derived), input[type=text]");

/** Shows the languages of the page, and names its language to the browser's spelling check. */
export async function showLanguages({ id, file, parent, head, context }: TranslatedForm): Promise<void> {
  const { site } = context.host;
  const above = parent === undefined ? undefined : await record(parent);
  const code =
    site && (file === "" ? above && (await languageOf(above))?.code : languageAt(file, site)?.code);
  const links = await languageLinks(id, code, editHref);
  head.querySelector(".languages")?.remove();
  if (file === "") for (const link of links.querySelectorAll("a")) link.remove();
  head.append(links);
  const mark = ({ control }: PlacedControl): void => {
    if (code !== undefined && isText(control)) control.lang = code;
  };
  context.onPlace = mark;
  for (const placed of context.placed.values()) mark(placed);
  head.parentElement?.querySelector("h1")?.setAttribute("lang", code ?? "");
}
