import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { general, page as source, SITE, workplace, writeSite } from "../site/site.ts";
import { serveSite, type Served, type Visit } from "./browser.ts";
import { describeSite } from "./suite.ts";

/** A data file that the list needs, but not its first batch of 60 pages. */
const LATER = "**/browse/records/1.json";

const entries = (page: Page) => page.getByRole("list", { name: "Subpages" }).getByRole("link");
const more = (page: Page) => page.getByRole("button", { name: /^Show \d+ more/ });
const isError = (line: string): boolean => line.startsWith("error: ");

async function serveRooms(): Promise<Served> {
  const { content } = workplace("browser-list");
  const rooms = Array.from({ length: 200 }, (_, k) => [
    `rooms/r${k}.json`,
    general(1000 + k, `Room ${k + 1}`),
  ]);
  writeSite(content, {
    "_site.json": SITE,
    "index.json": source(1, "home.HomePage", "Home"),
    "rooms/index.json": general(2, "Rooms"),
    ...Object.fromEntries(rooms),
  });
  return await serveSite(content, "browser-list-site");
}

describeSite("a long list in the browse UI", serveRooms, (site) => {
  const open = async (): Promise<Visit> => {
    const visited = await site.open("/?page=2");
    await more(visited.page).waitFor();
    expect(await entries(visited.page).count()).toBe(60);
    return visited;
  };

  it("is continued by another press if a request failed", async () => {
    const { page, trouble } = await open();
    await page.route(LATER, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed");
    await more(page).click();
    await failed;
    await expect.poll(() => more(page).isEnabled()).toBe(true);
    expect(await entries(page).count()).toBe(60);
    await page.unroute(LATER);
    await more(page).click();
    await expect.poll(() => entries(page).count()).toBe(120);
    expect(await entries(page).allInnerTexts()).toContain("Room 120\nGeneral page");
    expect(trouble.splice(0).filter(isError)).toEqual([]);
  });

  it("is shown after Back even if a part of it cannot be loaded again", async () => {
    const { page, trouble } = await open();
    await more(page).click();
    await expect.poll(() => entries(page).count()).toBe(120);
    await entries(page).first().click();
    await page.getByRole("heading", { level: 1, name: "Room 1", exact: true }).waitFor();
    // The cached data are too old.
    await page.evaluate("{ const { now } = Date; Date.now = () => now() + 61_000; }");
    await page.route(LATER, (route) => route.abort());
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Rooms", exact: true }).waitFor();
    expect(await entries(page).count()).toBe(60);
    await page.unroute(LATER);
    await more(page).click();
    await expect.poll(() => entries(page).count()).toBe(120);
    expect(trouble.splice(0).filter(isError)).toEqual([]);
  });
});
