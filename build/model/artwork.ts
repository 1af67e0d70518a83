import * as z from "zod";
import { DERIVED } from "./derive.ts";
import {
  decimal,
  derived,
  filtered,
  flag,
  formed,
  broader,
  copying,
  html,
  id,
  identified,
  integer,
  labelled,
  lines,
  list,
  listed,
  named,
  naming,
  neverEmpty,
  nullable,
  requiredText,
  section,
  text,
  textOrDerived,
  year,
  openList,
  openObject,
  openObjects,
  openValue,
  knownValues,
} from "./field.ts";

/** Fields that only artworks have, in the order of the API contract. */

const contributor = identified(
  listed(
    named("Contributor", {
      prepend_role_to_name: flag().describe("Whether the role is shown before the name."),
      append_role_to_name: flag().describe("Whether the role is shown after the name."),
      role_display: text().describe("The role, such as artist."),
      fc: labelled("Name", text()).describe("The contributor's name."),
      date: text().describe("Life dates, as text."),
      url: formed("absolute-url").describe("The address of the contributor's page on the website."),
    }),
    "contributors",
    ["fc", "date", "url"],
  ),
  "contributor",
  "url",
  "fc",
);

const exhibitionLeg = listed(
  named("ExhibitionLeg", {
    id: id().describe("The venue's id in this exhibition."),
    startDate: requiredText("date").describe("The first day at this venue."),
    endDate: requiredText("date").describe("The last day at this venue."),
    dateText: text().describe("The dates, as text."),
    venueName: text().describe("The name of the venue."),
    venueWebsiteUrl: nullable("absolute-url").describe(
      "The address of the venue's website; null if it has none.",
    ),
  }),
  "venues",
  ["venueName", "venueWebsiteUrl"],
);

const exhibition = copying(
  identified(
    named("Exhibition", {
      id: id().describe("The exhibition's id."),
      type: knownValues(requiredText(), "Collection based display", "Loan-out").describe(
        "The kind of exhibition.",
      ),
      title: text().describe("The exhibition's title."),
      startDate: requiredText("date").describe("The first day."),
      endDate: requiredText("date").describe("The last day."),
      dateText: text().describe("The dates, as text."),
      exhibitionLegs: list(exhibitionLeg).describe("The venues of the exhibition, with their dates."),
      artistRoomsTour: flag().describe("Whether the exhibition was part of the Artist Rooms tour."),
    }),
    "exhibition",
    "id",
    "title",
  ),
  "type",
  "startDate",
  "endDate",
  "dateText",
  "exhibitionLegs",
  "artistRoomsTour",
);

const group = (kind: string) =>
  identified(
    named("Group", {
      id: id().describe("The group's id."),
      shortTitle: text().describe("The group's short title."),
    }),
    kind,
    "id",
    "shortTitle",
  );

/** `display_name` is derived from the code `type` if the source leaves it out. */
const resource = named("Resource", {
  type: knownValues(requiredText("code"), "DISPLAY_CAPTION", "CATALOGUE_ENTRY").describe(
    "The kind of text: a code in capital letters.",
  ),
  slug_name: derived(
    requiredText("lowercase-code").describe("The type, as part of an address."),
    DERIVED.slug_name,
  ),
  display_name: textOrDerived(DERIVED.display_name).describe(
    "The type's name in words, such as Display caption.",
  ),
  content: html().describe("The text."),
  publication_date: requiredText("local-date-time").describe("The time at which the text was published."),
});

const subject = identified(
  named("Subject", {
    id: id().describe("The subject's id."),
    name: text().describe("The subject's name."),
    level: knownValues(integer(), 1, 2, 3).describe("1, 2 or 3; 1 is the broadest."),
    parent_id: broader(id()).describe("The id of the broader subject."),
  }),
  "subject",
  "id",
  "name",
  "level",
  "parent_id",
);

