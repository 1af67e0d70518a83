import type { SourceOperation } from "../../json/edit.ts";
import { isObject, type JsonObject } from "../../json/object.ts";
import { shownText } from "../form/values.ts";
import type { PlaceState } from "./place.ts";

/** The page that a form opens with. */
export interface OpenedPage {
  id: number;
  /** The source file; empty for a new page. */
  file: string;
  /** The exact text; null for a new page. */
  text: string | null;
  /** For a new page: its initial content. */
  initial?: JsonObject;
  /** The operations that make the chosen page of the text; then kept edits are not restored. */
  operations?: readonly SourceOperation[] | undefined;
  /** With `operations`: texts in controls that are not valid values yet, by path. */
  unfinished?: Record<string, string>;
  /** For a new page: its initial position. */
  place?: PlaceState;
  /** For a new page: the position that the editor chose, with `operations`. */
  chosenPlace?: PlaceState | undefined;
  notice?: Node | undefined;
}

/** The id of a page; undefined if it is not a number. */
export const idOf = (page: JsonObject): number | undefined =>
  isObject(page) && typeof page["id"] === "number" ? page["id"] : undefined;

/** The key of a form's unsaved edits. */
export const nameOf = ({ id, place, initial }: OpenedPage): string => {
  if (place === undefined) return `edit=${id}`;
  const meta = initial?.["meta"];
  return `new=${isObject(meta) ? shownText(meta["type"]) : ""}&below=${place.parent}`;
};
