import { withoutAccents } from "../../base/letters.js";
import { entry, warning } from "../entry.ts";
import { argument } from "../printable.ts";

const IMAGES = ".jpg, .png, .webp, .avif or .gif";

/** Rounded up, so that a file above a limit does not seem to have exactly the limit's size. */
const mebibytes = (bytes: number): string => `${Math.ceil((bytes / 2 ** 20) * 10) / 10} MiB`;

/** A suggested name, made from `slug`, that an address may contain. */
function likely(slug: string): string {
  const name = withoutAccents(slug.toLowerCase())
    .replace(/\.json$/, "")
    .replace(/\s*&\s*/g, "-and-")
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^[-_]+|-+$/g, "");
  return name === "" ? "" : `, for example to “${name}${name === slug ? "-page" : ""}”`;
}

/** The intended name of a source file whose extension is not quite right. */
export function meantSource(name: string): string | undefined {
  const stem =
    /^(.+)\.json\.(?:txt|bak)$/i.exec(name)?.[1] ?? /^(.+)\.(?:jsn|jason|js|jsonc|json5)$/i.exec(name)?.[1];
  return stem && `${stem}.json`;
}

export const IF_DRAFT = "If it is the draft of a page, rename it.";

export const files = {
  "site-missing": entry({
    message:
      "There is no _site.json, so the addresses of the API, the website and the media host are unknown.",
    hint: "Add _site.json at the top of the content folder, with base_url, site_url and media_url.",
    example: { wrong: "content/ without _site.json", right: "content/_site.json" },
  }),
  "site-misplaced": entry({
    message: "This _site.json is not at the top of the content folder, so nothing reads it.",
    hint: `Move it to the top of the content folder, or delete it. ${IF_DRAFT}`,
    example: { wrong: "content/art/_site.json", right: "content/_site.json" },
  }),
  "history-misplaced": entry({
    message: "This _history.json is not at the top of the content folder, so nothing reads it.",
    hint: `Move its entries into _history.json at the top of the content folder, and delete it here. ${IF_DRAFT}`,
    example: { wrong: "content/art/_history.json", right: "content/_history.json" },
  }),
  "sync-misplaced": entry({
    message: "This _sync.json is not at the top of the content folder, so nothing reads it.",
    hint: `Delete it here: npx page-api sync writes the file at the top of the content folder. ${IF_DRAFT}`,
    example: { wrong: "content/art/_sync.json", right: "content/_sync.json" },
  }),
  "home-missing": entry<{ type: string; meant?: string | undefined }>({
    message: "There is no home page: the top of the content folder has no index.json.",
    hint: ({ type, meant }) =>
      meant === undefined
        ? `Add an index.json there, with "meta": {"type": "${type}"}.`
        : `Rename ${meant} to index.json.`,
    facts: { type: "home.HomePage" },
    example: { wrong: "content/ without index.json", right: "content/index.json" },
  }),
  "index-missing": entry<{ folder: string; meant?: string | undefined }>({
    message: ({ folder }) =>
      `The folder “${folder}” contains pages but is not a page itself: it has no index.json.`,
    hint: ({ folder, meant }) =>
      meant !== undefined
        ? `Rename ${folder}/${meant} to index.json.`
        : `Add ${folder}/index.json, or ${folder}/_index.json if nothing in it is to be published yet. Renaming the folder would move its pages.`,
    facts: { folder: "visit" },
    example: { wrong: "only content/visit/cafe.json", right: "content/visit/index.json beside it" },
  }),
  "index-in-group": entry({
    message: "A folder whose name begins with “_” only groups files, so it cannot have an index.json.",
    hint: "If the folder is a page, take the “_” off its name: its pages then become its subpages, at other addresses. Otherwise, rename this file to its page's slug.",
    example: { wrong: "content/art/_d00/index.json", right: "content/art/_d00/folly-bridge.json" },
  }),
  "bad-slug": entry<{ slug: string; isFolder?: boolean; isGroup?: boolean }>({
    message: ({ slug, isGroup }) =>
      `“${slug}” cannot be ${isGroup === true ? "the name of a grouping folder" : "part of an address"}.`,
    hint: ({ slug, isFolder, isGroup }) =>
      isGroup === true
        ? "Begin its name with “_”, and use no “/” in it."
        : isFolder !== true && /\.json$/i.test(slug)
          ? `Its name ends in “.json” twice: rename it to ${slug.replace(/\.json$/i, "")}.json.`
          : `Rename ${isFolder === true ? "the folder" : "it"}${likely(slug)}: use only letters, digits, “-” and “_”${slug.startsWith("_") ? ", and write %5F for the “_” that a slug begins with" : ""}.`,
    facts: { slug: "café & bar" },
    example: { wrong: "content/café & bar.json", right: "content/cafe-and-bar.json" },
  }),
  "reserved-name": entry<{ name: string; isFolder?: boolean }>({
    message: ({ name }) =>
      `Windows reserves the name “${name}” for a device, so the repository cannot be checked out there.`,
    hint: ({ name, isFolder }) =>
      `Rename ${isFolder === true ? "the folder" : "it"}, for example to “${name.replace(/^[^.]*/, "$&-page")}”: another name is another address.`,
    facts: { name: "con" },
    example: { wrong: "content/visit/con.json", right: "content/visit/con-page.json" },
  }),
  "slug-clash": entry({
    message: ({ slug, other }) =>
      `Two pages below the same page would have the address “${slug}”: this one and ${other}.`,
    hint: "Rename the one that is not published yet, or delete it: another name is another address. Case does not count, nor how an accent is encoded.",
    facts: { slug: "about", other: "about/index.json" },
    example: { wrong: "content/about.json beside content/about/index.json", right: "one of the two" },
  }),
  "wrong-case": entry({
    message: ({ name, meant }) =>
      `“${name}” is not read: upper and lower case count, and its name must be “${meant}”.`,
    hint: ({ name, meant }) =>
      `Rename it to ${meant}, for example by running this command in its folder: git mv ${argument(name)} ${argument(meant)}`,
    facts: { name: "Index.json", meant: "index.json" },
    example: { wrong: "content/visit/Index.json", right: "content/visit/index.json" },
  }),
  "other-file": warning<{ name: string; isSpecial?: boolean }>({
    message: ({ name, isSpecial }) =>
      isSpecial === true
        ? `“${name}” is a FIFO, a socket or a device, which has no content to publish.`
        : `“${name}” is not a page source, so it is not published.`,
    hint: ({ name, isSpecial }) => {
      if (isSpecial === true) return "Move it out of the content folder.";
      const meant = meantSource(name);
      return meant === undefined
        ? "The name of a page source ends in “.json”; move other files out of the content folder."
        : `If it is a page, rename it to ${meant}; else move it out of the content folder.`;
    },
    facts: { name: "notes.txt" },
    example: { wrong: "content/notes.txt", right: "notes outside of content/" },
  }),
  "link-in-content": entry({
    message: ({ name }) => `“${name}” is a symbolic link, and links are not followed.`,
    hint: "Put the file or folder itself here.",
    facts: { name: "about.json" },
    example: { wrong: "content/about.json -> /home/me/about.json", right: "content/about.json, a file" },
  }),
  "media-file": entry<{ name: string; meant?: string | undefined }>({
    message: ({ name }) => `“${name}” is in _media/, but is not named like an image that can be published.`,
    hint: ({ meant }) =>
      meant === undefined
        ? `Save it as ${IMAGES}, or move it out of _media/.`
        : `Rename it to ${meant}: the name of an image ends in ${IMAGES}.`,
    facts: { name: "marsh.JPEG", meant: "marsh.jpg" },
    example: { wrong: "content/_media/marsh.JPEG", right: "content/_media/marsh.jpg" },
  }),
  "media-name": entry({
    message: ({ name }) => `“${name}” cannot be part of an image's address on every host.`,
    hint: 'Rename it: begin with a letter or digit, and use none of the characters \\ : * ? " < > | % #',
    facts: { name: "_marsh.jpg" },
    example: { wrong: "content/_media/_marsh.jpg", right: "content/_media/marsh.jpg" },
  }),
  "media-clash": entry({
    message: ({ name, other }) =>
      `“${name}” and ${other} have the same name: upper and lower case count as the same.`,
    hint: "Rename one of the two, and correct its address on the pages that show it.",
    facts: { name: "Marsh.jpg", other: "marsh.jpg" },
    example: { wrong: "Marsh.jpg beside marsh.jpg", right: "one of the two" },
  }),
  "media-size": entry({
    message: ({ bytes, limit }) =>
      `The image has ${mebibytes(bytes)}; hosts take files of at most ${mebibytes(limit)}.`,
    hint: "Save it with fewer pixels, or as .webp or .avif.",
    facts: { bytes: 30 * 2 ** 20, limit: 25 * 2 ** 20 },
    example: { wrong: "an image of 30 MiB", right: "the same image of 2 MiB" },
  }),
  "media-content": entry<{ name: string; kind: string; meant?: string | undefined }>({
    message: ({ name, kind }) => `“${name}” is not the kind of image that it is named: the file is ${kind}.`,
    hint: ({ meant }) =>
      meant === undefined
        ? "Put the image itself here: save it again from its original."
        : `Rename it to ${meant}, and correct its address on the pages that show it.`,
    facts: { name: "marsh.jpg", kind: "an HTML page" },
    example: { wrong: "a saved HTML page named marsh.jpg", right: "the image" },
  }),
  "locale-inside": entry<{ folder: string; meant: string }>({
    message: ({ folder }) => `The folder ${folder}/ of a language is inside of another language.`,
    hint: ({ folder, meant }) => `Move ${folder}/ to ${meant}/, at the top of the content folder.`,
    facts: { folder: "cy/fr", meant: "fr" },
    example: { wrong: "the folder cy/fr/", right: "the folder fr/" },
  }),
  "locale-without-pages": warning<{ code: string; folder: string }>({
    message: ({ code, folder }) => `The language ${code} has no page: there is no folder ${folder}/.`,
    hint: ({ folder }) => `Make its home page ${folder}/index.json, or delete the language.`,
    facts: { code: "cy", folder: "cy" },
    example: {
      wrong: '"locales": {"en": "English", "cy": "Cymraeg"}',
      right: '"locales": {"en": "English"}',
    },
  }),
};
