import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { overhang, violationsOn } from "../browse/browser.ts";
import { describePreview } from "../browse/suite.ts";
import { NATURE_SITE } from "../fixtures.ts";
import { act, at, button, caretTaken, focused, menuItem, save } from "./form.ts";

const TURTLE = "collection/leatherback-turtle.json";

interface Block {
  type: string;
  value: unknown;
  id: string;
}

const blocks = (page: Page) => page.locator('[data-path="body"] > ol > li');
const typesOf = (list: unknown): string[] => (list as Block[]).map(({ type }) => type);

const paste = (page: Page, html: string): Promise<unknown> =>
  page.evaluate(
    `navigator.clipboard.write([new ClipboardItem({ "text/html": new Blob([${JSON.stringify(html)}], { type: "text/html" }) })])`,
  );

/** Writes the site as it was before other tests, and before a test that is retried. */
function copySite(content: string): void {
  for (const file of existsSync(content) ? (readdirSync(content, { recursive: true }) as string[]) : [])
    if (!existsSync(join(NATURE_SITE, file))) rmSync(join(content, file), { recursive: true, force: true });
  cpSync(NATURE_SITE, content, { recursive: true });
}

describePreview("the blocks of a museum of natural history", copySite, (preview) => {
  for (const width of [1280, 390])
    it(`are written with the keyboard, copied and pasted, and come back, ${width} pixels wide`, async () => {
      copySite(preview.content);
      const before = preview.source(TURTLE);
      const { page } = await preview.visit("/?edit=11", {
        viewport: { width, height: 900 },
        permissions: ["clipboard-read", "clipboard-write"],
      });
      await blocks(page).nth(1).locator("summary").click();
      const text = at(page, "body.1.value");
      await text.click();
      // The whole width, and the tools in the line above.
      const list = (path: string) => page.locator(`[data-path="${path}"] > ol`);
      const pairs = [text, list("body"), at(page, "related.0"), list("related")];
      const wide = await Promise.all(pairs.map(async (one) => (await one.boundingBox())?.width));
      expect([wide[0], wide[2]]).toEqual([wide[1], wide[3]]);
      expect(await button(blocks(page).nth(1), "Bold").isVisible()).toBe(true);
      await caretTaken(page);
      await page.keyboard.press("Control+End");
      await caretTaken(page);
      await page.keyboard.press("Enter");
      expect(await focused(page)).toBe("body.2.value");
      await page.keyboard.press("/");
      const menu = page.getByRole("menu", { name: "Type of the new block" });
      expect(await menu.getByRole("menuitem").allInnerTexts()).toContain(
        "Picture\nOne picture across the column.",
      );
      expect(await menu.locator("svg").count()).toBe(7);
      expect([await violationsOn(page), await overhang(page)]).toEqual([[], 0]);
      await page.keyboard.press("q");
      await page.keyboard.press("Enter");
      expect(await focused(page)).toBe("body.2.value.text");
      await page.keyboard.type("A giant");

      // Copied beside itself, and to the end.
      await button(blocks(page).nth(2), "Copy").click();
      expect(await focused(page)).toBe("body.3.value.text");
      await blocks(page).nth(3).locator("summary").focus();
      await page.keyboard.press("Control+C");
      await blocks(page).nth(6).locator("summary").focus();
      await page.keyboard.press("Control+V");
      expect(await focused(page)).toBe("body.7.value.text");

      // Several pasted paragraphs and a heading, into the middle of a text.
      await button(page.locator('[data-path="body"]'), "Add").click();
      await page.getByRole("menuitem", { name: "Paragraph" }).click();
      expect(await focused(page)).toBe("body.8.value");
      await page.keyboard.type("Begin.End.");
      for (let k = 0; k < 4; k++) await page.keyboard.press("ArrowLeft");
      await caretTaken(page);
      await paste(page, "<p>One.</p><h3>Two</h3><p>Three.</p>");
      await page.keyboard.press("Control+V");
      await expect.poll(() => blocks(page).count()).toBe(11);

      // Removed, and brought back by the keyboard and by the button, with what was typed in between.
      await button(blocks(page).nth(2), "Remove").click();
      await at(page, "title").fill("The turtle");
      await button(blocks(page).nth(0), "Remove").click();
      await page.keyboard.press("Control+z");
      await button(blocks(page).nth(1), "Undo").click();
      expect(await at(page, "body.2.value.text").inputValue()).toBe("A giant");
      await blocks(page).nth(5).locator("summary").first().click();
      await button(page.locator('[data-path="body.5.value.source"]'), "Remove").click();
      // Its block is removed too, and both come back, although another block has moved.
      await button(blocks(page).nth(5), "Remove").last().click();
      await page.keyboard.press("Control+z");
      await button(blocks(page).nth(4), "Move down").click();
      await page.keyboard.press("Control+z");
      await button(blocks(page).nth(5), "Move up").click();
      await save(page);

      const saved = preview.json(TURTLE);
      expect(typesOf(saved["body"])).toEqual(
        "heading paragraph quote quote picture facts specimens quote paragraph heading paragraph".split(" "),
      );
      expect((saved["body"] as Block[]).slice(-3).map(({ value }) => value)).toEqual([
        "<p>Begin.One.</p>",
        { text: "Two", level: "h3" },
        "<p>Three.End.</p>",
      ]);
      expect(new Set((saved["body"] as Block[]).map(({ id }) => id)).size).toBe(11);
      const written = JSON.parse(before) as { body: Block[] };
      expect([saved["title"], ...(saved["body"] as Block[]).slice(4, 7)]).toEqual([
        "The turtle",
        ...written.body.slice(2),
      ]);

      // A line that is emptied again is no block.
      await blocks(page).nth(10).locator("summary").focus();
      await at(page, "body.10.value").press("Control+a");
      await page.keyboard.press("Backspace");
      await page.keyboard.press("Backspace");
      expect(await blocks(page).count()).toBe(10);
      await button(page, "Discard changes").click();
    });

  it("are on pages that are copied, moved and retired from the bar of the form", async () => {
    copySite(preview.content);
    const { page, trouble } = await preview.visit("/?edit=12");
    // Only the types that the place allows.
    await expect.poll(() => at(page, "meta.type").locator("option").allInnerTexts()).toEqual(["Specimen"]);
    await button(page, "Actions").click();
    await menuItem(page, "Open on the website").waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await menuItem(page, /^Copy this page/).click();
    await page.getByText("This is the copy, a draft.").waitFor();
    const copy = preview.json("collection/_grey-seal-copy.json");
    expect(copy).toMatchObject({ title: "Grey seal", scientific_name: "Halichoerus grypus" });
    expect([copy["id"] === 12, "accession_number" in copy]).toEqual([false, false]);

    // Pages that link or refer to it are shown first.
    await page.goto(`${preview.baseUrl}/?edit=21`);
    await act(page, /^Make this page a draft/);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("3 pages have fields or blocks with it.").waitFor();
    // A draft may refer to a draft.
    expect((await dialog.getByRole("link").allInnerTexts()).toSorted()).toEqual([
      "Grey seal",
      "Leatherback turtle",
      "Talk: The turtle of Harlech",
    ]);
    expect(await violationsOn(page)).toEqual([]);
    await button(dialog, "Close").click();
    await act(page, /^Retire…/);
    await dialog.getByText("4 pages have fields or blocks with it.").waitFor();
    expect(await dialog.getByRole("link").allInnerTexts()).not.toContain("A new whale");
    expect(await violationsOn(page)).toEqual([]);
    await button(dialog, "Close").click();

    // Moved by Enter in its slug; no page is offered as its own parent.
    await page.goto(`${preview.baseUrl}/?edit=2`);
    await act(page, /^Move…/);
    await dialog.getByText("About the museum").last().waitFor();
    expect(await dialog.locator(".choose").allInnerTexts()).toEqual(["Museum of Natural History"]);
    await dialog.getByLabel("Slug").fill("museum");
    await page.keyboard.press("Enter");
    await page.getByText("The page was moved.").waitFor();
    await act(page, /^Retire…/);
    await dialog.getByText("No page links to it.").waitFor();
    const replacement = dialog.getByRole("combobox");
    await replacement.fill("collec");
    await dialog.getByRole("option").filter({ hasText: "Collection" }).first().click();
    await expect.poll(() => replacement.inputValue()).toBe("/collection/");
    await button(dialog, "Retire 1 page").click();
    await page.getByRole("heading", { name: "The page was retired." }).waitFor();
    expect(preview.json("_history.json")["retired"]).toEqual([
      { id: 2, address: "/museum/", to: "/collection/" },
    ]);
    trouble.splice(0, Infinity, ...trouble.filter((text) => !text.includes("404")));
  });
});
