import { afterEach, describe, expect, it, vi } from "vitest";
import { forget, forgetOld, site } from "../../build/browse/client/data.js";
import { idsFrom } from "../../build/browse/client/words.js";
import { countsFor } from "../../build/browse/data-files.ts";
import { listOf } from "../../build/browse/lists.ts";
import { makeDataFiles, PageIndexer } from "../../build/browse/page-index.ts";
import { NO_MEDIA } from "../../build/page/media.ts";

describe("the number of data files", () => {
  it.each([
    [64, 1, 1, 1, 1, 1],
    [65, 2, 1, 2, 1, 1],
    [1024, 16, 1, 16, 1, 1],
    [1025, 32, 2, 32, 1, 2],
    [2048, 32, 2, 32, 1, 2],
    [2049, 64, 4, 64, 2, 4],
    [10_000_000, 384, 64, 480, 32, 32],
  ])("of %i pages", (pages, words, addresses, records, trees, sources) => {
    expect(countsFor(pages, 9)).toEqual({ pages, words, addresses, records, trees, sources, things: 9 });
  });

  it("is at most 1,000, and 40 more for the editor", () => {
    const { words, addresses, records, trees, sources, things } = countsFor(Number.MAX_SAFE_INTEGER, 8);
    expect(words + addresses + records + trees).toBeLessThanOrEqual(1000);
    expect(sources + things).toBeLessThanOrEqual(40);
  });
});

/** The list of pages with the word “marsh”, of one page whose title has so many words. */
function listOfMarsh(count: number): string | undefined {
  const indexer = new PageIndexer();
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

it("a list contains the largest id wherever it ends", () => {
  for (let count = 4070; count < 4100; count++) {
    const ids = Array.from({ length: count }, (_, k) => 2 * k + 2).concat(Number.MAX_SAFE_INTEGER);
    expect(idsFrom(listOf(ids))).toEqual(ids);
  }
});

describe("the cache of the browse UI", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    forget();
  });

  it("is emptied after more than a minute", async () => {
    vi.useFakeTimers();
    const fetched = vi.fn<() => Promise<Response>>(() => Promise.resolve(Response.json({ pages: 1 })));
    vi.stubGlobal("fetch", fetched);
    await site();
    vi.advanceTimersByTime(60_000);
    forgetOld();
    await site();
    expect(fetched).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    forgetOld();
    await site();
    expect(fetched).toHaveBeenCalledTimes(2);
  });
});
