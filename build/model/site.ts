import * as z from "zod";
import { anyOf, flag, list, requiredText } from "./field.ts";
import type { MediaSite } from "./media.ts";

/** The sources on GitHub, for the site's editor (“Editing in the browser” in docs/reference.md). */
const repositorySchema = z.strictObject({
  name: requiredText("repository-name").describe("The owner and the name of the repository on GitHub."),
  branch: requiredText("branch-name")
    .default("main")
    .describe("The branch that proposals change (default: main)."),
  content: requiredText("folder-path")
    .default("content")
    .describe("The content folder in the repository (default: content)."),
  web_url: requiredText("service-url")
    .default("https://github.com")
    .describe("The address of GitHub, without a slash at its end (default: https://github.com)."),
  api_url: requiredText("service-url")
    .default("https://api.github.com")
    .describe("The address of GitHub's API, without a slash at its end (default: https://api.github.com)."),
});

const localesSchema = z.record(
  z.string(),
  z.union([z.string(), z.strictObject({ label: z.string(), path: z.string().optional() })]),
);

/** Maximum number of pages in a list that a site can choose. */
export const MAX_LIMIT = 1000;

/** The schema of `_site.json`. The three URLs end without a slash. */
export const siteSchema = z.strictObject({
  base_url: requiredText("site-url").describe(
    "The URL in front of /api/v2/pages/, without a slash at its end.",
  ),
  site_url: requiredText("site-url").describe("The address of the website, without a slash at its end."),
  media_url: requiredText("site-url").describe(
    "The address of the media host (the images), without a slash at its end. For images in _media/: base_url and /media.",
  ),
  append_slash: flag()
    .unwrap()
    .default(true)
    .describe("Whether the address of a page on the website ends in a slash (default: true)."),
  owned_paths: list(requiredText("site-relative")).describe(
    "Paths of the website. Every page below these paths is in these sources, so a link to another address there is a warning.",
  ),
  bulk: z
    .boolean()
    .optional()
    .describe(
      "Whether all pages are also published as ZIP files, for copies of the whole site (default: false).",
    ),
  index: anyOf(z.union([z.boolean(), z.strictObject({ limit: z.int().min(1).max(MAX_LIMIT) })]))
    .optional()
    .describe(
      `Whether the pages are also published by address, by parent page and as lists, for websites that are built on the API (default: false). {"limit": 100} also sets the maximum number of pages in a list: 1 to ${MAX_LIMIT}, instead of 20.`,
    ),
  locales: anyOf(localesSchema)
    .optional()
    .describe(
      'The languages of the site, in the order of display; the first is the main one: {"en": "English", "cy": "Cymraeg"}. A value may also be {"label": "Cymraeg", "path": "/cymraeg/"}.',
    ),
  translations: z
    .boolean()
    .optional()
    .describe("Whether responses name the translations of a page, if there are locales (default: true)."),
  time_zone: requiredText("time-zone")
    .optional()
    .describe(
      "The time zone of dates in the form, such as Europe/London (default: that of the editor's computer).",
    ),
  repository: repositorySchema
    .optional()
    .describe(
      "The repository of these sources on GitHub. If it is set, the published site has an editor that proposes changes there.",
    ),
});

/** The settings, and further facts about the media host. */
export type Site = z.output<typeof siteSchema> & Pick<MediaSite, "written_media_url" | "images">;

export type GitHubRepository = z.output<typeof repositorySchema>;

export const SITE_URLS = ["base_url", "site_url", "media_url"] as const;

/** The paths of the addresses that must end without a slash. */
export const URL_PATHS: readonly (readonly string[])[] = [
  ...SITE_URLS.map((name) => [name]),
  ["repository", "web_url"],
  ["repository", "api_url"],
];
