// Opens forms of a published site in a browser, each in a new window, and writes the medians of the times from Edit to the
// form, and from a keystroke to its finding: of several pages, then of a work with every field. node scripts/run.mjs
// bench/forms CONTENT OUTPUT COUNT FILE

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { siteFolder } from "../../build/base/folders.ts";
import { Failure } from "../../build/base/failure.ts";
import { servePages } from "../../build/dev/server.ts";
import { reserveFreePort } from "../../build/hosting/port.ts";
import { headersIn } from "../../build/hosting/conformance.ts";
import { build } from "../../build/site/build.ts";
import { ARTWORK } from "./input/site.ts";
import { evenly, leavesOf } from "./input/resize.ts";
import { median } from "./report.ts";
import type { JsonObject } from "../../build/source/json/object.ts";
import { withEveryField } from "../every-field.ts";
import type { Measurement } from "./measure.ts";
import { CHROMIUM } from "./own.ts";
import { configure, headersFor } from "./site.ts";

const [content = "", out = "", count = "", file = ""] = process.argv.slice(2);

const leaves = leavesOf(content);
const first = leaves.find((path) => readFileSync(join(content, path), "utf8").includes(ARTWORK)) ?? "";
/** The source of a work with every field, which takes the place of the first work while the site is built. */
const before = readFileSync(join(content, first), "utf8");
const full = JSON.stringify(withEveryField(JSON.parse(before) as JsonObject, ARTWORK));

const api = await serveSources();
const headers = headersFor(api.origin);
const headersFile = `${out}-headers`;
writeFileSync(headersFile, headers);
const repository = { name: "a/b", web_url: api.origin, api_url: api.origin };
const restore = configure({ content }, { repository });
writeFileSync(join(content, first), full);
try {
  const { published } = await build({ content, out, headersFile, cache: siteFolder().cache, browse: true });
  if (published === undefined) throw new Failure(`${content}: the sources have errors`);
} finally {
  restore();
  writeFileSync(join(content, first), before);
}
const { port, release } = await reserveFreePort(3000);
await release();
const { rules } = headersIn(headers, headersFile);
const server = await servePages({ root: out, rules: () => rules, isReady: () => true }, port);
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});

/** In the page: milliseconds from a click on Edit until the form has been painted. */
const UNTIL_FORM = `new Promise((resolve) => {
  const edit = [...document.querySelectorAll("a")].find(({ textContent }) => textContent === "Edit");
  const start = performance.now();
  new MutationObserver((_, observer) => {
    if (document.querySelector("form.edit-form [data-path=title]") === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  }).observe(document.body, { childList: true, subtree: true });
  edit.click();
})`;

/** In the form: milliseconds from a change of the title until it is marked as wrong. */
const UNTIL_FINDING = `new Promise((resolve) => {
  const title = document.querySelector("[data-path=title]");
  new MutationObserver((_, observer) => {
    if (title.getAttribute("aria-invalid") !== "true") return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  }).observe(title, { attributes: true });
  title.value = "";
  const start = performance.now();
  title.dispatchEvent(new Event("input", { bubbles: true }));
})`;

const several = evenly(
  leaves.filter((path) => path !== first),
  Number(count),
);
const measured = [
  ...(await mediansOf(several)),
  ...(await mediansOf(Array.from({ length: Number(count) }, () => first))),
];
await browser.close();
await server.close();
api.close();
writeFileSync(file, JSON.stringify(measured));

/** The medians of the times until the form and until the finding. */
async function mediansOf(paths: readonly string[]): Promise<Measurement[]> {
  const opened: Awaited<ReturnType<typeof measure>>[] = [];
  for (const path of paths) {
    const { id } = JSON.parse(readFileSync(join(content, path), "utf8")) as { id: number };
    opened.push(await measure(browser, id));
  }
  const memory = Math.max(...opened.map((one) => one.memory));
  return (["form", "finding"] as const).map((what) => ({
    wall: median(opened.map((one) => one[what])) / 1000,
    cpu: 0,
    memory,
  }));
}

async function measure(where: Browser, id: number) {
  const context = await where.newContext();
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/?page=${id}`);
  await page.getByRole("link", { name: "Edit", exact: true }).waitFor();
  await page.waitForLoadState("networkidle");
  const form = (await page.evaluate(UNTIL_FORM)) as number;
  const finding = (await page.evaluate(UNTIL_FINDING)) as number;
  await page.waitForLoadState("networkidle");
  const memory = (await page.evaluate("performance.memory?.usedJSHeapSize ?? 0")) as number;
  await context.close();
  return { form, finding, memory };
}

/** Replaces the API of GitHub, as far as a form needs it: the contents of files. */
async function serveSources(): Promise<{ origin: string; close: () => void }> {
  const cors = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
  const respond = (url: URL, response: ServerResponse): void => {
    const path = decodeURIComponent(url.pathname).replace("/repos/a/b/contents/content/", "");
    const bytes = path === first ? Buffer.from(full) : readFileSync(join(content, path));
    const found = { type: "file", encoding: "base64", size: bytes.length, content: bytes.toString("base64") };
    response.writeHead(200, { ...cors, "Content-Type": "application/json" }).end(JSON.stringify(found));
  };
  const listening = createServer((request, response) => {
    if (request.method === "OPTIONS") response.writeHead(204, cors).end();
    else respond(new URL(request.url ?? "", "http://localhost"), response);
  });
  await once(listening.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  return { origin, close: () => listening.close() };
}
