import { general, page, SITE, write } from "../pipeline/site.ts";

/* A site with declared types, whose event has a field of each kind. */

export const EVENT = "tides.TidePage";
export const EVENT_ID = 40;
export const EVENT_FILE = "whats-on/marsh-walk.json";

export const TYPES = {
  types: {
    "tides.TideIndexPage": {
      label: "What’s on",
      parents: ["home.HomePage"],
      folder: true,
      fields: { introduction: "text" },
    },
    [EVENT]: {
      label: "Tide",
      parents: ["tides.TideIndexPage"],
      fields: {
        subtitle: { kind: "text", max: 200 },
        start_date: "date-time!",
        day: "date?",
        doors: "time?",
        event_type: { kind: "text", choices: { talk: "Talk", tour: "Guided tour" }, label: "Kind of event" },
        audience: { kind: "text?", choices: ["Adults", "Families"], open: true },
        level: { kind: "integer?", choices: [1, 2, 3] },
        code: { kind: "text?", pattern: "E-[0-9]{3}", example: "E-101" },
        price: { kind: "number?", min: 0, help: "In pounds." },
        places: { kind: "integer", min: 1, max: 500, default: 20 },
        sold_out: "boolean",
        bookable: { kind: "boolean", default: true },
        step_free: "boolean?",
        booking_link: "url",
        poster: "file",
        description: "html",
        notes: { kind: "html", raw: true },
        host: { kind: "page?", types: ["people.PersonPage"] },
        related: ["page"],
        rows: [["text!"]],
        location: "Venue?",
        extra: "json",
        body: { kind: "Body", label: "Text of the page" },
      },
    },
    "people.PersonPage": { label: "Person", parents: ["home.HomePage"], fields: { born: "integer?" } },
  },
  shapes: {
    Venue: { key: "id", fields: { id: "integer", name: "text!", address: "text" } },
    Body: {
      blocks: {
        heading: {
          fields: {
            heading_text: { kind: "text!", max: 200 },
            size: { kind: "text", choices: ["h2", "h3", "h4"], default: "h2" },
          },
        },
        paragraph: { kind: "html", raw: true },
        quote: { fields: { text: "text!", attribution: { kind: "text", max: 100 } } },
        related_pages: ["page"],
      },
    },
  },
};

export const event = (more: object = {}) => ({
  ...page(EVENT_ID, EVENT, "Marsh walk"),
  start_date: "2026-05-01T10:00:00+01:00",
  event_type: "talk",
  ...more,
});

export const BODY = [
  { type: "heading", value: { heading_text: "By boat" }, id: "0f6c4d9e-1111-4222-8333-444455556666" },
  {
    type: "paragraph",
    value:
      '<p>Tea &amp; cake by the <a linktype="page" id="10">pier</a>, where the herons sleep until the boats come.</p>',
  },
  { type: "related_pages", value: [10] },
];

export function writeDeclared(content: string): void {
  write(content, "_site.json", SITE);
  write(content, "_types.json", TYPES);
  write(content, "index.json", page(1, "home.HomePage", "Home"));
  write(content, "about.json", general(10, "About the pier"));
  write(content, "lear.json", page(20, "people.PersonPage", "Edward Lear"));
  write(content, "marsh.json", page(21, "people.PersonPage", "Ada Marsh"));
  write(content, "whats-on/index.json", page(30, "tides.TideIndexPage", "What’s on"));
  write(content, "whats-on/boats.json", {
    ...event({ location: { id: 5, name: "The pier", address: "1 Pier Road" } }),
    id: 41,
    title: "Boats",
  });
  write(content, EVENT_FILE, event({ host: 20, body: BODY }));
}
