import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CMSClient, FetchError } from "wagtail-js";
import { newSources, publish, type Published, type Sources } from "./published.ts";
import { writeSmallSite } from "./small-site.ts";

/** wagtail-js is a client written for Wagtail's API; the test does not modify it. */

let sources: Sources;
let site: Published | undefined;
let client: CMSClient;

beforeAll(async () => {
  sources = newSources();
  writeSmallSite(sources);
  site = await publish(sources.folder);
  client = new CMSClient({ baseURL: site.base, apiPath: "/api/v2" });
});

afterAll(() => site?.close());

describe("wagtail-js", () => {
  it.each([1, 10, 22])("fetches page %i as built", async (id) => {
    const file = join(site?.out ?? "", `api/v2/pages/${id}/index.json`);
    const built: unknown = JSON.parse(readFileSync(file, "utf8"));
    expect(await client.fetchPage(id)).toEqual(built);
  });

  it("fetches a page with query parameters", async () => {
    expect(await client.fetchPage(10, { fields: ["*"] })).toMatchObject({ id: 10, title: "Visit" });
  });

  it("finds no page for an unknown id", async () => {
    const silenced = (["group", "log"] as const).map((name) => vi.spyOn(console, name).mockReturnValue());
    const found = await client.fetchPage(99);
    for (const spy of silenced) spy.mockRestore();
    expect(found).toMatchObject({ message: "Page not found" });
    const { data } = found as unknown as { data: unknown };
    expect(data).toBeInstanceOf(FetchError);
    expect(data).toMatchObject({ code: "REQUEST_FAILED" });
  });
});
