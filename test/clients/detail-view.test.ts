import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DERIVED } from "../../scripts/fuzz/oracle.ts";
import { emptyOf, fieldsOf, wrongFields } from "../response/interface.ts";
import { changesBetween, filesOf, newSources, publish, type Published, type Sources } from "./published.ts";
import { HEATH, HOURS, MARSH, VISIT, writeSmallSite } from "./small-site.ts";

/** Assumptions of clients of Wagtail's API about the detail view of a page, checked against a built and served site. */

type Json = Record<string, unknown>;
type Page = Json & {
  id: number;
  title: string;
  meta: Json & { type: string; parent: (Json & { meta: Json }) | null };
};

let sources: Sources;
let site: Published | undefined;

beforeAll(async () => {
  sources = newSources();
  writeSmallSite(sources);
  site = await publish(sources.folder);
});

afterAll(() => site?.close());

const published = (): Published => {
  if (site === undefined) throw new Error("nothing was published");
  return site;
};

const detailUrl = (id: number): string => `${published().base}/api/v2/pages/${id}/`;
const detail = (id: number): Promise<Response> => fetch(detailUrl(id));
const page = async (id: number): Promise<Page> => (await (await detail(id)).json()) as Page;
const file = (id: number): string => `api/v2/pages/${id}/index.json`;

describe("the detail view of a page", () => {
  it("is JSON without a charset", async () => {
    const response = await detail(10);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/json"]);
  });

  it("has exactly the fields of its type, in the API's order on every level", async () => {
    for (const id of [1, 10, 11, 20, 21, 22]) {
      const found = await page(id);
      expect([...wrongFields(found, fieldsOf(found.meta.type))], `page ${id}`).toEqual([]);
    }
  });

  it("has the id, type and addresses of the page", async () => {
    const { id, title, meta } = await page(10);
    expect([id, title]).toEqual([10, "Visit"]);
    expect(meta).toMatchObject({
      type: "standardpages.GeneralPage",
      detail_url: detailUrl(10),
      html_url: "https://www.example.org/visit/",
      slug: "visit",
      show_in_menus: true,
      seo_title: "Plan a visit",
      search_description: "",
      first_published_at: "2026-03-01T09:00:00+01:00",
    });
  });

  it("has its parent's id, meta and title, as in the parent's own response", async () => {
    for (const id of [10, 11, 20, 21, 22]) {
      const { parent } = (await page(id)).meta;
      if (parent === null) throw new Error(`page ${id} has no parent`);
      const own = await page(Number(parent["id"]));
      expect(parent["title"]).toBe(own.title);
      expect(own.meta).toMatchObject(parent.meta);
    }
  });

  it("has null for the home page's parent, but a slug", async () => {
    const { meta } = await page(1);
    expect([meta.parent, meta["slug"], meta["html_url"]]).toEqual([null, "home", "https://www.example.org/"]);
  });

  it("has null for a missing value instead of leaving out the field", async () => {
    const { meta } = await page(20);
    expect([meta["first_published_at"], meta["alias_of"]]).toEqual([null, null]);
  });

  it("is a 404 in JSON for an unknown id", async () => {
    const response = await detail(99);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([404, "application/json"]);
    expect(await response.json()).toEqual({ message: "No Page matches the given query." });
  });
});

describe("the detail view of an artwork", () => {
  it("has an empty string, false, an empty list or null for each field without a value", async () => {
    const artwork = await page(21);
    const derived = Object.entries(artwork).filter(([name]) => DERIVED.has(`.${name}`));
    const { acno, acquisitionYear, start_year, end_year, mltYear } = MARSH;
    expect(artwork).toEqual({
      ...emptyOf(fieldsOf(artwork.meta.type)),
      ...Object.fromEntries(derived),
      id: 21,
      meta: artwork.meta,
      title: MARSH.title,
      acno,
      acquisitionYear,
      start_year,
      end_year,
      mltYear,
      classification: { id: 6, meta: { type: "" } },
    });
  });

  it("repeats derived values", async () => {
    const plain = await page(21);
    expect([plain["url"], plain["classificationId"], plain["subject_tags"]]).toEqual([
      plain.meta["html_url"],
      6,
      [],
    ]);
    const artwork = await page(22);
    expect(artwork["url"]).toBe(artwork.meta["html_url"]);
    expect(artwork["url"]).toBe("https://www.example.org/art/heath/");
    expect(artwork["classificationId"]).toBe(6);
    expect(artwork["subject_tags"]).toEqual(["heath", "landscape", "heath"]);
  });
});

describe("after a change", () => {
  let before: Map<string, string>;

  beforeEach(async () => {
    writeSmallSite(sources);
    await published().build();
    before = filesOf(published().out);
  });

  /** Changed responses of the API; other tests cover the browse UI and the contract. */
  const changes = (): string[] =>
    changesBetween(before, filesOf(published().out)).filter((name) => name.startsWith("api/"));

  it("only the response of a changed page changes", async () => {
    sources.write("visit/hours.json", { ...HOURS, title: "Hours" });
    await published().build();
    expect((await page(11)).title).toBe("Hours");
    expect(changes()).toEqual([file(11)]);
  });

  it("only the page and its children's parents have a new title", async () => {
    sources.write("visit/index.json", { ...VISIT, title: "Visit us" });
    await published().build();
    expect((await page(11)).meta.parent?.["title"]).toBe("Visit us");
    expect(changes()).toEqual([file(10), file(11)]);
  });

  it("an unpublished page disappears, and comes back", async () => {
    const [live, draft] = [
      join(sources.folder, "art/_d/heath.json"),
      join(sources.folder, "art/_d/_heath.json"),
    ];
    renameSync(live, draft);
    await published().build();
    expect((await detail(22)).status).toBe(404);
    expect(changes()).toEqual([file(22)]);
    renameSync(draft, live);
    await published().build();
    expect((await page(22)).title).toBe(HEATH.title);
  });

  it("a deleted page disappears", async () => {
    rmSync(join(sources.folder, "art/_d/marsh.json"));
    await published().build();
    expect((await detail(21)).status).toBe(404);
    expect(changes()).toEqual([file(21)]);
  });

  it("no response changes if no source has changed", async () => {
    await published().build();
    expect(changes()).toEqual([]);
  });
});
