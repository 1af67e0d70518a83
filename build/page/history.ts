import * as z from "zod";
import { id, list, nullable, requiredText } from "./field.ts";

/** The schema of `_history.json`: ids that must not be reused, and old addresses that are redirected. */
export const historySchema = z.strictObject({
  retired: list(
    z.strictObject({
      id: id().describe("The id of a page that is no longer published; no other page may have it."),
      address: requiredText("site-relative").describe("Its last address on the website."),
      to: nullable("address").describe("The address that replaces it; null if there is none."),
    }),
  ).describe("Pages that are no longer published."),
  moved: list(
    z.strictObject({
      id: id().describe("The id of a page that has another address now."),
      address: requiredText("site-relative").describe("An address that it had before."),
    }),
  ).describe("Old addresses of pages that have moved."),
});

export type History = z.output<typeof historySchema>;
