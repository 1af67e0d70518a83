import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import type { Site } from "../../build/model/site.ts";
import { isPage, sourcePaths } from "./site.ts";
import type { MeasuredSite, Series } from "./rounds.ts";

const SOURCES = join(PROGRAM_FOLDER, "scripts/bench/hugo");

const folderOf = ({ content }: MeasuredSite): string => `${content}-hugo`;

/** The fastest of other generators; undefined if it is not installed. */
export function hugo(): Series | undefined {
  const { stdout } = spawnSync("hugo", ["version"], { encoding: "utf8" });
  const version = /^hugo v([\d.]+)/.exec(stdout ?? "")?.[1];
  if (version === undefined) return undefined;
  return {
    prepare: (site) => {
      const folder = folderOf(site);
      cpSync(join(SOURCES, "hugo.json"), join(folder, "hugo.json"));
      // Hugo requires this name, with the extension of the output. The template is not JSON.
      cpSync(join(SOURCES, "page.gotmpl"), join(folder, "layouts/_default/page.json"));
      writeHugoContent(site.content, join(folder, "content/home"));
    },
    rows: [
      {
        name: `Hugo ${version}`,
        leavesOut:
          "checks nothing, fills in no defaults, rebuilds everything each time, keeps removed pages; its sources were converted beforehand, not timed",
        isPeer: true,
        isBuild: true,
        command: (site, output) => ({
          file: "hugo",
          args: ["--quiet", "--destination", output],
          folder: folderOf(site),
        }),
      },
    ],
  };
}

/**
 * Writes the same pages in Hugo's format. Hugo creates no pages from data files and lowercases the keys of front matter. So
 * the source is the content of a page, below a front matter with the fields that Hugo itself needs. Hugo's home page cannot
 * be moved, so the whole site is one folder deeper.
 */
function writeHugoContent(content: string, target: string): void {
  const site = JSON.parse(readFileSync(join(content, "_site.json"), "utf8")) as Partial<Site>;
  for (const path of sourcePaths(content).filter(isPage)) {
    const text = readFileSync(join(content, path), "utf8");
    const { id, meta, title } = JSON.parse(text) as { id: number; meta: { type: string }; title: string };
    const slugs = path.replace(/(?:\/?index)?\.json$/, "").split("/");
    const named = slugs.filter((slug) => slug !== "" && !slug.startsWith("_"));
    const end = named.length === 0 || site.append_slash !== false ? "/" : "";
    const front = {
      id,
      title,
      pagetype: meta.type,
      slug: named.at(-1) ?? "home",
      url: `/api/v2/pages/${id}/`,
      detail: `${site.base_url}/api/v2/pages/${id}/`,
      address: [site.site_url, ...named].join("/") + end,
      layout: "page",
    };
    const name = basename(path) === "index.json" ? "_index.md" : basename(path).replace(/json$/, "md");
    const file = join(target, dirname(path), name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(front)}\n\n${text}`);
  }
}
