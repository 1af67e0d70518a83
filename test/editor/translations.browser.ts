import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { openPage, overhang, serveSite, violationsOn } from "../browse/browser.ts";
import { commit, init } from "../change/diff/repository.ts";
import { describeInBrowser, describePreview } from "../browse/suite.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { scratch } from "../scratch.ts";
import { general, page as pageOf, SITE, write } from "../site/site.ts";
import { BODY, EVENT, EVENT_ID, writeDeclared } from "./declared.ts";
import { act, addToProposal, at, button, enterToken, focused, propose, save } from "./form.ts";
import { changed as changedFiles } from "./github/git.ts";
import { openMuseum, TOKENS, writeMuseumSite } from "./github/museum.ts";

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

/** The place of an element that is seen. */
async function box(one: Locator) {
  const found = await one.boundingBox();
  if (found === null) throw new Error("it is hidden");
  return found;
}

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
    await expect.poll(() => languages(page)).toEqual(["English", "Cymraeg"]);
    expect(await at(page, "title").getAttribute("lang")).toBe("cy");
    const original = at(page, "meta.translation_of");
    await expect.poll(() => original.inputValue()).toBe("About the pier");
    expect(await page.getByRole("link", { name: `General page · ${ABOUT_ID}` }).getAttribute("href")).toBe(
      `/?page=${ABOUT_ID}`,
    );
    await at(page, "title").fill("Am y pier hir");
    await save(page);
    expect(preview.json("cy/amdanom.json")).toEqual({ ...source, title: "Am y pier hir" });
    await page.goto(`${preview.baseUrl}/?new=standardpages.GeneralPage&below=101`);
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

  it("makes a translation at the same place, with references to translations, and drafts above it", async () => {
    const { page } = await preview.visit(`/?edit=${EVENT_ID}`);
    await act(page, /^Translate into Cymraeg/);
    await button(page, "Make 1 draft and translate").click();
    // Its blocks are open, and a key leads through the texts that are as in the original.
    await button(page, "Next text (3)").waitFor();
    await at(page, "title").focus();
    const passed: unknown[] = [];
    for (let k = 0; k < 3; k++) {
      await page.keyboard.press("Control+Enter");
      passed.push(await focused(page));
    }
    expect(passed).toEqual(["body.0.value.heading_text", "body.1.value", "title"]);
    await at(page, "title").fill("Taith y gors");
    await button(page, "Next text (2)").waitFor();
    expect([await violationsOn(page), await overhang(page)]).toEqual([[], 0]);
    await save(page);
    const { id, body, meta, ...others } = preview.json("cy/whats-on/_taith-y-gors.json");
    expect(meta).toEqual({ type: EVENT, translation_of: EVENT_ID });
    expect(others).toMatchObject({ title: "Taith y gors", host: 20 });
    expect(JSON.stringify(body)).toBe(
      JSON.stringify(BODY)
        .replace('id=\\"10\\"', `id=\\"${AMDANOM_ID}\\"`)
        .replace("[10]", `[${AMDANOM_ID}]`),
    );
    expect(preview.json("cy/whats-on/_index.json")["meta"]).toEqual({
      type: "tides.TideIndexPage",
      translation_of: 30,
    });
    // The draft is known as its translation, here and there.
    await expect.poll(() => languages(page)).toEqual(["English", "Cymraeg"]);
    await page.goto(`${preview.baseUrl}/?translate=${EVENT_ID}&into=cy`);
    expect(await at(page, "id").inputValue()).toBe(String(id));
  });

  it("shows the original beside the fields, at every width, and what is left to translate on the desk", async () => {
    const { page } = await preview.visit(`/?edit=${AMDANOM_ID}`);
    const original = page.locator(".original");
    await original.first().waitFor();
    expect([await original.first().innerText(), await original.first().getAttribute("lang")]).toEqual([
      "About the pier",
      "en",
    ]);
    const [title, beside] = [await box(at(page, "title")), await box(original.first())];
    expect(beside.x).toBeGreaterThan(title.x + title.width);
    await page.setViewportSize({ width: 390, height: 800 });
    const above = await box(original.first());
    expect(above.y + above.height).toBeLessThanOrEqual((await box(at(page, "title"))).y);
    expect([await violationsOn(page), await overhang(page)]).toEqual([[], 0]);
    await button(page, "Show the original").click();
    expect(await original.first().isVisible()).toBe(false);
    await button(page, "Show the original").click();
    await page.goto(preview.baseUrl);
    const missing = page.getByRole("list", { name: "Not in Cymraeg" });
    await missing.waitFor();
    expect(await missing.getByRole("link").allInnerTexts()).toEqual(["Edward Lear", "Ada Marsh"]);
    await missing.getByRole("link", { name: "Edward Lear" }).click();
    expect(await at(page, "title").inputValue()).toBe("Edward Lear");
  });
});

const RULES_ID = 50;

function writePair(content: string): void {
  writeBilingual(content);
  write(content, "rules.json", general(RULES_ID, "Rules"));
  write(content, "cy/rules.json", general(150, "Rheolau"));
  write(content, "notices/index.json", general(51, "Notices"));
}

