import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";

/** The whole path is the entry's id: it is what the page tree is read from. */
const loader = glob({
  pattern: ["**/*.json", "!_site.json"],
  base: process.env.BENCH_CONTENT,
  generateId: ({ entry }) => entry,
});

export const collections = { pages: defineCollection({ loader }) };
