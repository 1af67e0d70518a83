import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { overhang, violationsOn } from "../browse/browser.ts";
import { describePreview } from "../browse/suite.ts";
import { FIXTURE_SITE, NATURE_SITE } from "../fixtures.ts";
import { at, button, focused, save, shows } from "./form.ts";

const PNG = readFileSync(join(FIXTURE_SITE, "_media/formats/marsh.png")).toString("base64");

/** Drops an image on an element. */
async function drop(page: Page, selector: string, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); const bytes = Uint8Array.from(atob("${PNG}"), (one) => one.charCodeAt(0));
      data.items.add(new File([bytes], "${name}", { type: "image/png" })); return data; })()`,
  );
  await page.locator(selector).dispatchEvent("drop", { dataTransfer });
}

/** The site, with a block whose picture is a member of it. */
function writeNature(content: string): void {
  cpSync(NATURE_SITE, content, { recursive: true });
  const edit = (file: string, change: (of: any) => unknown): void => {
    const value = JSON.parse(readFileSync(join(content, file), "utf8")) as object;
    change(value);
    writeFileSync(join(content, file), JSON.stringify(value, undefined, 2));
  };
  edit(
    "_types.json",
    ({ shapes }) => (shapes.Body.blocks.plate = { fields: { photo: "Image?", text: "text" } }),
  );
  edit("whats-on/turtle-talk.json", (talk) => (talk.body = [{ type: "plate", value: { text: "A talk" } }]));
}

describePreview("the pictures of a site of its own types", writeNature, (preview) => {
  it("are replaced by dropping others, fill in what belongs to them, and leave the focus where it is", async () => {
    const { page } = await preview.visit("/?edit=11");
    await at(page, "title").focus();
    await drop(page, '[data-said="picture.file"]', "Marsh at dusk.png");
    await shows(page, "marsh-at-dusk.png is added.");
    expect(await focused(page)).toBe("title");
    // While another file is added to the same block, its text is typed on.
    await page.locator("li.element:nth-child(3) summary").first().click();
    await at(page, "body.2.value.credit").press("Home");
    await page.keyboard.type("By ");
    await drop(page, "li.element:nth-child(3) details.block", "Beach.png");
    await expect.poll(() => at(page, "body.2.value.file").inputValue()).toBe("/beach.png");
    await page.keyboard.type("Mira, ");
    await at(page, "picture.alt").fill("A marsh");
    expect(await page.locator("summary img").count()).toBe(1);
    expect(await violationsOn(page)).toEqual([]);
    await save(page);
    expect(preview.json("collection/leatherback-turtle.json")).toMatchObject({
      picture: { file: "/marsh-at-dusk.png", width: 8, height: 6, alt: "A marsh" },
      body: [
        {},
        {},
        { value: { file: "/beach.png", width: 8, height: 6, alt: "", credit: "By Mira, The museum" } },
        {},
        {},
      ],
    });
  });

  it("are shown in the row of a block with a picture in it, and replaced by a drop there", async () => {
    const { page } = await preview.visit("/?edit=31");
    await drop(page, "li.element > details.block", "Talk.png");
    const shown = page.locator(".row-picture");
    await expect.poll(() => shown.getAttribute("src")).toBe("/media/talk.png");
    const photo = page.locator('fieldset[data-path="body.0.value.photo"]');
    await shows(photo, "talk.png is added.");
    await button(photo, "Remove").click();
    expect([await shown.isVisible(), await photo.getByText("is added.").count()]).toEqual([false, 0]);
  });

  it("are all in a library with where each is used, its texts, and those that nothing uses", async () => {
    writeNature(preview.content);
    const { page } = await preview.visit("/");
    await page.getByRole("link", { name: "Images", exact: true }).click();
    const list = page.getByRole("list", { name: "Images" });
    const seal = list.locator(":scope > li").filter({ hasText: "seal.png" });
    await seal.getByText("A seal beside a boat").waitFor();
    expect((await seal.getByRole("listitem").allInnerTexts()).toSorted()).toEqual([
      "A new whale",
      "Marine life",
    ]);
    const cut = `document.querySelector(".live").scrollWidth - document.querySelector(".live").clientWidth`;
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const found = [await violationsOn(page), await overhang(page), await page.evaluate(cut)];
      expect([width, ...found]).toEqual([width, [], 0, 0]);
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
});