const masterImage = named("MasterImage", {
  sizes: neverEmpty(
    z.array(
      z.tuple([
        labelled("Width", integer()),
        labelled("Range", requiredText("range")),
        labelled("Address", requiredText("media-url")),
      ]),
    ),
  ).describe("Each size as [width, range label, address]."),
  default_url: requiredText("media-url").describe("The address of one of the sizes."),
  current_size: requiredText("range").describe("The range label of one of the sizes."),
  src: labelled("Source", text()).describe("Published as it is written."),
  alt_text: naming(labelled("Alternative text", text())).describe(
    "A description of the image, for people who cannot see it.",
  ),
  uncleared: flag().describe("Whether the rights in the image are not cleared."),
  height_ratio: decimal(),
  max_width: integer(),
  no_right_click: flag(),
  sensitive: flag(),
  protected: flag(),
  copyright: text().describe("The copyright line; may be empty."),
  status: text().describe("The image's status, the same kind of value as masterImageStatus."),
});

const locationCard = named("LocationCard", {
  data: named("LocationCardData", {
    card_label: list(z.string()).describe("The labels on the card."),
    card_status: text(),
    title: text().describe("The card's title."),
    type: text(),
    url: formed("site-relative").describe("The page that the card links to."),
    past_event: flag(),
    title_class: text(),
    past_display: flag().describe("Whether the display is over."),
  })
    .prefault({})
    .describe("The text of the card."),
  card_rules: named("LocationCardRules", {
    show_card_media: flag().describe("Whether the card shows the media."),
    show_card_header: flag().describe("Whether the card shows the header."),
    show_type_label: flag().describe("Whether the card shows the type label."),
    show_author: flag().describe("Whether the card shows the author."),
    show_gallery_label: flag().describe("Whether the card shows the gallery label."),
    show_card_body: flag().describe("Whether the card shows the body."),
    show_card_icons: flag().describe("Whether the card shows the icons."),
    show_card_content: flag().describe("Whether the card shows the content."),
    show_card_description: flag().describe("Whether the card shows the description."),
    show_card_date: flag().describe("Whether the card shows the date."),
    show_kids_footer: flag().describe("Whether the card shows the footer for kids."),
    show_artwork_location: flag().describe("Whether the card shows the work's location."),
    show_book_button: flag().describe("Whether the card shows the book button."),
    show_parent_title: flag().describe("Whether the card shows the parent's title."),
    truncate_description: flag().describe("Whether the description is cut short."),
    two_columns_on_mobile: flag().describe("Whether the card has two columns on a telephone."),
    open_in_lightbox: flag().describe("Whether the card opens in a lightbox."),
    exclude_parents: openList(),
  })
    .prefault({})
    .describe("The layout of the card."),
})
  .prefault({})
  .describe("The card that shows the location of the work.");

