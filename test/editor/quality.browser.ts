import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { overhang, violationsOn, type Visit } from "../browse/browser.ts";
import { at, describeForm, focused, form, restoredWork, save, VISIT_ID, WORK, WORK_ID } from "./form.ts";
import { programModel } from "../../build/model/program-model.ts";

/** The natural width of an image in pixels; 0 if it is not loaded. */
const widthOf = (image: Locator): Promise<number> =>
  image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth);

/** Whether the element with the focus is in the window, and neither its head nor the buttons cover it. */
const isInView = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const { top, bottom, left, height } = document.activeElement.getBoundingClientRect();
    const head = document.querySelector(".section-list").getBoundingClientRect();
    const bar = document.querySelector(".save-bar").getBoundingClientRect();
    const first = head.right <= left ? 0 : head.bottom;
    return top >= first && top < bar.top && (height > bar.top - first || bottom <= bar.top);
  })()`);

const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
};

describeForm("the form for everyone", (preview) => {
  const openForm = async (options = {}): Promise<Visit> => {
    const visited = await preview.visit(`/?edit=${WORK_ID}`, options);
    await form(visited.page).waitFor();
    return visited;
  };

  it("is used from the link to the saved file with only the keyboard", async () => {
    const { page } = await preview.visit(`/?page=${WORK_ID}`);
    await tabTo(page, `a[href$="?edit=${WORK_ID}"]`);
    await page.keyboard.press("Enter");
    await form(page).waitFor();
    await tabTo(page, '[data-path="acquisitionYear"]');
    await page.keyboard.press("Control+A");
    await page.keyboard.type("1971");
    await tabTo(page, "form.edit-form button.primary, form.edit-form button[type=submit]");
    await page.keyboard.press("Enter");
    await page.getByText(/^Saved\./).waitFor();
    expect(preview.source(WORK)).toContain('"acquisitionYear": 1971');
  });

  it("corrects a value of a page with two clicks, from the link beside the value", async () => {
    const before = restoredWork(preview);
    const { page } = await preview.visit(`/?page=${WORK_ID}`);
    await page.getByRole("link", { name: "Edit Date", exact: true }).click();
    await form(page).waitFor();
    expect(await focused(page)).toBe("dateText");
    expect(await isInView(page)).toBe(true);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("about 1761");
    await save(page);
    expect(preview.source(WORK)).toBe(before.replace(/("dateText": )"[^"]*"/, '$1"about 1761"'));
  });

  it("leads from each value of each type of page to its field, also with only the keyboard", async () => {
    const { page } = await preview.visit("/", { viewport: { width: 390, height: 844 } });
    const seen = new Set<string>();
    for (const id of [
      WORK_ID,
      VISIT_ID,
      preview.json("art/artworks/_p00/hokusai-under-the-wave-off-kanagawa-p00112.json")["id"],
    ]) {
      await page.goto(`${preview.baseUrl}/?page=${id}`);
      await page.getByRole("navigation", { name: "Breadcrumb" }).waitFor();
      expect(await violationsOn(page)).toEqual([]);
      const links = page.locator("article").getByRole("link", { name: /^Edit ./ });
      const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
      for (const address of addresses) {
        const field = new URL(address, preview.baseUrl).searchParams.get("field") ?? "";
        if (seen.has(field)) continue;
        seen.add(field);
        await page.goto(`${preview.baseUrl}/?page=${id}`);
        await links.first().waitFor();
        await tabTo(page, `a[href="${address}"]`);
        expect(await page.evaluate("getComputedStyle(document.activeElement).opacity")).toBe("1");
        await page.keyboard.press("Enter");
        await form(page).waitFor();
        expect([field, await focused(page)]).toEqual([field, field]);
        expect([field, await isInView(page)]).toEqual([field, true]);
      }
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(["title", "contributors", "description", "resources.0.content", "subjects"]),
    );
  });

  it("keeps the JSON of pages closed until someone opens it, and then open while they go on", async () => {
    const { page } = await preview.visit(`/?page=${WORK_ID}`);
    const json = page.getByRole("region", { name: "Response" }).getByText("detail_url").first();
    expect(await json.isVisible()).toBe(false);
    const toggle = page.getByText("Raw JSON");
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
    await toggle.click();
    await json.waitFor();
    await crumbs.getByRole("link", { name: "Artworks" }).click();
    await page.getByRole("heading", { level: 1, name: "Artworks" }).waitFor();
    await json.waitFor();
    await toggle.click();
    await page.getByRole("list", { name: "Subpages" }).getByRole("link").first().click();
    await crumbs.getByRole("link", { name: "Artworks" }).waitFor();
    expect(await json.isVisible()).toBe(false);
  });

  it("does not cover the edited field with the buttons, which have a second row on a phone", async () => {
    const { page } = await openForm({ viewport: { width: 390, height: 844 } });
    const edges = (): Promise<[field: number, bar: number]> =>
      page.evaluate(
        `[document.activeElement.getBoundingClientRect().bottom, document.querySelector(".save-bar").getBoundingClientRect().top]`,
      );
    await at(page, "medium").evaluate((field) =>
      (field as unknown as { focus: (of: object) => void }).focus({ preventScroll: true }),
    );
    const [bottom, top] = await edges();
    await page.evaluate(`scrollBy(0, ${bottom - top + 4})`);
    await page.keyboard.type("x");
    await form(page).getByText("Unsaved changes").waitFor();
    await expect
      .poll(async () => (await edges()).reduce((field, bar) => bar - field))
      .toBeGreaterThanOrEqual(0);
  });

  it("shows the image of an address, and reports an address without an image until there is one", async () => {
    const { page, trouble } = await openForm();
    const address = at(page, "master_images.0.default_url");
    const image = address.locator("xpath=..").locator("img");
    await address.scrollIntoViewIfNeeded();
    await expect.poll(() => widthOf(image)).toBeGreaterThan(0);
    await address.fill("/formats/marsh.png");
    expect(await image.getAttribute("src")).toBe("/media/formats/marsh.png");
    await expect.poll(() => widthOf(image)).toBe(8);
    for (const other of ["javascript:alert(1)", "", "not an address"]) {
      await address.fill(other);
      expect([other, await image.isVisible()]).toEqual([other, false]);
    }
    const missing = page.getByText("There is no image _media/formats/march.png");
    await address.fill("/formats/march.png");
    await missing.first().waitFor();
    const media = preview.file("_media/formats");
    cpSync(join(media, "marsh.png"), join(media, "march.png"));
    await expect.poll(() => missing.count()).toBe(0);
    expect(trouble.filter((one) => !one.includes("404"))).toEqual([]);
    await page.context().close();
  });

  it("shows hostile names and addresses as text, and runs nothing", async () => {
    const before = restoredWork(preview);
    const source = JSON.parse(before) as Record<string, any>;
    const attack = `"><img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
    source["title"] = attack;
    source["allArtists"] = attack;
    source["subjects"][0].name = attack;
    source["contributors"] = [{ fc: attack, url: "https://www.example.org/" }];
    writeFileSync(preview.file(WORK), JSON.stringify(source, undefined, 2));
    const { page } = await openForm();
    expect(await at(page, "title").inputValue()).toBe(attack);
    expect(await at(page, "subjects.0.name").inputValue()).toBe(attack);
    expect(await page.locator("main script, main img[src='x'], main [onerror]").count()).toBe(0);
    expect(await page.title()).not.toBe("run");
    await page.context().close();
  });

  it("fits a phone with labels as long as German ones", async () => {
    const { page } = await openForm({ viewport: { width: 390, height: 900 } });
    await page.evaluate(`for (const one of document.querySelectorAll("form.edit-form :is(label, legend, button)"))
        one.append(" Inventarnummernverzeichnisbezeichnung");`);
    expect(await overhang(page)).toBe(0);
  });

  it("fits every window, and has no serious finding of axe, for each type", async () => {
    const ids = new Map<string, number>();
    const sites = preview.publishedJson("browse/site.json") as { home: number };
    ids.set("home.HomePage", sites.home);
    const visited = await preview.visit("/");
    for (const file of [WORK, "visit/index.json", "research/projects/index.json", "art/artworks/index.json"])
      ids.set(preview.json(file)["meta"].type as string, preview.json(file)["id"] as number);
    ids.set("projects.ProjectPage", preview.json("research/projects/many-hands.json")["id"] as number);
    expect([...ids.keys()].sort()).toEqual([...programModel.names].sort());
    await visited.page.context().close();
    for (const [width, colorScheme] of [
      [390, "light"],
      [1280, "dark"],
    ] as const) {
      const { page } = await preview.visit("/", { viewport: { width, height: 900 }, colorScheme });
      for (const id of ids.values()) {
        await page.goto(`${preview.baseUrl}/?edit=${id}`);
        await form(page).waitFor();
        const closed = page.locator(".form-section:not([open]) > summary");
        while ((await closed.count()) > 0) await closed.first().click();
        expect(await overhang(page)).toBe(0);
        expect([id, await violationsOn(page)]).toEqual([id, []]);
      }
    }
  });
});
