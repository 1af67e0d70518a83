import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { pathToFileURL } from "node:url";
import { build as bundle } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Developing } from "../../../build/dev/develop.ts";
import { readJson } from "../../files.ts";
import { startPreview } from "../../dev/preview.ts";
import { FIXTURE_SITE } from "../../fixtures.ts";
import { general, page as pageOf, workplace } from "../../site/site.ts";
import { firstPort } from "../../ports.ts";
import { scratch } from "../../scratch.ts";
import { tsc } from "./validators.ts";

/*
 * The tools that read an OpenAPI description, fetched by version when the test runs: they are no dependencies. What is left
 * to a fault of a tool of its own:
 * - orval (zod) does not write the limits and patterns of the elements of a tuple that it refers to, so they are left out.
 * - Spectral and Redocly warn of the slash at the end of a path, and Spectral of a tuple (`prefixItems`), which is OpenAPI 3.1.
 * - Redocly knows no alternatives that differ by a field inside of a field (`meta.type`): a `discriminator` cannot name it.
 * - Prism as a proxy reads the body that a response to HEAD does not have, and follows the redirect of `find/` itself.
 * - @hey-api and orval accept no offset in `date-time` unless they are told to.
 */
const TOOLS: Record<string, string> = {
  tools:
    "zod@4.6.7 openapi-typescript@7.13.0 @hey-api/openapi-ts@0.95.0 orval@7.13.2 typescript@5.9.3 " +
    "@stoplight/prism-cli@5.14.2 @stoplight/spectral-cli@6.16.3 @redocly/cli@2.77.0",
  zod3: "zod@3.25.76 @zodios/core@10.9.6 openapi-zod-client@1.18.3 typescript@5.9.3",
};

const folder = scratch("tools");
const at = (...names: string[]): string => join(folder, ...names);
const run = (tool: string, command: string, ...args: string[]) =>
  spawnSync(at(tool, "node_modules/.bin", command), args, { cwd: at(tool), encoding: "utf8" });

/** @throws Error unless only the registry is missing. */
function isFetched(name: string, packages: string): boolean {
  mkdirSync(at(name));
  writeFileSync(at(name, "package.json"), '{"type": "module", "private": true}');
  const args = `install --no-audit --no-fund --ignore-scripts --legacy-peer-deps ${packages}`.split(" ");
  const { status, stderr } = spawnSync("npm", args, { cwd: at(name), encoding: "utf8" });
  if (status !== 0 && !/E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NOTCACHED)/.test(stderr))
    throw new Error(stderr);
  return status === 0;
}

const areFetched = Object.entries(TOOLS).every(([name, packages]) => isFetched(name, packages));
if (!areFetched) console.warn("SKIPPED: the tests of generators, because npm's registry cannot be reached");

interface Schema {
  safeParse: (page: unknown) => { success: boolean; data?: unknown; error?: unknown };
}

