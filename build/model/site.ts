import { flag, list, object, open, optional, requiredText } from "./field.ts";
import type { FormatName } from "./formats.ts";
import type { MediaSite } from "./media.ts";

/** The sources on GitHub, for the site's editor (“Editing in the browser” in docs/reference.md). */
export interface GitHubRepository {
  name: string;
  branch: string;
  content: string;
  web_url: string;
  api_url: string;
}

/** A label, or an object with a label and the path of the language's home page. */
type WrittenLanguage = string | { label: string; path?: string | undefined };

/** `_site.json`. The three URLs end without a slash. */
interface SiteSettings {
  base_url: string;
  site_url: string;
  media_url: string;
  append_slash: boolean;
  owned_paths: string[];
  bulk?: boolean | undefined;
  index?: boolean | { limit: number } | undefined;
  /** By code, the main language first. */
  locales?: Record<string, WrittenLanguage> | undefined;
  translations?: boolean | undefined;
  time_zone?: string | undefined;
  repository?: GitHubRepository | undefined;
}

/** The settings, and further facts about the media host. */
export type Site = SiteSettings & Pick<MediaSite, "written_media_url" | "images">;

/** @param byDefault the value if the setting is left out; undefined if it has none then */
const setting = (description: string, format: FormatName, byDefault?: string) =>
  optional(requiredText(description, { format }), byDefault);

const repository = {
  name: requiredText("The owner and the name of the repository on GitHub.", { format: "repository-name" }),
  branch: setting("The branch that proposals change (default: main).", "branch-name", "main"),
  content: setting("The content folder in the repository (default: content).", "folder-path", "content"),
  web_url: setting(
    "The address of GitHub, without a slash at its end (default: https://github.com).",
    "service-url",
    "https://github.com",
  ),
  api_url: setting(
    "The address of GitHub's API, without a slash at its end (default: https://api.github.com).",
    "service-url",
    "https://api.github.com",
  ),
} satisfies Record<keyof GitHubRepository, unknown>;

/** Maximum number of pages in a list that a site can choose. */
export const MAX_LIMIT = 1000;

/** A value of one of several kinds, which `check/config.ts` checks. */
const special = (description: string) => optional(open("any", { description, occurs: () => true }));

export const siteModel = object({
  base_url: requiredText("The URL in front of /api/v2/pages/, without a slash at its end.", {
    format: "site-url",
  }),
  site_url: requiredText("The address of the website, without a slash at its end.", { format: "site-url" }),
  media_url: requiredText(
    "The address of the media host (the images), without a slash at its end. For images in _media/: base_url and /media.",
    { format: "site-url" },
  ),
  append_slash: flag("Whether the address of a page on the website ends in a slash (default: true).", {
    empty: true,
  }),
  owned_paths: list(
    requiredText("", { format: "site-relative" }),
    "Paths of the website. Every page below these paths is in these sources, so a link to another address there is a warning.",
  ),
  bulk: optional(
    flag("Whether all pages are also published as ZIP files, for copies of the whole site (default: false)."),
  ),
  index: special(
    `Whether the pages are also published by address, by parent page and as lists, for websites that are built on the API (default: false). {"limit": 100} also sets the maximum number of pages in a list: 1 to ${MAX_LIMIT}, instead of 20.`,
  ),
  locales: special(
    'The languages of the site, in the order of display; the first is the main one: {"en": "English", "cy": "Cymraeg"}. A value may also be {"label": "Cymraeg", "path": "/cymraeg/"}.',
  ),
  translations: optional(
    flag("Whether responses name the translations of a page, if there are locales (default: true)."),
  ),
  time_zone: setting(
    "The time zone of dates in the form, such as Europe/London (default: that of the editor's computer).",
    "time-zone",
  ),
  repository: optional(
    object(
      repository,
      "The repository of these sources on GitHub. If it is set, the published site has an editor that proposes changes there.",
    ),
  ),
} satisfies Record<keyof SiteSettings, unknown>);

export const SITE_URLS = ["base_url", "site_url", "media_url"] as const;

/** The paths of the addresses that must end without a slash. */
export const URL_PATHS: readonly (readonly string[])[] = [
  ...SITE_URLS.map((name) => [name]),
  ["repository", "web_url"],
  ["repository", "api_url"],
];
