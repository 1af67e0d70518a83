import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../../build/base/folders.ts";
import { runHere } from "../../command.ts";
import { FIXTURE_SITE } from "../../fixtures.ts";
import { scratch } from "../../scratch.ts";
import { STRICT, tsc } from "./validators.ts";

const folder = scratch("types");
const file = join(folder, "pages.ts");

const RIGHT = `
      import { fetchPage, fetchPages, isPage, type ArtworkPage, type HomePage, type Page, type PageType } from "./pages.ts";
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
      for await (const work of fetchPages("https://api.example.org", { type: "artworks.ArtworkPage", fields: ["acno"] })) {
        const acno: string = work.acno;
        const above: "artworks.ArtworkIndexPage" = work.meta.parent.meta.type;
        console.log(acno, above);
      }
      for await (const any of fetchPages("https://api.example.org")) if (isPage(any, "home.HomePage")) console.log(any.title);
      const response: unknown = JSON.parse("{}");
      if (isPage(response, "projects.ProjectPage")) console.log(response.meta.parent.title);`;

const HEAD = `import { fetchPage, fetchPages, isPage, type Page } from "./pages.ts";\ndeclare const page: Page | undefined;\n`;

const MISTAKES: [what: string, line: string][] = [
  ["a page that may be missing", "page.title"],
  ["a work's field on any page", "page!.acno"],
  ["a work's field on another page", 'if (isPage(page, "home.HomePage")) page.acno'],
  ["an unknown type", 'isPage(page, "artworks.Artwork")'],
  ["an unknown field", 'if (isPage(page, "artworks.ArtworkPage")) page.titel'],
  ["the parent of the home page", 'if (isPage(page, "home.HomePage")) page.meta.parent.title'],
  ["a number as a string", 'if (isPage(page, "artworks.ArtworkPage")) page.start_year.trim()'],
  ["null as a string", "page?.meta.first_published_at.slice(0, 4)"],
  ["an unspecified value", 'if (isPage(page, "artworks.ArtworkPage")) page.iiif_info.id'],
  ["an id as a string", 'await fetchPage("https://api.example.org", "1")'],
  ["no address", "await fetchPage(1)"],
  ["a field not asked for", 'for await (const work of fetchPages("", { fields: ["title"] })) work.body'],
  ["a field of another type", 'fetchPages("", { type: "home.HomePage", fields: ["acno"] })'],
];

/** The file with a mistake, which is on its third line. */
const wrongFile = (what: string): string => `${what.replaceAll(/\W/g, "-")}.ts`;

/** All files are compiled together, because loading the compiler's own library takes most of the time. */
let found: string[] = [];
const problems = (name: string): string[] => found.filter((line) => line.startsWith(`${name}(`));

beforeAll(async () => {
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  await runHere("types", ["--out", file, "--content", FIXTURE_SITE]);
  writeFileSync(join(folder, "right.ts"), RIGHT);
  for (const [what, line] of MISTAKES)
    writeFileSync(join(folder, wrongFile(what)), `${HEAD}${line};\nexport {};\n`);
  const names = ["pages.ts", "right.ts", ...MISTAKES.map(([what]) => wrongFile(what))];
  const stricter = ["--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--isolatedModules"];
  found = tsc(folder, ...STRICT, ...stricter, ...names)
    .split("\n")
    .filter((line) => line.includes("error TS"));
});

describe("the module of npx page-api types", () => {
  it("compiles on its own", () => {
    expect(problems("pages.ts")).toEqual([]);
  });

  it("is the same every time, and written only to the file of --out", async () => {
    const before = readFileSync(file, "utf8");
    expect(await runHere("types", ["--out", file, "--content", FIXTURE_SITE])).toMatchObject({ status: 0 });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(await runHere("types", [])).toMatchObject({ status: 2, stdout: "" });
    mkdirSync(join(folder, "folder"));
    expect(
      await runHere("types", ["--out", join(folder, "folder"), "--content", FIXTURE_SITE]),
    ).toMatchObject({ status: 2, stdout: "" });
  });

  it("has types for everything that a client does with it", () => {
    expect(problems("right.ts")).toEqual([]);
  });

  it.each(MISTAKES)("does not compile with %s", (what) => {
    const wrong = wrongFile(what);
    expect(problems(wrong).length).toBeGreaterThan(0);
    expect(problems(wrong).every((problem) => problem.startsWith(`${wrong}(3,`))).toBe(true);
  });
});

describe("a project as tsc --init makes it", () => {
  const project = scratch("types-init");
  const strictest = ["--noEmit", "--noUnusedLocals", "--noUnusedParameters", "--noImplicitReturns"];

  beforeAll(() => {
    writeFileSync(join(project, "package.json"), '{"type": "module"}');
    tsc(project, "--init");
    writeFileSync(join(project, "pages.ts"), readFileSync(file));
  });

  it("compiles the module, with the types of browsers and without them", () => {
    expect(tsc(project, ...strictest)).toBe("");
    expect(tsc(project, ...strictest, "--lib", "esnext")).toBe("");
  });

  it("compiles the examples of the client guide, which use everything that they import", () => {
    const guide = readFileSync(join(PROGRAM_FOLDER, "docs/clients.md"), "utf8");
    const examples = Array.from(guide.matchAll(/```tsx?\n(import \{[^]*?)```/g), ([, text = ""]) => text);
    const names = ["main.ts", "page.tsx", "server.ts"];
    expect(examples).toHaveLength(names.length);
    for (const [k, name] of names.entries())
      writeFileSync(
        join(project, name),
        examples[k]?.replace(/"(?:\$lib|..\/..)\/pages"/, '"./pages.js"') ?? "",
      );
    writeFileSync(
      join(project, "frameworks.d.ts"),
      `declare module "next/navigation" { export const notFound: () => never, permanentRedirect: (to: string) => never }
       declare module "@sveltejs/kit" { export const error: (status: number, text: string) => never, redirect: (status: number, to: string) => never }
       declare namespace JSX { interface IntrinsicElements { [name: string]: object } }`,
    );
    expect(tsc(project, ...strictest, "--jsx", "preserve")).toBe("");
    for (const name of [...names.slice(1), "frameworks.d.ts"]) rmSync(join(project, name));
  });

  it("has a name for each object inside a page, and accepts the signal of an AbortController", () => {
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
    expect(tsc(project, ...strictest)).toBe("");
  });
});
