import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import type { Developing } from "../../build/dev/develop.ts";
import { readHeaders } from "../../build/hosting/conformance.ts";
import { startPreview } from "../dev/preview.ts";
import { workplace, type Workplace } from "../site/site.ts";
import { goTo, launch, missingBrowser, openPage, visit, type Served, type Visit } from "./browser.ts";

/** Tests in a browser. CI must have one, because otherwise the UI would be untested. */
export function describeInBrowser(name: string, suite: (browser: () => Browser) => void, isSkipped = false) {
  const lacksBrowser = missingBrowser !== undefined && process.env["CI"] === undefined;
  describe.skipIf(isSkipped || lacksBrowser)(
    `${name}${missingBrowser === undefined ? "" : ` (${missingBrowser})`}`,
    () => {
      let browser: Browser;
      beforeAll(async () => {
        if (missingBrowser !== undefined) throw new Error(missingBrowser);
        browser = await launch();
      });
      afterAll(() => browser?.close());
      suite(() => browser);
    },
  );
}

/** A built site in a browser. Its tests share a tab, because a new one takes a second. */
export interface BrowsedSite extends Served {
  /** The empty tab. When the test ends, nothing may have gone wrong. */
  tab: () => Promise<Visit>;
  /** Opens a page in the tab, or with `options` in a new window, and waits for its heading. */
  open: (path: string, options?: BrowserContextOptions) => Promise<Visit>;
}

/** Tests of one built site in a browser. Its properties exist when the first test begins. */
export function describeSite(
  name: string,
  serve: () => Promise<Served>,
  suite: (site: BrowsedSite) => void,
  isSkipped = false,
): void {
  describeInBrowser(
    name,
    (browser) => {
      const site = {} as BrowsedSite;
      let shared: Visit | undefined;

      const tab = async (): Promise<Visit> => {
        const { page, trouble, responses } = (shared ??= await visit(browser(), site.base));
        trouble.splice(0);
        responses.clear();
        onTestFinished(async () => {
          expect(trouble).toEqual([]);
          await page.unrouteAll();
          await page.goto("about:blank");
        });
        return shared;
      };
      const open: BrowsedSite["open"] = async (path, options) => {
        const url = site.base + path;
        const visited = options === undefined ? await tab() : await openPage(browser(), url, options);
        if (options === undefined) await goTo(visited.page, url);
        else onTestFinished(() => close(visited));
        return visited;
      };

      beforeAll(async () => {
        Object.assign(site, await serve(), { tab, open });
      });
      afterAll(() => site.close?.());
      suite(site);
    },
    isSkipped,
  );
}

/** The preview of a site in a browser. */
export interface Preview extends Workplace, Developing {
  /** @param others the origins that the page may request besides its own. */
  open: (path: string, options?: BrowserContextOptions, others?: readonly string[]) => Promise<Visit>;
  /** Opens a page that is closed when the test ends: then nothing may have gone wrong, unless the test has closed it. */
  visit: Preview["open"];
}

/** Tests of one preview in a browser. Its properties exist when the first test begins. */
export function describePreview(
  name: string,
  writeSources: (content: string) => void | Promise<void>,
  suite: (preview: Preview) => void,
): void {
  describeInBrowser(name, (browser) => {
    const preview = {} as Preview;
    let running: Developing | undefined;

    beforeAll(async () => {
      const place = workplace("preview");
      await writeSources(place.content);
      const headersFile = join(place.folder, "_headers");
      const own = existsSync(headersFile) && { headersFile, rules: readHeaders(headersFile).rules };
      running = await startPreview(place, own || {});
      const { baseUrl } = running;
      const open: Preview["open"] = (path, ...more) => openPage(browser(), baseUrl + path, ...more);
      Object.assign(preview, place, running, {
        open,
        visit: async (...to: Parameters<Preview["open"]>) => {
          const visited = await open(...to);
          onTestFinished(async () => {
            if (!visited.page.isClosed()) await close(visited);
          });
          return visited;
        },
      });
    });
    afterAll(() => running?.close());

    suite(preview);
  });
}

/** Closes a window in which nothing went wrong. */
async function close({ page, trouble }: Visit): Promise<void> {
  expect(trouble).toEqual([]);
  await page.context().close();
}
