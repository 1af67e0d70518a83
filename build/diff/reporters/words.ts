import { plural, thousands } from "../../base/numbers.ts";
import type { ChangedChildren, Comparison } from "../comparison.ts";
import type { FieldChange } from "../fields.ts";

const count = (n: number, words: string): string[] => (n === 0 ? [] : [`${thousands(n)} ${words}`]);

export const childrenOf = (children: ChangedChildren[]): number =>
  children.reduce((sum, { pages }) => sum + pages.length, 0);

/** `1 page added, 2 changed, 1 moved` */
export function summary({
  added,
  removed,
  changed,
  moved,
  children,
  ids,
  addresses,
  broken,
  site,
}: Comparison): string {
  const counts = [
    ...count(added.length, "added"),
    ...count(removed.length, "removed"),
    ...count(changed.length, "changed"),
    ...count(moved.length, "moved"),
    ...count(childrenOf(children), "changed with the page above"),
  ];
  const rest = [
    ...(site.length === 0 ? [] : ["_site.json changes"]),
    ...(ids.vanished.length === 0 ? [] : [`${plural(ids.vanished.length, "id")} gone`]),
    ...(ids.reused.length === 0 ? [] : [`${plural(ids.reused.length, "id")} used for another page`]),
    ...(addresses.length === 0
      ? []
      : [`${addresses.length} ${addresses.length === 1 ? "address" : "addresses"} gone`]),
    ...(broken.length === 0 ? [] : [`${plural(broken.length, "file")} with errors`]),
  ];
  if (counts.length + rest.length === 0) return "Nothing that is published changes.";
  const pages = counts.length === 0 ? "" : `Pages: ${counts.join(", ")}. `;
  return `${pages}${rest.length === 0 ? "" : `${capital(rest.join(", "))}.`}`.trim();
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What a change of `_site.json` changes in every response. */
const EFFECTS: Record<string, string> = {
  base_url: "meta.detail_url of every page, and of the page above in it",
  site_url:
    "meta.html_url of every page, and of the page above in it: no former address on the website stays",
  append_slash: "meta.html_url of every page but the home page: no former address on the website stays",
  media_url: "the address of every image that is written with a slash at its beginning",
};

export const effectOf = ({ field }: FieldChange): string =>
  EFFECTS[field] ?? "no response; only what is checked";
