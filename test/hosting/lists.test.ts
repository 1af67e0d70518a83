import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import worker from "../../build/hosting/cloudflare/worker.ts";
import { NOT_FOUND } from "../../build/hosting/paths.ts";
import { respond } from "../../build/hosting/responder.ts";

/** A site with a home page (1), a page (10) with 22 subpages (100 to 121), and a page without any (20). */

const itemOf = (id: number, slug: string, more: object = {}) => ({
  id,
  title: slug,
  meta: {
    type: "standardpages.GeneralPage",
    detail_url: `https://api.example.org/api/v2/pages/${id}/`,
    html_url: `https://www.example.org/${slug}/`,
    slug,
    show_in_menus: false,
    first_published_at: null,
    ...more,
  },
});
const BELOW_HOME = [itemOf(20, "art", { show_in_menus: true }), itemOf(10, "visit")];
const BELOW_VISIT = Array.from({ length: 22 }, (_, i) =>
  itemOf(100 + i, `page-${i}`, i === 3 ? { type: "projects.ProjectPage" } : {}),
);
const ADDRESSES: Record<string, unknown> = {
  "/": 1,
  "/visit/": 10,
  "/art": 20,
  "/plan-your-visit/": { to: "/visit/#hours" },
  "/caf%C3%A9/": { to: "/art" },
  "/shop/": { to: "https://shop.example.org/" },
};
const FILES = new Map<string, unknown>([
  ["index/index.json", { format: 1, pages: 25, digits: 1, root: 1, changed: null }],
  ["index/pages/1.json", { id: 1, children: BELOW_HOME }],
  ["index/pages/10.json", { id: 10, children: BELOW_VISIT }],
]);
for (const digit of "0123456789abcdef") {
  const own = Object.entries(ADDRESSES).filter(
    ([address]) => createHash("sha256").update(address).digest("hex")[0] === digit,
  );
  FILES.set(`index/addresses/${digit}.json`, Object.fromEntries(own));
}

const read = (path: string): string | undefined =>
  FILES.has(path) ? JSON.stringify(FILES.get(path)) : undefined;
const none = () => Promise.resolve(undefined);

async function send(query: string, method = "GET", readFile = read) {
  const response = await respond({ method, target: `/api/v2/pages/${query}` }, [], {
    page: none,
    file: none,
    index: {
      read: (path) => Promise.resolve(readFile(path)),
      isPublished: (id) => Promise.resolve([1, 10, 20].includes(id)),
    },
  });
  return { ...response, json: response.body && (JSON.parse(String(response.body)) as object) };
}
const listed = async (query: string) => (await send(query)).json as { meta: object; items: { id: number }[] };

describe("find", () => {
  it.each([
    ["the home page", "/", 1],
    ["a page", "/visit/", 10],
    ["a page without the last slash", "/visit", 10],
    ["a page of a site without last slashes", "art//", 20],
    ["a former address", "/plan-your-visit/", 10],
    ["a former address with other letters", "/caf%C3%A9/", 20],
    ["the same, encoded twice", "/caf%25C3%25A9/", 20],
  ])("redirects to %s", async (_, path, id) => {
    const { status, headers } = await send(`find/?html_path=${path}&unknown=1`);
    expect([status, headers["Location"]]).toEqual([302, `/api/v2/pages/${id}/`]);
  });

  it.each(["?html_path=/nothing/", "?html_path=/shop/", "?html_path=http://[", ""])(
    "finds no page with “%s”",
    async (query) => {
      const { status, json } = await send(`find/${query}`);
      expect([status, json]).toEqual([404, { message: "not found" }]);
    },
  );
});

