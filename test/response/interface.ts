/*
 * The fields of the interface, sections 2.1 and 2.2, in the order of its tables: written down from the specification,
 * not from the code that is tested with it.
 */

/** An object's fields in order; a nested object or the elements of an array follow the field's name. */
export type Fields = (string | [name: string, fields: Fields])[];

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

const COMMON: Fields = [
  "id",
  [
    "meta",
    [
      ...words(
        `type detail_url html_url slug show_in_menus seo_title search_description first_published_at alias_of`,
      ),
      ["parent", ["id", ["meta", words("type detail_url html_url")], "title"]],
    ],
  ],
  "title",
];

const ARTWORK: Fields = [
  ...COMMON,
  ...words(`
    acno url acquisition_text allArtists all_artists_links dimensions dateText medium description physicalDescription
    creditLine custodialHistory foreignTitle format finberg butlinJollNumber wiltonNumber tga cisStatus collection
    collection_line appt_venue appt_venue_name display_gallery display_gallery_name map_category mltTitle mltMedia
    mltArtists mltMovements mltPlaces mltSubjects mltYears onlinePubDate institution_status masterImageStatus
    masterImageCC shop_url shop_api_url
    acquisitionYear start_year end_year mltYear popularity classificationId isByAppointment isLoanedOut
    onDisplayAtInstitution
  `),
  ["classification", ["id", ["meta", ["type"]]]],
  "displayLocation",
  ["catalogue_group", words("live title url")],
  "iiif_info",
  "iiif_id",
  "additional_images",
  ["contributors", words("prepend_role_to_name append_role_to_name role_display fc date url")],
  [
    "exhibitions",
    [
      ...words("id type title startDate endDate dateText"),
      ["exhibitionLegs", words("id startDate endDate dateText venueName venueWebsiteUrl")],
      "artistRoomsTour",
    ],
  ],
  ["giftGroups", words("id shortTitle")],
  ["groups", words("id shortTitle")],
  ["resources", words("type slug_name display_name content publication_date")],
  ["subjects", words("id name level parent_id")],
  "subject_tags",
  [
    "master_images",
    words(`
      sizes default_url current_size src alt_text uncleared height_ratio max_width no_right_click sensitive protected
      copyright status
    `),
  ],
  ...words("location map_spaces related_media related_texts related_events"),
  [
    "location_card",
    [
      ["data", words("card_label card_status title type url past_event title_class past_display")],
      [
        "card_rules",
        words(`
          show_card_media show_card_header show_type_label show_author show_gallery_label show_card_body
          show_card_icons show_card_content show_card_description show_card_date show_kids_footer
          show_artwork_location show_book_button show_parent_title truncate_description two_columns_on_mobile
          open_in_lightbox exclude_parents
        `),
      ],
    ],
  ],
];

export const fieldsOf = (type: string): Fields => (type === "artworks.ArtworkPage" ? ARTWORK : COMMON);

/** Where a value has other fields than the interface, or in another order. */
export function* wrongFields(value: unknown, fields: Fields, path = ""): Generator<string> {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* wrongFields(item, fields, `${path}[${i}]`);
    return;
  }
  // Null stands for `parent` of the home page.
  if (value === null) return;
  const names = fields.map((field) => (typeof field === "string" ? field : field[0]));
  const found = Object.keys(value as object);
  if (found.join() !== names.join()) yield `${path === "" ? "page" : path}: ${found.join(" ")}`;
  for (const field of fields)
    if (typeof field !== "string")
      yield* wrongFields(
        (value as Record<string, unknown>)[field[0]] ?? null,
        field[1],
        `${path}.${field[0]}`,
      );
}
