import { emptyOf, fieldsOf } from "../response/interface.ts";

/** A small site as its responses, written by hand, so that verification is tested without a build. */

type Page = Record<string, unknown> & { id: number };

const address = (base: string, id: number): string => `${base}/api/v2/pages/${id}/`;
const WEB = "https://www.example.org";

interface Place {
  id: number;
  type: string;
  title: string;
  path: string;
  parent?: Place;
}

const home: Place = { id: 2, type: "home.HomePage", title: "Home", path: "/" };
const visit: Place = {
  id: 3,
  type: "standardpages.GeneralPage",
  title: "Visit",
  path: "/visit/",
  parent: home,
};
const art: Place = { id: 4, type: "artworks.ArtworkIndexPage", title: "Art", path: "/art/", parent: home };
const projects: Place = {
  id: 7,
  type: "projects.ProjectIndexPage",
  title: "Work",
  path: "/projects/",
  parent: visit,
};
const project: Place = {
  id: 12,
  type: "projects.ProjectPage",
  title: "Tide",
  path: "/projects/tide/",
  parent: projects,
};
const marsh: Place = {
  id: 31,
  type: "artworks.ArtworkPage",
  title: "Märsh 沼",
  path: "/art/marsh/",
  parent: art,
};

const common = (base: string, { id, type, title, path, parent }: Place): Page => ({
  id,
  meta: {
    type,
    detail_url: address(base, id),
    html_url: WEB + path,
    slug: path.split("/").at(-2) || "home",
    show_in_menus: true,
    seo_title: "",
    search_description: "",
    first_published_at: id === 4 ? null : "2026-01-02T03:04:05Z",
    alias_of: null,
    parent:
      parent === undefined
        ? null
        : {
            id: parent.id,
            meta: { type: parent.type, detail_url: address(base, parent.id), html_url: WEB + parent.path },
            title: parent.title,
          },
  },
  title,
});

const artwork = (base: string, place: Place): Page => ({
  ...emptyOf(fieldsOf(place.type)),
  ...common(base, place),
  acno: "N00530",
  url: WEB + place.path,
  acquisitionYear: 1856,
  start_year: 1842,
  end_year: 1842,
  mltYear: 1842,
  classificationId: 6,
  classification: { id: 6, meta: { type: "" } },
  subjects: [{ id: 71, name: "marsh", level: 3, parent_id: 70 }],
  subject_tags: ["marsh"],
  location: [{}],
  master_images: [masterImage(`${base}/media/märsh/a%20b.png?v=2`)],
});

const masterImage = (url: string): object => ({
  sizes: [[1, "0-1", url]],
  default_url: url,
  current_size: "0-1",
  src: "",
  alt_text: "A marsh",
  uncleared: false,
  height_ratio: 1,
  max_width: 1,
  no_right_click: false,
  sensitive: false,
  protected: false,
  copyright: "",
  status: "",
});

export const IDS = [2, 3, 4, 7, 12, 31];

/** The responses by id, as a build for `base` would write them. */
export const siteFor = (base: string): Map<number, Page> =>
  new Map(
    [...[home, visit, art, projects, project].map((place) => common(base, place)), artwork(base, marsh)].map(
      (page) => [page.id, page],
    ),
  );
