import { response } from "../../browse/client/data.js";
import { find } from "../../browse/client/search.js";
import { fold } from "../../browse/client/words.js";
import { noteOf, textOfThing, thingsIn, type Thing } from "../form/things.ts";

/** Maximum pages that are read for one search. */
const MAX_PAGES = 16;

/** The things of a kind that words find, among those of the published pages that the words find. */
export async function thingsInPages(kind: string, words: string): Promise<readonly Thing[]> {
  const searches = await Promise.all([find(words), find(`subject:${words}`)]);
  const ids = [...new Set(searches.flatMap(({ ids: found }) => found.slice(0, MAX_PAGES)))];
  const pages = await Promise.all(
    ids.map(async (id) => {
      const answer = await response(id).catch(() => undefined);
      return answer === undefined ? undefined : (JSON.parse(answer.text) as unknown);
    }),
  );
  const found = new Map<unknown, Thing>();
  const parts = fold(words).split(/\s+/);
  for (const page of pages)
    for (const { identity, key, written } of thingsIn(page)) {
      if (identity.kind !== kind || found.has(key)) continue;
      const thing = { written, note: noteOf(page) };
      const text = fold(textOfThing(thing));
      // A thing without a name is found by the names of its pages.
      if (identity.values.length === 0 || parts.every((part) => text.includes(part))) found.set(key, thing);
    }
  return [...found.values()];
}
