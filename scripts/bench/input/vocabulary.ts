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

const BRANCHES: readonly (readonly [string, readonly (readonly [string, readonly string[]])[]])[] = [
  [
    "architecture",
    [
      ["bridges and viaducts", ["bridge", "bridge, stone", "aqueduct"]],
      ["residential", ["castle", "cottage", "house, country", "villa"]],
    ],
  ],
  [
    "nature",
    [
      ["animals: mammals", ["cow", "dog", "horse", "sheep"]],
      ["seascapes and coasts", ["beach", "cliff", "coast", "harbour", "sea"]],
      ["weather", ["cloud", "storm", "sunset", "wind"]],
    ],
  ],
  [
    "places",
    [
      ["UK counties", ["Cumbria", "Devon", "Kent", "Yorkshire, North"]],
      ["UK towns and villages", ["Durham - non-specific", "Margate - non-specific", "Oxford - non-specific"]],
    ],
  ],
  [
    "society",
    [
      ["transport: water", ["barge", "boat, fishing", "boat, sailing", "ship"]],
      ["agriculture and fishing", ["fishing", "harvesting", "shepherd"]],
    ],
  ],
];

/**
 * The subjects as a tree. Ids of level 1 are multiples of ten thousand, those of level 2 differ by hundreds, those of
 * level 3 by ones.
 */
export const SUBJECTS: readonly SubjectNode[] = BRANCHES.map(([name, groups], first) => ({
  id: (first + 1) * 10_000,
  name,
  children: groups.map(([group, names], second) => ({
    id: (first + 1) * 10_000 + (second + 1) * 100,
    name: group,
    children: names.map((leaf, third) => ({
      id: (first + 1) * 10_000 + (second + 1) * 100 + third + 1,
      name: leaf,
      children: [],
    })),
  })),
}));
