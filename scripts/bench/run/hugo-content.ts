import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sourcePaths } from "../input/resize.ts";

interface SiteUrls {
  base_url: string;
  site_url: string;
  append_slash?: boolean;
}

interface PageSource {
  id: number;
  meta: { type: string };
  title: string;
}

/**
 * Writes the same pages in Hugo's format. Hugo creates no pages from data files (its content adapters are newer than
 * Debian's version) and lowercases the keys of front matter. So the source is the content of a page, below a front
 * matter with the fields that Hugo itself needs. Hugo's home page cannot be moved, so the whole site is one folder
 * deeper.
 */
export function writeHugoContent(content: string, target: string): void {
  const site = JSON.parse(readFileSync(join(content, "_site.json"), "utf8")) as SiteUrls;
  const made = new Set<string>();
  for (const path of sourcePaths(content)) {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    if (name.startsWith("_")) continue;
    const text = readFileSync(join(content, path), "utf8");
    const file = join(
      target,
      "home",
      ...parts,
      name === "index.json" ? "_index.md" : name.replace(/json$/, "md"),
    );
    const folder = dirname(file);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    writeFileSync(file, `${JSON.stringify(frontMatter(text, parts, name, site))}\n\n${text}`);
  }
}

function frontMatter(text: string, folders: string[], name: string, site: SiteUrls): Record<string, unknown> {
  const { id, meta, title } = JSON.parse(text) as PageSource;
  const slugs = folders.filter((folder) => !folder.startsWith("_"));
  if (name !== "index.json") slugs.push(name.replace(/\.json$/, ""));
  const end = slugs.length === 0 || site.append_slash !== false ? "/" : "";
  return {
    id,
    title,
    pagetype: meta.type,
    slug: slugs.at(-1) ?? "home",
    url: `/api/v2/pages/${id}/`,
    detail: `${site.base_url}/api/v2/pages/${id}/`,
    address: [site.site_url, ...slugs].join("/") + end,
    layout: "page",
  };
}
