import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { filesBelow } from "../files.ts";
import { violationsOn } from "../browse/browser.ts";
import { describePreview } from "../browse/suite.ts";
import { page as pageOf, SITE, write } from "../site/site.ts";
import { at, button, conflictIn, describeForm, focused, form, save, shows, VISIT_ID } from "./form.ts";

/** The storage keys of the editor, such as those of unsaved edits. */
const keptEdits = (page: Page): Promise<unknown> =>
  page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("page-editor:"))');

describeForm("the subpages of a page", (preview) => {
  it("are put into an order by dragging and by buttons, which changes only the pages that moved", async () => {
    const { page } = await preview.visit(`/?page=${VISIT_ID}`);
    const names = (): Promise<string[]> =>
      page
        .getByRole("list", { name: "Subpages" })
        .locator("li .entry-title, li[data-page] > a")
        .allTextContents();
    const shown = await names();
    await page.getByRole("link", { name: "Order subpages", exact: true }).click();
    const items = page.getByRole("list", { name: "Subpages" }).getByRole("listitem");
    await items.first().waitFor();
    await expect.poll(() => focused(page)).toBe("Subpages");
    const before = await names();
    // A draft is behind the pages.
    expect(shown.slice(0, -1)).toEqual(before);
    const [first = "", second = ""] = before;
    const last = before.at(-1) ?? "";
    await items
      .last()
      .locator(".drag")
      .dragTo(items.first(), { targetPosition: { x: 90, y: 3 } });
    await button(items.filter({ hasText: first }), "Move down").click();
    await page.getByText(`${first}: place 3`).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    // The order stays while another view is open, and is saved with the page too.
    await items.getByRole("link", { name: first, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: first }).waitFor();
    await page.goBack();
    const sections = page.getByRole("navigation", { name: "Sections" });
    await sections.getByRole("link", { name: "Subpages" }).click();
    await items.first().waitFor();
    expect(await names()).toEqual([last, second, first, ...before.slice(2, -1)]);
    await save(page);
    await page.getByRole("link", { name: "Back to the page" }).click();
    await expect.poll(names).toEqual([last, second, first, ...before.slice(2, -1), ...shown.slice(-1)]);
    const orders = filesBelow(preview.file("visit"))
      .filter((file) => file.endsWith(".json"))
      .flatMap((file) =>
        Object.values(preview.json(join("visit", file))["meta"] ?? {}).filter(
          (one) => typeof one === "number",
        ),
      );
    expect(new Set(orders)).toEqual(new Set([1, 2]));
  });

  it("are moved by keyboard, until the order is discarded", async () => {
    const { page } = await preview.visit(`/?edit=${VISIT_ID}&field=subpages`);
    const links = page.getByRole("list", { name: "Subpages" }).getByRole("link");
    await links.first().waitFor();
    const before = await links.allTextContents();
    await links.first().focus();
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Alt+ArrowDown");
    expect(await links.allTextContents()).toEqual([before[1], before[2], before[0], ...before.slice(3)]);
    expect(await focused(page)).toBe(before[0]);
    await button(page, "Discard changes").click();
    await expect.poll(() => links.allTextContents()).toEqual(before);
    expect(await button(page, "Save the order").count()).toBe(0);
  });
});

