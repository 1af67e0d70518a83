import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { readJson } from "../files.ts";
import { scratch } from "../scratch.ts";

/** An invented work in the shape of Tate's open data, and the source that is made of it. */
export const { data: WORK, source: SOURCE } = readJson(PROGRAM_FOLDER, "test/exchange/work.json") as Record<
  "data" | "source",
  Record<string, unknown>
>;

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
