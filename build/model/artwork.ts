import { DERIVED } from "./derive.ts";
import {
  REQUIRED,
  decimal,
  derived,
  flag,
  id,
  identified,
  integer,
  known,
  list,
  named,
  object,
  open,
  optional,
  optionalObject,
  orNull,
  requiredText,
  text,
  tuple,
  year,
  type FieldModels,
} from "./field.ts";

/** Fields that only artworks have, in the order of the API contract. */

const contributor = {
  ...named("Contributor", "", {
    prepend_role_to_name: flag("Whether the role is shown before the name."),
    append_role_to_name: flag("Whether the role is shown after the name."),
    role_display: text("The role, such as artist."),
    fc: text("The contributor's name.", { label: "Name" }),
    date: text("Life dates, as text."),
    url: text("The address of the contributor's page on the website.", { format: "absolute-url" }),
  }),
  ...identified("contributor", "url", ["fc"]),
  listed: { list: "contributors", fields: ["fc", "date", "url"], beside: [] },
};

const exhibitionLeg = {
  ...named("ExhibitionLeg", "", {
    id: id("The venue's id in this exhibition."),
    startDate: requiredText("The first day at this venue.", { format: "date" }),
    endDate: requiredText("The last day at this venue.", { format: "date" }),
    dateText: text("The dates, as text."),
    venueName: text("The name of the venue."),
    venueWebsiteUrl: orNull(
      requiredText("The address of the venue's website; null if it has none.", { format: "absolute-url" }),
    ),
  }),
  listed: { list: "venues", fields: ["venueName", "venueWebsiteUrl"], beside: [] },
};

const exhibition = {
  ...named("Exhibition", "", {
    id: id("The exhibition's id."),
    type: requiredText("The kind of exhibition.", { choices: known("Collection based display", "Loan-out") }),
    title: text("The exhibition's title."),
    startDate: requiredText("The first day.", { format: "date" }),
    endDate: requiredText("The last day.", { format: "date" }),
    dateText: text("The dates, as text."),
    exhibitionLegs: list(exhibitionLeg, "The venues of the exhibition, with their dates."),
    artistRoomsTour: flag("Whether the exhibition was part of the Artist Rooms tour."),
  }),
  ...identified(
    "exhibition",
    "id",
    ["title"],
    ["type", "startDate", "endDate", "dateText", "exhibitionLegs", "artistRoomsTour"],
  ),
};

const group = (kind: string) => ({
  ...named("Group", "", { id: id("The group's id."), shortTitle: text("The group's short title.") }),
  ...identified(kind, "id", ["shortTitle"]),
});

/** `display_name` is derived from the code `type` if the source leaves it out. */
const resource = named("Resource", "", {
  type: requiredText("The kind of text: a code in capital letters.", {
    format: "code",
    choices: known("DISPLAY_CAPTION", "CATALOGUE_ENTRY"),
  }),
  slug_name: derived(
    requiredText("The type, as part of an address.", { format: "lowercase-code" }),
    DERIVED.slug_name,
  ),
  display_name: text("The type's name in words, such as Display caption.", {
    empty: undefined,
    fallback: DERIVED.display_name,
  }),
  content: text("The text.", { isHtml: true }),
  publication_date: requiredText("The time at which the text was published.", { format: "local-date-time" }),
});

const subject = {
  ...named("Subject", "", {
    id: id("The subject's id."),
    name: text("The subject's name."),
    level: integer("1, 2 or 3; 1 is the broadest.", { choices: known(1, 2, 3) }),
    parent_id: id("The id of the broader subject.", { isBroader: true }),
  }),
  ...identified("subject", "id", ["name", "level", "parent_id"]),
};

const masterImage = named("MasterImage", "", {
  sizes: list(
    tuple(
      integer("", { label: "Width" }),
      requiredText("", { format: "range", label: "Range" }),
      requiredText("", { format: "media-url", label: "Address" }),
    ),
    "Each size as [width, range label, address].",
    { ...REQUIRED, isNeverEmpty: true },
  ),
  default_url: requiredText("The address of one of the sizes.", { format: "media-url" }),
  current_size: requiredText("The range label of one of the sizes.", { format: "range" }),
  src: text("Published as it is written.", { label: "Source" }),
  alt_text: text("A description of the image, for people who cannot see it.", {
    label: "Alternative text",
    isName: true,
  }),
  uncleared: flag("Whether the rights in the image are not cleared."),
  height_ratio: decimal(),
  max_width: integer(),
  no_right_click: flag(),
  sensitive: flag(),
  protected: flag(),
  copyright: text("The copyright line; may be empty."),
  status: text("The image's status, the same kind of value as masterImageStatus."),
});

