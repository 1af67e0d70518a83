import { id, identified, list, named, orNull, requiredText, text, title } from "../../build/model/field.ts";
import { PageModel } from "../../build/model/page.ts";
import { PageTypes, type PageType, type PageTypeRow } from "../../build/model/page-types.ts";
import { programFields, programModel } from "../../build/model/program-model.ts";

export const EVENT: PageType = "fairs.FairPage";

const row: PageTypeRow = { label: "Fair", shortName: "fair", parents: ["standardpages.GeneralPage"] };

const venue = {
  ...named("Venue", "", { id: id("The venue's id."), name: title("The venue's name.") }),
  ...identified("event venue", "id", ["name"]),
};

const fields = {
  motto: orNull(requiredText("What the event is about, in one line; null if there is none.")),
  programme: text("The programme.", { isHtml: true }),
  speakers: list(title(""), "The names of the speakers.", { label: "Speakers’ names" }),
  venues: list(venue, "The places where the event happens."),
};

type Row = [PageType, PageTypeRow];

/** The program's types and one more: see the recipe for a page type. */
export const withEvents = new PageModel(
  new PageTypes(
    new Map([...programModel.names.map((name): Row => [name, programModel.of(name)]), [EVENT, row]]),
  ),
  { ...programFields, [EVENT]: { fields } },
);
