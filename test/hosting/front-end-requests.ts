import { page, SITE } from "../site/site.ts";

/*
 * The requests for lists of public front ends, path and query as they are sent: the official demo for Next.js, a single
 * page on the state of headless Wagtail, a library of textbooks, a national archive, a blog in Vue, one in Gridsome, an
 * agency and a business. Only the host and the ids are those of this site, which has their types.
 */

const text = (...names: string[]) => Object.fromEntries(names.map((name) => [name, "text"]));
const image = {
  fields: { id: "integer", meta: { fields: text("type", "detail_url", "download_url") }, title: "text" },
  null: true,
};
const blocks = { blocks: { paragraph: "html" } };
const type = (label: string, fields: object, more: object = {}) => ({
  label,
  parents: ["home.HomePage"],
  fields,
  ...more,
});
const TYPES = {
  "base.BlogIndexPage": type("Index", { ...text("introduction"), image }),
  "blog.BlogPage": type(
    "Post",
    {
      ...text("introduction", "subtitle", "intro", "thumbnail", "author"),
      image,
      body: blocks,
      extra: "text",
      restricted: "boolean",
      tags: { list: "text", filter: true },
      date_published: { kind: "date", null: true },
      blog_person_relationship: { list: { fields: text("person") } },
    },
    { parents: ["base.BlogIndexPage"] },
  ),
  "locations.LocationPage": type("Location", {
    ...text("introduction", "address", "lat_long"),
    image,
    body: blocks,
    hours_of_operation: { list: { fields: text("day") } },
  }),
  "areweheadlessyet.AreWeHeadlessYetHomePage": type("Headless", {}),
  "areweheadlessyet.AreWeHeadlessYetTopicPage": type("Topic", text("status_color", "introduction")),
  "books.Book": type("Book", {
    cnx_id: { kind: "text", filter: true },
    ...text("publish_date", "cover_color", "amazon_link", "book_state", "promote_image", "webview_rex_link"),
    ...text("cover_url", "title_image_url", "license_name"),
    authors: { list: { fields: text("name") } },
  }),
  "lifeevents.LifeEventPage": type("Event", { popular: { kind: "boolean", filter: true } }),
  "buildings.BuildingPage": type("Building", {
    city: { kind: "text", filter: true },
    ...text("lat_long", "name", "address"),
  }),
};
const META = "type detail_url html_url slug show_in_menus first_published_at";
const USUAL = `id ${META} title`;
const OF_PAGE =
  "type,detail_url,html_url,slug,show_in_menus,seo_title,search_description,first_published_at,alias_of,locale";
const ALL_META =
  "type detail_url html_url slug show_in_menus seo_title search_description first_published_at alias_of";
const IMAGE = "image(id,title,type,detail_url,download_url)";
const POST = `id,title,introduction,${IMAGE},body,subtitle,tags,date_published,blog_person_relationship,${OF_PAGE}`;
const SHOWN_POST = `id ${ALL_META} title introduction subtitle image body tags date_published blog_person_relationship`;
const BOOK =
  "cnx_id,authors,publish_date,cover_color,amazon_link,book_state,promote_image,webview_rex_link,cover_url,title_image_url";
const SHOWN_BOOK = `id ${META} title cnx_id publish_date cover_color amazon_link book_state promote_image webview_rex_link cover_url title_image_url authors`;
const sent = (query: Record<string, string>) => `/api/v2/pages/?${new URLSearchParams(query).toString()}`;

