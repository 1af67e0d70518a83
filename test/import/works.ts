import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scratch } from "../scratch.ts";

const subject = (id: number, name: string, ...children: object[]) => ({ id, name, children });

/** An invented work in the shape of Tate's open data. */
export const WORK = {
  acno: "K00017",
  acquisitionYear: 1931,
  all_artists: "Ada Quill, after Bo Marsh",
  catalogueGroup: { accessionRanges: "K00017-K00019", id: 9, shortTitle: "Fen Studies" },
  classification: "painting",
  contributorCount: 2,
  contributors: [
    { birthYear: 1870, date: "1870–1941", displayOrder: 1, fc: "Ada Quill", id: 501, role: "artist" },
    { date: null, displayOrder: 2, fc: "Bo Marsh", gender: null, id: 502, role: "after" },
  ],
  creditLine: "Given by the artist\r\n1931",
  dateRange: { endYear: 1905, startYear: 1904, text: "c.1904-5" },
  dateText: "c.1904–5",
  depth: "",
  dimensions: "support: 120 x 80 mm",
  finberg: "II 4",
  foreignTitle: null,
  groupTitle: "Fen Studies",
  id: 88017,
  medium: "Oil paint on board",
  movements: [{ era: { id: 3, name: "20th century" }, id: 61, name: "Fen School" }],
  subjects: subject(
    1,
    "subject",
    subject(
      11,
      "landscape",
      subject(21, "works", { id: 31, name: "windmill" }, { id: 32, name: "lock" }),
      subject(22, "water"),
    ),
    subject(12, "weather"),
  ),
  thumbnailUrl: "http://images.example.org/K00017_8.jpg",
  title: "Mill at Dusk",
  url: "http://www.tate.org.uk/art/artworks/quill-mill-at-dusk-k00017",
};

export const ARTISTS = {
  "artists/q/quill-ada-501.json": {
    id: 501,
    fc: "Ada Quill",
    date: "1870–1941",
    url: "http://www.tate.org.uk/art/artists/ada-quill-501",
  },
};

/** A checkout of the data in a folder of its own. Strings are written as they are, other values as JSON. */
export function checkout(files: Record<string, unknown>): string {
  const root = scratch("import-tate");
  mkdirSync(join(root, "artworks"));
  mkdirSync(join(root, "artists"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(join(root, path), isRaw ? content : JSON.stringify(content));
  }
  return root;
}
