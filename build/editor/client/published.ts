import { dataFile, response, site } from "../../browse/client/data.js";
import { fold, idFile } from "../../browse/client/words.js";
import { isObject } from "../../json/object.ts";
import { thingKinds } from "../../page/things.ts";
import type { Published } from "../github/files.ts";
import { noteOf, textOfThing, type Thing } from "../form/things.ts";

/*
 * Reads the published editor data, which `editor/published.ts` makes.
 */

/** The members of a data file, without the one that contains the number of files. */
const membersOf = (file: object): unknown[] =>
  Object.entries(file)
    .filter(([name]) => name !== "")
    .map(([, member]) => member as unknown);

/** The source files of live pages. */
export const published: Published = {
  fileOf: async (id) => {
    const found = await dataFile("sources", (files) => idFile(id, files));
    const path: unknown = Object.hasOwn(found, String(id)) ? found[String(id)] : undefined;
    return typeof path === "string" ? path : undefined;
  },
  files: async () => {
    const { sources = 0 } = await site();
    const files = await Promise.all(
      Array.from({ length: sources }, (_, file) => dataFile("sources", () => file)),
    );
    return files.flatMap((file) => membersOf(file) as string[]);
  },
};

interface SearchedThing extends Thing {
  text: string;
}

/** The things of each loaded data file. After a release, the file is loaded again as another object. */
const known = new WeakMap<object, Promise<SearchedThing[]>>();

/** Maximum number of things without a name whose example pages are read. */
const MAX_EXAMPLES = 40;
/** Maximum number of things in a search result. */
const MAX_FOUND = 12;

/** The things of a kind that match the words, the most frequent first. */
export async function publishedThings(kind: string, words: string): Promise<readonly Thing[]> {
  const kinds = thingKinds();
  const number = kinds.findIndex(({ identity }) => identity.kind === kind);
  const identity = kinds[number]?.identity;
  if (identity === undefined) return [];
  const file = await dataFile("things", () => number);
  let things = known.get(file);
  if (things === undefined) known.set(file, (things = thingsIn(file, [identity.key, ...identity.values])));
  things.catch(() => known.delete(file));
  const parts = fold(words)
    .split(/\s+/)
    .filter((part) => part !== "");
  const all = await things;
  return all.filter(({ text }) => parts.every((part) => text.includes(part))).slice(0, MAX_FOUND);
}

type Row = [pages: number, ...values: unknown[]];

function thingsIn(file: object, names: string[]): Promise<SearchedThing[]> {
  return Promise.all(
    (membersOf(file) as Row[]).map(async ([pages, ...values], k): Promise<SearchedThing> => {
      const members = names
        .map((name, m) => [name, values[m]] as const)
        .filter(([, value]) => value !== null);
      const written = Object.fromEntries(members);
      const note = names.length > 1 || k >= MAX_EXAMPLES ? "" : await noteOn(Number(values[1]));
      return { written, pages, note, text: fold(textOfThing({ written, note })) };
    }),
  );
}

/** The note on a thing without a name, from an example page. */
async function noteOn(id: number): Promise<string> {
  const answer = await response(id).catch(() => undefined);
  const page: unknown = answer === undefined ? undefined : JSON.parse(answer.text);
  return isObject(page) ? noteOf(page) : "";
}
