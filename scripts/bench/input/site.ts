import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { formatJson } from "../../../build/source/json/format.ts";
import { random, type Random } from "./random.ts";

/** A source: its path in the content folder, and its text. */
export interface GeneratedSource {
  path: string;
  text: string;
}

const SITE = {
  base_url: "https://api.example.org",
  site_url: "https://www.example.org",
  media_url: "https://media.example.org",
  append_slash: false,
};

export const ARTWORK = "artworks.ArtworkPage";

const FRAME: readonly (readonly [path: string, source: unknown])[] = [
  ["index.json", { id: 1, meta: { type: "home.HomePage" }, title: "Home" }],
  ["art/index.json", { id: 2, meta: { type: "standardpages.GeneralPage" }, title: "Art and artists" }],
  ["art/artworks/index.json", { id: 3, meta: { type: "artworks.ArtworkIndexPage" }, title: "Artworks" }],
];

/* The vocabulary of works. Every name belongs to one id, so a generated site has no conflicts of its own. */

const ARTISTS = [
  { id: 101, name: "Eleanor Marchbank", born: 1801, died: 1874 },
  { id: 104, name: "Józef Ostrowski", born: 1889, died: 1957 },
  { id: 110, name: "Winifred Oakes", born: 1894, died: 1969 },
];
const VIEWS = [
  "View of the Castle",
  "Study of Clouds",
  "Fishing Boats Coming Ashore",
  "A Ruined Abbey by Moonlight",
];
const PLACES = ["near Folkestone", "at Durham", "from the South-West", "on the Medway", "at Tivoli"];
const MEDIA = [
  "Graphite on paper",
  "Oil paint on canvas",
  "Etching and aquatint on paper",
  "Screenprint on paper",
];
const ALBUMS = ["Gravesend and Estuary Sketchbook", "Northern Rivers Sketchbook", "Studies near Brighton"];
const THEMES = ["architecture", "nature", "people", "places", "society", "symbols"];

const LETTERS = "DEFGHIJKLMNOPQRSTUVWXYZABC";

/** Accession numbers start at D00001 and continue through the alphabet: 2.6 million different ones. */
export function accessionNumber(index: number): string {
  const number = index + 1;
  const letter = LETTERS[Math.floor(number / 100_000) % LETTERS.length] ?? "D";
  return `${letter}${String(number % 100_000).padStart(5, "0")}`;
}

interface Subject {
  id: number;
  name: string;
  level: number;
  parent_id: number;
}

/** Branches of a tree of subjects, flattened with their ancestors: about 11, as many as Tate's works have. */
function* subjectsOf(r: Random, level = 1, parent_id = 1): Generator<Subject> {
  const isTop = level === 1;
  const most = isTop ? 4 : 2;
  for (const n of r.some(isTop ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4], 1 + r.below(most))) {
    // Ids of level 1 are multiples of ten thousand; those of level 2 differ by hundreds, of level 3 by ones.
    const id = isTop ? n * 10_000 : parent_id + (level === 2 ? 100 * n : n);
    const theme = THEMES[Math.floor(id / 10_000) - 1] ?? "";
    yield { id, name: isTop ? theme : `${theme} of kind ${id % 10_000}`, level, parent_id };
    if (level < 3) yield* subjectsOf(r, level + 1, id);
  }
}

/** One generated work. It depends only on `index`, so a larger site begins like a smaller one. */
function work(index: number): GeneratedSource {
  const r = random(index);
  const { id, name, born, died } = r.pick(ARTISTS);
  const title = `${r.pick(VIEWS)} ${r.pick(PLACES)}`;
  const acno = accessionNumber(index);
  const start = born + 20 + r.below(died - born - 20);
  const end = start + r.below(3);
  const album = r.below(ALBUMS.length);
  const classification = 1 + r.below(4);
  const acquired = 1900 + r.below(120);
  const subjects = [...subjectsOf(r)];
  const source = {
    id: 1_000 + index,
    meta: { type: ARTWORK },
    title,
    acno,
    allArtists: name,
    dimensions: `support: ${80 + r.below(900)} x ${80 + r.below(900)} mm`,
    dateText: start === end ? `${start}` : `c.${start}–${end}`,
    medium: r.pick(MEDIA),
    creditLine: `Presented by the Friends of the Gallery ${acquired}`,
    finberg: `${album + 40} ${1 + r.below(90)}`,
    mltArtists: `${id}`,
    mltSubjects: subjects.map((one) => one.id).join(" "),
    acquisitionYear: acquired,
    start_year: start,
    end_year: end,
    mltYear: start,
    classification: { id: classification, meta: { type: "artworks.Classification" } },
    catalogue_group: { title: ALBUMS[album] },
    contributors: [
      {
        role_display: "artist",
        fc: name,
        date: `${born}–${died}`,
        url: `https://www.example.org/art/artists/${id}`,
      },
    ],
    subjects,
  };
  const slug = `${name.split(" ").at(-1)} ${title} ${acno}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  // A grouping folder for each thousand numbers.
  const path = `art/artworks/_${acno.slice(0, 3).toLowerCase()}/${slug}.json`;
  return { path, text: formatJson(source) };
}

/** A generated site of `pages` pages: home, a general page, the artwork index, and works below it. */
export function* generatedSite(pages: number): Generator<GeneratedSource> {
  yield { path: "_site.json", text: formatJson(SITE) };
  for (const [path, source] of FRAME) yield { path, text: formatJson(source) };
  for (let index = 0; index < pages - FRAME.length; index++) yield work(index);
}

/** Writes sources below `folder`, in which none of them exists yet. */
export function writeSources(folder: string, sources: Iterable<GeneratedSource>): void {
  for (const { path, text } of sources) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
  }
}
