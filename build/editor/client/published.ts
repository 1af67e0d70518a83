import { dataFile, record, response, site } from "../../browse/data.js";
import { idFile } from "../../browse/words.js";
import type { EntityKind, PageResponse } from "../../model/page.ts";
import type { Published } from "../github/files.ts";
import type { ThingRow } from "../../outputs/editor/data.ts";
import { searchedThings, searchThings, type SearchedThing } from "../form/things.ts";

/* Reads the published editor data, which `outputs/editor/data.ts` makes. */

/** The members of a data file, without the one that contains the number of files. */
const membersOf = (file: object): unknown[] =>
  Object.entries(file)
    .filter(([name]) => name !== "")
    .map(([, member]) => member as unknown);

/** The source file of a page, or a list of it and the paths that the page links to. */
type SourceRow = string | [file: string, ...links: string[]];

export const published: Published = {
  fileOf: async (id) => {
    const found = await dataFile("sources", (files) => idFile(id, files));
    if (!Object.hasOwn(found, String(id))) return undefined;
    const row = found[String(id)] as SourceRow;
    return typeof row === "string" ? row : row[0];
  },
  sources: async () => {
    const { sources = 0 } = await site();
    const files = await Promise.all(
      Array.from({ length: sources }, (_, file) => dataFile("sources", () => file)),
    );
    const rows = files.flatMap((file) => membersOf(file) as SourceRow[]);
    return new Map(rows.map((row) => (typeof row === "string" ? [row, []] : [row[0], row.slice(1)])));
  },
};

/** The response of a page; undefined if there is none yet, as of a page that was just saved. */
export async function publishedPage(id: number): Promise<PageResponse | undefined> {
  const found = (await record(id)) && (await response(id));
  return found && (JSON.parse(found.text) as PageResponse);
}

/** The things of each loaded data file. After a release, the file is loaded again as another object. */
const known = new WeakMap<object, Promise<SearchedThing[]>>();

export async function publishedThings(kinds: readonly EntityKind[], kind: string, words: string) {
  const number = kinds.findIndex(({ identity }) => identity.kind === kind);
  const entity = kinds[number];
  if (entity === undefined) return [];
  const file = await dataFile("things", () => number);
  // The branch declares other kinds than the published site, so that the number is of another kind.
  if (file[""] !== kinds.length) return [];
  let things = known.get(file);
  if (things === undefined) {
    const rows = membersOf(file) as ThingRow[];
    known.set(file, (things = searchedThings(entity, rows, textOf)));
  }
  return searchThings(await things, words);
}

const textOf = async (id: number): Promise<string | undefined> =>
  (await response(id).catch(() => undefined))?.text;
