import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { FIXTURE_SITE } from "../fixtures.ts";
import { omittedSites } from "../site/omitted.ts";
import { writeSite } from "../site/site.ts";
import { goTo, overhang, serveSite, violationsOn } from "./browser.ts";
import { describePreview, describeSite } from "./suite.ts";
import { readJson } from "../files.ts";

const h1 = (page: Page): Promise<string> => page.getByRole("heading", { level: 1 }).innerText();

describeSite(
  "the browse UI",
  () => serveSite(FIXTURE_SITE, "browser-site"),
  (site) => {
    it("finds a work by some letters of its title, and shows it beside its response", async () => {
      const { page } = await site.open("/");
      await page.getByRole("searchbox", { name: "Find a page" }).fill("kanag WAVE");
      const results = page.getByRole("list", { name: "Results" });
      await results.getByRole("link").first().click();
      await page.getByRole("heading", { level: 1, name: "Under the Wave off Kanagawa" }).waitFor();
      expect(new URL(page.url()).search).toBe("?page=10112");
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
      const response = page.getByRole("region", { name: "Response" });
      expect(await response.innerText()).toContain('"acno": "P00112"');
      const places = page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link");
      expect(await places.allInnerTexts()).toEqual(["Aldermouth Art Gallery", "Art and artists", "Artworks"]);
    });

    it("shows a page although the end of its address cannot be decoded", async () => {
      const { page } = await site.open("/?page=10112#%");
      await page.getByRole("heading", { level: 1, name: "Under the Wave off Kanagawa" }).waitFor();
      await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").first().click();
      await expect.poll(() => h1(page)).toBe("Aldermouth Art Gallery");
    });

    it.each([
      ["shin-ohashi", "Sudden Shower over Shin-Ōhashi Bridge and Atake"],
      ["hokusai wave", "Under the Wave off Kanagawa"],
      ["p00112", "Under the Wave off Kanagawa"],
      ["10112", "Under the Wave off Kanagawa"],
      ["Study of clouds", "Study of Clouds"],
    ])("lists the intended page first for %s", async (words, title) => {
      const { page } = await site.open(`/?q=${encodeURIComponent(words)}`);
      const first = page.getByRole("list", { name: "Results" }).getByRole("link").first();
      expect(await first.innerText()).toContain(title);
    });

    it.each([
      ["shin ohash", ["Shin", "Ōhash"]],
      ["kanag", ["Kanag"]],
    ])("marks the words found: %s", async (words, marks) => {
      const { page } = await site.open(`/?q=${encodeURIComponent(words)}`);
      expect(await page.locator("mark").allInnerTexts()).toEqual(marks);
    });

    it("supports Back and Forward, and has shareable addresses", async () => {
      const { page } = await site.open("/?q=clouds");
      await page
        .getByRole("list", { name: "Results" })
        .getByRole("link", { name: "Study of Clouds" })
        .first()
        .click();
      await page.getByRole("heading", { level: 1, name: "Study of Clouds" }).waitFor();
      await page
        .getByRole("navigation", { name: "Breadcrumb" })
        .getByRole("link", { name: "Artworks" })
        .click();
      await page.getByRole("heading", { level: 1, name: "Artworks" }).waitFor();
      expect(await page.getByRole("list", { name: "Subpages" }).getByRole("link").count()).toBe(20);
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "Study of Clouds" }).waitFor();
      await page.goBack();
      await page.getByRole("list", { name: "Results" }).waitFor();
      expect(await page.getByRole("searchbox").inputValue()).toBe("clouds");
      await page.goForward();
      await page.getByRole("heading", { level: 1, name: "Study of Clouds" }).waitFor();
      expect(await page.title()).toBe("Study of Clouds · Aldermouth Art Gallery");
    });

    it("opens the page of a link in a text within the UI", async () => {
      const { page } = await site.open("/?page=10005");
      const link = page.locator(".rich a[href]").first();
      expect(await link.getAttribute("href")).toMatch(/^\/\?page=\d+$/);
      const before = await h1(page);
      await link.click();
      await expect.poll(() => h1(page)).not.toBe(before);
    });

    it("scrolls to a part of a text by its id, and shows the direction of each text", async () => {
      const { page } = await site.tab();
      await page.route("**/api/v2/pages/10112/", async (route) => {
        const reply = await route.fetch();
        const body = (await reply.json()) as Record<string, unknown>;
        const filler = "<p>Line</p>".repeat(80);
        const description = `<p><a href="#end">To the end</a></p><p>\u05e9\u05dc\u05d5\u05dd</p>${filler}<p id="end">The end</p><p id="main">x</p>`;
        await route.fulfill({ response: reply, json: { ...body, description } });
      });
      await page.goto(`${site.base}/?page=10112`);
      await page.getByRole("link", { name: "To the end" }).click();
      const end = page.locator("#user-content-end");
      await expect.poll(async () => (await end.boundingBox())?.y ?? 9999).toBeLessThan(900);
      expect(await page.locator("#main").count()).toBe(1);
      const fromTheRight =
        "[...document.querySelectorAll('.rich p')].find((p) => p.textContent === '\u05e9\u05dc\u05d5\u05dd')";
      expect(await page.evaluate(`getComputedStyle(${fromTheRight}).direction`)).toBe("rtl");
    });

    it("keeps the tree open after Back", async () => {
      const { page } = await site.open("/");
      await page.getByRole("button", { name: /^Art and artists/ }).click();
      const branch = page.getByRole("list", { name: "Below Art and artists" });
      await branch.getByRole("link").first().click();
      await page.getByRole("navigation", { name: "Breadcrumb" }).waitFor();
      await page.goBack();
      await branch.waitFor();
      expect(await branch.isVisible()).toBe(true);
    });

    it("lists other works with the same subject", async () => {
      const { page } = await site.open("/?page=10112");
      await page
        .getByRole("list", { name: "Subjects" })
        .getByRole("link", { name: "Mount Fuji", exact: true })
        .click();
      const results = page.getByRole("list", { name: "Results" });
      expect(await results.innerText()).toContain("Under the Wave off Kanagawa");
      expect(await h1(page)).toBe("1 page with the subject “mount fuji”");
    });

    it("reports a failed request, and can try again", async () => {
      const { page, trouble } = await site.tab();
      await page.route("**/browse/records/**", (route) => route.abort());
      await page.goto(`${site.base}/?page=10112`);
      await page.getByRole("heading", { level: 1, name: "This could not be loaded" }).waitFor();
      await page.unroute("**/browse/records/**");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("heading", { level: 1, name: "Under the Wave off Kanagawa" }).waitFor();
      expect(await page.getByText("Loading…").count()).toBe(0);
      trouble.splice(0);
    });

    it("explains every field", async () => {
      const { page } = await site.open("/?page=10112");
      await page.getByText("Field reference").click();
      const fields = page.getByRole("region", { name: "Response" }).locator("dt code");
      await fields.first().waitFor();
      const response = readJson(site.out, "api/v2/pages/10112/index.json") as object;
      const explained = await fields.allInnerTexts();
      expect(explained.filter((name) => !/[.[]/.test(name))).toEqual(Object.keys(response));
    });

    it("shows on its home view the pages by type, the newest, and works with their pictures", async () => {
      const { page } = await site.open("/");
      const types = await page.getByRole("list", { name: "Pages by type" }).innerText();
      expect(types.replace(/\s+/g, " ")).toContain("Artwork 20");
      const works = page.getByRole("list", { name: "Works" });
      expect(await works.getByRole("link").count()).toBe(6);
      // Images of content/_media, from the same host.
      await page.waitForFunction('document.querySelectorAll(".tile.is-loaded").length === 6');
      const newest = page.getByRole("list", { name: "Newest pages" });
      const dates = await newest
        .getByRole("time")
        .evaluateAll((all) => all.map((one) => one.getAttribute("datetime") ?? ""));
      expect(dates).toHaveLength(6);
      expect(dates).toEqual(dates.toSorted((a, b) => Date.parse(b) - Date.parse(a)));
      await newest.getByRole("link").first().click();
      await page.getByRole("navigation", { name: "Breadcrumb" }).waitFor();
    });

    it("expands the tree", async () => {
      const { page } = await site.open("/");
      const twist = page.getByRole("button", { name: /^Art and artists:/ });
      await twist.click();
      expect(await twist.getAttribute("aria-expanded")).toBe("true");
      await page
        .getByRole("list", { name: "Below Art and artists" })
        .getByRole("link", { name: "Artworks" })
        .click();
      await page.getByRole("heading", { level: 1, name: "Artworks" }).waitFor();
      expect(new URL(page.url()).search).toBe("?page=102");
    });

    it("follows the links of a response", async () => {
      const { page } = await site.open("/?page=10112");
      const link = page.getByRole("region", { name: "Response" }).getByRole("link", { name: /pages\/102\// });
      await link.click();
      await page.getByRole("heading", { level: 1, name: "Artworks" }).waitFor();
      expect(new URL(page.url()).search).toBe("?page=102");
    });

    it("copies a request", async () => {
      const { page } = await site.open("/?page=10112", {
        permissions: ["clipboard-read", "clipboard-write"],
      });
      await page.getByRole("button", { name: "curl" }).click();
      await page.getByText("Copied for curl.").waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
        `curl ${site.base}/api/v2/pages/10112/`,
      );
    });

    it.each(["999999", "0", "abc", "-1", "<img src=x onerror=alert(1)>"])(
      "reports that no page has the id %s",
      async (id) => {
        const { page } = await site.open(`/?page=${encodeURIComponent(id)}`);
        expect(await h1(page)).toContain("No page has the id");
      },
    );

    it.each([
      "<script>alert(1)</script>",
      '"><img src=x onerror=alert(1)>',
      "constructor",
      "__proto__ hasOwnProperty",
      "subject:",
      "subject:__proto__",
      "%00%ff/../..",
      "😀 ا ک ",
      "a".repeat(5000),
    ])("handles the search %s", async (words) => {
      const { page } = await site.open(`/?q=${encodeURIComponent(words)}`);
      expect(await page.getByRole("searchbox").inputValue()).toBe(words);
    });

    it("can be used with only the keyboard", async () => {
      const { page } = await site.open("/");
      await page.keyboard.press("/");
      await page.keyboard.type("rhinoceros");
      // Marks of a part of the word may come first.
      await page
        .locator("mark", { hasText: /^Rhinoceros$/ })
        .first()
        .waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "The Rhinoceros" }).waitFor();
      expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
    });

    it.each(["/", "/?q=the", "/?q=hokusai", "/?page=10112", "/?page=102", "/?page=3", "/?page=999999"])(
      "fits a narrow screen, and axe finds no violation: %s",
      async (path) => {
        for (const colorScheme of ["light", "dark"] as const) {
          const { page } = await site.open(path, { colorScheme, viewport: { width: 320, height: 640 } });
          await page.waitForLoadState("networkidle");
          expect(await overhang(page)).toBe(0);
          expect(await violationsOn(page)).toEqual([]);
        }
      },
    );

    it("shows all fields' HTML without what could run", async () => {
      const { page, trouble } = await site.tab();
      const id = 10_112;
      const hostile = JSON.parse(readFileSync(join(site.out, `api/v2/pages/${id}/index.json`), "utf8"));
      hostile.title = "<img src=x onerror=alert(1)>";
      hostile.description =
        '<p onclick="alert(1)" style="position:fixed">Text<script>alert(1)</script><a href="javascript:alert(1)">link</a><img src=x onerror=alert(1)></p>';
      await page.route(`**/api/v2/pages/${id}/`, (route) => route.fulfill({ json: hostile }));
      await page.goto(`${site.base}/?page=${id}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await h1(page)).toBe("<img src=x onerror=alert(1)>");
      expect(
        await page
          .locator(".rich script, .rich [onclick], .rich [style], .rich img, .rich a[href^=javascript]")
          .count(),
      ).toBe(0);
      // The page's policy also applies to the sanitiser's parser.
      expect(trouble.splice(0).filter((line) => !line.includes("Content Security Policy"))).toEqual([]);
    });

    it("has at most 60 KB", () => {
      const folder = join(site.out, "browse");
      const files = readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name));
      const sum = files.reduce((all, name) => all + gzipSync(readFileSync(join(folder, name))).length, 0);
      expect(sum).toBeLessThan(60 * 1024);
    });
  },
);

const { omitted, fewest } = omittedSites();

describePreview(
  "pages without optional fields",
  (content) => writeSite(content, omitted),
  (preview) => {
    it("are shown, found and edited", async () => {
      const { page } = await preview.visit("/");
      for (const id of fewest) {
        await goTo(page, `${preview.baseUrl}/?page=${id}`);
        expect(await h1(page)).toBe(`Page ${id}`);
        await page.getByRole("link", { name: "Edit", exact: true }).click();
        await page.getByRole("form", { name: "Edit page" }).waitFor();
        await page.getByRole("searchbox", { name: "Find a page" }).fill(String(id));
        await page.getByRole("list", { name: "Results" }).getByRole("link").first().waitFor();
      }
    });
  },
);
