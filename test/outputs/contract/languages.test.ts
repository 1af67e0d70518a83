import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isObject } from "../../../build/source/json/object.ts";
import { build } from "../../../build/site/build.ts";
import { runHere } from "../../command.ts";
import { commit, repository } from "../../change/diff/repository.ts";
import { readJson } from "../../files.ts";
import { general, page, SITE, write, type Workplace } from "../../site/site.ts";
import { isOpenApi, problems, ofResponses, ofSources, STRICT, tsc } from "./validators.ts";

const ONE = { ...SITE, owned_paths: [], index: true };
const TWO = { ...ONE, locales: { en: "English", cy: "Cymraeg" } };
const THREE = { ...ONE, locales: { ...TWO.locales, fr: "Français" } };

const ENGLISH = {
  "_site.json": ONE,
  "index.json": page(1, "home.HomePage", "Home"),
  "visit/index.json": general(2, "Visit"),
  "visit/hours.json": general(3, "Hours"),
};
const WELSH = {
  "_site.json": TWO,
  "cy/index.json": page(11, "home.HomePage", "Hafan"),
  "cy/ymweld.json": {
    ...general(12, "Ymweld"),
    meta: { type: "standardpages.GeneralPage", translation_of: 2 },
  },
};
const FRENCH = { "_site.json": THREE, "fr/index.json": page(21, "home.HomePage", "Accueil") };

const add = ({ content }: Workplace, files: Record<string, unknown>): void => {
  for (const [path, source] of Object.entries(files)) write(content, path, source);
};

/** Refuses members that the description does not name. */
const closed = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    isObject(value) && isObject(value["properties"]) ? { ...value, additionalProperties: false } : value,
  ) as object;

it("describes every member of the files for websites", async () => {
  const place = repository("described-languages", { ...ENGLISH, ...WELSH });
  place.put("_site.json", { ...TWO, index: { limit: 50 } });
  expect((await build(place)).findings).toEqual([]);
  const openapi = place.publishedJson("openapi.json") as { components: { schemas: Record<string, object> } };
  expect(await isOpenApi(openapi)).toBe(true);
  const { ListedPage, ...others } = openapi.components.schemas;
  const errorsOf = (name: string, path: string) => {
    const text = JSON.stringify({ ...others[name], $defs: { ListedPage } });
    const schema = JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")) as object;
    return problems(ofResponses(closed(schema)), place.publishedJson(path));
  };
  expect(errorsOf("WebsiteIndex", "index/index.json")).toEqual([]);
  expect(errorsOf("PageChildren", "index/pages/11.json")).toEqual([]);
});

it("writes the languages into the description again when they change", async () => {
  const place = repository("described-again", { ...ENGLISH, ...WELSH });
  await build(place);
  add(place, FRENCH);
  await build(place);
  const written = place.published("openapi.json");
  rmSync(place.out, { recursive: true });
  await build(place);
  expect(written).toBe(place.published("openapi.json"));
  expect(written).toContain('"fr"');
});

it("names the languages in the types for clients, and translation_of in the schema of sources", async () => {
  const place = repository("typed-languages", { ...ENGLISH, ...WELSH });
  const { content, folder } = place;
  expect(await runHere("types", ["--out", join(folder, "pages.ts"), "--content", content])).toMatchObject({
    status: 0,
  });
  write(folder, "package.json", { type: "module" });
  write(
    folder,
    "use.ts",
    `import type { Page } from "./pages.ts";
     type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
     const codes: Same<Page["meta"]["locale"], "en" | "cy"> = true;
     export const links = (page: Page): string[] =>
       page.meta.translations.map(({ id, title, meta }) => [id, title, meta.locale, meta.html_url].join());
     export default codes;`,
  );
  expect(tsc(folder, ...STRICT, "use.ts")).toBe("");

  await runHere("fix", ["--content", content]);
  const accepts = ofSources(readJson(content, ".schema/page.json"));
  const source = readJson(content, "cy/ymweld.json") as { $schema: string };
  expect(source.$schema).toBe("../.schema/page.json");
  expect(problems(accepts, source)).toEqual([]);
});

const contract = async ({ content }: Workplace) => {
  const { status, stdout } = await runHere("contract", ["--base", "HEAD", "--content", content]);
  return [status, ...stdout.split("\n").filter((line) => /^(?:may break|addition|Checked)/.test(line))];
};
const every = "(every page)";

it("calls the first languages and a new one additions, and a removed one a change that may break clients", async () => {
  const place = repository("contract-languages", ENGLISH);
  add(place, WELSH);
  expect(await contract(place)).toEqual([
    0,
    `addition  “meta.locale” is new ${every}`,
    `addition  “meta.translations” is new ${every}`,
    "Checked against your pages: all 5 still match",
  ]);
  commit(place.folder);
  expect(await contract(place)).toEqual([0, "Checked against your pages: all 5 still match"]);
  add(place, FRENCH);
  expect(await contract(place)).toEqual([
    0,
    `addition  the language “fr” is new ${every}`,
    "Checked against your pages: all 6 still match",
  ]);
  commit(place.folder);
  place.drop("cy");
  place.put("_site.json", { ...THREE, locales: { en: "English", fr: "Français" } });
  expect(await contract(place)).toEqual([
    1,
    expect.stringMatching(/may break “meta.locale” changed: its enum was .*cy/) as string,
    expect.stringMatching(/may break “meta.translations\[\].meta.locale” changed/) as string,
    "Checked against your pages: all 4 still match",
  ]);
  place.put("_site.json", { ...TWO, locales: undefined });
  expect((await contract(place))[0]).toBe(1);
});