describeForm("the form of a new page", (preview) => {
  it("makes a new page where it was chosen, with a slug from its title", async () => {
    const { page } = await preview.visit(`/?page=${VISIT_ID}`);
    await page.getByRole("link", { name: "New page", exact: true }).click();
    await expect.poll(() => focused(page)).toBe("title");
    await page.getByText("Nothing entered yet.").waitFor();
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(0);
    await page.getByLabel("Title", { exact: true }).fill("x");
    await page.getByText("No findings.").waitFor();
    await page.getByLabel("Title", { exact: true }).fill("");
    await page.getByText("Nothing entered yet.").waitFor();
    await button(page, "Save").click();
    await page.locator('[data-path="title"][aria-invalid="true"]').waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Café & Küche");
    expect(await page.getByLabel("Slug").inputValue()).toBe("cafe-kueche");
    await shows(page, "https://www.aldermouth.example.org/visit/cafe-kueche/");
    await page.getByLabel("Slug").fill("access");
    await form(page, "New page").getByText("has this address already").waitFor();
    await page.getByLabel("Slug").fill("cafe");
    await at(page, "meta.seo_title").fill("Our café");
    await save(page);
    const made = preview.json("visit/cafe.json");
    expect(made).toMatchObject({ title: "Café & Küche", meta: { seo_title: "Our café" } });
    expect(new URL(page.url()).search).toBe(`?edit=${made["id"]}`);
  });

  it("lets the slug of an unsaved page follow its title after a reload, until the editor writes one", async () => {
    const { page } = await preview.visit(`/?new=standardpages.GeneralPage&below=${VISIT_ID}`);
    const [title, slug] = [at(page, "title"), page.getByLabel("Slug")];
    page.removeAllListeners("dialog");
    page.on("dialog", (dialog) => void dialog.accept());
    const reload = async (): Promise<void> => {
      await expect.poll(() => keptEdits(page)).toHaveLength(1);
      await page.reload();
      await page.getByText("were restored").waitFor();
    };
    await title.fill("Boats");
    await reload();
    await title.fill("Boats and nets");
    expect(await slug.inputValue()).toBe("boats-and-nets");
    await slug.fill("boats");
    await reload();
    await title.fill("Nets");
    expect(await slug.inputValue()).toBe("boats");
  });

  it("shows a mistake once its field was touched, or the page was to be saved", async () => {
    const { page } = await preview.visit("/?new=artworks.ArtworkPage&below=102");
    const wrong = page.locator('[aria-invalid="true"]');
    await at(page, "title").fill("M");
    await page.getByText("No findings so far.").waitFor();
    expect(await wrong.count()).toBe(0);
    await at(page, "acno").focus();
    await at(page, "start_year").focus();
    await page.locator('[data-path="acno"][aria-invalid="true"]').waitFor();
    expect(await wrong.count()).toBe(1);
    await button(page, "Discard changes").click();
    await page.getByText("Nothing entered yet.").waitFor();
    expect(await wrong.count()).toBe(0);
    await at(page, "title").fill("Marsh");
    await at(page, "start_year").fill("1848");
    await at(page, "end_year").fill("about 1850");
    await shows(page, "“End year”: expected a whole number, found the text");
    expect(await wrong.count()).toBe(1);
    await save(page);
    await page.locator('[data-path="acno"][aria-invalid="true"]').waitFor();
    // The other tests need a site without errors.
    preview.drop("art/artworks/marsh.json");
  });

  it("offers the types that the parent allows, first the one of its other subpages", async () => {
    const { page } = await preview.visit("/");
    const offered = async () => {
      await form(page, "New page").waitFor();
      await expect.poll(() => at(page, "meta.type").locator("option").count()).toBeLessThan(5);
      return at(page, "meta.type").locator("option").allInnerTexts();
    };
    await page.getByRole("link", { name: "New page", exact: true }).click();
    expect(await offered()).toEqual(["General page", "Artwork index", "Project index"]);
    expect(await at(page, "meta.type").locator("option:checked").innerText()).toBe("General page");
    await page.goto(`${preview.baseUrl}/?page=102`);
    await page.getByRole("link", { name: "New page", exact: true }).click();
    expect(await offered()).toEqual(["Artwork"]);
  });

  it("never replaces another page, which may not be live yet", async () => {
    const text = `{"id": 900100, "meta": {"type": "standardpages.GeneralPage", "go_live_at": "2999-01-01T00:00:00Z"}, "title": "Fair"}\n`;
    writeFileSync(preview.file("visit/fair.json"), text);
    const { page, trouble } = await preview.visit(`/?new=standardpages.GeneralPage&below=${VISIT_ID}`);
    await at(page, "title").fill("Fair");
    await save(page, "Not saved: visit/fair.json is another page.", "New page");
    expect(await conflictIn(page).count()).toBe(0);
    expect(await focused(page)).toBe("meta.slug");
    await page.getByLabel("Slug").fill("fair-of-books");
    await save(page);
    expect(preview.source("visit/fair.json")).toBe(text);
    expect(preview.json("visit/fair-of-books.json")["title"]).toBe("Fair");
    // The browser reports the response 409.
    expect(trouble.splice(0, 1)).toEqual([expect.stringContaining("409")]);
  });

  it("begins the next new page empty after one was saved", async () => {
    const { page, trouble } = await preview.visit(`/?page=${VISIT_ID}`);
    const begin = async (): Promise<string> => {
      await page.getByRole("link", { name: "New page", exact: true }).click();
      return at(page, "id").inputValue();
    };
    const first = await begin();
    await at(page, "title").fill("First of two");
    await save(page);
    expect(preview.json("visit/first-of-two.json")["id"]).toBe(Number(first));
    expect(await keptEdits(page)).toEqual([]);
    await page.getByRole("link", { name: "Back to the page" }).click();
    await page.getByRole("heading", { level: 1, name: "First of two" }).waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Visit", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: "Visit" }).waitFor();
    expect(await begin()).not.toBe(first);
    expect(await page.getByText("were restored").count()).toBe(0);
    expect([await at(page, "title").inputValue(), await page.getByLabel("Slug").inputValue()]).toEqual([
      "",
      "",
    ]);
    const others = trouble.filter((text) => !text.includes("404"));
    trouble.splice(0, Infinity, ...others);
  });

  it("leads back to the form of a new page that was saved with an error", async () => {
    const { page } = await preview.visit(`/?new=standardpages.GeneralPage&below=${VISIT_ID}`);
    await at(page, "title").fill("Cloaks");
    const id = await at(page, "id").inputValue();
    await at(page, "meta.expire_at").fill("soon");
    await save(page);
    const back = page.getByRole("link", { name: "Back to the page" });
    const panel = page.getByRole("region", { name: "Preview", exact: true });
    await panel.getByText("Findings of this page: 1").waitFor();
    expect(await back.isVisible()).toBe(false);
    await page.goto(preview.baseUrl);
    await panel.getByText("All findings").click();
    const entry = panel.getByRole("list", { name: "All findings" }).getByRole("link", { name: "cloaks" });
    expect(await entry.getAttribute("href")).toBe(`/?edit=${id}`);
    await page.goto(`${preview.baseUrl}/?page=${id}`);
    await page.getByRole("heading", { level: 1, name: `The page with the id ${id} has errors` }).waitFor();
    // A page that is not built because of the errors of another page.
    await page.goto(`${preview.baseUrl}/?page=900009`);
    await page.getByText("The last save could not be built").waitFor();
    await page.goBack();
    await page.getByRole("main").getByRole("link", { name: "Edit", exact: true }).click();
    await at(page, "meta.expire_at").fill("");
    await save(page);
    await back.click();
    await page.getByRole("heading", { level: 1, name: "Cloaks" }).waitFor();
  });

  it("discards the slug of a new page with its error, and brings both back", async () => {
    const { page } = await preview.visit(`/?new=standardpages.GeneralPage&below=${VISIT_ID}`);
    const slug = page.getByLabel("Slug");
    const findings = page.getByRole("navigation", { name: "Sections" });
    await at(page, "title").fill("Lost property");
    await findings.getByText("No findings.").waitFor();
    await slug.fill("access");
    await findings.getByRole("link", { name: "Publishing 1 error" }).waitFor();
    await slug.fill("Lost property!");
    await findings.getByRole("link", { name: "Publishing 1 error" }).click();
    expect(await focused(page)).toBe("meta.slug");
    await page.getByLabel("Draft: keep it unpublished").check();
    await button(page, "Discard changes").click();
    expect([await at(page, "title").inputValue(), await slug.inputValue()]).toEqual(["", ""]);
    expect(await slug.getAttribute("aria-invalid")).toBeNull();
    expect(await page.getByLabel("Draft: keep it unpublished").isChecked()).toBe(false);
    await button(page, "Bring them back").click();
    expect([await at(page, "title").inputValue(), await slug.inputValue()]).toEqual([
      "Lost property",
      "Lost property!",
    ]);
    await button(page, "Discard changes").click();
    await at(page, "title").fill("Found again");
    expect(await slug.inputValue()).toBe("found-again");
    await button(page, "Discard changes").click();
    await page.reload();
    await form(page, "New page").waitFor();
    expect(await page.getByText("were restored").count()).toBe(0);
  });

  it("turns the file of a parent into a folder, and begins a new page with its schema", async () => {
    const { page } = await preview.visit("/?new=standardpages.GeneralPage&below=13");
    const before = preview.source("visit/study-room.json");
    await page.getByLabel("Title", { exact: true }).fill("Lockers");
    await shows(page, "https://www.aldermouth.example.org/visit/study-room/lockers/");
    await save(page);
    const [first] = Object.entries(preview.json("visit/study-room/lockers.json"));
    expect(first?.[0]).toBe("$schema");
    const schema = join(preview.content, "visit/study-room", String(first?.[1]));
    expect(schema).toBe(join(PROGRAM_FOLDER, "build/contract/page.schema.json"));
    expect(existsSync(preview.file("visit/study-room.json"))).toBe(false);
    expect(preview.json("visit/study-room/index.json")).toMatchObject({ title: JSON.parse(before).title });
  });
});

describePreview(
  "a site with only its home page",
  (content) => {
    write(content, "_site.json", SITE);
    write(content, "index.json", pageOf(7, "home.HomePage", "Aldermouth"));
  },
  (preview) => {
    it("has its name, a link to its page, and a link to the form of the first page below it", async () => {
      const opened = await preview.visit("/");
      await opened.page.getByRole("heading", { level: 1, name: "Aldermouth" }).waitFor();
      await opened.page
        .getByRole("region", { name: "The tree of pages" })
        .getByRole("link", { name: "Aldermouth" })
        .waitFor();
      await opened.page.getByRole("link", { name: "New page", exact: true }).click();
      await at(opened.page, "title").fill("Visit");
      await save(opened.page);
      expect(preview.json("visit.json")).toMatchObject({
        meta: { type: "standardpages.GeneralPage" },
        title: "Visit",
      });
    });
  },
);
