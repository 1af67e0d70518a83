import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { diff } from "../../build/diff/diff.ts";
import { isError } from "../../build/findings/finding.ts";
import { general, SITE, work, write, type Workplace } from "../pipeline/site.ts";
import { commit, fieldsOf, ids, repository } from "./repository.ts";

let place: Workplace;
beforeEach(() => {
  place = repository("site");
});

const source = (path: string): string => join(place.content, path);
const compare = (base?: string) => diff({ content: place.content, base });

const images = (...names: string[]): object => ({
  master_images: [
    {
      sizes: names.map((name, k) => [400 + k, ["0-599", "600-999"][k], `/${name}.jpg`]),
      default_url: "/a.jpg",
      current_size: "0-599",
      height_ratio: 1,
      max_width: 400,
    },
  ],
});

describe("_site.json", () => {
  it("is listed once with its changes, without the pages that it affects", async () => {
    write(place.content, "_site.json", {
      ...SITE,
      base_url: "https://pages.example.org",
      append_slash: false,
    });
    write(place.content, "about.json", general(2, "About us"));
    const comparison = await compare();
    expect(comparison.site).toEqual([
      { field: "base_url", old: "https://api.example.org", new: "https://pages.example.org" },
      { field: "append_slash", old: true, new: false },
    ]);
    expect(comparison.moved).toEqual([]);
    expect(fieldsOf(comparison.changed, 2)).toEqual(["title"]);
  });

  it("lists a new media_url once, without the images of a page that is edited too", async () => {
    write(place.content, "works/_a/marsh.json", work(31, "Marsh", images("a")));
    commit(place.folder);
    write(place.content, "_site.json", { ...SITE, media_url: "https://images.example.org" });
    write(place.content, "works/_a/marsh.json", work(31, "A marsh", images("a", "b")));
    const { site, changed, findings } = await compare("HEAD");
    expect(site.map(({ field }) => field)).toEqual(["media_url"]);
    expect(findings.filter(isError)).toEqual([]);
    expect(changed.map(({ id, fields }) => [id, fields.map(({ field }) => field)])).toEqual([
      [31, ["title", "master_images[0].sizes[1]"]],
    ]);
  });

  it("does not change the URL of a removed page", async () => {
    write(place.content, "_site.json", { ...SITE, site_url: "https://new.example.org" });
    rmSync(source("about.json"));
    expect((await compare()).addresses).toEqual([{ address: "https://www.example.org/about/", id: 2 }]);
  });

  it("is compared in its old version if it has errors, which are reported", async () => {
    writeFileSync(source("_site.json"), "{");
    write(place.content, "about.json", general(2, "About us"));
    const { changed, findings } = await compare();
    expect(ids(changed)).toEqual([2]);
    expect(findings.map(({ code, place: { file } }) => [code, file])).toEqual([
      ["json-syntax", "_site.json"],
    ]);
  });
});
