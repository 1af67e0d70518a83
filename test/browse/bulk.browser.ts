import { join } from "node:path";
import { expect, it } from "vitest";
import { build } from "../../build/site/build.ts";
import { BULK_SITE, SITE, workplace } from "../site/site.ts";
import { serveSite, type Served } from "./browser.ts";
import { describeSite } from "./suite.ts";

const place = workplace("browser-bulk");

function serveBulk(): Promise<Served> {
  place.putAll(BULK_SITE);
  return serveSite(place.content, "browser-bulk-out");
}

describeSite("the bulk download on the home page", serveBulk, (site) => {
  /** The home page's text about the download, and whether it requested the index: a preview has none. */
  async function offerOn(status = 200, headers: Record<string, string> = {}) {
    const { page, trouble } = await site.tab();
    let isRequested = false;
    await page.route("**/bulk/index.json", async (route) => {
      isRequested = true;
      await route.fulfill({ status, headers, path: join(site.out, "bulk/index.json") });
    });
    await page.goto(site.base);
    await page.getByRole("region", { name: "The tree of pages" }).waitFor();
    const link = page.getByRole("link", { name: "index", exact: true });
    const isOffered = (await link.count()) > 0;
    const offer = isOffered ? await page.locator("p", { has: link }).innerText() : undefined;
    await page.unrouteAll();
    return { offer, isRequested, trouble: trouble.splice(0).filter((one) => !one.includes(String(status))) };
  }

  it("is offered with its size and, if the host sends one, its date", async () => {
    const before = await offerOn();
    expect(before).toMatchObject({ trouble: [] });
    expect(before.offer).toMatch(
      /^To copy all pages, download 1 ZIP file with 0\.\d+ MB of JSON\. The index lists them\.$/,
    );
    const { offer } = await offerOn(200, { "Last-Modified": "Sun, 22 Nov 2026 23:30:00 GMT" });
    expect(offer).toContain(" of JSON, last changed on 22 November 2026.");
  });

  it("is not offered if its index cannot be read", async () => {
    expect(await offerOn(503)).toEqual({ offer: undefined, isRequested: true, trouble: [] });
  });

  it("is not offered, and not requested, by a site without one", async () => {
    place.put("_site.json", SITE);
    await build({
      content: place.content,
      out: site.out,
      cache: `${site.out}.cache`,
      baseUrl: site.base,
      browse: true,
    });
    expect(await offerOn()).toEqual({ offer: undefined, trouble: [], isRequested: false });
  });
});
