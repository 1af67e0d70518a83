import { expect, it } from "vitest";
import { printMembers } from "../../build/base/website.ts";
import worker from "../../build/hosting/cloudflare/worker.ts";
import { parseListen } from "../../build/hosting/listen.ts";
import { respondList } from "../../build/hosting/lists.ts";

const port = (number: number) => parseListen(`127.0.0.1:${number}`)?.port;

it("a port is between 1 and 65,535", () => {
  expect([port(0), port(1), port(65_535), port(65_536)]).toEqual([undefined, 1, 65_535, undefined]);
});

const LISTS = {
  types: [],
  large: {},
  ids: [1],
  type: [0],
  parent: [0],
  menus: [],
  order: {},
  above: {},
  fields: {},
};
const listed = (query: string, limit?: number) =>
  respondList(
    `/api/v2/pages/?${query}`,
    {},
    {
      read: (path) =>
        Promise.resolve(
          path.startsWith("index/pages/")
            ? undefined
            : printMembers({ ...LISTS, root: 1, digits: 1, ...(limit && { limit }) }),
        ),
      page: () => Promise.resolve("{}"),
    },
  );

it("a list has 20 pages at most, or as many as the site sets", async () => {
  const of20 = await listed("child_of=1&limit=20");
  const of21 = await listed("child_of=1&limit=21");
  expect([of20?.status, of21?.status]).toEqual([200, 400]);
  const of50 = await listed("child_of=1&limit=50", 50);
  const of51 = await listed("child_of=1&limit=51", 50);
  expect([of50?.status, of51?.status]).toEqual([200, 400]);
});

it("the Worker makes 50 requests for a list at most", async () => {
  const names = Array.from({ length: 48 }, (_, k) => `f${k}`);
  const fields = {
    body: [],
    meta: [],
    nested: [],
    filters: Object.fromEntries(names.map((name) => [name, "text"])),
  };
  const pages = printMembers({
    ...LISTS,
    types: ["a.Page"],
    fields: { "a.Page": fields },
    root: 1,
    digits: 1,
    values: [],
    rows: [0],
  });
  const sent = async (count: number): Promise<[number, number]> => {
    let requests = 0;
    const fetch = ({ url }: Request): Promise<Response> => {
      requests++;
      return Promise.resolve(new Response(pages, { status: url.endsWith(".json") ? 200 : 404 }));
    };
    const query = names
      .slice(0, count)
      .map((name) => `&${name}=`)
      .join("");
    const request = new Request(`https://a.example/api/v2/pages/?type=a.Page${query}`);
    return [(await worker.fetch(request, { ASSETS: { fetch } })).status, requests];
  };
  expect([await sent(47), await sent(48)]).toEqual([
    [200, 50],
    [400, 50],
  ]);
});
