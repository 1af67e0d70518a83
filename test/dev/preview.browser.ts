import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describePreview } from "../browse/suite.ts";
import { general, page as projects, write, writeSite } from "../site/site.ts";

const title = (page: Page, name: string): Promise<void> =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const panel = (page: Page) => page.getByRole("region", { name: "Preview", exact: true });

/** Sources with enough pages to scroll through. */
function writeSources(content: string): void {
  writeSite(content);
  for (let k = 0; k < 100; k++) write(content, `many/page-${k}.json`, general(500 + k, `Many ${k}`));
  write(content, "many/index.json", general(499, "Many"));
}

describePreview("the browse UI while pages are edited", writeSources, (preview) => {
  it("shows drafts, labelled, at their future addresses", async () => {
    const { page } = await preview.visit("/");
    const tree = page.getByRole("list", { name: "Pages of the site" });
    await tree.getByText("Draft", { exact: true }).waitFor();
    await page.getByRole("searchbox").fill("draft");
    await page.getByRole("list", { name: "Results" }).getByRole("link", { name: "A draft" }).click();
    await title(page, "A draft");
    expect(new URL(page.url()).search).toBe("?page=3");
    await page.getByRole("article").getByText("Draft", { exact: true }).waitFor();
    const response = page.getByRole("region", { name: "Response" });
    expect(await response.innerText()).not.toContain('"slug": "news"');
    await response.getByText("Raw JSON").click();
    expect(await response.innerText()).toContain('"slug": "news"');
  });

  it("follows every save, and shows a page with errors in its last valid version", async () => {
    const { page } = await preview.visit("/?page=11");
    await title(page, "Café");
    preview.put("visit/cafe.json", general(11, "Coffee"));
    await title(page, "Coffee");
    preview.put("visit/cafe.json", { ...general(11, "Tea"), colour: "green" });
    await panel(page).getByText("This page has errors").waitFor();
    expect(await panel(page).innerText()).toContain("visit/cafe.json:7:3");
    await title(page, "Coffee");
    preview.put("visit/cafe.json", general(11, "Tea"));
    await title(page, "Tea");
    expect(await panel(page).innerText()).not.toContain("error");
    // A new draft appears without a reload.
    preview.put("visit/_quiet.json", general(60, "Quiet"));
    await page.getByRole("searchbox").fill("quiet");
    await page.getByRole("list", { name: "Results" }).getByText("Draft", { exact: true }).waitFor();
  });

  it("shows a page that loads slowly while saves arrive, and then no longer as loading", async () => {
    const { page } = await preview.open("/");
    const isSeen = page.locator("main[aria-busy=true]").waitFor();
    await page.route("**/api/v2/pages/10/", async (route) => {
      await isSeen;
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    await page.getByRole("link", { name: "Visit", exact: true }).first().click();
    await isSeen;
    preview.put("visit/cafe.json", general(11, "Saved meanwhile"));
    await page.getByText("Saved meanwhile").waitFor();
    await expect.poll(() => page.locator("main").getAttribute("aria-busy")).toBeNull();
    await page.waitForTimeout(800);
    expect(await page.locator("main").getAttribute("aria-busy")).toBeNull();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.context().close();
  });

  it("keeps the reader's position after every save", async () => {
    const marsh = "works/_a/marsh.json";
    preview.put(marsh, { ...preview.json(marsh), medium: "Ink" });
    const { page } = await preview.visit("/");
    await page
      .getByRole("list", { name: "Edited last" })
      .locator("li:first-child", { hasText: "Marsh" })
      .waitFor();
    const tree = page.getByRole("region", { name: "The tree of pages" });
    await page.getByRole("button", { name: /^Visit:/ }).click();
    await page.getByRole("button", { name: /^Rooms:/ }).click();
    await page.getByRole("button", { name: /^Many:/ }).click();
    await page.getByRole("button", { name: /^Show 40 more/ }).click();
    await tree.getByRole("link", { name: "Many 99" }).focus();
    await tree.getByRole("link", { name: "Many 50" }).scrollIntoViewIfNeeded();
    const top = await page.evaluate("scrollY");
    expect(top).toBeGreaterThan(0);
    await page.evaluate("shown = 0; document.addEventListener('shown', () => shown++)");
    // A change of an invisible part does not replace any element.
    preview.put(marsh, { ...preview.json(marsh), medium: "Ink and wash" });
    await page.waitForResponse((reply) => reply.url().endsWith("/browse/live.json"));
    preview.put("visit/rooms/two.json", general(15, "Room three"));
    await tree.getByRole("link", { name: "Room three" }).waitFor();
    expect(await page.evaluate("scrollY")).toBe(top);
    await tree.getByRole("link", { name: "Many 99" }).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Many 99");
    expect(await page.evaluate("shown")).toBe(1);
  });

  it("keeps open the branches that readers open while a save is loading", async () => {
    const { page } = await preview.visit("/");
    const visited = page.getByRole("button", { name: /^Visit:/ });
    await visited.waitFor();
    const gate: { open?: () => void } = {};
    const held = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    await page.route("**/browse/site.json", async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest("**/browse/site.json");
    preview.put("projects/index.json", projects(20, "projects.ProjectIndexPage", "Our projects"));
    await asked;
    await visited.click();
    gate.open?.();
    await page.getByRole("link", { name: "Our projects" }).first().waitFor();
    await page.getByRole("button", { name: /^Rooms:/ }).waitFor();
    expect(await visited.getAttribute("aria-expanded")).toBe("true");
  });

  const statusOf = async (id: number) => (await fetch(`${preview.baseUrl}/api/v2/pages/${id}/`)).status;

  it("shows the whole site as of another instant, and as it is now again", async () => {
    const meta = { type: "standardpages.GeneralPage", go_live_at: "2999-03-01T09:00:00Z" };
    preview.put("fair/index.json", { ...general(70, "Fair"), meta });
    preview.put("fair/stalls.json", general(71, "Stalls"));
    const { page } = await preview.visit("/?page=71");
    await title(page, "Stalls");
    const mark = page.getByRole("article").getByText("Not live", { exact: true });
    await mark.waitFor();
    expect(await statusOf(71)).toBe(404);
    await page.getByText("The API will return this response once the page is published.").waitFor();
    const drafts = await panel(page)
      .getByText(/^\d+ drafts?$/)
      .innerText();
    await panel(page).getByText("2 pages not live", { exact: true }).click();
    await panel(page).getByText("fair/stalls.json: live from 1 March 2999, 09:00 UTC").waitFor();

    const { page: home } = await preview.open("/");
    const lead = home.getByText(/^All \d+ pages of this website/);
    const pagesAtHome = async (): Promise<number> => Number(/\d+/.exec(await lead.innerText())?.[0]);
    const byType = await home.getByRole("list", { name: "Pages by type" }).locator("strong").allInnerTexts();
    const livePages = byType.reduce((sum, count) => sum + Number(count), 0);
    expect(await pagesAtHome()).toBe(livePages);
    const next = home.getByRole("list", { name: "Next to go live or expire" });
    await next.getByText("Fair goes live on 1 March 2999, 09:00 UTC", { exact: true }).waitFor();
    await home.getByRole("list", { name: "Edited last" }).getByRole("link", { name: "Fair" }).waitFor();
    await home.getByText("No page has errors.").waitFor();

    const asOf = panel(page).getByLabel("As of");
    await asOf.fill("2999-06-01T12:00:00");
    await asOf.blur();
    await mark.waitFor({ state: "detached" });
    expect(await statusOf(71)).toBe(200);
    await expect.poll(pagesAtHome).toBe(livePages + 2);
    await home.context().close();
    const facts = page.getByRole("article").getByRole("definition");
    await facts.getByText("from 1 March 2999, 09:00 UTC", { exact: true }).waitFor();
    // Another tab shows the same instant, in the zone of the browser.
    const other = await preview.open("/?page=70");
    expect(await panel(other.page).getByLabel("As of").inputValue()).toMatch(/^2999-06-01T12:00/);
    await other.page.context().close();

    // The control takes years of four digits only, and returns to the instant that is shown.
    await asOf.fill("12999-06-01T12:00");
    await asOf.blur();
    await expect.poll(() => asOf.inputValue()).toMatch(/^2999-06-01T12:00/);

    await asOf.fill("");
    await asOf.blur();
    await mark.waitFor();
    expect(await statusOf(71)).toBe(404);

    const past = { type: "standardpages.GeneralPage", expire_at: "2020-01-01T00:00:00Z" };
    preview.put("over.json", { ...general(72, "Over"), meta: past });
    await panel(page).getByText("3 pages not live", { exact: true }).waitFor();
    await panel(page).getByText("over.json: expired on 1 January 2020, 00:00 UTC").waitFor();
    expect(
      await panel(page)
        .getByText(/^\d+ drafts?$/)
        .innerText(),
    ).toBe(drafts);
    await panel(page).getByRole("link", { name: "Over" }).click();
    await title(page, "Over");
    await page.getByRole("article").getByText("Expired", { exact: true }).waitFor();
    await page.getByText("This page has expired; the API no longer returns it.").waitFor();
  });

  it("reports that the preview has stopped", async () => {
    const { page } = await preview.open("/?page=2");
    await preview.close();
    await panel(page).getByText("The preview has stopped").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("About");
    await page.context().close();
  });
});