describePreview("a page with a translation", writePair, (preview) => {
  it("says which translations stay when it moves or is retired, and takes them along", async () => {
    const { page, trouble } = await preview.visit(`/?edit=${RULES_ID}`);
    const dialog = page.getByRole("dialog");
    const choose = async (action: RegExp): Promise<void> => {
      await act(page, action);
      await dialog.getByText("Its translations stay:").waitFor();
      expect(await dialog.locator(".along li").allInnerTexts()).toEqual(["Rheolau (Cymraeg)"]);
    };
    await choose(/^Move…/);
    await dialog.getByRole("button", { name: "Notices" }).click();
    await dialog.getByLabel("Take its translations along").check();
    await button(dialog, "Move the page here").click();
    await dialog.getByText(/^The new parent page, .* cannot move along\. Translate it first\.$/).waitFor();
    expect(trouble.splice(0)).toEqual([expect.stringContaining("422")]);
    await button(dialog, "Cancel").click();
    await choose(/^Move…/);
    await dialog.getByLabel("Slug").fill("house-rules");
    await page.setViewportSize({ width: 390, height: 800 });
    expect([await violationsOn(page), await overhang(page)]).toEqual([[], 0]);
    await button(dialog, "Move the page here").click();
    await page.getByText("The page was moved").waitFor();
    expect(preview.json("house-rules.json")).toHaveProperty("meta.translation_of", 150);
    await expect
      .poll(async () => (await fetch(`${preview.baseUrl}/api/v2/pages/${RULES_ID}/`)).text())
      .toMatch(/house-rules/);
    await choose(/^Retire…/);
    await dialog.getByLabel("Take its translations along").check();
    await button(dialog, "Retire").click();
    await page.getByRole("heading", { name: "The page was retired." }).waitFor();
    const { retired } = preview.json("_history.json") as { retired?: { id: number }[] };
    expect(retired?.map(({ id }) => id)).toEqual([RULES_ID, 150]);
  });
});

describeInBrowser("a proposal for a site in two languages", (browser) => {
  it("translates pages, lists what it changes without its translation, and proposes all", async () => {
    const museum = await openMuseum();
    const content = join(scratch("translated"), "content");
    init(content);
    write(content, "cy/visit/index.json", general(9010, "Ymweld"));
    commit(content, "2026-01-01T00:00:00Z");
    cpSync(FIXTURE_SITE, content, { recursive: true });
    commit(content, "2026-01-02T00:00:00Z");
    const headers = writeMuseumSite(content, museum);
    const settings = join(content, "_site.json");
    const site = { ...JSON.parse(readFileSync(settings, "utf8")), locales: { en: "English", cy: "Cymraeg" } };
    writeFileSync(settings, JSON.stringify(site));
    write(content, "cy/index.json", pageOf(9003, "home.HomePage", "Hafan"));
    const own = ["_site.json", "cy/index.json", "cy/visit/index.json"];
    museum.repository.git.change(
      "main",
      Object.fromEntries(own.map((file) => [`content/${file}`, readFileSync(join(content, file))])),
    );
    const served = await serveSite(content, "translated-site", undefined, headers);
    onTestFinished(async () => {
      await served.close();
      await museum.github.close();
    });
    const { page, trouble } = await openPage(browser(), `${served.base}/`, {}, [museum.github.origin]);
    onTestFinished(() => page.context().close());
    const older = page.getByRole("list", { name: "Older than the original" });
    await older.getByText("original edited").filter({ hasNotText: "proposal" }).waitFor();
    const missing = page.getByRole("list", { name: "Not in Cymraeg" }).getByRole("link");
    await missing.filter({ hasText: "About us" }).click();
    await at(page, "title").fill("Amdanom ni");
    await page.getByLabel("Draft: keep it unpublished").uncheck();
    await addToProposal(page);
    await expect.poll(() => languages(page)).toEqual(["English", "Cymraeg"]);
    // Below a page that only the proposal has.
    await page.goto(`${served.base}/?translate=33&into=cy`);
    await at(page, "title").fill("Cysylltu");
    await addToProposal(page);
    await page.goto(`${served.base}/?edit=10`);
    await at(page, "title").fill("Visit us");
    await addToProposal(page);
    await page.goto(served.base);
    await page.getByRole("link", { name: "Proposal (3)" }).waitFor();
    await older.getByText("original edited in the proposal").waitFor();
    expect(await missing.allInnerTexts()).toContain("Art and artists");
    expect(await missing.allInnerTexts()).not.toContain("About us");
    expect([await violationsOn(page), await overhang(page)]).toEqual([[], 0]);
    await older.getByRole("link").click();
    await at(page, "title").fill("Ymweld â ni");
    await addToProposal(page);
    await page.goto(served.base);
    await page.getByText("No translation is older than its original.").waitFor();
    await page.getByRole("link", { name: "Proposal (4)" }).click();
    await enterToken(page, TOKENS.writer);
    await propose(page);
    const { git } = museum.repository;
    const head = museum.github.world.pulls[0]?.head.sha ?? "";
    expect(changedFiles(git, "main", head).map((one) => one.split("content/")[1])).toEqual([
      "cy/amdanom-ni/_cysylltu.json",
      "cy/amdanom-ni/index.json",
      "cy/visit/index.json",
      "visit/index.json",
    ]);
    expect(trouble.filter((one) => !one.includes("404"))).toEqual([]);
  });
});