describe("a list", () => {
  it("has the pages below a page in the order of the index, as Wagtail sends them", async () => {
    expect(await send("?child_of=1")).toMatchObject({
      status: 200,
      json: { meta: { total_count: 2 }, items: BELOW_HOME },
    });
    expect((await send("?child_of=root")).json).toEqual({ meta: { total_count: 2 }, items: BELOW_HOME });
    expect(await listed("?child_of=20")).toEqual({ meta: { total_count: 0 }, items: [] });
  });

  it.each([
    ["child_of=10", 22, [100, 20]],
    ["child_of=10&offset=20", 22, [120, 2]],
    ["child_of=10&offset=2&limit=3", 22, [102, 3]],
    ["child_of=10&limit=0", 22, [undefined, 0]],
    ["child_of=10&offset=99", 22, [undefined, 0]],
    ["child_of=10&slug=page-7", 1, [107, 1]],
    ["child_of=10&slug=page", 0, [undefined, 0]],
    ["child_of=10&type=projects.ProjectPage", 1, [103, 1]],
    ["child_of=10&type=projects.projectpage,home.HomePage", 1, [103, 1]],
    ["child_of=10&type=wagtailcore.Page", 22, [100, 20]],
    ["child_of=1&show_in_menus=true", 1, [20, 1]],
    ["child_of=1&show_in_menus=0", 1, [10, 1]],
    ["child_of=20&child_of=1", 2, [20, 2]],
  ])("follows %s", async (query, total_count, [first, count]) => {
    const { meta, items } = await listed(`?${query}`);
    expect([meta, items[0]?.id, items.length]).toEqual([{ total_count }, first, count]);
  });

  const UNKNOWN = "query parameter is not an operation or a recognised field: ";
  it.each([
    ["child_of=1&order=title&fields=*", `${UNKNOWN}fields, order`],
    ["__proto__=1", `${UNKNOWN}__proto__`],
    ["child_of=99", "parent page doesn't exist"],
    ["child_of=0", "parent page doesn't exist"],
    ["child_of=-1", "child_of must be a positive integer"],
    ["child_of=home", "child_of must be a positive integer"],
    ["child_of=1&offset=-1", "offset must be a positive integer"],
    ["child_of=1&limit=ten", "limit must be a positive integer"],
    ["child_of=1&type=HomePage", "type doesn't exist"],
    [
      "child_of=1&show_in_menus=yes",
      "field filter error. 'yes' is not a valid value for show_in_menus (expected 'true' or 'false', got 'yes')",
    ],
    ["type=home.HomePage", "listing pages without child_of is not supported"],
  ])("refuses %s", async (query, message) => {
    const { status, json } = await send(`?${query}`);
    expect([status, json]).toEqual([400, { message }]);
  });
});

describe("other requests", () => {
  it.each(["", "?", "find", "find/x", "1/find/?html_path=/"])("responds to “%s” as ever", async (query) => {
    expect(await send(query)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it("responds as ever if the site has no index", async () => {
    for (const query of ["?child_of=1", "find/?html_path=/"])
      expect(await send(query, "GET", () => undefined)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it("allows the same methods as for pages", async () => {
    expect(await send("?child_of=1", "OPTIONS")).toMatchObject({ status: 204 });
    expect(await send("find/?html_path=/", "POST")).toMatchObject({ status: 405 });
  });
});

describe("the Worker before the assets", () => {
  const ASSETS = {
    fetch: (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      const body = pathname === "/api/v2/pages/20/" ? "{}" : read(pathname.slice(1));
      const headers = { "X-From": "_headers" };
      return Promise.resolve(
        new Response(body ?? NOT_FOUND, { status: body === undefined ? 404 : 200, headers }),
      );
    },
  };
  it.each([
    ["?child_of=1", 200],
    ["?child_of=20", 200],
    ["?child_of=99", 400],
    ["find/?html_path=/visit", 302],
    ["find/?html_path=/no", 404],
    ["", 404],
  ])("responds to %s with the headers of the pages", async (query, status) => {
    const response = await worker.fetch(new Request(`https://a.example/api/v2/pages/${query}`), { ASSETS });
    expect([response.status, response.headers.get("X-From")]).toEqual([status, "_headers"]);
    const { body } = await send(query);
    expect(await response.text()).toBe(body ?? "");
  });
});
