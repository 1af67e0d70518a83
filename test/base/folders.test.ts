import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROGRAM_FOLDER, PROGRAM_HEADERS, siteFolder } from "../../build/base/folders.ts";
import { runHere } from "../command.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { scratch } from "../scratch.ts";

function newSite(): string {
  const site = join(scratch("site"), "mu seum");
  cpSync(FIXTURE_SITE, join(site, "content"), { recursive: true });
  return site;
}

/** Runs a function in a folder. */
function inFolder<T>(folder: string, run: () => T): T {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return run();
  } finally {
    process.chdir(before);
  }
}

test("the site folder is the named one, or the nearest one upwards with a site, or the current one", () => {
  const site = newSite();
  mkdirSync(join(site, "other/content"), { recursive: true });
  const empty = scratch("none");
  expect(inFolder(site, siteFolder)).toMatchObject({ site: ".", content: "content", out: "public" });
  expect(inFolder(join(site, "content/visit"), siteFolder)).toMatchObject({
    site: "../..",
    out: "../../public",
  });
  expect(inFolder(join(site, "other"), siteFolder)).toMatchObject({ site: ".." });
  expect(inFolder(empty, siteFolder)).toMatchObject({ site: ".", headersFile: PROGRAM_HEADERS });
  expect(siteFolder(site)).toMatchObject({ site, content: join(site, "content") });
});

const BROKEN = "/api/v2/pages/*\n  Allow: GET\n";

test.each(["build", "check", "hosting", "dev"])("%s reads the site's own _headers", async (name) => {
  const site = newSite();
  writeFileSync(join(site, "_headers"), BROKEN);
  const args = name === "hosting" ? ["nginx"] : [];
  const here = await runHere(name, args, { cwd: join(site, "content", "visit") });
  const there = await runHere(name, [...args, "--site", site]);
  for (const { status, stderr } of [here, there]) {
    expect(status).toBe(1);
    expect(stderr).toContain("_headers:2:10");
  }
});

test("a build writes only below the site folder", async () => {
  const site = newSite();
  const { status, stdout } = await runHere("build", ["--site", site]);
  expect({ status, stdout }).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(join(site, "public")),
  });
  expect(readdirSync(site).sort()).toEqual([".cache", "content", "public"]);
  expect(readFileSync(join(site, "public/_headers"))).toEqual(readFileSync(PROGRAM_HEADERS));
});

test("no code joins the program's folder with the path of a site's file", () => {
  const SITE_FILE = /PROGRAM_FOLDER,\s*(?:"(?:content|public|_|\.preview|\.wrangler|wrangler)|HEADERS_NAME)/;
  const wrong = ["build", "scripts"].flatMap((folder) =>
    readdirSync(join(PROGRAM_FOLDER, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name}`)
      .filter((file) => /\.m?[jt]s$/.test(file))
      .filter((file) => SITE_FILE.test(readFileSync(join(PROGRAM_FOLDER, file), "utf8"))),
  );
  // The program's own `_headers`, for a site without one.
  expect(wrong).toEqual(["build/base/folders.ts"]);
});
