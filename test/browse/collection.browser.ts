import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../command.ts";
import { MEMORY, scratch } from "../scratch.ts";
import { openPage, overhang, serveSite, violationsOn, type Served } from "./browser.ts";
import { describeInBrowser } from "./suite.ts";

/** A checkout of Tate's open collection data; without it these tests are skipped. */
const data = process.env["TATE_COLLECTION"];
if (data === undefined)
  process.stderr.write(
    "TATE_COLLECTION names no checkout of Tate's open collection data: the page is looked at with the sample alone.\n",
  );

/** Maximum size of the files loaded before the first results appear, in bytes and without compression. */
const MAX_BYTES = 400_000;

describeInBrowser(
  "the browse UI, of the full collection",
  (browser) => {
    let site: Served;

    beforeAll(async () => {
      const content = join(scratch("browser-collection", MEMORY), "content");
      const { status, stderr } = await run("import:tate", [data ?? "", "--content", content]);
      if (status !== 0) throw new Error(stderr);
      site = await serveSite(content, "browser-collection-site", MEMORY);
    }, 300_000);
    afterAll(() => site?.close());

    const open = (path: string, options?: BrowserContextOptions) =>
      openPage(browser(), site.base + path, options);

    it.each([
      ["snow storm steam boat", "Snow Storm - Steam-Boat off a Harbour’s Mouth"],
      ["N00530", "Snow Storm - Steam-Boat off a Harbour’s Mouth"],
      ["millais OPHELIA", "Ophelia"],
      ["cezanne gardener", "The Gardener Vallier"],
      ["ben nicholson 1935 white relief", "1935 (white relief)"],
      ["a boat", "A Boat"],
      ["cimitero orso", "Aosta from near the Cimitero Storico di Sant’Orso, Mount Emilius in the Distance"],
    ])("finds what is meant by %s among all works, and shows it", async (words, title) => {
      const { page, trouble } = await open("/");
      await page.getByRole("searchbox", { name: "Find a page" }).fill(words);
      const first = page.getByRole("list", { name: "Results" }).getByRole("link").first();
      await first.getByText(title).waitFor();
      await first.click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.getByRole("region", { name: "Response" }).getByText(`"${title}"`).first().waitFor();
      expect(trouble).toEqual([]);
      await page.context().close();
    });

    it.each(
      [
        "turner sea|the|a|london|study of|turner|s|1840|subject:london|d|t|a boat|d02 turner|untitled|st",
        "ben nicholson 1935 white relief|snow storm steam boat|oil paint on canvas|graphite on paper|sleep of reasn|112",
        "The Ruins of a Large Castle on a Hill Overlooking a Valley with a River",
        "Hamburg: The Lombardsbrücke with the Windmill on its Right and the Spires of the Jacobikirche and Petrikirche Seen across the Binnenalster; The Sun Shown in the Eastern Sky",
      ].flatMap((line) => line.split("|")),
    )("shows the first results of %s before too much was fetched, from the home page on", async (words) => {
      const { page, bytes } = await open("/");
      await page.waitForLoadState("networkidle");
      await page.getByRole("searchbox").fill(words);
      await page.locator("main[data-view=results]").waitFor();
      await page.waitForLoadState("networkidle");
      const sum = [...bytes.values()].reduce((all, one) => all + one, 0);
      expect(sum).toBeLessThan(MAX_BYTES);
      await page.context().close();
    });

    it.each([
      ["subject", 88],
      ["d02 turner", 992],
      ["d02", 992],
    ])("finds every page with %s, and no other", async (words, count) => {
      const { page } = await open(`/?q=${encodeURIComponent(words)}`);
      await page.getByRole("heading", { level: 1, name: / pages$/ }).waitFor();
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(`${count} pages`);
      await page.context().close();
    });

    it("shows tens of thousands of subpages of one page, in parts", async () => {
      const { page, trouble } = await open("/");
      await page.getByRole("button", { name: /^Art:/ }).click();
      await page.getByRole("button", { name: /^Artworks: 62,489 subpages/ }).click();
      const list = page.getByRole("list", { name: "Below Artworks" });
      const more = page.getByRole("button", { name: /^Show 60 more of 62,429/ });
      await more.waitFor();
      expect(await list.getByRole("link").count()).toBe(60);
      await more.click();
      await page.getByRole("button", { name: /^Show 60 more of 62,369/ }).waitFor();
      expect(await list.getByRole("link").count()).toBe(120);
      // The focus moves to the first of the new rows.
      expect(await page.evaluate("document.activeElement.tagName")).toBe("A");
      expect(trouble).toEqual([]);
      await page.context().close();
    });

    it.each(["/", "/?q=turner+venice", "/?page=1000002"])("has room on a phone: %s", async (path) => {
      const { page, trouble } = await open(path, {
        colorScheme: "dark",
        viewport: { width: 320, height: 640 },
      });
      await page.waitForLoadState("networkidle");
      expect(await overhang(page)).toBe(0);
      expect(await violationsOn(page)).toEqual([]);
      expect(trouble).toEqual([]);
      await page.context().close();
    });

    it("has at most 1,000 files", () => {
      const files = readdirSync(join(site.out, "browse"), { recursive: true, withFileTypes: true });
      expect(files.filter((one) => one.isFile()).length).toBeLessThan(1000);
    });
  },
  data === undefined,
);
