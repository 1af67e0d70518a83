import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Page,
  type Response,
} from "playwright-core";
import { reserveFreePort } from "../../build/hosting/port.ts";
import { servePages } from "../../build/dev/server.ts";
import { readHeaders } from "../../build/hosting/conformance.ts";
import { build } from "../../build/site/build.ts";
import { scratch } from "../scratch.ts";
import { firstPort } from "../ports.ts";

/** Debian's path of Chromium, which need not be installed. */
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export const missingBrowser = existsSync(CHROMIUM)
  ? undefined
  : `${CHROMIUM} is missing: apt-get install chromium`;

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--no-first-run",
    ],
  });

export interface Served {
  base: string;
  out: string;
  close: () => Promise<void>;
}

/** Builds sources and serves them with the headers of `_headers`. */
export async function serveSite(content: string, name: string, below?: string, headersFile?: string) {
  const { port, release } = await reserveFreePort(firstPort());
  const base = `http://localhost:${port}`;
  const out = join(scratch(name, below), "public");
  const cache = `${out}.cache`;
  const { published } = await build({ content, out, cache, baseUrl: base, browse: true, headersFile });
  if (published === undefined) throw new Error(`${content}: the sources have errors`);
  await release();
  const { rules } = readHeaders(headersFile);
  const server = await servePages({ root: out, rules: () => rules, isReady: async () => true }, port);
  return { base, out, close: server.close };
}

/** An SVG image in place of an image on another host: a different one for each address. */
function picture(address: string): string {
  let hue = 0;
  for (const letter of address) hue = (hue * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  const colour = (turn: number, saturation: number, light: number): string =>
    `hsl(${(hue + turn) % 360} ${saturation}% ${light}%)`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 340"><rect width="480" height="340" fill="${colour(0, 18, 83)}"/><path d="M0 250q120-90 240-30t240-50v170H0z" fill="${colour(10, 20, 50)}"/><path d="M0 290q140-60 260-10t220-30v90H0z" fill="${colour(20, 26, 28)}"/><circle cx="360" cy="90" r="34" fill="${colour(200, 55, 68)}"/></svg>`;
}

export interface Visit {
  page: Page;
  /** Errors, and requests to other hosts. */
  trouble: string[];
  /** The responses of the site, by their URLs. */
  responses: Map<string, Response>;
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Serious violations that axe finds. It runs in an isolated world, because the page's policy blocks other scripts. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, "utf8"));
  return await page.evaluate<string[]>(
    "axe.run().then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target).join(' ')))",
  );
}

/** Number of pixels by which a page is wider than its window. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate<number>("Math.max(0, document.documentElement.scrollWidth - innerWidth)");

/** Records errors that are not visible. @param others other origins to which the site may send requests. */
export async function visit(
  browser: Browser,
  base: string,
  options: BrowserContextOptions = {},
  others: readonly string[] = [],
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  // As `expect.poll`: many times what a wait takes.
  context.setDefaultTimeout(100_000);
  const page = await context.newPage();
  const trouble: string[] = [];
  const responses = new Map<string, Response>();
  page.on("console", (message) => {
    // On a busy machine, the page may need a preloaded file too late for the browser's taste.
    const isLate = message.text().includes("was preloaded using link preload but not used within");
    if (["error", "warning"].includes(message.type()) && !isLate) trouble.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const isOther = (url: URL): boolean => ![base, ...others].includes(url.origin);
  await context.route(isOther, async (route) => {
    const request = route.request();
    if (request.resourceType() !== "image") trouble.push(`asked another host: ${request.url()}`);
    await route.fulfill({ contentType: "image/svg+xml", body: picture(request.url()) });
  });
  page.on("response", (response) => {
    if (response.url().startsWith(base)) responses.set(response.url(), response);
  });
  return { page, trouble, responses };
}

/** Opens a page in a tab, and waits for its heading. */
export async function goTo(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Opens a page of a site in a new window, and waits for its heading. */
export async function openPage(
  browser: Browser,
  url: string,
  options?: BrowserContextOptions,
  others?: readonly string[],
): Promise<Visit> {
  const visited = await visit(browser, new URL(url).origin, options, others);
  await goTo(visited.page, url);
  return visited;
}
