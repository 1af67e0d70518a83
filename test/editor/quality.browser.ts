import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { overhang, violationsOn, type Visit } from "../browse/browser.ts";
import { at, button, describeForm, form, restoredWork, WORK, WORK_ID } from "./form.ts";
import { programModel } from "../../build/page/program-model.ts";

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

describeForm("the form for everyone", (preview) => {
  const openForm = async (options = {}): Promise<Visit> => {
    const visited = await preview.open(`/?edit=${WORK_ID}`, options);
    await form(visited.page).waitFor();
    return visited;
  };

  it("is used from the link to the saved file with only the keyboard", async () => {
    const { page, trouble } = await preview.open(`/?page=${WORK_ID}`);
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
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("does not cover the edited field with the buttons, which have a second row on a phone", async () => {
    const { page, trouble } = await openForm({ viewport: { width: 390, height: 844 } });
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
    await button(page, "Discard changes").click();
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
    const missing = page.getByText("There is no image _media/formats/march.png");
    await address.fill("/formats/march.png");
    await missing.first().waitFor();
    const media = join(preview.content, "_media/formats");
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
    writeFileSync(join(preview.content, WORK), JSON.stringify(source, undefined, 2));
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
    await page.context().close();
  });

  it("fits every window, and has no serious finding of axe, for each type", async () => {
    const ids = new Map<string, number>();
    const sites = JSON.parse(readFileSync(join(preview.out, "browse/site.json"), "utf8")) as { home: number };
    ids.set("home.HomePage", sites.home);
    const visited = await preview.open("/");
    for (const file of [WORK, "visit/index.json", "research/projects/index.json", "art/artworks/index.json"])
      ids.set(preview.json(file)["meta"].type as string, preview.json(file)["id"] as number);
    ids.set("projects.ProjectPage", preview.json("research/projects/many-hands.json")["id"] as number);
    expect([...ids.keys()].sort()).toEqual([...programModel.names].sort());
    await visited.page.context().close();
    for (const [width, colorScheme] of [
      [390, "light"],
      [1280, "dark"],
    ] as const) {
      const { page, trouble } = await preview.open("/", { viewport: { width, height: 900 }, colorScheme });
      for (const id of ids.values()) {
        await page.goto(`${preview.baseUrl}/?edit=${id}`);
        await form(page).waitFor();
        for (const closed of await page.locator(".form-section:not([open]) > summary").all())
          await closed.click();
        expect(await overhang(page)).toBe(0);
        expect([id, await violationsOn(page)]).toEqual([id, []]);
      }
      expect(trouble).toEqual([]);
      await page.context().close();
    }
  });
});
