import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";

/** The entry's id is its whole path, from which the page tree is derived. */
const loader = glob({
  pattern: ["**/*.json", "!_site.json"],
  base: process.env.BENCH_CONTENT,
  generateId: ({ entry }) => entry,
});

export const collections = { pages: defineCollection({ loader }) };
