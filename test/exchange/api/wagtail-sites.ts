import { PROGRAM_FOLDER } from "../../../build/base/folders.ts";
import { readJson } from "../../files.ts";
import type { Page } from "./wagtail.ts";

/* Responses of a Wagtail API, from the facts of its pages. */

const API = "https://api.example.org/api/v2";
const SITE = "https://www.example.org";
const FIRST_ID = 3;

/** What the response of a page has of its own. */
interface Facts {
  type: string;
  title: string;
  fields?: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

const summaryOf = ({ id, meta, title }: Page): object => ({
  id,
  meta: { type: meta.type, detail_url: meta["detail_url"], html_url: meta["html_url"] },
  title,
});

/**
 * Responses by id, from pages by the paths of their addresses; the parent's is the path without its last part. `more` are
 * fields of `meta` that every page has.
 */
export function pagesFrom(pages: Record<string, Facts>, more: object = {}): Map<number, Page> {
  const byPath = new Map<string, Page>();
  for (const [path, { type, title, fields = {}, meta = {} }] of Object.entries(pages)) {
    const i = byPath.size;
    const above = byPath.get(path.replace(/(?:^|\/)[^/]*$/, ""));
    byPath.set(path, {
      id: FIRST_ID + i,
      meta: {
        type,
        detail_url: `${API}/pages/${FIRST_ID + i}/`,
        html_url: `${SITE}/${path === "" ? "" : `${path}/`}`,
        slug: path === "" ? "home" : (path.split("/").at(-1) ?? ""),
        show_in_menus: i % 3 === 1,
        seo_title: "",
        search_description: "",
        first_published_at: "2019-02-10T11:20:35.123456Z",
        alias_of: null,
        parent: path === "" || above === undefined ? null : summaryOf(above),
        ...more,
        ...meta,
      },
      title,
      ...fields,
    });
  }
  return new Map([...byPath.values()].map((page) => [page.id, page]));
}

let blocks = 0;
export const block = (type: string, value: unknown): object => {
  const tail = String(++blocks).padStart(12, "0");
  return { type, value, id: blocks % 7 === 0 ? null : `0f6c4d9e-1111-4222-8333-${tail}` };
};

/** The responses of a site that a real Wagtail project makes, in other words, and the types that the import declares. */
export function siteOf(name: "bakery" | "programme"): { pages: Map<number, Page>; types: object } {
  const { pages, types } = readJson(PROGRAM_FOLDER, `test/exchange/api/sites/${name}.json`) as {
    pages: Record<string, Facts>;
    types: object;
  };
  return { pages: pagesFrom(pages, { locale: "en" }), types };
}
