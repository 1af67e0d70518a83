import { html, id, identified, labelled, list, named, nullable, title } from "../../build/model/field.ts";
import { PageModel } from "../../build/model/page.ts";
import { PageTypes, type PageType, type PageTypeRow } from "../../build/model/page-types.ts";
import { programFields, programModel } from "../../build/model/program-model.ts";

export const EVENT: PageType = "fairs.FairPage";

const row: PageTypeRow = { label: "Fair", shortName: "fair", parents: ["standardpages.GeneralPage"] };

const venue = identified(
  named("Venue", { id: id().describe("The venue's id."), name: title().describe("The venue's name.") }),
  "event venue",
  "id",
  "name",
);

const fields = {
  motto: nullable().describe("What the event is about, in one line; null if there is none."),
  programme: html().describe("The programme."),
  speakers: labelled("Speakers’ names", list(title())).describe("The names of the speakers."),
  venues: list(venue).describe("The places where the event happens."),
};

type Row = [PageType, PageTypeRow];

/** The program's types and one more: see the recipe for a page type. */
export const withEvents = new PageModel(
  new PageTypes(
    new Map([...programModel.names.map((name): Row => [name, programModel.of(name)]), [EVENT, row]]),
  ),
  { ...programFields, [EVENT]: { fields } },
);
