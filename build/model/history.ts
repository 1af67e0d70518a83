import { id, list, object, orNull, requiredText } from "./field.ts";

/** `_history.json`: ids that must not be reused, and old addresses that are redirected. */
export interface History {
  retired: { id: number; address: string; to: string | null }[];
  moved: { id: number; address: string }[];
}

const retired = object({
  id: id("The id of a page that is no longer published; no other page may have it."),
  address: requiredText("The page's last address on the website.", { format: "site-relative" }),
  to: orNull(
    requiredText("The address that replaces the page; null if no page does.", { format: "address" }),
  ),
});

const moved = object({
  id: id("The id of a page that has a new address."),
  address: requiredText("An old address of the page.", { format: "site-relative" }),
});

export const historyModel = object({
  retired: list(retired, "Pages that are no longer published."),
  moved: list(moved, "Old addresses of pages that have moved."),
});
