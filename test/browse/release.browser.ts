import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { build } from "../../build/site/build.ts";
import { general, page, SITE, workplace } from "../site/site.ts";
import { serveSite, type Served } from "./browser.ts";
import { describeSite } from "./suite.ts";

/** Navigates within the tab, as a link of the browse UI does. */
const goTo = (tab: Page, address: string): Promise<unknown> =>
  tab.evaluate(
    `{ const link = document.createElement("a"); link.href = ${JSON.stringify(address)}; document.querySelector("main").append(link); link.click(); }`,
  );
const heading = (tab: Page, name: string): Promise<void> =>
  tab.getByRole("heading", { level: 1, name, exact: true }).waitFor();

const place = workplace("browser-release");

function serveFirst(): Promise<Served> {
  place.put("_site.json", SITE);
  place.put("index.json", page(1, "home.HomePage", "Home"));
  place.put("visit/index.json", general(2, "Visit"));
  return serveSite(place.content, "browser-release-out");
}

describeSite("a tab that was open during a release", serveFirst, (site) => {
  const buildAgain = (): Promise<unknown> =>
    build({ ...place, out: site.out, cache: `${site.out}.cache`, baseUrl: site.base, browse: true });

  // In the first release the number of data files stays the same; in the second it grows.
  it.each([3, 300])("shows new pages, and reports removed ones: %i", async (count) => {
    const { page: tab, trouble } = await site.open("/?page=2");
    await heading(tab, "Visit");
    await goTo(tab, `/?page=${count * 1000}`);
    await heading(tab, `No page has the id ${count * 1000}`);
    await goTo(tab, "/?q=room");
    await heading(tab, "Nothing found");

    const rooms = Array.from({ length: count }, (_, k) => count * 1000 + 64 * k);
    for (const id of rooms) place.put(`visit/room-${id}.json`, general(id, `Room ${id}`));
    await buildAgain();
    await goTo(tab, `/?page=${rooms.at(-1)}`);
    await heading(tab, `Room ${rooms.at(-1)}`);
    await goTo(tab, "/?q=room");
    await heading(tab, `${count} pages`);
    await tab.getByRole("searchbox").fill(`room ${rooms[0]}`);
    await heading(tab, "1 page");

    for (const id of rooms) place.drop(`visit/room-${id}.json`);
    await buildAgain();
    await goTo(tab, `/?page=${rooms.at(-1)}`);
    await heading(tab, `No page has the id ${rooms.at(-1)}`);
    expect(trouble.splice(0).filter((line) => !line.includes("404"))).toEqual([]);
  });
});
