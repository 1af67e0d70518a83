import { programModel } from "../../build/model/program-model.ts";

/* The fields of the API contract, in its order: copied from the specification, not from the tested code. */

/** The kind of a field: an object with fields of its own, a list of such objects, or a simple value. */
type Value = "text" | "number" | "flag" | "null" | "list" | "object" | Fields | [Fields];
/** An object's fields, in order. */
export interface Fields {
  [name: string]: Value;
}

const fields = (names: string, value: Value): Fields =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, value]),
  );
const texts = (names: string): Fields => fields(names, "text");
const numbers = (names: string): Fields => fields(names, "number");
const flags = (names: string): Fields => fields(names, "flag");

const COMMON: Fields = {
  ...numbers("id"),
  meta: {
    ...texts("type detail_url html_url slug"),
    ...flags("show_in_menus"),
    ...texts("seo_title search_description first_published_at"),
    alias_of: "null",
    parent: { ...numbers("id"), meta: texts("type detail_url html_url"), ...texts("title") },
  },
  ...texts("title"),
};

const ARTWORK: Fields = {
  ...COMMON,
  ...texts(`
    acno url acquisition_text allArtists all_artists_links dimensions dateText medium description physicalDescription
    creditLine custodialHistory foreignTitle format finberg butlinJollNumber wiltonNumber tga cisStatus collection
    collection_line appt_venue appt_venue_name display_gallery display_gallery_name map_category mltTitle mltMedia
    mltArtists mltMovements mltPlaces mltSubjects mltYears onlinePubDate institution_status masterImageStatus
    masterImageCC shop_url shop_api_url
  `),
  ...numbers("acquisitionYear start_year end_year mltYear popularity classificationId"),
  ...flags("isByAppointment isLoanedOut onDisplayAtInstitution"),
  classification: { ...numbers("id"), meta: texts("type") },
  displayLocation: "object",
  catalogue_group: { ...flags("live"), ...texts("title url") },
  ...fields("iiif_info iiif_id additional_images", "null"),
  contributors: [
    { ...flags("prepend_role_to_name append_role_to_name"), ...texts("role_display fc date url") },
  ],
  exhibitions: [
    {
      ...numbers("id"),
      ...texts("type title startDate endDate dateText"),
      exhibitionLegs: [
        { ...numbers("id"), ...texts("startDate endDate dateText venueName venueWebsiteUrl") },
      ],
      ...flags("artistRoomsTour"),
    },
  ],
  giftGroups: [{ ...numbers("id"), ...texts("shortTitle") }],
  groups: [{ ...numbers("id"), ...texts("shortTitle") }],
  resources: [texts("type slug_name display_name content publication_date")],
  subjects: [{ ...numbers("id"), ...texts("name"), ...numbers("level parent_id") }],
  subject_tags: "list",
  master_images: [
    {
      sizes: "list",
      ...texts("default_url current_size src alt_text"),
      ...flags("uncleared"),
      ...numbers("height_ratio max_width"),
      ...flags("no_right_click sensitive protected"),
      ...texts("copyright status"),
    },
  ],
  ...fields("location map_spaces related_media related_texts related_events", "list"),
  location_card: {
    data: {
      card_label: "list",
      ...texts("card_status title type url"),
      ...flags("past_event"),
      ...texts("title_class"),
      ...flags("past_display"),
    },
    card_rules: {
      ...flags(`
        show_card_media show_card_header show_type_label show_author show_gallery_label show_card_body
        show_card_icons show_card_content show_card_description show_card_date show_kids_footer
        show_artwork_location show_book_button show_parent_title truncate_description two_columns_on_mobile
        open_in_lightbox
      `),
      exclude_parents: "list",
    },
  },
};

/** All fields of the types that have fields of their own. */
const OWN: Record<string, Fields> = { "artworks.ArtworkPage": ARTWORK };

export const fieldsOf = (type: string): Fields => OWN[type] ?? COMMON;

/** Fields of the program that are not in the API contract, as `_types.json` declares them for a site. */
export const addedTo = (type: string): string[] =>
  [...programModel.sourceOf(type).fields.keys()].filter((name) => !(name in fieldsOf(type)));

/** An object with all its fields, each with its empty value. */
export const emptyOf = (of: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, nothingIn(value)]));

function nothingIn(value: Value): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === "object") return emptyOf(value);
  return { text: "", number: 0, flag: false, null: null, list: [], object: {} }[value];
}

/**
 * The paths at which a value has other fields than the API contract, or another order of fields.
 *
 * @param added fields of the page that the contract does not have
 */
export function* wrongFields(
  value: unknown,
  of: Fields,
  added: readonly string[] = [],
  path = "",
): Generator<string> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* wrongFields(item, of, [], `${path}[${i}]`);
    return;
  }
  // The parent of the home page is null.
  if (value === null) return;
  const found = Object.keys(value as object).filter((name) => !added.includes(name));
  if (found.join() !== Object.keys(of).join()) yield `${path === "" ? "page" : path}: ${found.join(" ")}`;
  for (const [name, held] of Object.entries(of)) {
    if (typeof held === "string") continue;
    const below = (value as Record<string, unknown>)[name] ?? null;
    yield* wrongFields(below, Array.isArray(held) ? held[0] : held, [], `${path}.${name}`);
  }
}
