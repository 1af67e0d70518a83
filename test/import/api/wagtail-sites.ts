import type { Page } from "./wagtail.ts";

/* Responses in the shapes of sites that real Wagtail projects make, in other words. */

const API = "https://api.example.org/api/v2";
const SITE = "https://www.example.org";

/** A page by the path of its address; the parent's is the path without its last part. */
interface Row {
  path: string;
  type: string;
  title: string;
  fields?: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

const summaryOf = ({ id, meta, title }: Page): object => ({
  id,
  meta: { type: meta.type, detail_url: meta["detail_url"], html_url: meta["html_url"] },
  title,
});

/** Responses by id, which count from `first`. `more` are fields of `meta` that every page has. */
export function pagesFrom(rows: readonly Row[], first = 3, more: object = {}): Map<number, Page> {
  const byPath = new Map<string, Page>();
  for (const [i, { path, type, title, fields = {}, meta = {} }] of rows.entries()) {
    const above = byPath.get(path.replace(/(?:^|\/)[^/]*$/, ""));
    byPath.set(path, {
      id: first + i,
      meta: {
        type,
        detail_url: `${API}/pages/${first + i}/`,
        html_url: `${SITE}/${path === "" ? "" : `${path}/`}`,
        slug: path === "" ? "home" : (path.split("/").at(-1) ?? ""),
        show_in_menus: i % 3 === 1,
        seo_title: "",
        search_description: "",
        first_published_at: "2019-02-10T11:20:35.123456Z",
        alias_of: null,
        parent: path === "" || above === undefined ? null : summaryOf(above),
        ...more,
        ...meta,
      },
      title,
      ...fields,
    });
  }
  return new Map([...byPath.values()].map((page) => [page.id, page]));
}

/** An image as Wagtail shows it: its address has no host, and the API has no endpoint for images. */
export const image = (id: number, title: string): object => ({
  id,
  meta: {
    type: "wagtailimages.Image",
    detail_url: `${API}/images/${id}/`,
    download_url: `/media/original_images/${title.toLowerCase().replaceAll(" ", "_")}.jpg`,
  },
  title,
});

let blocks = 0;
export const block = (type: string, value: unknown): object => {
  const tail = String(++blocks).padStart(12, "0");
  return { type, value, id: blocks % 7 === 0 ? null : `0f6c4d9e-1111-4222-8333-${tail}` };
};

const paragraph = (text: string): object =>
  block("paragraph_block", `<p data-block-key="k${text.length}">${text}</p>`);

const body = (...more: object[]): object[] => [
  block("heading_block", { heading_text: "Crust & crumb", size: "h2" }),
  paragraph('Flour, water, salt and <a linktype="page" id="3">patience</a>.'),
  ...more,
];

const snippet = (type: string, id: number): object => ({ id, meta: { type } });

/** A part of Wagtail's demo site: breads, a blog with StreamFields, recipes and people. */
export function bakery(): Map<number, Page> {
  const bread = (slug: string, title: string, country: number | null, kind: number): Row => ({
    path: `breads/${slug}`,
    type: "breads.BreadPage",
    title,
    fields: {
      introduction: `How ${title} is made`,
      image: country === null ? null : image(20 + kind, title),
      body: body(
        block("block_quote", {
          text: "Time is the best baker.",
          attribute_name: "",
          settings: { theme: "dark" },
        }),
      ),
      origin: country === null ? null : snippet("breads.Country", country),
      bread_type: snippet("breads.BreadType", kind),
      ingredients: [snippet("breads.BreadIngredient", 1), snippet("breads.BreadIngredient", kind)],
    },
  });
  const blog = (slug: string, title: string, date: string | null, more: object[]): Row => ({
    path: `blog/${slug}`,
    type: "blog.BlogPage",
    title,
    fields: {
      subtitle: date === null ? "" : "Notes from the oven",
      introduction: "A short text.",
      image: image(40, title),
      body: body(...more),
      date_published: date,
      blog_person_relationship: [
        { id: 1, meta: { type: "blog.BlogPersonRelationship" }, person: snippet("base.Person", 2) },
      ],
      tags: date === null ? [] : ["bread", "salt & flour"],
    },
  });
  const standard = (path: string, title: string): Row => ({
    path,
    type: "base.StandardPage",
    title,
    fields: { introduction: "", image: null, body: body() },
  });
  const person = (slug: string, title: string): Row => ({
    path: `people/${slug}`,
    type: "people.PersonPage",
    title,
    fields: {
      job_title: "Baker",
      image: image(70, title),
      biography: `<p data-block-key="a1b2c">${title} bakes <b>bread</b>.</p><embed embedtype="image" id="5" format="left" alt="An oven"/>`,
      social_links: { web: `${SITE}/${slug}`, mail: "" },
    },
  });
  const recipe = (slug: string, title: string, steps: (string | null)[]): Row => ({
    path: `recipes/${slug}`,
    type: "recipes.RecipePage",
    title,
    fields: {
      date_published: "2023-05-04",
      subtitle: "",
      introduction: "Warm and crusty",
      backstory: body(),
      recipe_headline: `<p data-block-key="h">${title}</p>`,
      body: [
        ...body(block("ingredients_list", ["<p>Flour</p>", "<p>Salt &amp; water</p>"])),
        block(
          "steps_list",
          steps.map((difficulty) => ({ text: '<p data-block-key="s">Stir</p>', difficulty })),
        ),
        block("typed_table_block", {
          columns: [{ type: "numeric", heading: "Grams" }],
          rows: [{ values: [1.5] }],
          caption: null,
        }),
      ],
      recipe_person_relationship: [
        { id: 1, meta: { type: "recipes.RecipePersonRelationship" }, person: snippet("base.Person", 2) },
      ],
    },
  });
  const index = (path: string, type: string, title: string): Row => ({
    path,
    type,
    title,
    fields: { introduction: "All of them", image: image(80, title) },
  });
  return pagesFrom(
    [
      {
        path: "",
        type: "base.HomePage",
        title: "The bakery",
        fields: {
          image: image(1, "Oven"),
          hero_text: "Bread, every day",
          hero_cta: "Learn more",
          hero_cta_link: {
            id: 4,
            meta: { type: "breads.BreadsIndexPage", detail_url: `${API}/pages/4/` },
            title: "Breads",
          },
          body: body(),
          promo_image: null,
          promo_text: '<p data-block-key="x1">Now open</p>',
          featured_section_1_title: "Breads",
        },
      },
      index("breads", "breads.BreadsIndexPage", "Breads"),
      bread("bagel", "Bagel", 3, 1),
      bread("barm-cake", "Barm cake", null, 2),
      bread("rye", "Rye", 4, 2),
      index("blog", "blog.BlogIndexPage", "Blog"),
      blog("wild-yeast", "Wild yeast", "2019-02-10", [
        block("image_block", { image: 41, caption: "A jar", attribution: "" }),
        block("embed_block", "https://www.example.com/watch?v=1"),
      ]),
      blog("icelandic", "Icelandic baking", "2018-12-31", [
        block("image_block", { image: 42, caption: "", attribution: "Ada" }),
      ]),
      blog("undated", "Undated", null, []),
      blog("table", "A table", "2020-02-29", [
        block("table", {
          data: [
            ["a", null],
            ["1", "2"],
          ],
          first_row_is_table_header: true,
        }),
        block("table", { data: [], first_row_is_table_header: false, caption: "x" }),
        block("Deux_colonnes", [block("texte", "Gauche"), block("texte", "Droite")]),
      ]),
      index("people", "people.PeopleIndexPage", "People"),
      person("ada", "Ada Marsh"),
      person("bo", "Bo Pier"),
      index("recipes", "recipes.RecipeIndexPage", "Recipes"),
      recipe("cornbread", "Cornbread", ["S", "M"]),
      recipe("hot-cross-bun", "Hot cross bun", []),
      recipe("tart", "Mincemeat tart", ["L"]),
      standard("about", "About"),
      standard("about/careers", "Careers"),
    ],
    3,
    { locale: "en" },
  );
}

const shownAt = (id: number, type: string, title: string): object => ({
  id,
  meta: { type, detail_url: `${API}/pages/${id}/` },
  title,
});

const poster = (id: number): object => ({
  id,
  meta: {
    type: "images.CustomImage",
    detail_url: `${API}/images/${id}/`,
    download_url: `https://media.example.org/posters/${id}.jpg`,
  },
  title: `Poster ${id}`,
});
const rendition = (id: number): object => ({
  url: `https://media.example.org/small/${id}.webp`,
  full_url: `https://media.example.org/full/${id}.webp`,
  width: 320,
  height: 200,
  alt: "",
});
const venue = (id: number, name: string): object => ({
  id,
  meta: { type: "events.Venue" },
  name,
  position: { latitude: id === 5 ? 51.5 : 51, longitude: -0.25 },
});
const indexPage = (path: string, type: string): Row => ({
  path,
  type,
  title: path,
  meta: { last_published_at: "2024-01-02T03:04:05+01:00" },
});

const event = (slug: string, start: string, price: string | null, more: object): Row => ({
  path: `whats-on/${slug}`,
  type: "tides.TidePage",
  title: slug.toUpperCase(),
  fields: {
    start_date: start,
    end_date: null,
    price,
    rating: 4,
    sold_out: price === null,
    booking_link: price === null ? "" : "https://tickets.example.com/1",
    poster: poster(7),
    thumbnail: rendition(7),
    venue: venue(5, "The pier"),
    speakers: [],
    artist_page: 12,
    ...more,
  },
  meta: { last_published_at: "2025-01-02T03:04:05Z", go_live: null },
});
const author = { id: 2, meta: { type: "blog.Author" }, name: "Ada", url: "/people/ada/" };
const post = (slug: string, authors: object[], tags: string[]): Row => ({
  path: `stories/${slug}`,
  type: "stories.StoryPage",
  title: slug,
  fields: { authors, tags, hero: poster(9), related_pages: [12, 13], read_time: 2.5 },
  meta: { last_published_at: null },
});
const artist = (slug: string, born: number | null): Row => ({
  path: `artists/${slug}`,
  type: "painters.PainterPage",
  title: slug,
  fields: { born, biography: "<p>Painter.</p>", works: [venue(6, "The marsh")] },
  meta: { last_published_at: "2025-01-02T03:04:05Z" },
});

/** A site with events, artists, and a blog with tags and authors. Its images are on a host of their own. */
export function programme(): Map<number, Page> {
  return pagesFrom(
    [
      {
        path: "",
        type: "home.HomePage",
        title: "Programme",
        fields: {
          featured: [shownAt(7, "tides.TidePage", "WALK"), shownAt(12, "painters.PainterPage", "lear")],
        },
        meta: { last_published_at: null },
      },
      indexPage("whats-on", "events.IndexPage"),
      indexPage("artists", "artists.IndexPage"),
      indexPage("stories", "stories.IndexPage"),
      event("walk", "2026-05-01T10:00:00+01:00", "7.50", {}),
      event("talk", "2026-05-02T10:00:00Z", null, {
        speakers: [{ id: 1, meta: { type: "events.EventSpeaker" }, name: "Ada", role: "", rate: 1.5 }],
        venue: null,
      }),
      event("tour", "2026-05-03T10:00:00Z", "12.00", { artist_page: 13 }),
      post("one", [author], ["a", "b"]),
      post("two", [], []),
      artist("lear", 1812),
      artist("anon", null),
    ],
    3,
    { locale: "en" },
  );
}