const locationCard = optionalObject("LocationCard", "The card that shows the location of the work.", {
  data: optionalObject("LocationCardData", "The text of the card.", {
    card_label: list(text("", REQUIRED), "The labels on the card."),
    card_status: text(),
    title: text("The card's title."),
    type: text(),
    url: text("The page that the card links to.", { format: "site-relative" }),
    past_event: flag(),
    title_class: text(),
    past_display: flag("Whether the display is over."),
  }),
  card_rules: optionalObject("LocationCardRules", "The layout of the card.", {
    show_card_media: flag("Whether the card shows the media."),
    show_card_header: flag("Whether the card shows the header."),
    show_type_label: flag("Whether the card shows the type label."),
    show_author: flag("Whether the card shows the author."),
    show_gallery_label: flag("Whether the card shows the gallery label."),
    show_card_body: flag("Whether the card shows the body."),
    show_card_icons: flag("Whether the card shows the icons."),
    show_card_content: flag("Whether the card shows the content."),
    show_card_description: flag("Whether the card shows the description."),
    show_card_date: flag("Whether the card shows the date."),
    show_kids_footer: flag("Whether the card shows the footer for kids."),
    show_artwork_location: flag("Whether the card shows the work's location."),
    show_book_button: flag("Whether the card shows the book button."),
    show_parent_title: flag("Whether the card shows the parent's title."),
    truncate_description: flag("Whether the description is cut short."),
    two_columns_on_mobile: flag("Whether the card has two columns on a telephone."),
    open_in_lightbox: flag("Whether the card opens in a lightbox."),
    exclude_parents: open("list"),
  }),
});

const catalogueGroup = optionalObject(
  "CatalogueGroup",
  "The group of the catalogue that describes the work.",
  {
    live: flag("Whether the group's page is published."),
    title: text("The group's title."),
    url: text("The address of the group's page.", { format: "absolute-url" }),
  },
);

const classification = {
  ...named("Classification", "The kind of work.", {
    id: id("The classification's id."),
    meta: optional(object({ type: text() }, "The classification, in words."), {}),
  }),
  ...identified("classification", "id", []),
  listed: { list: "classifications", fields: ["id", "meta"], beside: ["format", "medium"] },
};

