import { z } from "zod";
import {
  decimal,
  derived,
  flag,
  formed,
  html,
  id,
  integer,
  list,
  nullable,
  requiredText,
  responseOf,
  text,
  unspecifiedList,
  unspecifiedObject,
  unspecifiedObjects,
  unspecifiedValue,
  usually,
} from "./field.ts";

/**
 * What a page is: the fields of the interface (sections 2.1 and 2.2) in its own order, each with its type, form,
 * default or derivation. Sources, responses, JSON Schemas and the fast lane of the build are all read off this file.
 */

export const PAGE_TYPES = [
  "artworks.ArtworkPage",
  "artworks.ArtworkIndexPage",
  "standardpages.GeneralPage",
  "projects.ProjectPage",
  "projects.ProjectIndexPage",
  "home.HomePage",
] as const;

export type PageType = (typeof PAGE_TYPES)[number];

/** The types that may lie below which types: those observed (interface, section 2.1), and those that a site needs. */
export const PARENT_TYPES: Record<PageType, readonly PageType[]> = {
  "home.HomePage": [],
  "standardpages.GeneralPage": ["standardpages.GeneralPage", "projects.ProjectPage", "home.HomePage"],
  "projects.ProjectIndexPage": ["standardpages.GeneralPage", "home.HomePage"],
  "projects.ProjectPage": ["projects.ProjectIndexPage"],
  "artworks.ArtworkIndexPage": ["home.HomePage", "standardpages.GeneralPage"],
  "artworks.ArtworkPage": ["artworks.ArtworkIndexPage"],
};

/** Wherever an object has both fields, the second is not before the first; otherwise it is a warning. */
export const ORDERED_FIELDS = [
  ["startDate", "endDate"],
  ["start_year", "end_year"],
] as const;

export const isPageType = (value: unknown): value is PageType => (PAGE_TYPES as readonly unknown[]).includes(value);

const pageAddress = () => requiredText("absolute-url");

const parentSummary = z.strictObject({
  id: id(),
  meta: z.strictObject({ type: z.enum(PAGE_TYPES), detail_url: pageAddress(), html_url: pageAddress() }),
  title: requiredText(),
});

const meta = (type: PageType) =>
  z.strictObject({
    type: z.literal(type).describe("The page's type; it decides which further fields there are."),
    detail_url: derived(pageAddress(), "the id and the base_url of _site.json"),
    html_url: derived(pageAddress(), "where the file lies"),
    slug: derived(requiredText(), "the name of the file or folder"),
    show_in_menus: flag().describe("Whether the website's menus show the page."),
    seo_title: text().describe("The title for search engines; may be left out."),
    search_description: text().describe("The description for search engines; may be left out."),
    first_published_at: nullable("date-time").describe("When the page was first published, with an offset or Z."),
    alias_of: derived(z.null(), "the interface: it is always null"),
    parent: derived(type === "home.HomePage" ? z.null() : parentSummary, "where the file lies"),
  });

const common = (type: PageType) => ({
  id: id().describe("The page's number: 1 to 9007199254740991, unique over the whole site, never reused."),
  meta: meta(type).describe("What the page is and how it is found."),
  title: requiredText().describe("The page's title."),
});

const contributor = z.strictObject({
  prepend_role_to_name: flag(),
  append_role_to_name: flag(),
  role_display: text().describe("The role, such as artist."),
  fc: text().describe("The contributor's name."),
  date: text().describe("Life dates, as text."),
  url: formed("absolute-url").describe("The address of the contributor's page."),
});

const exhibitionLeg = z.strictObject({
  id: id(),
  startDate: requiredText("date"),
  endDate: requiredText("date"),
  dateText: text().describe("The dates for people to read."),
  venueName: text(),
  venueWebsiteUrl: nullable("absolute-url"),
});

const exhibition = z.strictObject({
  id: id(),
  type: usually(requiredText(), "Collection based display", "Loan-out"),
  title: text(),
  startDate: requiredText("date"),
  endDate: requiredText("date"),
  dateText: text().describe("The dates for people to read."),
  exhibitionLegs: list(exhibitionLeg),
  artistRoomsTour: flag(),
});

const group = z.strictObject({ id: id(), shortTitle: text() });

/** Codes of resources; `display_name` is derived from the code where it is left out. */
const resource = z.strictObject({
  type: usually(requiredText("code"), "DISPLAY_CAPTION", "CATALOGUE_ENTRY").describe("An upper-case code."),
  slug_name: derived(requiredText(), "type"),
  display_name: z.string().optional().describe("The type's name for people; worked out from type where left out."),
  content: html().describe("HTML."),
  publication_date: requiredText("local-date-time"),
});

const subject = z.strictObject({
  id: id(),
  name: text(),
  level: usually(integer(), 1, 2, 3).describe("1 is the broadest."),
  parent_id: id().describe("The id of the broader subject."),
});

const masterImage = z.strictObject({
  sizes: z
    .array(z.tuple([integer(), requiredText("range"), requiredText("media-url")]))
    .describe("Each size as [width, range label, address]."),
  default_url: requiredText("media-url").describe("The address of one of the sizes."),
  current_size: requiredText("range").describe("The range label of one of the sizes."),
  src: text(),
  alt_text: text().describe("What the image shows, for those who do not see it."),
  uncleared: flag(),
  height_ratio: decimal(),
  max_width: integer(),
  no_right_click: flag(),
  sensitive: flag(),
  protected: flag(),
  copyright: text(),
  status: text(),
});

