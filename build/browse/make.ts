import { idPart } from "./client/words.js";
import type { Entries } from "./log.ts";
import { divide, partPath, type Counts, type Part } from "./parts.ts";
import { Postings } from "./postings.ts";
import { SortedPages } from "./sorted-pages.ts";

/** All parts of a site, one after the other. @param logs the entries of all its pages; their columns are used up. */
export function* makeParts(logs: readonly Entries[], counts: Counts): Generator<Part> {
  const pages = new SortedPages(logs);
  const { ids } = pages;
  const byRecord = divide(ids.length, counts.records, (place) =>
    idPart(ids[place] as number, counts.records),
  );
  for (const [part, places] of byRecord.entries())
    yield [partPath("records", part), pages.printRecords(places)];

  const below = pages.below();
  const parents = [...below.keys()].sort((a, b) => a - b);
  const byTree = divide(parents.length, counts.trees, (k) => idPart(parents[k] as number, counts.trees));
  for (const [part, numbers] of byTree.entries())
    yield [
      partPath("trees", part),
      pages.printTrees(
        numbers.map((k) => parents[k] as number),
        below,
      ),
    ];

  const postings = new Postings(logs, pages, counts.words);
  for (let part = 0; part < counts.words; part++) yield [partPath("words", part), postings.print(part)];
}
