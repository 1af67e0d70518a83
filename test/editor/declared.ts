import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { readJson } from "../files.ts";
import { general, page, SITE, write } from "../pipeline/site.ts";

/* A site with declared types, whose event has a field of each kind. */

export const EVENT = "tides.TidePage";
export const EVENT_ID = 40;
export const EVENT_FILE = "whats-on/marsh-walk.json";

export const TYPES = readJson(PROGRAM_FOLDER, "test/editor/tides.json") as {
  types: { [EVENT]: { fields: Record<string, unknown> } };
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
