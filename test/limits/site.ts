import { check } from "../../build/site/check.ts";
import { page, SITE, workplace, write } from "../site/site.ts";

const { owned_paths: _, ...site } = SITE;

/** The codes of the findings in a valid small site with these additional sources. */
export async function codesOf(sources: Record<string, unknown>): Promise<string[]> {
  const { content, remove } = workplace("limits");
  write(content, "_site.json", site);
  write(content, "index.json", page(1, "home.HomePage", "Home"));
  write(content, "works/index.json", page(2, "artworks.ArtworkIndexPage", "Works"));
  for (const [path, source] of Object.entries(sources)) write(content, path, source);
  const { findings } = await check({ content });
  remove();
  return findings.map(({ code }) => code);
}
