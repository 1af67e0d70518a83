import { forEachConcurrent } from "../../base/concurrent.ts";
import { groupsAmong, pathInLanguage, translationFacts } from "../../change/translation-groups.ts";
import { languageAt } from "../../model/languages.ts";
import type { Site } from "../../model/site.ts";
import { pageOf } from "../form/model.ts";
import { CONCURRENCY } from "./files.ts";
import type { GitHubStore } from "./store.ts";

const factsIn = (text: string | null) => translationFacts(pageOf(text));

/**
 * Reads the translations of pages: those at the same paths, those that name them, and those of the published site.
 *
 * @param texts by file: of the pages and of possible translations. What is read is added.
 * @param pages the files of the pages @param published the ids of the published translations of a page
 */
export async function readGroups(
  store: GitHubStore,
  texts: Map<string, string | null>,
  pages: Iterable<string>,
  { site, published }: { site: Site; published: (id: number) => Promise<Iterable<number>> },
) {
  if (site.locales === undefined) return new Map<string, []>();
  const pathOf = (file: string): string => {
    const language = languageAt(file, site);
    return language === undefined ? "" : pathInLanguage(file, language);
  };
  const paths = new Set(Array.from(pages, pathOf));
  for (const { file, after } of store.changes) if (!texts.has(file)) texts.set(file, after);
  const alike = [...(await store.liveFiles())].filter((file) => !texts.has(file) && paths.has(pathOf(file)));
  await forEachConcurrent(alike, CONCURRENCY, async (file) => {
    texts.set(file, await store.read(file));
  });
  const known = new Set<number>();
  const named = new Set<number>();
  for (const [file, text] of texts) {
    const { id = 0, of = 0 } = factsIn(text) ?? {};
    known.add(id);
    if (paths.has(pathOf(file))) named.add(id).add(of);
  }
  const ids = new Set(named);
  for (const id of named) for (const other of await published(id)) ids.add(other);
  const others = [...ids].filter((id) => !known.has(id));
  await forEachConcurrent(others, CONCURRENCY, async (id) => {
    const found = await store.open(id);
    if (found !== undefined) texts.set(found.file, found.text);
  });
  return groupsAmong(
    Array.from(texts, ([file, text]) => [file, factsIn(text)] as const),
    site,
  );
}
