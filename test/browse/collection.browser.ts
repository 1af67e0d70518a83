import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "../command.ts";
import { MEMORY, scratch } from "../scratch.ts";
import { overhang, serveSite, violationsOn, type Served } from "./browser.ts";
import { describeSite } from "./suite.ts";

/** A checkout of Tate's open collection data; without it these tests are skipped. */
const data = process.env["TATE_COLLECTION"];
if (data === undefined)
  process.stderr.write(
    "TATE_COLLECTION names no checkout of Tate's open collection data: the page is looked at with the sample alone.\n",
  );

/** Maximum size of the files loaded before the first results appear, in bytes and without compression. */
const MAX_BYTES = 400_000;

async function serveCollection(): Promise<Served> {
  const content = join(scratch("browser-collection", MEMORY), "content");
  const { status, stderr } = await run("import:tate", [data ?? "", "--content", content]);
  if (status !== 0) throw new Error(stderr);
  return await serveSite(content, "browser-collection-site", MEMORY);
}

describeSite(
  "the browse UI, of the full collection",
  serveCollection,
  (site) => {
    it.each([
      ["snow storm steam boat", "Snow Storm - Steam-Boat off a Harbour’s Mouth"],
      ["N00530", "Snow Storm - Steam-Boat off a Harbour’s Mouth"],
      ["millais OPHELIA", "Ophelia"],
      ["cezanne gardener", "The Gardener Vallier"],
      ["ben nicholson 1935 white relief", "1935 (white relief)"],
      ["a boat", "A Boat"],
      ["cimitero orso", "Aosta from near the Cimitero Storico di Sant’Orso, Mount Emilius in the Distance"],
    ])("finds what is meant by %s among all works, and shows it", async (words, title) => {
      const { page } = await site.open("/");
      await page.getByRole("searchbox", { name: "Find a page" }).fill(words);
      const first = page.getByRole("list", { name: "Results" }).getByRole("link").first();
      await first.getByText(title).waitFor();
      await first.click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      const response = page.getByRole("region", { name: "Response" });
      await expect.poll(() => response.innerText()).toContain(`"${title}"`);
    });

    it.each(
      [
        "turner sea|the|a|london|study of|turner|s|1840|subject:london|d|t|a boat|d02 turner|untitled|st",
        "ben nicholson 1935 white relief|snow storm steam boat|oil paint on canvas|graphite on paper|sleep of reasn|112",
        "The Ruins of a Large Castle on a Hill Overlooking a Valley with a River",
        "Hamburg: The Lombardsbrücke with the Windmill on its Right and the Spires of the Jacobikirche and Petrikirche Seen across the Binnenalster; The Sun Shown in the Eastern Sky",
      ].flatMap((line) => line.split("|")),
    )("shows the first results of %s before too much was fetched, from the home page on", async (words) => {
      const { page, responses } = await site.open("/");
      await page.waitForLoadState("networkidle");
      await page.getByRole("searchbox").fill(words);
      await page.locator("main[data-view=results]").waitFor();
      await page.waitForLoadState("networkidle");
      const bodies = await Promise.all([...responses.values()].map((response) => response.body()));
      expect(Buffer.concat(bodies).length).toBeLessThan(MAX_BYTES);
    });

    it.each([
      ["subject", 88],
      ["d02 turner", 992],
      ["d02", 992],
    ])("finds every page with %s, and no other", async (words, count) => {
      const { page } = await site.open(`/?q=${encodeURIComponent(words)}`);
      await page.getByRole("heading", { level: 1, name: / pages$/ }).waitFor();
      expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(`${count} pages`);
    });

    it("shows tens of thousands of subpages of one page, in parts", async () => {
      const { page } = await site.open("/");
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
    });

    it.each(["/", "/?q=turner+venice", "/?page=1000002"])("has room on a phone: %s", async (path) => {
      const { page } = await site.open(path, { colorScheme: "dark", viewport: { width: 320, height: 640 } });
      await page.waitForLoadState("networkidle");
      expect(await overhang(page)).toBe(0);
      expect(await violationsOn(page)).toEqual([]);
    });

    it("has at most 1,000 files", () => {
      const files = readdirSync(join(site.out, "browse"), { recursive: true, withFileTypes: true });
      expect(files.filter((one) => one.isFile()).length).toBeLessThan(1000);
    });
  },
  data === undefined,
);
