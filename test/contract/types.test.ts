import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT } from "../../build/base/project.ts";
import { runSync } from "../command.ts";
import { scratch } from "../scratch.ts";

const folder = scratch("types");
const file = join(folder, "pages.ts");

const OPTIONS =
  "--ignoreConfig --strict --noEmit --target es2022 --module nodenext --noUncheckedIndexedAccess --exactOptionalPropertyTypes --isolatedModules --allowImportingTsExtensions";

/** What the compiler finds, by lines of `text`. */
function problems(name: string, text?: string): string[] {
  if (text !== undefined) writeFileSync(join(folder, name), text);
  const { stdout } = spawnSync(
    process.execPath,
    [join(PROJECT, "node_modules/typescript/bin/tsc"), ...OPTIONS.split(" "), name],
    { cwd: folder, encoding: "utf8" },
  );
  return stdout.split("\n").filter((line) => line.includes("error TS"));
}

beforeAll(() => {
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  runSync("types", ["--out", file]);
});

describe("the module of npm run types", () => {
  it("compiles alone", () => {
    expect(problems("pages.ts")).toEqual([]);
  });

  it("is the same every time, and written nowhere by itself", () => {
    const before = readFileSync(file, "utf8");
    expect(runSync("types", ["--out", file])).toMatchObject({ status: 0 });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(runSync("types", [])).toMatchObject({ status: 2, stdout: "" });
    mkdirSync(join(folder, "folder"));
    expect(runSync("types", ["--out", join(folder, "folder")])).toMatchObject({ status: 2, stdout: "" });
  });

  it("types what a client does with it", () => {
    const text = `
      import { fetchPage, isPage, type ArtworkPage, type HomePage, type Page, type PageType } from "./pages.ts";
      const page: Page | undefined = await fetchPage("https://api.example.org", 1);
      if (isPage(page, "artworks.ArtworkPage")) {
        const work: ArtworkPage = page;
        const [width, label, url]: [number, string, string] = work.master_images[0]?.sizes[0] ?? [0, "", ""];
        const website: string | null | undefined = work.exhibitions[0]?.exhibitionLegs[0]?.venueWebsiteUrl;
        const level: number | undefined = work.subjects[0]?.level;
        const anything: unknown = work.iiif_info;
        const above: PageType = work.meta.parent.meta.type;
        console.log(width, label, url, website, level, anything, above);
      } else if (isPage(page, "home.HomePage")) {
        const home: HomePage = page;
        const none: null = home.meta.parent;
        console.log(none);
      } else if (page !== undefined) {
        const rest: Exclude<PageType, "artworks.ArtworkPage" | "home.HomePage"> = page.meta.type;
        console.log(rest, page.title);
      }
      const answer: unknown = JSON.parse("{}");
      if (isPage(answer, "projects.ProjectPage")) console.log(answer.meta.parent.title);`;
    expect(problems("right.ts", text)).toEqual([]);
  });

  it.each([
    ["a page that may not be there", "page.title"],
    ["a work's field on any page", "page!.acno"],
    ["a work's field on another page", 'if (isPage(page, "home.HomePage")) page.acno'],
    ["a type that there is not", 'isPage(page, "artworks.Artwork")'],
    ["a field that there is not", 'if (isPage(page, "artworks.ArtworkPage")) page.titel'],
    ["the parent of the home page", 'if (isPage(page, "home.HomePage")) page.meta.parent.title'],
    ["a number as text", 'if (isPage(page, "artworks.ArtworkPage")) page.start_year.trim()'],
    ["null as text", "page?.meta.first_published_at.slice(0, 4)"],
    ["an unspecified value", 'if (isPage(page, "artworks.ArtworkPage")) page.iiif_info.id'],
    ["an id of text", 'await fetchPage("https://api.example.org", "1")'],
    ["no address", "await fetchPage(1)"],
  ])("does not compile with %s", (what, line) => {
    const text = `import { fetchPage, isPage, type Page } from "./pages.ts";\ndeclare const page: Page | undefined;\n`;
    const name = `${what.replaceAll(/\W/g, "-")}.ts`;
    const sound = problems(name, `${text}console.log(fetchPage, isPage, page);\nexport {};\n`);
    expect(sound).toEqual([]);
    const found = problems(name, `${text}${line};\nexport {};\n`);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((problem) => problem.startsWith(`${name}(3,`))).toBe(true);
  });
});

