import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { forEachConcurrent } from "../build/base/concurrent.ts";
import { PROJECT } from "../build/base/project.ts";
import { develop, type Developing } from "../build/dev/develop.ts";
import { holdFreePort } from "../build/hosting/port.ts";
import { readHeaders } from "../build/hosting/read.ts";
import { launch, missingBrowser, serveSite, visit } from "../test/browse/browser.ts";
import { scratch } from "../test/scratch.ts";
import { command, CommandError, type ExitStatus } from "./command.ts";
import { print } from "./output.ts";

/** The site that a first start shows: the pictures of the documents show the same. */
const SAMPLE_SITE = join(PROJECT, "content");

interface Shot {
  file: string;
  path: string;
  colorScheme: "light" | "dark";
  viewport: { width: number; height: number };
  /** Actions before the screenshot. */
  act?: ((page: Page) => Promise<void>) | undefined;
}

// internal: people look at the pictures
const DOCUMENT = { width: 1120, height: 700 };
const SHOTS_OF_DOCUMENTS: Shot[] = [
  { file: "docs/page.png", path: "/?page=10112", colorScheme: "light", viewport: DOCUMENT },
];
/** Those of `npm run dev`. */
const SHOTS_OF_PREVIEW: Shot[] = [
  {
    file: "docs/preview.png",
    path: "/?page=10",
    colorScheme: "light",
    viewport: DOCUMENT,
    // The preview fades while it loads.
    act: async (page) => {
      await page.getByRole("link", { name: "New page" }).waitFor();
      await page.waitForTimeout(1500);
    },
  },
  {
    file: "docs/editor.png",
    path: "/?edit=10112",
    colorScheme: "light",
    viewport: DOCUMENT,
    act: async (page) => {
      const control = page.locator('[data-path="acno"]');
      await control.fill("P0112");
      await page.locator('[data-path="acno"][aria-invalid="true"]').waitFor();
      await control.evaluate((element) => element.scrollIntoView({ block: "center" }));
    },
  },
];

/** The views to look at after a change of the browse UI. */
const VIEWS: Record<string, Pick<Shot, "path" | "act">> = {
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
// internal: people look at the pictures
const SIZES = { phone: { width: 320, height: 640 }, desktop: { width: 1280, height: 900 } };

const shotsIn = (folder: string): Shot[] =>
  Object.entries(VIEWS).flatMap(([name, { path, act }]) =>
    Object.entries(SIZES).flatMap(([size, viewport]) =>
      (["light", "dark"] as const).map((colorScheme) => {
        const file = join(folder, `${name}-${size}-${colorScheme}.png`);
        return { file, path, act, colorScheme, viewport };
      }),
    ),
  );

/** The preview of the fixture site, in a folder of its own. */
async function servePreview(): Promise<Developing> {
  const folder = scratch("preview");
  const content = join(folder, "content");
  cpSync(SAMPLE_SITE, content, { recursive: true });
  const { port, release } = await holdFreePort(19_700);
  await release();
  return develop({
    content,
    out: join(folder, "public"),
    cache: join(folder, "cache"),
    port,
    rules: readHeaders().rules,
    onBuilt: () => undefined,
    onTrouble: () => undefined,
  });
}

const at = (base: string, shots: Shot[]) => shots.map((shot) => Object.assign(shot, { base }));

await command(
  {
    name: "generate:screenshots",
    summary:
      "Opens the browse UI of the sample site in a browser, and writes the pictures of the documents to docs/.",
    status: "0 written, 2 it could not be done.",
  },
  {
    out: {
      type: "string",
      value: "DIR",
      description: "write a picture of every view there instead: on a phone and a desktop, light and dark",
    },
  },
  async ({ out }): Promise<ExitStatus> => {
    if (missingBrowser !== undefined) throw new CommandError(missingBrowser);
    if (out !== undefined) mkdirSync(out, { recursive: true });
    const site = await serveSite(SAMPLE_SITE, "screenshots");
    const preview = await servePreview();
    const shots =
      out === undefined
        ? [...at(site.base, SHOTS_OF_DOCUMENTS), ...at(preview.baseUrl, SHOTS_OF_PREVIEW)].map((shot) =>
            Object.assign(shot, { file: join(PROJECT, shot.file) }),
          )
        : at(site.base, shotsIn(out));
    const browser = await launch();
    try {
      // Concurrently, because each screenshot mostly waits until the page is still.
      await forEachConcurrent(shots, 4, async ({ base, file, path, colorScheme, viewport, act }) => {
        const { page } = await visit(browser, base, { colorScheme, viewport });
        await page.goto(base + path);
        await page.getByRole("heading", { level: 1 }).waitFor();
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
    return 0;
  },
);
