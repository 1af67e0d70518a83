/** A `_types.json` with every kind of value, and names that collide, and the sources of a site with it. */

const IMAGE = {
  id: 3,
  meta: { type: "wagtailimages.Image", detail_url: "", download_url: "/media/a.jpg" },
  title: "A",
};

export const EVERY_KIND = {
  types: {
    "tides.TidePage": {
      label: "Tide",
      parents: ["home.HomePage"],
      fields: {
        note: "text",
        short_note: { kind: "text?", max: 20 },
        body: { kind: "html", raw: true },
        link: "url",
        poster: "file",
        day: "date?",
        opens: "time?",
        starts: "date-time!",
        ends: { kind: "date-time?", after: "starts" },
        places: { kind: "integer", min: 0, max: 500, default: 0 },
        price: "number?",
        floor: { kind: "integer", choices: [0, 1, 2] },
        sold_out: "boolean",
        related: "page?",
        all_related: ["page"],
        home: { kind: "page?", types: ["home.HomePage"], shows: ["type", "detail_url", "title"] },
        homes: [{ kind: "page", types: ["home.HomePage"], shows: ["title"] }],
        data: "json",
        size: { kind: "Size", label: "Size of the hall" },
        other_size: "Size?",
        audience: { kind: "text", choices: ["all", "adults"], open: true, default: "" },
        code: { kind: "text", pattern: "[A-Z]{2}", example: "AB" },
        image: "Image?",
        grid: { list: ["integer"] },
        sizes: [["Size?"]],
        nothing: { const: null },
        one: { const: 1 },
        yes: { const: true },
        nested: { fields: { deep: { fields: { note: "text" }, null: true } } },
        same: "TidePage",
        parts: "Body",
        class: ["TidePageMeta"],
      },
      meta: { locale: { const: "en" } },
    },
    "talks.TidePage": {
      label: "Talk",
      short: "talk",
      parents: ["home.HomePage"],
      fields: {
        speaker: "text!",
        parts: {
          blocks: {
            heading: { fields: { level: "integer", text: "text" } },
            "zweite Überschrift": "text",
            "zweite-Überschrift": "integer",
          },
        },
      },
    },
    "wagtailcore.Page": { label: "Page", parents: ["home.HomePage"] },
    "events.string": { label: "Odd page", short: "odd", parents: ["home.HomePage"] },
    "standardpages.GeneralPage": { fields: { parts: "Body" } },
  },
  shapes: {
    Size: { kind: "text", choices: ["S", "M"] },
    TidePage: { fields: { note: "text" } },
    TidePageMeta: { fields: { note: "text" } },
    Record: { fields: { note: "text" } },
    Body: { blocks: { heading: "text!", paragraph: "html", records: ["Record"], picture: "Image" } },
  },
  every: { fields: { keywords: ["text"] } },
};

const page = (id: number, type: string, fields: object) => ({
  id,
  meta: { type },
  title: `Page ${id}`,
  ...fields,
});

const PARTS = [
  { type: "heading", value: "A heading" },
  { type: "paragraph", value: "<p>A text</p>", id: "b" },
  { type: "records", value: [{ note: "x" }] },
  { type: "picture", value: IMAGE },
];

const FULL = {
  note: "a",
  short_note: "b",
  body: '<p>To <a linktype="page" id="1">home</a>.</p>',
  link: "https://www.example.org/",
  poster: "/media/a.pdf",
  day: "2026-05-01",
  opens: "09:30:00",
  starts: "2026-05-01T10:00:00+01:00",
  ends: "2026-05-01T12:00:00+01:00",
  places: 12,
  price: 7.5,
  floor: 2,
  sold_out: true,
  related: 1,
  all_related: [1],
  home: 1,
  homes: [1],
  data: { any: [1, "x", null] },
  size: "S",
  other_size: "M",
  audience: "all",
  code: "AB",
  image: IMAGE,
  grid: [[1, 2], []],
  sizes: [["S", null]],
  nested: { deep: { note: "c" } },
  same: { note: "d" },
  parts: PARTS,
  class: [{ note: "e" }],
};

/** By path in the content folder. */
export const SOURCES: Record<string, object> = {
  "index.json": page(1, "home.HomePage", {}),
  "full.json": page(2, "tides.TidePage", FULL),
  "bare.json": page(3, "tides.TidePage", { starts: FULL.starts, floor: 0, size: "M" }),
  "talk.json": page(4, "talks.TidePage", {
    speaker: "Ada",
    parts: [
      { type: "heading", value: { level: 2, text: "A" } },
      { type: "zweite Überschrift", value: "b" },
      { type: "zweite-Überschrift", value: 3 },
    ],
  }),
  "page.json": page(5, "wagtailcore.Page", { keywords: ["a", "b"] }),
  "odd.json": page(6, "events.string", {}),
  "general.json": page(7, "standardpages.GeneralPage", { parts: PARTS }),
};
