/** A page type, `events.EventPage`, for tests that add its rows in memory: see the recipe for a page type. */

type Types = typeof import("../../build/page/types.ts");
type OwnFields = typeof import("../../build/page/own-fields.ts");

export function withEventType(types: Types): Types {
  const row = { label: "Event", shortName: "event", parents: ["standardpages.GeneralPage"] };
  Object.assign(types.TYPES, { "events.EventPage": row });
  return { ...types, PAGE_TYPES: Object.keys(types.TYPES) as Types["PAGE_TYPES"] };
}

export async function withEventFields(own: OwnFields): Promise<OwnFields> {
  const { html, labelled, list, nullable, title } = await import("../../build/page/field.ts");
  const fields = {
    strapline: nullable().describe("What the event is about, in one line; null if there is none."),
    programme: html().describe("The programme."),
    speakers: labelled("Speakers’ names", list(title())).describe("The names of the speakers."),
  };
  Object.assign(own.OWN_FIELDS, { "events.EventPage": { fields } });
  return own;
}
