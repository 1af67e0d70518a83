import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Reads a content folder in the fastest way that gives the fields, the addresses and the parent's summary of each page,
 * for competitors that read their data with JavaScript. It checks nothing and fills in no defaults.
 */
export function readPages(content) {
  const site = JSON.parse(readFileSync(join(content, "_site.json"), "utf8"));
  const end = site.append_slash === false ? "" : "/";
  const pages = [];

  const add = (file, slug, parent, html_url) => {
    const source = JSON.parse(readFileSync(file, "utf8"));
    const detail_url = `${site.base_url}/api/v2/pages/${source.id}/`;
    pages.push({ ...source, meta: { ...source.meta, detail_url, html_url, slug, parent } });
    return { id: source.id, meta: { type: source.meta.type, detail_url, html_url }, title: source.title };
  };

  const visit = (folder, parent, address) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const { name } = entry;
      const path = join(folder, name);
      if (entry.isDirectory() && name.startsWith("_")) visit(path, parent, address);
      else if (entry.isDirectory()) {
        const below = `${address}/${name}`;
        visit(path, add(join(path, "index.json"), name, parent, below + end), below);
      } else if (name !== "index.json" && !name.startsWith("_")) {
        const slug = name.slice(0, -".json".length);
        add(path, slug, parent, `${address}/${slug}${end}`);
      }
    }
  };

  const home = add(join(content, "index.json"), "home", null, `${site.site_url}/`);
  visit(content, home, site.site_url);
  return pages;
}
