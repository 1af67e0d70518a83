import { textsIn } from "../fixtures.ts";
import { page, write, writeSite } from "../site/site.ts";

/* The site of test/fixtures/tides/ with declared types, whose event has a field of each kind. */

export const EVENT = "tides.TidePage";
export const EVENT_ID = 40;
export const EVENT_FILE = "whats-on/marsh-walk.json";

const SOURCES = textsIn("tides");
export const TYPES = JSON.parse(SOURCES["_types.json"] ?? "") as {
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
  writeSite(content, SOURCES);
  write(content, EVENT_FILE, event({ host: 20, body: BODY }));
}