describe("a project as tsc --init makes it", () => {
  const project = scratch("types-init");
  const tsc = (...args: string[]) =>
    spawnSync(process.execPath, [join(PROJECT, "node_modules/typescript/bin/tsc"), ...args], {
      cwd: project,
      encoding: "utf8",
    });
  const strictest = ["--noEmit", "--noUnusedLocals", "--noUnusedParameters", "--noImplicitReturns"];

  beforeAll(() => {
    writeFileSync(join(project, "package.json"), '{"type": "module"}');
    tsc("--init");
    writeFileSync(join(project, "pages.ts"), readFileSync(file));
  });

  it("compiles the module, with the types of browsers and without", () => {
    expect(tsc(...strictest).stdout).toBe("");
    expect(tsc(...strictest, "--lib", "esnext").stdout).toBe("");
  });

  it("compiles the example of the client's guide, which uses all that it imports", () => {
    const guide = readFileSync(join(PROJECT, "docs/clients.md"), "utf8");
    const [, example = ""] = /```ts\n(import \{[^]*?)```/.exec(guide) ?? [];
    expect(example).toContain("fetchPage(");
    writeFileSync(join(project, "main.ts"), example);
    expect(tsc(...strictest).stdout).toBe("");
  });

  it("has a name for each object inside a page, and takes the signal of an AbortController", () => {
    writeFileSync(
      join(project, "main.ts"),
      `import { fetchPage, isPage } from "./pages.js";
      import type { ArtworkPageMeta, Exhibition, ExhibitionLeg, Group, MasterImage, Resource, Subject } from "./pages.js";
      const { signal } = new AbortController();
      const page = await fetchPage("https://api.example.org", 1, { signal });
      await fetchPage("https://api.example.org", 1, { signal: undefined });
      if (isPage(page, "artworks.ArtworkPage")) {
        const meta: ArtworkPageMeta = page.meta;
        const all: [Exhibition[], Group[], Group[], MasterImage[], Resource[], Subject[]] =
          [page.exhibitions, page.groups, page.giftGroups, page.master_images, page.resources, page.subjects];
        const legs: ExhibitionLeg[] = page.exhibitions.flatMap((one) => one.exhibitionLegs);
        const above: "artworks.ArtworkIndexPage" = page.meta.parent.meta.type;
        console.log(meta, all, legs, above);
      }`,
    );
    expect(tsc(...strictest).stdout).toBe("");
  });
});

describe("fetchPage and isPage", () => {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.statusCode = url.endsWith("/3/") ? 200 : url.endsWith("/4/") ? 404 : 500;
    response.end('{"id": 3, "meta": {"type": "home.HomePage"}, "title": "Home"}');
  });
  let base = "";
  let pages: Record<"fetchPage" | "isPage", (...args: unknown[]) => unknown>;

  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    pages = (await import(pathToFileURL(file).href)) as typeof pages;
  });
  afterAll(() => void server.close());

  it("give the page, undefined for a 404, and throw at anything else", async () => {
    const page = await pages.fetchPage(base, 3);
    expect(page).toMatchObject({ id: 3, title: "Home" });
    expect(await pages.fetchPage(`${base}/`, 4)).toBe(undefined);
    await expect(pages.fetchPage(base, 5)).rejects.toThrow("500");
    await expect(pages.fetchPage(base, 6, { signal: AbortSignal.abort() })).rejects.toThrow("abort");
    expect(asked).toEqual([3, 4, 5].map((id) => `/api/v2/pages/${id}/`));
    expect(pages.isPage(page, "home.HomePage")).toBe(true);
    expect(pages.isPage(page, "artworks.ArtworkPage")).toBe(false);
    for (const other of [undefined, null, 1, {}, { meta: null }])
      expect(pages.isPage(other, "home.HomePage")).toBe(false);
  });
});
