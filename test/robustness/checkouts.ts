import { join } from "node:path";
import type { BuildOptions } from "../../build/site/outcome.ts";
import { cleanTree } from "../site/clean.ts";
import { general, page, SITE, work, writeSite, type Workplace } from "../site/site.ts";

/** Two checkouts of different content, each with a cache of its own, that build one output. */
export interface Checkout {
  options: BuildOptions;
  /** The output of a clean build of it. */
  clean: Record<string, string>;
}

/** Sites that share some pages, differ in others, and have some pages of their own. */
function siteOf(which: number, pages: number): Record<string, unknown> {
  const site: Record<string, unknown> = {
    "_site.json": SITE,
    "index.json": page(1, "home.HomePage", "Home"),
    "about.json": general(2, `About ${which}`),
    "works/index.json": page(30, "artworks.ArtworkIndexPage", "Works"),
  };
  for (let i = 0; i < pages; i++) {
    const id = 1000 + i;
    const title = i % 2 === 0 ? "A work" : `A work, ${which}`;
    if (i % 5 !== which) site[`works/_${i % 10}/work-${i}.json`] = work(id, title);
  }
  return site;
}

export async function checkouts(place: Workplace, pages: number): Promise<Checkout[]> {
  const all: Checkout[] = [];
  for (const which of [0, 1]) {
    const folder = join(place.folder, `checkout-${which}`);
    const content = join(folder, "content");
    writeSite(content, siteOf(which, pages));
    const options = { content, out: place.out, cache: join(folder, "cache") };
    all.push({ options, clean: await cleanTree(content) });
  }
  return all;
}
