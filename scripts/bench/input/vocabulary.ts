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
  artist(102, "Tobias Wren Ashdown", 1778, 1849),
  artist(103, "Margarethe Lindqvist", 1866, 1931),
  artist(104, "Józef Ostrowski", 1889, 1957),
  artist(105, "Samuel Pettifer the Younger", 1742, 1816),
  artist(106, "Inês Carvalhal", 1903, 1978),
  artist(107, "Hugh Gallowglass", 1831, 1902),
  artist(108, "Chiyo Natsume", 1911, 1990),
  artist(109, "Augustin de la Ferrière", 1765, 1834),
  artist(110, "Winifred Oakes", 1894, 1969),
  artist(111, "Rhys ap Meredydd", 1820, 1888),
  artist(112, "Nadezhda Orlova", 1897, 1966),
];

export const VIEWS = [
  "View of the Castle",
  "Study of Clouds",
  "The Mill Stream",
  "Fishing Boats Coming Ashore",
  "A Ruined Abbey by Moonlight",
  "Two Figures on a Bridge",
  "The Harbour at Low Tide",
  "Sheep Resting under an Oak",
  "Shipping in a Breeze",
  "An Avenue of Limes",
  "The Market Cross",
  "Portrait of a Lady Reading",
  "Rocks and a Waterfall",
  "Inscription by the Artist: Notes on Colours",
  "The Terrace and Gardens",
];

export const PLACES = [
  "near Folkestone",
  "at Durham",
  "from the South-West",
  "on the Medway",
  "at Tivoli",
  "above Lake Lucerne",
  "in Wharfedale",
  "at Margate",
  "seen from the River",
  "at Évreux",
];

export const MEDIA = [
  "Graphite on paper",
  "Oil paint on canvas",
  "Watercolour and gouache on paper",
  "Etching and aquatint on paper",
  "Screenprint on paper",
  "Pen and ink on paper",
  "Lithograph on paper",
  "Bronze",
];

export const CREDITS = [
  "Accepted by the nation as part of the Marchbank Bequest",
  "Purchased",
  "Presented by the Friends of the Gallery",
  "Bequeathed by Miss Charlotte Enderby",
  "Transferred from the National Print Archive",
];

export const ALBUMS = [
  "Gravesend and Estuary Sketchbook",
  "Northern Rivers Sketchbook",
  "Studies near Brighton",
  "Copies after the Antique",
  "Rhine, Meuse and Moselle Sketchbook",
  "Large Folded Sheets",
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
      ["religious", ["abbey", "cathedral", "church", "spire"]],
      ["residential", ["castle", "cottage", "house, country", "villa"]],
      ["townscapes, man-made features", ["street", "townscape, distant", "quay", "wall"]],
    ],
  ],
  [
    "nature",
    [
      ["animals: mammals", ["cow", "dog", "horse", "sheep"]],
      ["landscape", ["hill", "mountain", "river", "rocky", "valley", "wooded"]],
      ["seascapes and coasts", ["beach", "cliff", "coast", "harbour", "sea"]],
      ["weather", ["cloud", "storm", "sunset", "wind"]],
      ["trees", ["avenue", "oak", "tree", "willow"]],
    ],
  ],
  [
    "people",
    [
      ["adults", ["figure", "man", "woman"]],
      ["groups", ["couple", "crowd", "group"]],
      ["children", ["boy", "girl"]],
    ],
  ],
  [
    "places",
    [
      ["UK counties", ["Cumbria", "Devon", "Kent", "Yorkshire, North"]],
      ["UK countries and regions", ["England", "Scotland", "Wales"]],
      ["countries and continents", ["France", "Germany", "Italy", "Switzerland"]],
      ["UK towns and villages", ["Durham - non-specific", "Margate - non-specific", "Oxford - non-specific"]],
    ],
  ],
  [
    "society",
    [
      ["transport: water", ["barge", "boat, fishing", "boat, sailing", "ship"]],
      ["transport: land", ["carriage", "cart", "riding"]],
      ["agriculture and fishing", ["fishing", "harvesting", "shepherd"]],
    ],
  ],
  [
    "symbols and inscriptions",
    [
      ["inscriptions", ["artist's notes", "colour notes", "date inscribed", "signature"]],
      ["heraldry", ["coat of arms", "crest"]],
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