/** Each request with the ids and the fields of the first page that it gets. */
export const REQUESTS: [sent: string, ids: number[], fields: string][] = [
  // The demo for Next.js: its menu, its blog, the posts with a tag, its locations.
  [
    sent({ child_of: "3", show_in_menus: "true", type: "wagtailcore.Page", fields: `id,title,${OF_PAGE}` }),
    [10],
    `id ${ALL_META} title`,
  ],
  [sent({ child_of: "10", type: "blog.BlogPage", fields: POST }), [11, 12, 13], SHOWN_POST],
  [sent({ child_of: "10", tags: "Sour dough", type: "blog.BlogPage", fields: POST }), [12], SHOWN_POST],
  [
    sent({
      child_of: "3",
      type: "locations.LocationPage",
      fields: `id,title,introduction,${IMAGE},body,address,lat_long,hours_of_operation,${OF_PAGE}`,
    }),
    [21],
    `id ${ALL_META} title introduction address lat_long image body hours_of_operation`,
  ],
  // A page on headless Wagtail.
  [sent({ type: "areweheadlessyet.AreWeHeadlessYetHomePage" }), [30], USUAL],
  [
    sent({ type: "areweheadlessyet.AreWeHeadlessYetTopicPage", fields: "title,status_color,introduction" }),
    [31, 32],
    `${USUAL} status_color introduction`,
  ],
  // Textbooks.
  [`/api/v2/pages?type=books.Book&fields=${BOOK}&slug=physics`, [41], SHOWN_BOOK],
  [`/api/v2/pages?type=books.Book&fields=${BOOK}&cnx_id=b-2`, [42], SHOWN_BOOK],
  [
    "/api/v2/pages/?type=books.Book&fields=cnx_id,license_name,book_state&limit=500",
    [41, 42],
    `${USUAL} cnx_id book_state license_name`,
  ],
  // An archive: children, breadcrumbs, the newest children, all pages.
  ["/api/v2/pages/?child_of=10&format=json", [11, 12, 13], USUAL],
  ["/api/v2/pages/?ancestor_of=12&format=json", [3, 10], USUAL],
  ["/api/v2/pages/?child_of=10&offset=0&limit=12&order=-first_published_at&format=json", [13, 12, 11], USUAL],
  [
    "/api/v2/pages/?offset=0&limit=20&format=json",
    [3, 10, 11, 12, 13, 21, 30, 31, 32, 41, 42, 51, 61],
    USUAL,
  ],
  // Blogs.
  ["/api/v2/pages?type=blog.BlogPage&fields=intro&order=-first_published_at", [13, 12, 11], `${USUAL} intro`],
  [
    "/api/v2/pages/?type=blog.BlogPage&fields=_,id,title,body,extra,slug,restricted",
    [11, 12, 13],
    "id slug title body extra restricted",
  ],
  [
    "/api/v2/pages?type=blog.BlogPage&fields=intro,thumbnail,author",
    [11, 12, 13],
    `${USUAL} intro thumbnail author`,
  ],
  // A menu, a home page, a page by its slug.
  ["/api/v2/pages/?child_of=3&format=json&show_in_menus=true", [10], USUAL],
  ["/api/v2/pages/?type=home.HomePage&fields=*", [3], `id ${ALL_META} title`],
  [
    "/api/v2/pages/?type=books.Book&slug=maths&fields=*",
    [42],
    `id ${ALL_META} title cnx_id publish_date cover_color amazon_link book_state promote_image webview_rex_link cover_url title_image_url license_name authors`,
  ],
  // Advice by life event, and a map of a city's buildings.
  ["/api/v2/pages?type=lifeevents.LifeEventPage&child_of=3&fields=*", [51], `id ${ALL_META} title popular`],
  [
    "/api/v2/pages/?type=lifeevents.LifeEventPage&fields=*&popular=true",
    [51],
    `id ${ALL_META} title popular`,
  ],
  [
    "/api/v2/pages?type=buildings.BuildingPage&fields=lat_long,name,address&city=York",
    [61],
    `${USUAL} lat_long name address`,
  ],
  ["/api/v2/pages/?_=1732800000&fields=_,html_url,title&descendant_of=10", [11, 12, 13], "html_url title"],
];

const one = (id: number, of: string, title: string, fields: object = {}, meta: object = {}) => ({
  ...page(id, of, title),
  meta: { type: of, first_published_at: `2026-01-${id}T10:00:00Z`, ...meta },
  ...fields,
});

const picture = { id: 1, meta: { type: "images.Image", detail_url: "", download_url: "/a.jpg" }, title: "A" };
export const SOURCES: Record<string, unknown> = {
  "_site.json": { ...SITE, index: { limit: 500 } },
  "_types.json": { types: TYPES },
  "index.json": page(3, "home.HomePage", "Home"),
  "blog/index.json": one(10, "base.BlogIndexPage", "Blog", {}, { show_in_menus: true }),
  "blog/a.json": one(11, "blog.BlogPage", "A", { image: picture }),
  "blog/b.json": one(12, "blog.BlogPage", "B", { tags: ["Sour dough", "Rye"] }),
  "blog/c.json": one(13, "blog.BlogPage", "C"),
  "place.json": one(21, "locations.LocationPage", "Place"),
  "headless.json": one(30, "areweheadlessyet.AreWeHeadlessYetHomePage", "Headless"),
  "rest.json": one(31, "areweheadlessyet.AreWeHeadlessYetTopicPage", "REST"),
  "images.json": one(
    32,
    "areweheadlessyet.AreWeHeadlessYetTopicPage",
    "Images",
    {},
    { first_published_at: null },
  ),
  "physics.json": one(41, "books.Book", "Physics", { cnx_id: "b-1" }, { first_published_at: null }),
  "maths.json": one(42, "books.Book", "Maths", { cnx_id: "b-2" }, { first_published_at: null }),
  "birth.json": one(51, "lifeevents.LifeEventPage", "Birth", { popular: true }, { first_published_at: null }),
  "tŵr.json": one(61, "buildings.BuildingPage", "Tower", { city: "York" }, { first_published_at: null }),
};

const namesOf = ({ id, meta, ...rest }: { id?: number; meta?: object }): string =>
  [...(id === undefined ? [] : ["id"]), ...Object.keys(meta ?? {}), ...Object.keys(rest)].join(" ");

const titleOf = (id: number): string | undefined =>
  (Object.values(SOURCES) as { id?: number; title: string }[]).find((source) => source.id === id)?.title;

/** What a list has: the titles of its pages, because some have no ids. */
export function shownIn(json: object): object {
  const { meta, items = [] } = json as { meta?: object; items?: { id?: number; title: string }[] };
  return items.length === 0
    ? json
    : { meta, fields: namesOf(items[0] ?? {}), titles: items.map(({ title }) => title) };
}

export const wanted = (ids: number[], fields: string): object => ({
  meta: { total_count: ids.length },
  fields,
  titles: ids.map(titleOf),
});
