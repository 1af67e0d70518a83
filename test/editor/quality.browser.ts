import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { develop, type Developing } from "../../build/dev/develop.ts";
import { holdFreePort } from "../../build/hosting/port.ts";
import { readHeaders } from "../../build/hosting/read.ts";
import { launch, missingBrowser, overhang, visit, type Visit } from "../browse/browser.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { workplace, type Workplace } from "../pipeline/site.ts";

const WORK = "art/artworks/_p00/piranesi-the-drawbridge-p00055.json";
const WORK_ID = 10_055;

const at = (page: Page, path: string): Locator => page.locator(`[data-path="${path}"]`);

/** The natural width of an image in pixels; 0 if it is not loaded. */
const widthOf = (image: Locator): Promise<number> =>
  image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth);

/** Presses Tab until an element has the focus. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
};

describe.skipIf(missingBrowser !== undefined && process.env["CI"] === undefined)(
  `the form for everyone${missingBrowser === undefined ? "" : ` (${missingBrowser})`}`,
  () => {
    let browser: Browser;
    let place: Workplace;
    let preview: Developing;

    beforeAll(async () => {
      if (missingBrowser !== undefined) throw new Error(missingBrowser);
      place = workplace("form-quality");
      cpSync(FIXTURE_SITE, place.content, { recursive: true });
      const { port, release } = await holdFreePort(19_950);
      await release();
      preview = await develop({
        content: place.content,
        out: place.out,
        cache: place.cache,
        port,
        rules: readHeaders().rules,
        onBuilt: () => undefined,
        onTrouble: () => undefined,
      });
      browser = await launch();
    });
    afterAll(async () => {
      await browser?.close();
      await preview?.close();
    });

    const open = async (path: string, options = {}): Promise<Visit> => {
      const visited = await visit(browser, preview.baseUrl, options);
      await visited.page.goto(preview.baseUrl + path);
      await visited.page.getByRole("heading", { level: 1 }).waitFor();
      return visited;
    };
    const openForm = async (options = {}): Promise<Visit> => {
      const visited = await open(`/?edit=${WORK_ID}`, options);
      await visited.page.getByRole("form", { name: "Edit page" }).waitFor();
      return visited;
    };

    it("is used from the link to the saved file with only the keyboard", async () => {
      const { page, trouble } = await open(`/?page=${WORK_ID}`);
      await tabTo(page, `a[href$="?edit=${WORK_ID}"]`);
      await page.keyboard.press("Enter");
      await page.getByRole("form", { name: "Edit page" }).waitFor();
      await tabTo(page, '[data-path="acquisitionYear"]');
      await page.keyboard.press("Control+A");
      await page.keyboard.type("1971");
      await tabTo(page, "form.edit-form button.primary, form.edit-form button[type=submit]");
      await page.keyboard.press("Enter");
      await page.getByText(/^Saved\./).waitFor();
      expect(readFileSync(join(place.content, WORK), "utf8")).toContain('"acquisitionYear": 1971');
      expect(trouble).toEqual([]);
      await page.context().close();
    });

    it("shows the image of an address, and offers the images of content/_media", async () => {
      const { page, trouble } = await openForm();
      const address = at(page, "master_images.0.default_url");
      const image = address.locator("xpath=..").locator("img");
      await address.scrollIntoViewIfNeeded();
      await expect.poll(() => widthOf(image)).toBeGreaterThan(0);
      await address.focus();
      const list = await address.getAttribute("list");
      await expect
        .poll(() => page.locator(`datalist[id="${list}"] option[value="/formats/marsh.png"]`).count())
        .toBe(1);
      await address.fill("/formats/marsh.png");
      expect(await image.getAttribute("src")).toBe("/media/formats/marsh.png");
      await expect.poll(() => widthOf(image)).toBe(8);
      for (const other of ["javascript:alert(1)", "", "not an address"]) {
        await address.fill(other);
        expect([other, await image.isVisible()]).toEqual([other, false]);
      }
      expect(trouble).toEqual([]);
      await page.context().close();
    });

    it("shows hostile names and addresses as text, and runs nothing", async () => {
      const before = readFileSync(join(place.content, WORK), "utf8");
      const source = JSON.parse(before) as Record<string, any>;
      const attack = `"><img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
      source["title"] = attack;
      source["allArtists"] = attack;
      source["subjects"][0].name = attack;
      source["contributors"] = [{ fc: attack, url: "https://www.example.org/" }];
      writeFileSync(join(place.content, WORK), JSON.stringify(source, undefined, 2));
      const { page } = await openForm();
      expect(await at(page, "title").inputValue()).toBe(attack);
      expect(await at(page, "subjects.0.name").inputValue()).toBe(attack);
      expect(await page.locator("main script, main img[src='x'], main [onerror]").count()).toBe(0);
      expect(await page.title()).not.toBe("run");
      writeFileSync(join(place.content, WORK), before);
      await page.context().close();
    });

    it("fits a phone with labels as long as German ones", async () => {
      const { page } = await openForm({ viewport: { width: 390, height: 900 } });
      await page.getByRole("button", { name: "Show empty fields" }).click();
      await page.evaluate(`for (const one of document.querySelectorAll("form.edit-form :is(label, legend, button)"))
        one.append(" Inventarnummernverzeichnisbezeichnung");`);
      expect(await overhang(page)).toBe(0);
      await page.context().close();
    });
  },
);
