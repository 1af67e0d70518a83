import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DERIVED } from "../../scripts/fuzz/oracle.ts";
import { emptyOf, fieldsOf, wrongFields } from "../response/interface.ts";
import { newSources, publish, type Published, type Sources } from "./published.ts";
import { MARSH, writeSmallSite } from "./small-site.ts";

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
