import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Developing } from "../../build/dev/develop.ts";
import { modelOf } from "../../build/model/types.ts";
import { WEBSITE, writeWebsite } from "../../scripts/init/website.ts";
import { launch, missingBrowser } from "../browse/browser.ts";
import { commandLine, start } from "../command.ts";
import { listening } from "../listening.ts";
import { firstPort } from "../ports.ts";
import { startPreview } from "../dev/preview.ts";
import { filesBelow, readJson } from "../files.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { workplace, write } from "../site/site.ts";

/* The website of a museum, built with Astro, which is fetched when the test runs, and looked at in Chromium. */

const place = workplace("museum");
const site = join(place.content, "..");
cpSync(FIXTURE_SITE, place.content, { recursive: true });
write(place.content, "_site.json", {
  ...(readJson(place.content, "_site.json") as object),
  index: true,
  bulk: true,
  locales: { en: "English", cy: "Cymraeg" },
});
const translation = (id: number, type: string, title: string): object => ({
  id,
  meta: { type, first_published_at: "2026-01-01T00:00:00Z", show_in_menus: true },
  title,
});
write(place.content, "cy/index.json", translation(77001, "home.HomePage", "Oriel"));
write(place.content, "cy/visit.json", translation(77002, "standardpages.GeneralPage", "Ymweld"));
write(place.content, "_history.json", { moved: [{ id: 10, address: "/plan-your-visit/" }], retired: [] });
writeWebsite(site, place.content, () => undefined);
const folder = join(site, WEBSITE);
const { site_url: siteUrl } = readJson(place.content, "_site.json") as { site_url: string };
const settings = join(folder, "site.mjs");
writeFileSync(settings, readFileSync(settings, "utf8").replace("perPage = 24", "perPage = 8"));
const { status, stderr } = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], {
  cwd: folder,
  encoding: "utf8",
});
const isFetched = status === 0;
if (!isFetched && !/E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NOTCACHED)/.test(stderr))
  throw new Error(stderr);
if (!isFetched) console.warn("SKIPPED: the website, because npm's registry cannot be reached");
if (missingBrowser !== undefined) console.warn(`SKIPPED: the website in a browser: ${missingBrowser}`);

const startDev = () => {
  const args = ["--site", site, "--website", "--port", String(firstPort())];
  return start(process.execPath, commandLine("dev", ...args));
};