describe.runIf(areFetched)("tools that read openapi.json", () => {
  const place = workplace("described");
  let developing: Developing;
  let pages: { id: number }[];

  beforeAll(async () => {
    cpSync(FIXTURE_SITE, place.content, { recursive: true });
    const site = place.json("_site.json") as object;
    place.putAll({
      "_site.json": { ...site, index: true, locales: { en: "English", cy: "Cymraeg" } },
      "cy/index.json": pageOf(9001, "home.HomePage", "Hafan"),
      "cy/visit/index.json": general(9010, "Ymweld"),
    });
    developing = await startPreview(place);

    const pagesFolder = join(place.out, "api/v2/pages");
    pages = readdirSync(pagesFolder)
      .filter((name) => /^\d+$/.test(name))
      .map((id) => readJson(pagesFolder, id, "index.json") as { id: number });
    const description = await (await fetch(`${developing.baseUrl}/openapi.json`)).text();
    for (const name of Object.keys(TOOLS)) writeFileSync(at(name, "openapi.json"), description);
  });
  afterAll(() => developing.close());

  const OPTIONS =
    "--ignoreConfig --strict --noEmit --target es2022 --module esnext --moduleResolution bundler --skipLibCheck --lib es2022,dom,dom.iterable";

  /** Generates, compiles and parses every page: the same pages come out, without a field less. */
  async function parse(tool: string, file: string, pick: (module: Record<string, unknown>) => unknown) {
    expect(tsc(at(tool), ...OPTIONS.split(" "), "--types", "", file)).toBe("");
    const outfile = at(tool, `${file.replaceAll(/\W/g, "-")}.mjs`);
    await bundle({
      entryPoints: [at(tool, file)],
      outfile,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
    });
    const schema = pick((await import(pathToFileURL(outfile).href)) as Record<string, unknown>) as Schema;
    const refused = pages.flatMap((page) => {
      const { success, data, error } = schema.safeParse(page);
      return success && isDeepStrictEqual(data, page) ? [] : [[page.id, error ?? "lost a field"]];
    });
    expect(refused).toEqual([]);
    expect(pages.length).toBeGreaterThan(25);
    expect(schema.safeParse({ ...pages[0], title: 3 }).success).toBe(false);
  }

  it("openapi-typescript writes types that compile", () => {
    expect(run("tools", "openapi-typescript", "openapi.json", "-o", "types.ts").status).toBe(0);
    expect(tsc(at("tools"), ...OPTIONS.split(" "), "--types", "", "types.ts")).toBe("");
  });

  it("@hey-api/openapi-ts writes a client that compiles, and schemas that accept every page", async () => {
    const plugins = `["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk", {name: "zod", dates: {offset: true}}]`;
    writeFileSync(
      at("tools/hey.config.mjs"),
      `export default { input: "./openapi.json", output: "./hey", plugins: ${plugins} };`,
    );
    expect(run("tools", "openapi-ts", "-f", "hey.config.mjs").status).toBe(0);
    expect(tsc(at("tools"), ...OPTIONS.split(" "), "--types", "", "hey/sdk.gen.ts")).toBe("");
    await parse("tools", "hey/zod.gen.ts", ({ zPage }) => zPage);
  });

  it("orval writes a client that compiles, and schemas that accept every page", async () => {
    writeFileSync(
      at("tools/orval.config.cjs"),
      `const loosen = (value) => {
         if (typeof value !== "object" || value === null) return value;
         for (const one of value.prefixItems ?? [])
           for (const limit of ["minimum", "maximum", "pattern"]) delete one[limit];
         Object.values(value).forEach(loosen);
         return value;
       };
       module.exports = {
         fetch: { input: "./openapi.json", output: { target: "./orval.ts", client: "fetch", mode: "single" } },
         zod: {
           input: { target: "./openapi.json", override: { transformer: loosen } },
           output: { target: "./orval-zod.ts", client: "zod", mode: "single", override: { zod: { dateTimeOptions: { offset: true } } } },
         },
       };`,
    );
    expect(run("tools", "orval", "--config", "./orval.config.cjs").status).toBe(0);
    expect(tsc(at("tools"), ...OPTIONS.split(" "), "--types", "", "orval.ts")).toBe("");
    await parse("tools", "orval-zod.ts", ({ getPageResponse }) => getPageResponse);
  });

  it("openapi-zod-client writes schemas that accept every page", async () => {
    const { status } = run(
      "zod3",
      "openapi-zod-client",
      "openapi.json",
      "-o",
      "client.ts",
      "--export-schemas",
    );
    expect(status).toBe(0);
    await parse("zod3", "client.ts", ({ schemas }) => (schemas as Record<string, unknown>)["Page"]);
  });

  it("Spectral and Redocly have no complaint beside their own faults", () => {
    writeFileSync(at("tools/rules.json"), '{"extends": ["spectral:oas"]}');
    const { stdout } = run("tools", "spectral", "lint", "openapi.json", "-r", "rules.json", "-f", "json");
    const found = (JSON.parse(stdout) as { code: string }[]).map(({ code }) => code);
    expect(new Set(found)).toEqual(
      new Set(["info-contact", "path-keys-no-trailing-slash", "operation-description", "array-items"]),
    );
    const linted = run(
      "tools",
      "redocly",
      "lint",
      "--extends",
      "recommended",
      "--format",
      "json",
      "openapi.json",
    );
    const { problems } = JSON.parse(linted.stdout) as { problems: { ruleId: string }[] };
    expect(new Set(problems.map(({ ruleId }) => ruleId))).toEqual(
      new Set([
        "no-path-trailing-slash",
        "no-server-example.com",
        "no-illogical-composition-keywords",
        "operation-2xx-response",
        "operation-4xx-response",
      ]),
    );
  });

  const PATHS = [
    "/api/v2/pages/",
    "/api/v2/pages/?type=artworks.ArtworkPage&fields=*&order=-first_published_at&limit=2",
    "/api/v2/pages/?child_of=root&fields=title",
    "/api/v2/pages/find/?html_path=/visit/",
    "/index/index.json",
  ];

  it.each(["mock", "proxy"])("Prism as a %s finds no violation", async (way) => {
    const port = String(firstPort());
    const more = way === "mock" ? [] : [developing.baseUrl, "--errors"];
    const prism = spawn(
      process.execPath,
      [at("tools/node_modules/@stoplight/prism-cli/dist/index.js"), way, "openapi.json", ...more, "-p", port],
      { cwd: at("tools"), stdio: ["ignore", "pipe", "pipe"] },
    );
    try {
      await new Promise<void>((resolve) => {
        prism.stdout.on("data", (text: Buffer) => text.includes("listening") && resolve());
      });
      const isMock = way === "mock";
      const ids = isMock ? [1] : pages.map(({ id }) => id);
      const paths = [...ids.map((id) => `/api/v2/pages/${id}/`), ...PATHS].filter(
        (path) => isMock || !path.includes("/find/"),
      );
      const methods = isMock ? ["GET", "HEAD", "OPTIONS"] : ["GET", "OPTIONS"];
      const violations: string[] = [];
      for (const path of paths)
        for (const method of path.startsWith("/api") ? methods : ["GET"]) {
          const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: "manual" });
          const { status, headers } = response;
          if (status >= 400 || headers.has("sl-violations"))
            violations.push(
              `${method} ${path} ${status} ${headers.get("sl-violations") ?? ""} ${(await response.text()).slice(0, 500)}`,
            );
        }
      expect(violations).toEqual([]);
    } finally {
      prism.kill();
    }
  });
});
