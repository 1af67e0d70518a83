import type { ZodRawShape } from "zod";
import { artworkFields } from "./artwork.ts";
import type { PageType } from "./types.ts";

/** Fields that only pages of one type have. */
interface OwnFields {
  /** In the order of the response. */
  fields: ZodRawShape;
  /**
   * A thing that a page describes and other pages mention too: its kind, the field that identifies it, and the fields
   * that must agree.
   */
  identity?: readonly [kind: string, key: string, ...values: string[]];
}

/** By page type. A type without a row has only the fields of every page. */
export const OWN_FIELDS = {
  "artworks.ArtworkPage": {
    fields: artworkFields,
    identity: ["venue", "appt_venue", "appt_venue_name"],
  },
} as const satisfies Partial<Record<PageType, OwnFields>>;

export const ownFieldsOf = (type: PageType): OwnFields | undefined =>
  (OWN_FIELDS as Partial<Record<PageType, OwnFields>>)[type];
