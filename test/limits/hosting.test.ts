import { expect, it } from "vitest";
import { parseListen } from "../../build/hosting/listen.ts";
import { respondList } from "../../build/hosting/lists.ts";

const port = (number: number) => parseListen(`127.0.0.1:${number}`)?.port;

it("a port is between 1 and 65,535", () => {
  expect([port(0), port(1), port(65_535), port(65_536)]).toEqual([undefined, 1, 65_535, undefined]);
});

const EMPTY = {
  read: () => Promise.resolve('{"root": 1, "digits": 1, "children": []}'),
  isPublished: () => Promise.resolve(true),
};

it("a list has 20 pages at most", async () => {
  const of20 = await respondList("/api/v2/pages/?child_of=1&limit=20", {}, EMPTY);
  const of21 = await respondList("/api/v2/pages/?child_of=1&limit=21", {}, EMPTY);
  expect([of20?.status, of21?.status]).toEqual([200, 400]);
});