export const artworkFields: FieldModels = {
  acno: requiredText("The work's accession number.", {
    format: "acno",
    label: "Accession number",
    isFilter: true,
  }),
  url: derived(
    requiredText("The address of the work's page; the same as meta.html_url.", { format: "subpage-address" }),
    DERIVED.url,
  ),
  acquisition_text: text("The way in which the work was acquired.", { isHtml: true, section: "acquisition" }),
  allArtists: text("The artists' names, plain text."),
  all_artists_links: text("The artists' names, with links to their pages.", {
    isHtml: true,
    section: "identification",
  }),
  dimensions: text("The work's dimensions, as text.", { isMultiline: true, section: "identification" }),
  dateText: text("The date, free text."),
  medium: text("The work's medium, as text.", { isMultiline: true, section: "identification" }),
  description: text("The description of the work.", { isHtml: true }),
  physicalDescription: text("A physical description, as text.", { isMultiline: true }),
  creditLine: text("Plain text.", { isMultiline: true, section: "acquisition" }),
  custodialHistory: text("The custodial history, as text.", { isMultiline: true, section: "acquisition" }),
  foreignTitle: text("The title in another language."),
  format: text("The format, as text."),
  finberg: text("The number in Finberg's catalogue, as text.", { label: "Finberg number" }),
  butlinJollNumber: text("The number in Butlin and Joll's catalogue, as text.", {
    label: "Butlin and Joll number",
  }),
  wiltonNumber: text("The number in Wilton's catalogue, as text."),
  tga: text("", { label: "TGA" }),
  cisStatus: text("Record status of the work, such as: accessioned work.", {
    label: "CIS status",
    section: "technical",
  }),
  collection: text("The collection, as text.", { section: "subjects" }),
  collection_line: text("A sentence about the collection, as text.", { section: "subjects" }),
  appt_venue: text("Code of the venue for viewing by appointment.", {
    label: "Appointment venue",
    section: "display",
  }),
  appt_venue_name: text("Name of that venue.", { label: "Appointment venue name", section: "display" }),
  display_gallery: text("The gallery that displays the work.", { section: "display" }),
  display_gallery_name: text("The name of that gallery, in words.", { section: "display" }),
  map_category: text("", { section: "display" }),
  mltTitle: text("", { section: "technical" }),
  mltMedia: text("Words, separated by spaces.", { section: "technical" }),
  mltArtists: text("Ids of artists.", { format: "id-list", section: "technical" }),
  mltMovements: text("A list, separated by spaces.", { section: "technical" }),
  mltPlaces: text("Ids of places.", { format: "id-list", section: "technical" }),
  mltSubjects: text("Ids of subjects.", { format: "id-list", section: "technical" }),
  mltYears: text("", { section: "technical" }),
  onlinePubDate: text("The time at which the work was published online.", {
    format: "timestamp",
    label: "Online publication date",
    section: "publishing",
  }),
  institution_status: text("Publication status of the work on the website, such as: live.", {
    section: "technical",
  }),
  masterImageStatus: text("Status of the master image, such as: CLEARED.", { section: "images" }),
  masterImageCC: text("", { section: "images" }),
  shop_url: text("The address of a search in the shop.", { format: "absolute-url", section: "acquisition" }),
  shop_api_url: text("The address of the same search, as data for programs.", {
    format: "site-relative-query",
    section: "acquisition",
  }),
  acquisitionYear: year("The year in which the work was acquired.", { section: "acquisition" }),
  start_year: year("The year in which the work was begun."),
  end_year: year("The year in which the work was finished; the same as the start year if there is only one."),
  mltYear: year("The year under which similar works are found; start_year if no other year is known.", {
    section: "technical",
  }),
  popularity: optional(integer("A whole number; 0 if it is not known.", { section: "technical" }), 0),
  classificationId: derived(id("The same as classification.id."), DERIVED.classificationId, {
    isFilter: true,
  }),
  isByAppointment: flag("Whether the work can be seen by appointment.", {
    label: "By appointment",
    section: "display",
  }),
  isLoanedOut: flag("Whether the work is on loan elsewhere.", { label: "On loan", section: "display" }),
  onDisplayAtInstitution: flag("Whether the work is on display here.", {
    label: "On display here",
    section: "display",
  }),
  classification,
  displayLocation: open("object", { section: "display" }),
  catalogue_group: { ...catalogueGroup, section: "subjects" },
  iiif_info: open("any", { section: "images" }),
  iiif_id: open("any", { section: "images" }),
  additional_images: open("any", { section: "images" }),
  contributors: list(contributor, "The people and groups that made the work."),
  exhibitions: list(exhibition, "The exhibitions and displays that showed the work.", {
    section: "subjects",
  }),
  giftGroups: list(group("gift group"), "The gifts that the work belongs to.", { section: "acquisition" }),
  groups: list(group("group"), "The groups that the work belongs to.", { section: "subjects" }),
  resources: list(resource, "Texts about the work, such as its caption.", { section: "texts" }),
  subjects: list(subject, "The subjects of the work: each subject, and its broader subjects too.", {
    section: "subjects",
  }),
  subject_tags: derived(
    list(text("", REQUIRED), "The names of the subjects, in their order."),
    DERIVED.subject_tags,
  ),
  master_images: list(masterImage, "The images of the work.", { section: "images" }),
  location: open("objects", { section: "display" }),
  map_spaces: open("list", { section: "display" }),
  related_media: open("list", { section: "images" }),
  related_texts: open("list", { section: "texts" }),
  related_events: open("list", { section: "subjects" }),
  location_card: { ...locationCard, section: "technical" },
};
