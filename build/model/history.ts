import * as z from "zod";
import { id, list, nullable, requiredText } from "./field.ts";

/** The schema of `_history.json`: ids that must not be reused, and old addresses that are redirected. */
export const historySchema = z.strictObject({
  retired: list(
    z.strictObject({
      id: id().describe("The id of a page that is no longer published; no other page may have it."),
      address: requiredText("site-relative").describe("The page's last address on the website."),
      to: nullable("address").describe("The address that replaces the page; null if no page does."),
    }),
  ).describe("Pages that are no longer published."),
  moved: list(
    z.strictObject({
      id: id().describe("The id of a page that has a new address."),
      address: requiredText("site-relative").describe("An old address of the page."),
    }),
  ).describe("Old addresses of pages that have moved."),
});

export type History = z.output<typeof historySchema>;