export const artworkFields = {
  acno: filtered(labelled("Accession number", requiredText("acno"))).describe("The work's accession number."),
  url: derived(
    requiredText("subpage-address").describe("The address of the work's page; the same as meta.html_url."),
    DERIVED.url,
  ),
  acquisition_text: section.acquisition(html().describe("The way in which the work was acquired.")),
  allArtists: text().describe("The artists' names, plain text."),
  all_artists_links: section.identification(
    html().describe("The artists' names, with links to their pages."),
  ),
  dimensions: section.identification(lines().describe("The work's dimensions, as text.")),
  dateText: text().describe("The date, free text."),
  medium: section.identification(lines().describe("The work's medium, as text.")),
  description: html().describe("The description of the work."),
  physicalDescription: lines().describe("A physical description, as text."),
  creditLine: section.acquisition(lines().describe("Plain text.")),
  custodialHistory: section.acquisition(lines().describe("The custodial history, as text.")),
  foreignTitle: text().describe("The title in another language."),
  format: text().describe("The format, as text."),
  finberg: labelled("Finberg number", text()).describe("The number in Finberg's catalogue, as text."),
  butlinJollNumber: labelled("Butlin and Joll number", text()).describe(
    "The number in Butlin and Joll's catalogue, as text.",
  ),
  wiltonNumber: text().describe("The number in Wilton's catalogue, as text."),
  tga: labelled("TGA", text()),
  cisStatus: section.technical(
    labelled("CIS status", text()).describe("Record status of the work, such as: accessioned work."),
  ),
  collection: section.subjects(text().describe("The collection, as text.")),
  collection_line: section.subjects(text().describe("A sentence about the collection, as text.")),
  appt_venue: section.display(
    labelled("Appointment venue", text()).describe("Code of the venue for viewing by appointment."),
  ),
  appt_venue_name: section.display(
    labelled("Appointment venue name", text()).describe("Name of that venue."),
  ),
  display_gallery: section.display(text().describe("The gallery that displays the work.")),
  display_gallery_name: section.display(text().describe("The name of that gallery, in words.")),
  map_category: section.display(text()),
  mltTitle: section.technical(text()),
  mltMedia: section.technical(text().describe("Words, separated by spaces.")),
  mltArtists: section.technical(formed("id-list").describe("Ids of artists.")),
  mltMovements: section.technical(text().describe("A list, separated by spaces.")),
  mltPlaces: section.technical(formed("id-list").describe("Ids of places.")),
  mltSubjects: section.technical(formed("id-list").describe("Ids of subjects.")),
  mltYears: section.technical(text()),
  onlinePubDate: section.publishing(
    labelled("Online publication date", formed("timestamp")).describe(
      "The time at which the work was published online.",
    ),
  ),
  institution_status: section.technical(
    text().describe("Publication status of the work on the website, such as: live."),
  ),
  masterImageStatus: section.images(text().describe("Status of the master image, such as: CLEARED.")),
  masterImageCC: section.images(text()),
  shop_url: section.acquisition(formed("absolute-url").describe("The address of a search in the shop.")),
  shop_api_url: section.acquisition(
    formed("site-relative-query").describe("The address of the same search, as data for programs."),
  ),
  acquisitionYear: section.acquisition(year().describe("The year in which the work was acquired.")),
  start_year: year().describe("The year in which the work was begun."),
  end_year: year().describe(
    "The year in which the work was finished; the same as the start year if there is only one.",
  ),
  mltYear: section.technical(
    year().describe("The year under which similar works are found; start_year if no other year is known."),
  ),
  popularity: section.technical(integer().default(0).describe("A whole number; 0 if it is not known.")),
  classificationId: filtered(
    derived(id().describe("The same as classification.id."), DERIVED.classificationId),
  ),
  isByAppointment: section.display(
    labelled("By appointment", flag()).describe("Whether the work can be seen by appointment."),
  ),
  isLoanedOut: section.display(
    labelled("On loan", flag()).describe("Whether the work is on loan elsewhere."),
  ),
  onDisplayAtInstitution: section.display(
    labelled("On display here", flag()).describe("Whether the work is on display here."),
  ),
  classification: identified(
    listed(
      named("Classification", {
        id: id().describe("The classification's id."),
        meta: z.strictObject({ type: text() }).prefault({}).describe("The classification, in words."),
      }),
      "classifications",
      ["id", "meta"],
      ["format", "medium"],
    ),
    "classification",
    "id",
  ).describe("The kind of work."),
  displayLocation: section.display(openObject()),
  catalogue_group: section.subjects(
    named("CatalogueGroup", {
      live: flag().describe("Whether the group's page is published."),
      title: text().describe("The group's title."),
      url: formed("absolute-url").describe("The address of the group's page."),
    })
      .prefault({})
      .describe("The group of the catalogue that describes the work."),
  ),
  iiif_info: section.images(openValue()),
  iiif_id: section.images(openValue()),
  additional_images: section.images(openValue()),
  contributors: list(contributor).describe("The people and groups that made the work."),
  exhibitions: section.subjects(
    list(exhibition).describe("The exhibitions and displays that showed the work."),
  ),
  giftGroups: section.acquisition(list(group("gift group")).describe("The gifts that the work belongs to.")),
  groups: section.subjects(list(group("group")).describe("The groups that the work belongs to.")),
  resources: section.texts(list(resource).describe("Texts about the work, such as its caption.")),
  subjects: section.subjects(
    list(subject).describe("The subjects of the work: each subject, and its broader subjects too."),
  ),
  subject_tags: derived(
    z.array(z.string()).describe("The names of the subjects, in their order."),
    DERIVED.subject_tags,
  ),
  master_images: section.images(list(masterImage).describe("The images of the work.")),
  location: section.display(openObjects()),
  map_spaces: section.display(openList()),
  related_media: section.images(openList()),
  related_texts: section.texts(openList()),
  related_events: section.subjects(openList()),
  location_card: section.technical(locationCard),
};