describe.runIf(isFetched)("the website", () => {
  const out = join(folder, "dist");
  const html = (path: string): string => readFileSync(join(out, path, "index.html"), "utf8");
  let developing: Developing;

  beforeAll(async () => {
    developing = await startPreview(place, { model: modelOf(place.content) });
    const env = { ...process.env, PAGE_API: developing.baseUrl, ASTRO_TELEMETRY_DISABLED: "1" };
    const building = await start("npm", ["run", "build"], { cwd: folder, env }).ended;
    if (building.status !== 0) throw new Error(building.stdout + building.stderr);
  });
  afterAll(() => developing.close());

  it("has every page at its address, the parts of lists, and the other files", () => {
    const pages = filesBelow(join(place.out, "api/v2/pages")).filter((file) =>
      /^\d+\/index\.json$/.test(file),
    );
    expect(pages.length).toBeGreaterThan(25);
    for (const file of pages) {
      const page = JSON.parse(readFileSync(join(place.out, "api/v2/pages", file), "utf8")) as {
        title: string;
        meta: { html_url: string };
      };
      expect(html(new URL(page.meta.html_url).pathname)).toContain("<h1");
    }
    expect(html("/art/artworks/artist/albrecht-durer")).toContain("Melencolia I");
    expect(html("/art/artworks/artist/albrecht-durer")).not.toContain("The Three Trees</a>");
    for (const file of ["404.html", "sitemap.xml", "feed.xml", "search/index.html", "pagefind/pagefind.js"])
      expect(existsSync(join(out, file))).toBe(true);
    const parts = ["", "/page/2"].map(
      (part) => html(`/art/artworks${part}`).split('class="card"').length - 1,
    );
    expect([parts[0], (parts[1] ?? 0) > 0]).toEqual([8, true]);
    expect(html("/plan-your-visit")).toMatch(/<meta http-equiv="refresh" content="0;\s?url=\/visit\/">/);
    const work = html("/art/artworks/durer-melencolia-i-p00005");
    expect(html("/art/artworks/durer-rhinoceros-p00003")).toMatch(/<img[^>]* srcset="[^"]*\dw"/);
    expect(work).toMatch(/property="og:image" content="http/);
  });

  it("has each language with its own menu, and leads from a page to its translation", () => {
    const [en, cy] = [html("/visit"), html("/cy/visit")];
    for (const text of [en, cy, readFileSync(join(out, "sitemap.xml"), "utf8")])
      for (const [locale, path] of [
        ["en", "/visit/"],
        ["cy", "/cy/visit/"],
      ])
        expect(text).toContain(`hreflang="${locale}" href="${siteUrl}${path}"`);
    expect([en.includes('href="/cy/visit/"'), cy.includes('href="/visit/"')]).toEqual([true, true]);
    const [, menu = ""] = /aria-label="Prif ddewislen"[^>]*>(.*?)<\/nav>/s.exec(cy) ?? [];
    expect(Array.from(menu.matchAll(/href="(.*?)"/g), ([, href]) => href)).toEqual([
      "/cy/visit/",
      "/cy/search/",
    ]);
    expect(existsSync(join(out, "cy/feed.xml"))).toBe(true);
  });

  it("shows drafts and saves with dev --website, which ends if the website's server does", async () => {
    write(place.content, "visit/_soon.json", { ...translation(77003, "standardpages.GeneralPage", "Soon") });
    const { child, printed, ended } = startDev();
    const shown = async (title: string): Promise<void> => {
      for (let text = ""; !text.includes(`<h1>${title}</h1>`);) {
        if (child.exitCode !== null) throw new Error(printed.stdout + printed.stderr);
        await new Promise((resolve) => setTimeout(resolve, 100));
        const [, website = ""] = /(\S+)\/ {3}the website/.exec(printed.stdout) ?? [];
        text = await fetch(`${website}/visit/soon/`).then(
          (response) => response.text(),
          () => "",
        );
      }
    };
    await shown("Soon");
    write(place.content, "visit/_soon.json", translation(77003, "standardpages.GeneralPage", "Sooner"));
    await shown("Sooner");
    child.kill();
    expect(await ended).toMatchObject({ status: 0 });

    write(folder, "astro.config.mjs", "export default {");
    const failing = await startDev().ended;
    expect(failing.status).toBe(2);
    expect(failing.stderr).toContain("The website's server ended (exit status 1).");
  });

  it.runIf(missingBrowser === undefined)("has no violation of axe, and fits every width", async () => {
    const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };
    const { url, close } = await listening((request, response) => {
      const path = decodeURI(new URL(request.url ?? "/", "http://localhost").pathname);
      const file = join(out, path.endsWith("/") ? `${path}index.html` : path);
      const type = types[extname(file)] ?? "application/octet-stream";
      if (existsSync(file)) response.writeHead(200, { "Content-Type": type }).end(readFileSync(file));
      else response.writeHead(404).end();
    });
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");
    const browser = await launch();
    try {
      for (const path of [
        "/",
        "/cy/visit/",
        "/art/artworks/",
        "/art/artworks/durer-rhinoceros-p00003/",
        "/search/?q=blue",
      ])
        for (const [width, colorScheme] of [
          [390, "light"],
          [768, "dark"],
          [1920, "dark"],
        ] as const) {
          const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
          await page.goto(url.origin + path, { waitUntil: "networkidle" });
          await page.evaluate(axe);
          const found = await page.evaluate<{ violations: { id: string }[] }>("axe.run()");
          expect([path, width, found.violations.map(({ id }) => id)]).toEqual([path, width, []]);
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
          const results = await page.locator("#results li").count();
          expect(results > 0).toBe(path.includes("q="));
          await page.close();
        }
    } finally {
      await browser.close();
      await close();
    }
  });
});