const locationCard = z
  .strictObject({
    data: z
      .strictObject({
        card_label: list(z.string()),
        card_status: text(),
        title: text(),
        type: text(),
        url: formed("site-relative"),
        past_event: flag(),
        title_class: text(),
        past_display: flag(),
      })
      .prefault({}),
    card_rules: z
      .strictObject({
        show_card_media: flag(),
        show_card_header: flag(),
        show_type_label: flag(),
        show_author: flag(),
        show_gallery_label: flag(),
        show_card_body: flag(),
        show_card_icons: flag(),
        show_card_content: flag(),
        show_card_description: flag(),
        show_card_date: flag(),
        show_kids_footer: flag(),
        show_artwork_location: flag(),
        show_book_button: flag(),
        show_parent_title: flag(),
        truncate_description: flag(),
        two_columns_on_mobile: flag(),
        open_in_lightbox: flag(),
        exclude_parents: unspecifiedList(),
      })
      .prefault({}),
  })
  .prefault({});

const artwork = z.strictObject({
  ...common("artworks.ArtworkPage"),
  acno: requiredText("acno").describe("Accession number: one letter and five digits."),
  url: derived(pageAddress(), "where the file lies"),
  acquisition_text: html().describe("HTML."),
  allArtists: text().describe("The artists' names, plain text."),
  all_artists_links: html().describe("HTML with links to the artists' pages."),
  dimensions: text(),
  dateText: text().describe("The date, free text."),
  medium: text(),
  description: html().describe("HTML."),
  physicalDescription: text(),
  creditLine: text().describe("Plain text."),
  custodialHistory: text(),
  foreignTitle: text(),
  format: text(),
  finberg: text().describe("Catalogue reference number."),
  butlinJollNumber: text().describe("Catalogue reference number."),
  wiltonNumber: text().describe("Catalogue reference number."),
  tga: text(),
  cisStatus: text().describe("Record status of the work, such as: accessioned work."),
  collection: text(),
  collection_line: text(),
  appt_venue: text().describe("Code of the venue for viewing by appointment."),
  appt_venue_name: text().describe("Name of that venue."),
  display_gallery: text(),
  display_gallery_name: text(),
  map_category: text(),
  mltTitle: text(),
  mltMedia: text().describe("Words with spaces between them."),
  mltArtists: formed("id-list").describe("Ids with spaces between them."),
  mltMovements: text().describe("A list with spaces between."),
  mltPlaces: formed("id-list").describe("Ids with spaces between them."),
  mltSubjects: formed("id-list").describe("Subject ids with spaces between them."),
  mltYears: text(),
  onlinePubDate: formed("timestamp").describe("YYYY-MM-DD HH:MM:SS.f"),
  institution_status: text().describe("Publication status of the work on the website, such as: live."),
  masterImageStatus: text().describe("Status of the master image, such as: CLEARED."),
  masterImageCC: text(),
  shop_url: formed("absolute-url").describe("The address of a search in the shop."),
  shop_api_url: formed("site-relative-query").describe("An address on this website with a query."),
  acquisitionYear: integer(),
  start_year: integer(),
  end_year: integer(),
  mltYear: integer(),
  popularity: integer().default(0),
  classificationId: derived(id(), "classification.id"),
  isByAppointment: flag(),
  isLoanedOut: flag(),
  onDisplayAtInstitution: flag(),
  classification: z.strictObject({
    id: id(),
    meta: z.strictObject({ type: text() }).prefault({}),
  }),
  displayLocation: unspecifiedObject(),
  catalogue_group: z.strictObject({ live: flag(), title: text(), url: formed("absolute-url") }).prefault({}),
  iiif_info: unspecifiedValue(),
  iiif_id: unspecifiedValue(),
  additional_images: unspecifiedValue(),
  contributors: list(contributor),
  exhibitions: list(exhibition),
  giftGroups: list(group),
  groups: list(group),
  resources: list(resource),
  subjects: list(subject),
  subject_tags: derived(z.array(z.string()), "the names in subjects"),
  master_images: list(masterImage),
  location: unspecifiedObjects(),
  map_spaces: unspecifiedList(),
  related_media: unspecifiedList(),
  related_texts: unspecifiedList(),
  related_events: unspecifiedList(),
  location_card: locationCard,
});

/** `Required` all the way down: a response leaves nothing out. */
type Complete<T> = T extends (infer E)[]
  ? Complete<E>[]
  : T extends object
    ? { [K in keyof T]-?: Complete<Exclude<T[K], undefined>> }
    : T;

const plain = <T extends PageType>(type: T) => z.strictObject(common(type));

/** What a source may hold, by page type. Keys are in the order of the interface's tables. */
export const sourceSchemas = {
  "artworks.ArtworkPage": artwork,
  "artworks.ArtworkIndexPage": plain("artworks.ArtworkIndexPage"),
  "standardpages.GeneralPage": plain("standardpages.GeneralPage"),
  "projects.ProjectPage": plain("projects.ProjectPage"),
  "projects.ProjectIndexPage": plain("projects.ProjectIndexPage"),
  "home.HomePage": plain("home.HomePage"),
} satisfies Record<PageType, z.ZodType>;

/** A source with every default filled in; derived fields are still absent. */
export type SourcePage = z.output<(typeof sourceSchemas)[PageType]>;
export type ArtworkSource = z.output<typeof artwork>;

/** The response to a client, of any page type. */
export type PageResponse = Complete<SourcePage>;
export type ArtworkResponse = Complete<ArtworkSource>;

/** What a response holds, by page type: every field of the interface, none other. */
export const responseSchemas = Object.fromEntries(
  PAGE_TYPES.map((type) => [type, responseOf(sourceSchemas[type])]),
) as Record<PageType, z.ZodType>;
