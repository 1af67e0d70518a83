import { expect, it } from "vitest";
import { printMembers } from "../../build/base/website.ts";
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
