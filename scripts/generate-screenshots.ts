import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PROGRAM_FOLDER, siteFolder } from "../build/base/folders.ts";
import { launch, missingBrowser, openPage, serveSite } from "../test/browse/browser.ts";
import { startPreview } from "../test/dev/preview.ts";
import { workplace } from "../test/site/site.ts";
import { command, CommandError, print } from "./command.ts";

/** The site that a first start shows: the pictures of the documents show the same. */
const SAMPLE_SITE = siteFolder(PROGRAM_FOLDER).content;

interface Shot {
  /** The published site, its preview, or the website of `init --website`. */
  of: "site" | "preview" | "website";
  path: string;
  /** Actions before the screenshot. */
  act?: (page: Page) => Promise<void>;
}

/** The pictures by their names in docs/. */
const SHOTS: Record<string, Shot> = {
  website: { of: "website", path: "/art/artworks/" },
  page: { of: "site", path: "/?page=10112" },
  preview: {
    of: "preview",
    path: "/?page=10",
    // The preview fades while it loads.
    act: async (page) => {
      await page.getByRole("link", { name: "New page" }).waitFor();
      await page.waitForTimeout(1500);
    },
  },
  editor: {
    of: "preview",
    path: "/?edit=10112",
    act: async (page) => {
      const control = page.locator('[data-path="acno"]');
      await control.fill("P0112");
      await page.locator('[data-path="acno"][aria-invalid="true"]').waitFor();
      await control.evaluate((element) => element.scrollIntoView({ block: "center" }));
    },
  },
};

await command(
  {
    name: "generate:screenshots",
    summary: "Opens the browse UI of the sample site in a browser, and writes the pictures of the documents.",
    status: "0 written, 2 it could not be done.",
  },
  {
    "out DIR": "write the pictures to DIR (default: docs)",
    "website URL": "also write a picture of the website there, such as that of dev --website",
  },
  async ({ out = join(PROGRAM_FOLDER, "docs"), website }) => {
    if (missingBrowser !== undefined) throw new CommandError(missingBrowser);
    mkdirSync(out, { recursive: true });
    const site = await serveSite(SAMPLE_SITE, "screenshots");
    const place = workplace("preview");
    cpSync(SAMPLE_SITE, place.content, { recursive: true });
    const preview = await startPreview(place);
    const bases = { site: site.base, preview: preview.baseUrl, website: website?.replace(/\/$/, "") };
    const browser = await launch();
    try {
      for (const [name, { of, path, act }] of Object.entries(SHOTS)) {
        const base = bases[of];
        if (base === undefined) continue;
        const viewport = { width: 1120, height: 700 };
        const { page } = await openPage(browser, base + path, { colorScheme: "light", viewport });
        await act?.(page);
        await page.waitForLoadState("networkidle");
        await page.waitForTimeout(400);
        const file = join(out, `${name}.png`);
        await page.screenshot({ path: file });
        await page.context().close();
        print(`${file}\n`);
      }
    } finally {
      await browser.close();
      await site.close();
      await preview.close();
    }
  },
);
