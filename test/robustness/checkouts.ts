import { join } from "node:path";
import { build } from "../../build/site/build.ts";
import type { BuildOptions } from "../../build/site/outcome.ts";
import { treeOf } from "../files.ts";
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
    const clean = { content, out: join(folder, "clean"), cache: join(folder, "clean-cache") };
    await build(clean);
    all.push({
      options: { content, out: place.out, cache: join(folder, "cache") },
      clean: treeOf(clean.out),
    });
  }
  return all;
}
