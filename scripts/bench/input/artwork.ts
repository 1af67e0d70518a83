import { random, type Random } from "./random.ts";
import {
  ALBUMS,
  ARTISTS,
  CREDITS,
  MEDIA,
  PLACES,
  SUBJECTS,
  VIEWS,
  type InventedArtist,
} from "./vocabulary.ts";

export const ARTWORK = "artworks.ArtworkPage";

export interface Artwork {
  slug: string;
  /** The accession number in the API's format: one letter and five digits. */
  acno: string;
  source: Record<string, unknown>;
}

const CLASSIFICATIONS = ["on paper, unique", "painting", "on paper, print", "sculpture"];
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const FIRST_LETTER = LETTERS.indexOf("D");

/** Accession numbers start at D00001 and continue through the alphabet: 2.6 million different ones. */
export function accessionNumber(index: number): string {
  const number = index + 1;
  const letter = LETTERS[(FIRST_LETTER + Math.floor(number / 100_000)) % LETTERS.length] ?? "D";
  return `${letter}${String(number % 100_000).padStart(5, "0")}`;
}

/** The source of one generated work. It depends only on `index`, so a larger site begins like a smaller one. */
export function artwork(index: number): Artwork {
  const r = random(index);
  const artist = r.pick(ARTISTS);
  const title = `${r.pick(VIEWS)} ${r.pick(PLACES)}`;
  const acno = accessionNumber(index);
  const start = artist.born + 20 + r.below(artist.active);
  const end = start + r.below(3);
  const album = r.below(ALBUMS.length);
  const classification = r.below(CLASSIFICATIONS.length);
  const acquired = 1900 + r.below(120);
  const subjects = subjectsOf(r);
  return {
    slug: `${slugOfText(artist.name.split(" ").at(-1) ?? "")}-${slugOfText(title)}-${acno.toLowerCase()}`,
    acno,
    source: {
      id: 1_000 + index,
      meta: { type: ARTWORK },
      title,
      acno,
      allArtists: artist.name,
      dimensions: `support: ${80 + r.below(900)} x ${80 + r.below(900)} mm`,
      dateText: start === end ? `${start}` : `c.${start}–${end}`,
      medium: r.pick(MEDIA),
      creditLine: `${r.pick(CREDITS)} ${acquired}`,
      finberg: `${album + 40} ${1 + r.below(90)}`,
      mltArtists: `${artist.id}`,
      mltSubjects: subjects.map(({ id }) => id).join(" "),
      acquisitionYear: acquired,
      start_year: start,
      end_year: end,
      mltYear: start,
      classification: { id: classification + 1, meta: { type: "artworks.Classification" } },
      catalogue_group: { title: ALBUMS[album] },
      contributors: [contributor(artist)],
      subjects,
    },
  };
}

const contributor = (artist: InventedArtist): Record<string, unknown> => ({
  role_display: "artist",
  fc: artist.name,
  date: artist.dates,
  url: `https://www.example.org/art/artists/${slugOfText(artist.name)}-${artist.id}`,
});

interface SubjectEntry {
  id: number;
  name: string;
  level: number;
  parent_id: number;
}

const SUBJECT_ROOT = 1;

/** Branches of the subject tree, flattened with their ancestors: about 11 subjects, as many as Tate's works have. */
function subjectsOf(r: Random): SubjectEntry[] {
  const entries: SubjectEntry[] = [];
  for (const first of r.some(SUBJECTS, 1 + r.below(4))) {
    entries.push({ id: first.id, name: first.name, level: 1, parent_id: SUBJECT_ROOT });
    for (const second of r.some(first.children, 1 + r.below(2))) {
      entries.push({ id: second.id, name: second.name, level: 2, parent_id: first.id });
      for (const third of r.some(second.children, r.below(4) === 0 ? 2 : 1)) {
        entries.push({ id: third.id, name: third.name, level: 3, parent_id: second.id });
      }
    }
  }
  return entries;
}

/** Letters lose their accents; any other character outside of a–z and 0–9 becomes a hyphen. */
export const slugOfText = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
