import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { programModel } from "../../build/model/program-model.ts";
import { typesModule } from "../../build/outputs/contract/types.ts";
import { launch, missingBrowser, serveSite } from "../browse/browser.ts";
import { readJson } from "../files.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { listening } from "../listening.ts";
import { workplace, write } from "../site/site.ts";

const USE = (base: string): string => `
  const pages = [];
  for await (const page of fetchPages("${base}", { fields: ["title"] })) pages.push(page.id);
  const visit = await fetchPageAt("${base}", "/visit/");
  const below = await fetchChildren("${base}", visit.id);
  globalThis.found = { pages: pages.sort((a, b) => a - b), visit: visit.title, below: below.length > 0 };`;

describe.skipIf(missingBrowser !== undefined)("the functions of types in a browser", () => {
  it("read all pages, and those at an address, from another host", async () => {
    const { content } = workplace("functions");
    cpSync(FIXTURE_SITE, content, { recursive: true });
    const site = readJson(content, "_site.json") as object;
    write(content, "_site.json", { ...site, index: true, bulk: true });
    const served = await serveSite(content, "functions-served");
    const { code } = await transform(`${typesModule(programModel)}${USE(served.base)}`, { loader: "ts" });
    const website = await listening(({ url }, response) =>
      url === "/use.js"
        ? response.writeHead(200, { "Content-Type": "text/javascript" }).end(code)
        : response
            .writeHead(200, { "Content-Type": "text/html" })
            .end('<!doctype html><script type="module" src="/use.js"></script>'),
    );
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      // The preview allows requests from other ports of the same name.
      await page.goto(`http://localhost:${website.url.port}/`);
      const found = await page.waitForFunction("globalThis.found").catch(() => undefined);
      expect(errors).toEqual([]);
      const ids = readdirSync(join(served.out, "api/v2/pages")).filter((name) => /^\d+$/.test(name));
      expect(await found?.jsonValue()).toEqual({
        pages: ids.map(Number).sort((a, b) => a - b),
        visit: expect.any(String) as string,
        below: true,
      });
    } finally {
      await browser.close();
      await website.close();
      await served.close();
    }
  });
});
