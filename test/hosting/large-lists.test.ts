import { describe, expect, it, vi } from "vitest";
import { childrenFiles } from "../../build/outputs/website/children.ts";
import { printIds, printLists } from "../../build/outputs/website/lists.ts";
import { inNode, inWorker } from "./code.ts";

/* Lists of sites that are large for a Worker of a free plan: which are refused, and how much it requests and parses. */

const EVENT = "events.EventPage";

const listing = (total_count: number, ...some: number[]) => ({
  meta: { total_count },
  items: some.map((id) => ({ id })),
});

const idOf = (path: string): string | undefined => /^api\/v2\/pages\/(\d+)\//.exec(path)?.[1];

describe("a site with more than 10,000 pages of a type", () => {
  const ids = Array.from({ length: 12_345 }, (_, k) => 10 + 2 * k);
  const ofWorks = "artworks.ArtworkPage";
  const listed = Object.fromEntries(
    ["", ofWorks, "home.HomePage"].map((type) => [type, { body: ["id"], meta: [], nested: [], filters: {} }]),
  );
  const home = { id: 1, type: "home.HomePage", parent: 0, position: 0, isInMenus: false };
  const files = new Map([
    ...printLists({
      root: 1,
      fields: listed,
      pages: [
        { ...home, slug: "home", title: "Home", first_published_at: null, locale: undefined, filters: {} },
      ],
      large: { [ofWorks]: ids.length },
      above: {},
    }),
    ...printIds([1, ...ids]),
    ...printIds(ids, ofWorks),
  ]);
  const node = inNode((path) => {
    const id = idOf(path);
    return id === undefined ? files.get(path)?.toString() : `{"id": ${id}}`;
  });
  const listOf = async (query: string): Promise<unknown> =>
    JSON.parse((await node(`/api/v2/pages/?${query}`)).body);
  const REFUSED = { message: expect.stringMatching(/^more than 10000 pages/) as string };
  it.each([
    ["limit=2&locale=en", listing(12_346, 1, 10)],
    ["offset=9999&limit=2", listing(12_346, 20_006, 20_008)],
    ["order=-id&limit=1&offset=12345", listing(12_346, 1)],
    [`type=${ofWorks}&offset=9999&limit=2`, listing(12_345, 20_008, 20_010)],
    [`type=${ofWorks}&order=-id&limit=1`, listing(12_345, 24_698)],
    ["type=home.HomePage&order=title&slug=home", listing(1, 1)],
    ["order=title", REFUSED],
    ["slug=home", REFUSED],
    [`type=${ofWorks},home.HomePage`, REFUSED],
    [`type=${ofWorks}&descendant_of=1`, REFUSED],
  ])("lists %s, or refuses it, but never a part of it", async (query, wanted) => {
    expect(await listOf(query)).toEqual(wanted);
  });
});

describe("a site of 10,000 pages on the Worker of the free plan, which makes 50 requests", () => {
  const ids = Array.from({ length: 10_000 }, (_, k) => k + 1);
  const fields = { body: ["id", "title"], meta: ["type", "slug"], nested: [], filters: {} };
  const pageOf = (id: number) => ({
    id,
    type: id === 1 ? "home.HomePage" : EVENT,
    parent: id === 1 ? 0 : id <= 9981 ? 1 : id - 1,
    position: 0,
    isInMenus: id % 7 === 0,
    slug: `page-${id % 5000}`,
    title: `The title of page ${(id * 7919) % 10_000}`,
    first_published_at: new Date(1e12 + id * 1e7).toISOString(),
    locale: undefined,
    filters: { room: `Room ${id % 100}`, tags: [`t${id % 10}`, `t${id % 13}`] },
  });
  const pages = ids.map(pageOf);
  const ofEvents = { ...fields, filters: { room: "text", tags: "texts" } as const };
  const texts = new Map(
    pages.map((one) => [
      one.id,
      JSON.stringify({
        id: one.id,
        title: one.title,
        meta: { ...one, parent: one.parent ? { id: one.parent } : null, show_in_menus: one.isInMenus },
      }),
    ]),
  );
  const families = new Map<number, { id: number; position: number; item: Buffer }[]>();
  for (const { id, parent } of pages)
    families.set(parent, [
      ...(families.get(parent) ?? []),
      { id, position: 0, item: Buffer.from(texts.get(id) ?? "") },
    ]);
  const files = new Map([
    ...printLists({
      root: 1,
      limit: 40,
      fields: { "": fields, "home.HomePage": fields, [EVENT]: ofEvents },
      pages,
      large: {},
      above: {},
    }),
    ...childrenFiles(
      families,
      () => Buffer.alloc(0),
      () => false,
    ),
  ]);
  it.each([
    "",
    "limit=40&fields=*&order=title,-slug,first_published_at",
    `type=${EVENT}&room=Room 7&tags=t7,t1&order=-first_published_at&limit=40&fields=*`,
    "slug=page-7&fields=*",
    `type=${EVENT}&room=Room 7&tags=t7&show_in_menus=false&locale=en&descendant_of=1&order=-first_published_at,title,slug&fields=*`,
    "show_in_menus=true&order=-id&limit=40",
    "child_of=root&limit=40&offset=8980&fields=*",
    "child_of=root&order=title&limit=40&fields=*",
    "child_of=1&show_in_menus=true&slug=page-7",
    "descendant_of=1&order=-title&limit=40&fields=*",
    "ancestor_of=10000&fields=*",
    "locale=en&limit=40&fields=*",
  ])("makes few requests, and parses little, for %s", async (query) => {
    // The first one is for the list's own address.
    let requests = 1;
    const host = inWorker((path) => {
      requests++;
      const id = idOf(path);
      return id === undefined ? files.get(path)?.toString() : texts.get(Number(id));
    });
    const parsing = vi.spyOn(JSON, "parse");
    const { status, body } = await host(`/api/v2/pages/?${query}`);
    expect(requests).toBeLessThanOrEqual(query.includes("limit") ? 50 : 25);
    const parsed = parsing.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
    parsing.mockRestore();
    expect(parsed).toBeLessThan(265_000);
    expect(status).toBe(200);
    expect((JSON.parse(body) as { items: object[] }).items.length).toBeGreaterThan(0);
  });
});
