import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { overhang, violationsOn } from "../browse/browser.ts";
import { describePreview } from "../browse/suite.ts";
import { FIXTURE_SITE, NATURE_SITE } from "../fixtures.ts";
import { at, button, focused, form, save, shows } from "./form.ts";

const PNG = readFileSync(join(FIXTURE_SITE, "_media/formats/marsh.png")).toString("base64");

/** Drops an image on an element. */
async function drop(page: Page, selector: string, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); const bytes = Uint8Array.from(atob("${PNG}"), (one) => one.charCodeAt(0));
      data.items.add(new File([bytes], "${name}", { type: "image/png" })); return data; })()`,
  );
  await page.locator(selector).dispatchEvent("drop", { dataTransfer });
}

describePreview(
  "the pictures of a site of its own types",
  (content) => cpSync(NATURE_SITE, content, { recursive: true }),
  (preview) => {
    it("are replaced by dropping others, fill in what belongs to them, and leave the focus where it is", async () => {
      const { page } = await preview.visit("/?edit=11");
      await form(page).waitFor();
      await at(page, "title").focus();
      await drop(page, '[data-said="picture.file"]', "Marsh at dusk.png");
      await shows(page, "marsh-at-dusk.png is added.");
      expect(await focused(page)).toBe("title");
      await drop(page, "li.element:nth-child(3) details.block", "Beach.png");
      await expect.poll(() => at(page, "body.2.value.file").inputValue()).toBe("/beach.png");
      await at(page, "picture.alt").fill("A marsh");
      expect(await page.locator("summary img").count()).toBe(1);
      expect(await violationsOn(page)).toEqual([]);
      await save(page);
      expect(preview.json("collection/leatherback-turtle.json")).toMatchObject({
        picture: { file: "/marsh-at-dusk.png", width: 8, height: 6, alt: "A marsh" },
        body: [
          {},
          {},
          { value: { file: "/beach.png", width: 8, height: 6, alt: "", credit: "The museum" } },
          {},
          {},
        ],
      });
    });

    it("are all in a library with where each is used, its texts, and those that nothing uses", async () => {
      cpSync(NATURE_SITE, preview.content, { recursive: true });
      const { page } = await preview.visit("/");
      await page.getByRole("link", { name: "Images", exact: true }).click();
      const list = page.getByRole("list", { name: "Images" });
      const seal = list.locator(":scope > li").filter({ hasText: "seal.png" });
      await seal.getByText("A seal beside a boat").waitFor();
      expect((await seal.getByRole("listitem").allInnerTexts()).toSorted()).toEqual([
        "A new whale",
        "Marine life",
      ]);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, await violationsOn(page), await overhang(page)]).toEqual([width, [], 0]);
      }
      await page.getByLabel("Find an image").fill("boat");
      expect(await list.locator(":scope > li").count()).toBe(1);
      await page.getByLabel("Find an image").fill("");
      await page.getByLabel("Only images that nothing uses").check();
      expect(await list.locator("strong").allInnerTexts()).toContain("shell.png");
      expect(await list.locator("strong").allInnerTexts()).not.toContain("seal.png");
      await page.getByLabel(/^Add an image/).setInputFiles(join(FIXTURE_SITE, "_media/formats/marsh.png"));
      await shows(page, "marsh.png is added.");
    });

    it("fill in all of an image of Wagtail's, also from the library", async () => {
      const { page } = await preview.visit("/?edit=21");
      await form(page).waitFor();
      const hero = page.locator('fieldset[data-path="hero_image"]');
      await button(hero, "Remove").click();
      await button(hero, "Choose an image").click();
      const picker = page.getByRole("dialog", { name: "Choose an image" });
      await picker.getByRole("button", { name: "turtle.png" }).click();
      await picker.getByLabel("Alternative text").fill("A turtle");
      await button(picker, "Use this image").click();
      await expect.poll(() => at(page, "hero_image.meta.download_url").inputValue()).toBe("/turtle.png");
      await save(page);
      expect(preview.json("galleries/marine-life.json")["hero_image"]).toEqual({
        id: expect.any(Number) as number,
        meta: {
          type: "wagtailimages.Image",
          detail_url: "https://api.example.org/media/turtle.png",
          download_url: "/turtle.png",
        },
        title: "A turtle",
      });
    });
  },
);
