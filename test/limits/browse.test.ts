import { expect, it } from "vitest";
import { countsFor } from "../../build/browse/data-files.ts";
import { makeDataFiles, PageIndexer } from "../../build/browse/page-index.ts";
import { NO_MEDIA } from "../../build/page/media.ts";
import { programModel } from "../../build/page/program-model.ts";

it("the number of data files is at most 1,000, and 40 more for the editor", () => {
  const { words, addresses, records, trees, sources, things } = countsFor(Number.MAX_SAFE_INTEGER, 8);
  expect(words + addresses + records + trees).toBeLessThanOrEqual(1000);
  expect(sources + things).toBeLessThanOrEqual(40);
});

/** The list of pages with the word “marsh”, of one page whose title has so many words. */
function listOfMarsh(count: number): string | undefined {
  const indexer = new PageIndexer(programModel);
  const title = Array.from({ length: count }, (_, k) => (k === 0 ? "Marsh" : `w${k}`)).join(" ");
  const place = { type: "standardpages.GeneralPage", parent: 1, slug: "page", address: "/page/" };
  indexer.addPage({ id: 5, title }, place, NO_MEDIA);
  const [file] = makeDataFiles([indexer.finish()], countsFor(1));
  return (JSON.parse(String(file?.[1])) as Record<string, string>)["marsh"];
}

it("a title of up to 8 words is found exactly", () => {
  // Lists of a word outside titles, in titles, and at the beginning of titles of one word, two words and so on.
  expect(listOfMarsh(1)).toBe(",,5");
  expect(listOfMarsh(8)).toBe(",,,,,,,,,5");
  expect(listOfMarsh(9)).toBe(",5");
});
