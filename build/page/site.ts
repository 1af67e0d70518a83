import * as z from "zod";
import { flag, list, requiredText } from "./field.ts";

/** `_site.json`: what the addresses in the responses are made of. The three URLs end without a slash. */
export const siteSchema = z.strictObject({
  base_url: requiredText("absolute-url").describe(
    "The address of the API's host, without a slash at its end.",
  ),
  site_url: requiredText("absolute-url").describe("The address of the website, without a slash at its end."),
  media_url: requiredText("absolute-url").describe(
    "The address of the host of images, without a slash at its end.",
  ),
  append_slash: flag()
    .unwrap()
    .default(true)
    .describe("Whether the address of a page on the website ends in a slash (default: true)."),
  owned_paths: list(requiredText("site-relative")).describe(
    "Paths of the website below which every page comes from these sources: a link there to an address without a page is a warning.",
  ),
  bulk: z
    .boolean()
    .optional()
    .describe(
      "Whether all pages are published as ZIP files too, for those who keep a copy (false where left out).",
    ),
});

export type Site = z.output<typeof siteSchema>;

export const SITE_URLS = ["base_url", "site_url", "media_url"] as const;
