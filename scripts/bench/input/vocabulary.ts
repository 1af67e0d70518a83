/** The vocabulary of generated works. Every name belongs to one id, so a generated site has no conflicts of its own. */

export interface InventedArtist {
  name: string;
  dates: string;
  born: number;
  active: number;
  id: number;
}

const artist = (id: number, name: string, born: number, died: number): InventedArtist => ({
  name,
  dates: `${born}–${died}`,
  born,
  active: died - born - 20,
  id,
});

export const ARTISTS: readonly InventedArtist[] = [
  artist(101, "Eleanor Marchbank", 1801, 1874),
  artist(104, "Józef Ostrowski", 1889, 1957),
  artist(110, "Winifred Oakes", 1894, 1969),
];

export const VIEWS = [
  "View of the Castle",
  "Study of Clouds",
  "The Mill Stream",
  "Fishing Boats Coming Ashore",
  "A Ruined Abbey by Moonlight",
  "Two Figures on a Bridge",
  "The Harbour at Low Tide",
];

export const PLACES = ["near Folkestone", "at Durham", "from the South-West", "on the Medway", "at Tivoli"];

export const MEDIA = [
  "Graphite on paper",
  "Oil paint on canvas",
  "Watercolour and gouache on paper",
  "Etching and aquatint on paper",
  "Screenprint on paper",
];

export const CREDITS = [
  "Accepted by the nation as part of the Marchbank Bequest",
  "Purchased",
  "Presented by the Friends of the Gallery",
];

export const ALBUMS = [
  "Gravesend and Estuary Sketchbook",
  "Northern Rivers Sketchbook",
  "Studies near Brighton",
];

export interface SubjectNode {
  id: number;
  name: string;
  children: readonly SubjectNode[];
}

const THEMES = ["architecture", "nature", "people", "places", "society", "symbols"];

const numbered = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

/** Ids of level 1 are multiples of ten thousand; those of level 2 differ by hundreds, of level 3 by ones. */
export const SUBJECTS: readonly SubjectNode[] = THEMES.map((name, index) => {
  const id = (index + 1) * 10_000;
  const children = numbered(4, (second) => ({
    id: id + second * 100,
    name: `${name} of kind ${second}`,
    children: numbered(4, (third) => ({
      id: id + second * 100 + third,
      name: `${name} of kind ${second}.${third}`,
      children: [],
    })),
  }));
  return { id, name, children };
});
