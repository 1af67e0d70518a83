import { isObject, type JsonObject } from "../../json/object.ts";
import { shownText } from "../form/values.ts";
import type { PlaceState } from "./place.ts";

/** What a form is opened with. */
export interface OpenedPage {
  id: number;
  /** The source file; of a new page, empty. */
  file: string;
  /** The exact text; null for a new page. */
  text: string | null;
  /** Of a new page: what it begins with. */
  initial?: JsonObject;
  /** The page that the editor chose, if it is not the one in the text: edits that the browser keeps are not put back. */
  page?: JsonObject;
  /** Of a new page: the place that it begins with. */
  place?: PlaceState;
  /** Of a new page: the place that the editor chose, with `page`. */
  chosenPlace?: PlaceState | undefined;
  notice?: Node;
}

/** The id in a source, if it is a number. */
export const idOf = (page: JsonObject): number | undefined =>
  isObject(page) && typeof page["id"] === "number" ? page["id"] : undefined;

/** The name of a form among the unsaved edits. */
export const nameOf = ({ id, place, initial }: OpenedPage): string => {
  if (place === undefined) return `edit=${id}`;
  const meta = initial?.["meta"];
  return `new=${isObject(meta) ? shownText(meta["type"]) : ""}&below=${place.parent}`;
};
