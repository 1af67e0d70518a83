import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { respond } from "../../build/hosting/responder.ts";
import { build } from "../../build/site/build.ts";
import { MEMORY } from "../scratch.ts";
import { workplace, writeSite } from "../site/site.ts";
import { OF_PAGE, REQUESTS, shownIn, SOURCES, wanted } from "./front-end-requests.ts";

const place = workplace("front-ends", MEMORY);
/** The number of files that responses have read. */
let reads = 0;
const read = (path: string): Promise<string | undefined> => {
  reads++;
  const file = join(place.out, path);
  return Promise.resolve(existsSync(file) ? readFileSync(file, "utf8") : undefined);
};
const textOf = (id: number): Promise<string | undefined> => read(`api/v2/pages/${id}/index.json`);

beforeAll(async () => {
  writeSite(place.content, SOURCES);
  await build(place, ({ output, findings }) => {
    if (output === undefined) throw new Error(JSON.stringify(findings));
    return Promise.resolve();
  });
});

/** Follows redirects, as fetch does. */
async function follow(
  target: string,
): Promise<{ status: number; json: Record<string, unknown>; target: string }> {
  const {
    status,
    headers,
    body = "",
  } = await respond({ method: "GET", target }, [], {
    page: async (id) => {
      const found = await textOf(Number(id));
      return found === undefined ? undefined : { status: 200, headers: {}, body: found };
    },
    file: () => Promise.resolve(undefined),
    index: { read, page: textOf },
  });
  const { Location } = headers;
  if (Location !== undefined) return follow(Location);
  return { status, json: JSON.parse(String(body)) as Record<string, unknown>, target };
}

it.each(REQUESTS)("answers %s, from at most 25 files", async (target, ids, fields) => {
  const before = reads;
  const { status, json } = await follow(target);
  expect(reads - before).toBeLessThanOrEqual(25);
  expect(reads).toBeGreaterThan(before);
  expect([status, shownIn(json)]).toEqual([200, wanted(ids, fields)]);
});

it.each([
  [`/api/v2/pages/find/?html_path=/&fields=id,title,${OF_PAGE},parent`, 3, `/api/v2/pages/3/?fields=`],
  ["/api/v2/pages/find/?html_path=/blog/b&format=json", 12, "/api/v2/pages/12/?format=json"],
  ["/api/v2/pages/find?html_path=blog/b/", 12, "/api/v2/pages/12/"],
  ["/api/v2/pages/30?", 30, "/api/v2/pages/30/"],
])("finds the page of %s", async (request, id, at) => {
  const { status, json, target } = await follow(request);
  expect([status, json["id"]]).toEqual([200, id]);
  expect(target.startsWith(at)).toBe(true);
});
