import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { forEachConcurrent } from "../build/base/concurrent.ts";
import { PROGRAM_FOLDER, siteFolder } from "../build/base/folders.ts";
import { launch, missingBrowser, openPage, serveSite } from "../test/browse/browser.ts";
import { startPreview } from "../test/dev/preview.ts";
import { workplace } from "../test/site/site.ts";
import { command, CommandError, print } from "./command.ts";
import { valued } from "./usage.ts";

/** The site that a first start shows: the pictures of the documents show the same. */
const SAMPLE_SITE = siteFolder(PROGRAM_FOLDER).content;

interface ShotView {
  path: string;
  /** Actions before the screenshot. */
  act?: (page: Page) => Promise<void>;
}

interface Shot extends ShotView {
  /** The published site, its preview, or the website of `init --website`. */
  of: "site" | "preview" | "website";
  file: string;
  colorScheme: "light" | "dark";
  viewport: { width: number; height: number };
}

const DOCUMENT = { colorScheme: "light", viewport: { width: 1120, height: 700 } } as const;
const SHOTS_OF_DOCUMENTS: Shot[] = [
  { ...DOCUMENT, of: "website", file: join(PROGRAM_FOLDER, "docs/website.png"), path: "/art/artworks/" },
  { ...DOCUMENT, of: "site", file: join(PROGRAM_FOLDER, "docs/page.png"), path: "/?page=10112" },
  {
    ...DOCUMENT,
    of: "preview",
    file: join(PROGRAM_FOLDER, "docs/preview.png"),
    path: "/?page=10",
    // The preview fades while it loads.
    act: async (page) => {
      await page.getByRole("link", { name: "New page" }).waitFor();
      await page.waitForTimeout(1500);
    },
  },
  {
    ...DOCUMENT,
    of: "preview",
    file: join(PROGRAM_FOLDER, "docs/editor.png"),
    path: "/?edit=10112",
    act: async (page) => {
      const control = page.locator('[data-path="acno"]');
      await control.fill("P0112");
      await page.locator('[data-path="acno"][aria-invalid="true"]').waitFor();
      await control.evaluate((element) => element.scrollIntoView({ block: "center" }));
    },
  },
];

/** The views to look at after a change of the browse UI. */
const VIEWS: Record<string, ShotView> = {
  home: { path: "/" },
  search: { path: "/?q=hokusai" },
  nothing: { path: "/?q=nothing-has-this" },
  work: { path: "/?page=10112" },
  page: { path: "/?page=10" },
  unknown: { path: "/?page=999999" },
  tree: {
    path: "/",
    act: async (page) => {
      for (const name of [/^Art and artists:/, /^Artworks:/])
        await page.getByRole("button", { name }).click();
      await page.getByRole("list", { name: "Below Artworks" }).waitFor();
    },
  },
  fields: {
    path: "/?page=10112",
    act: async (page) => {
      await page.getByText("Field reference").click();
      await page.locator(".fields dt").first().waitFor();
    },
  },
};
const SIZES = { phone: { width: 320, height: 640 }, desktop: { width: 1280, height: 900 } };

const shotsOfViews = (folder: string): Shot[] =>
  Object.entries(VIEWS).flatMap(([name, view]) =>
    Object.entries(SIZES).flatMap(([size, viewport]) =>
      (["light", "dark"] as const).map((colorScheme) => {
        const file = join(folder, `${name}-${size}-${colorScheme}.png`);
        return Object.assign({ of: "site" as const, file, colorScheme, viewport }, view);
      }),
    ),
  );

await command(
  {
    name: "generate:screenshots",
    summary:
      "Opens the browse UI of the sample site in a browser, and writes the pictures of the documents to docs/.",
    status: "0 written, 2 it could not be done.",
  },
  {
    out: valued(
      "DIR",
      "write a picture of every view there instead: on a phone and a desktop, light and dark",
    ),
    website: valued("URL", "also write a picture of the website there, such as that of dev --website"),
  },
  async ({ out, website }) => {
    if (missingBrowser !== undefined) throw new CommandError(missingBrowser);
    if (out !== undefined) mkdirSync(out, { recursive: true });
    const site = await serveSite(SAMPLE_SITE, "screenshots");
    const place = workplace("preview");
    cpSync(SAMPLE_SITE, place.content, { recursive: true });
    const preview = await startPreview(place);
    const bases = { site: site.base, preview: preview.baseUrl, website: website?.replace(/\/$/, "") ?? "" };
    const shots =
      out === undefined
        ? SHOTS_OF_DOCUMENTS.filter(({ of }) => of !== "website" || website !== undefined)
        : shotsOfViews(out);
    const browser = await launch();
    try {
      // Concurrently, because each screenshot mostly waits until the page is still.
      await forEachConcurrent(shots, 4, async ({ of, file, path, colorScheme, viewport, act }) => {
        const { page } = await openPage(browser, bases[of] + path, { colorScheme, viewport });
        await act?.(page);
        await page.waitForLoadState("networkidle");
        await page.waitForTimeout(400);
        await page.screenshot({ path: file });
        await page.context().close();
        print(`${file}\n`);
      });
    } finally {
      await browser.close();
      await site.close();
      await preview.close();
    }
  },
);
