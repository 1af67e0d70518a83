import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { overhang, violationsOn } from "../browse/browser.ts";
import { describePreview } from "../browse/suite.ts";
import { general, page as pageOf, SITE, write } from "../site/site.ts";
import { EVENT_ID, writeDeclared } from "./declared.ts";
import { at, button, form } from "./form.ts";

/* The site of test/fixtures/tides/ in two languages: only its home page and one other page are in Welsh. */

const ABOUT_ID = 10;
const AMDANOM_ID = 110;

function writeBilingual(content: string): void {
  writeDeclared(content);
  write(content, "_site.json", { ...SITE, locales: { en: "English", cy: "Cymraeg" } });
  write(content, "cy/index.json", pageOf(101, "home.HomePage", "Hafan"));
  write(content, "cy/amdanom.json", {
    ...general(AMDANOM_ID, "Am y pier"),
    meta: { type: "standardpages.GeneralPage", translation_of: ABOUT_ID },
  });
}

const languages = (page: Page): Promise<string[]> =>
  page.getByRole("navigation", { name: "Languages" }).locator("> *").allInnerTexts();

describePreview("a site in two languages", writeBilingual, (preview) => {
  it("names the language of each page, in lists and in the form, and leads to its translations", async () => {
    const { page } = await preview.visit("/");
    await page
      .getByRole("list", { name: "Pages in Cymraeg" })
      .getByRole("link", { name: "Am y pier" })
      .click();
    await page.getByRole("heading", { level: 1, name: "Am y pier" }).waitFor();
    expect(await languages(page)).toEqual(["English", "Cymraeg"]);
    await page.getByRole("navigation", { name: "Languages" }).getByRole("link", { name: "English" }).click();
    await page.getByRole("heading", { level: 1, name: "About the pier" }).waitFor();
    await page.goto(`${preview.baseUrl}/?page=${EVENT_ID}`);
    await page.getByRole("heading", { level: 1, name: "Marsh walk" }).waitFor();
    expect(await languages(page)).toEqual(["English", "Translate into Cymraeg"]);
    await page.goto(`${preview.baseUrl}/?q=pier`);
    const results = page.getByRole("list", { name: "Results" });
    await results.getByText("Cymraeg").waitFor();
    await page.getByRole("link", { name: "Cymraeg", exact: true }).click();
    await page.getByRole("heading", { name: "1 page in Cymraeg" }).waitFor();
    expect(await results.locator(".entry-title").allInnerTexts()).toEqual(["Am y pier"]);
    expect([await violationsOn(page), await overhang(page)]).toEqual([[], 0]);
    const source = preview.json("cy/amdanom.json");
    await page.goto(`${preview.baseUrl}/?edit=${AMDANOM_ID}`);
    await form(page).waitFor();
    await expect.poll(() => languages(page)).toEqual(["English", "Cymraeg"]);
    expect(await at(page, "title").getAttribute("lang")).toBe("cy");
    const original = at(page, "meta.translation_of");
    await expect.poll(() => original.inputValue()).toBe("About the pier");
    expect(await page.getByRole("link", { name: `General page · ${ABOUT_ID}` }).getAttribute("href")).toBe(
      `/?page=${ABOUT_ID}`,
    );
    await at(page, "title").fill("Am y pier hir");
    await button(page, "Save").click();
    await form(page)
      .getByText(/^Saved\./)
      .first()
      .waitFor();
    expect(preview.json("cy/amdanom.json")).toEqual({ ...source, title: "Am y pier hir" });
    await page.goto(`${preview.baseUrl}/?new=standardpages.GeneralPage&below=101`);
    await form(page, "New page").waitFor();
    await expect.poll(() => languages(page)).toEqual(["Cymraeg"]);
    await button(page, "Choose in the page tree").click();
    expect(
      await page
        .getByRole("list", { name: "Pages of the site" })
        .locator("> li > button.choose")
        .allInnerTexts(),
    ).toEqual(["Home", "Hafan"]);
    await at(page, "title").fill("Oriau agor");
    await expect
      .poll(() => page.locator("#edit-address").innerText())
      .toBe("https://www.example.org/cy/oriau-agor/");
    expect([await violationsOn(page), await overhang(page)]).toEqual([[], 0]);
  });
});
