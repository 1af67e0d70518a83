// The parts that you will change first: addresses, and what is shown of each type of page.

/** The API. For a build from this computer: PAGE_API=http://localhost:3000 npm run build */
export const api = (process.env.PAGE_API ?? "https://api.example.org").replace(/\/+$/, "");
/** The address of this website. */
export const website = "https://www.example.org";
/** Whether drafts are shown: only `npx page-api dev` serves them. */
export const draft = process.env.PAGE_DRAFTS === "1";
/** The language of the pages, if the site has only one. */
export const language = "en";
/** The time zone of the museum, for times of events. */
export const timeZone = "UTC";
/** The number of cards on a page of a list. */
export const perPage = 24;
/** The id of the page at the top of the home page; undefined for the next event, or the first page with an image. */
export const feature = undefined;

/** The fields that hold ids of pages. */
export const references = [];

/** Fifty years, such as 1850–1899. */
const period = ({ start_year: year }) => (year ? [`${year - (year % 50)}–${year - (year % 50) + 49}`] : []);

/**
 * By type of page; all members may be missing:
 * - line: the line below the title in lists and on the page; otherwise the one that `shown` of _types.json names
 * - dates: the first and the last day, by which lists are ordered
 * - filters: a list of pages of this type can be narrowed by these values. Each choice has an address, such as /artist/jmw-turner/
 * - hidden: fields that the page does not show
 *
 * Types without a template (src/pages/[...path].astro) show all their fields.
 */
export const types = {
  "artworks.ArtworkPage": {
    line: (page) => [page.allArtists, page.dateText].filter(Boolean).join(", "),
    filters: {
      artist: (page) => page.artist_pages?.map(({ title }) => title) ?? page.contributors.map(({ fc }) => fc),
      period,
    },
  },
  "artists.ArtistPage": {
    line: ({ born, died }) => (born || died ? `${born ?? "?"}–${died ?? ""}` : ""),
    hidden: ["born", "died"],
  },
  "events.EventPage": {
    line: (page) => page.event_type,
    dates: (page) => [page.start_date, page.end_date ?? page.start_date],
    hidden: ["event_type", "start_date", "end_date"],
  },
};
