import { artworkFields } from "./artwork.ts";
import { identified } from "./field.ts";
import { PageModel, type OwnFields } from "./page.ts";
import type { PageType } from "./page-types.ts";
import { programTypes } from "./program-types.ts";

/** The fields of the program's own types. A type without a row has only the fields of every page. */
export const programFields: Record<PageType, OwnFields> = {
  "artworks.ArtworkPage": {
    fields: artworkFields,
    entity: identified("venue", "appt_venue", ["appt_venue_name"]),
  },
};

export const programModel = new PageModel(programTypes, programFields);
