import { join } from "node:path";
import { PROJECT } from "../build/base/project.ts";
import { launch, missingBrowser, serveSite, visit } from "../test/browse/browser.ts";
import { command, CommandError, type ExitStatus } from "./command.ts";
import { print } from "./output.ts";

const SHOTS = [
  { file: "docs/page.png", path: "/?page=10021", colorScheme: "light", words: "The Three Trees" },
  { file: "docs/search.png", path: "/?q=subject:nature", colorScheme: "dark", words: /nature/ },
] as const;

await command(
  {
    name: "screenshots",
    does: "Looks at the page of the sample site with a browser, and writes the pictures of the README to docs/.",
    status: "0 written, 2 it could not be done.",
  },
  {},
  async (): Promise<ExitStatus> => {
    if (missingBrowser !== undefined) throw new CommandError(missingBrowser);
    const site = await serveSite(join(PROJECT, "content"), "screenshots");
    const browser = await launch();
    try {
      for (const { file, path, colorScheme, words } of SHOTS) {
        const { page } = await visit(browser, site.base, {
          colorScheme,
          viewport: { width: 1120, height: 700 },
        });
        await page.goto(site.base + path);
        await page.getByRole("heading", { level: 1, name: words }).waitFor();
        await page.waitForLoadState("networkidle");
        await page.waitForTimeout(400);
        await page.screenshot({ path: join(PROJECT, file) });
        print(`${file}\n`);
      }
    } finally {
      await browser.close();
      await site.close();
    }
    return 0;
  },
);
