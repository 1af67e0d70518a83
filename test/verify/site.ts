import { write } from "../site/site.ts";
import { emptyOf, fieldsOf } from "../response/interface.ts";
import { scratch } from "../scratch.ts";

/** A small site as its responses, written by hand, so that verification is tested without a build. */

type Page = Record<string, unknown> & { id: number };

const WEB = "https://www.example.org";

const PLACES = [
  [2, "home.HomePage", "Home", "/", 0],
  [3, "standardpages.GeneralPage", "Visit", "/visit/", 2],
  [4, "artworks.ArtworkIndexPage", "Art", "/art/", 2],
  [7, "projects.ProjectIndexPage", "Work", "/projects/", 3],
  [12, "projects.ProjectPage", "Tide", "/projects/tide/", 7],
  [31, "artworks.ArtworkPage", "Märsh 沼", "/art/marsh/", 4],
] as const;

export const IDS = PLACES.map(([id]) => id);

/** The summary of a page in the responses of its subpages; null for the home page's parent. */
function summary(base: string, wanted: number) {
  const [id, type, title, path] = PLACES.find(([known]) => known === wanted) ?? [];
  if (id === undefined) return null;
  return { id, meta: { type, detail_url: `${base}/api/v2/pages/${id}/`, html_url: `${WEB}${path}` }, title };
}

/** The fields of the artwork that are not empty. */
function facts(base: string): object {
  const url = `${base}/media/märsh/a%20b.png?v=2`;
  const image = { sizes: [[1, "0-1", url]], default_url: url, current_size: "0-1", src: "" };
  const flags = { no_right_click: false, sensitive: false, protected: false };
  return {
    acno: "N00530",
    url: `${WEB}/art/marsh/`,
    acquisitionYear: 1856,
    start_year: 1842,
    end_year: 1842,
    mltYear: 1842,
    classificationId: 6,
    classification: { id: 6, meta: { type: "" } },
    subjects: [{ id: 71, name: "marsh", level: 3, parent_id: 70 }],
    subject_tags: ["marsh"],
    location: [{}],
    master_images: [
      {
        ...image,
        alt_text: "A marsh",
        uncleared: false,
        height_ratio: 1,
        max_width: 1,
        ...flags,
        copyright: "",
        status: "",
      },
    ],
  };
}

/** The responses by id, as a build for `base` would write them. */
export const siteFor = (base: string): Map<number, Page> =>
  new Map(
    PLACES.map(([id, type, title, path, parent]) => {
      const meta = {
        ...summary(base, id)?.meta,
        slug: path.split("/").at(-2) || "home",
        show_in_menus: true,
        seo_title: "",
        search_description: "",
        first_published_at: id === 4 ? null : "2026-01-02T03:04:05Z",
        alias_of: null,
        parent: summary(base, parent),
      };
      const own = id === 31 ? emptyOf(fieldsOf(type)) : {};
      return [id, { ...own, id, meta, title, ...(id === 31 ? facts(base) : {}) }];
    }),
  );

export type Folder = ReturnType<typeof newFolder>;

export function newFolder() {
  const path = scratch("verify");
  return { path, write: (name: string, content: string) => write(path, name, content) };
}

/** Writes the small site as a build would have done. */
export function writeOutput(folder: Folder, base: string): void {
  for (const [id, page] of siteFor(base)) folder.write(`api/v2/pages/${id}/index.json`, JSON.stringify(page));
}

/** Writes sources with the site's ids and types, which are all that verification reads. */
export function writeContent(folder: Folder): void {
  for (const [id, { meta }] of siteFor("https://api.example.org"))
    folder.write(`_group/page-${id}.json`, JSON.stringify({ id, meta }));
}
