import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { PROGRAM_HEADERS } from "../../build/base/folders.ts";
import { general, SITE, SMALL_SITE, write } from "../site/site.ts";
import { freePort } from "../../build/hosting/port.ts";
import { firstPort } from "../ports.ts";
import { previewOfEachTest } from "./preview.ts";

const { place, built, troubles, urlOf, ...preview } = previewOfEachTest("dev", SMALL_SITE);
let headersFile: string;
beforeEach(() => {
  headersFile = join(place.folder, "_headers");
  cpSync(PROGRAM_HEADERS, headersFile);
});

const start = (more = {}): Promise<void> => preview.start({ headersFile, ...more });

/** Repeats the request if a kept connection closes, because the previous test's server had the same port. */
const ask = (id: number): Promise<Response> => {
  const send = (): Promise<Response> => fetch(urlOf(`/api/v2/pages/${id}/`));
  return send().catch(send);
};
const statusOf = async (id: number): Promise<number> => (await ask(id)).status;

async function pageOf(id: number) {
  const response = await ask(id);
  return (await response.json()) as { title: string; meta: { html_url: string; detail_url: string } };
}

async function untilTitle(id: number, title: string): Promise<void> {
  await expect.poll(async () => (await pageOf(id)).title).toBe(title);
}

const bulkIndex = async (): Promise<string> => (await fetch(urlOf("/bulk/index.json"))).text();

const opening = async (): Promise<unknown> => ((await pageOf(2)) as { opening?: unknown }).opening;
const types = (fields: object) => ({ types: { "standardpages.GeneralPage": { fields } } });

const writtenSince = (step: number): number =>
  built.slice(step).reduce((sum, { published }) => sum + (published?.written ?? 0), 0);

const siteSchema = (): string => readFileSync(place.file(".schema/page.json"), "utf8");

describe("while sources are edited", () => {
  it("serves the pages for their local address", async () => {
    await start();
    expect((await pageOf(2)).meta.detail_url).toBe(urlOf("/api/v2/pages/2/"));
    expect(built).toHaveLength(1);
  });

  it("serves the bulk download, also of what was saved", async () => {
    place.put("_site.json", { ...SITE, bulk: true });
    await start();
    const before = await bulkIndex();
    expect(before).toContain("shards");
    place.put("about.json", general(2, "Saved"));
    await untilTitle(2, "Saved");
    await expect.poll(bulkIndex).not.toBe(before);
  });

  it("serves a saved file, whether it is written in place or renamed into place", async () => {
    await start();
    place.put("about.json", general(2, "In place"));
    await untilTitle(2, "In place");
    writeFileSync(place.file("about.json~"), JSON.stringify(general(2, "Renamed")));
    renameSync(place.file("about.json~"), place.file("about.json"));
    await untilTitle(2, "Renamed");
    // The temporary file may cause an additional step, which writes no page.
    await expect.poll(() => writtenSince(1)).toBeGreaterThanOrEqual(2);
    expect(writtenSince(1)).toBe(2);
  });

  it("responds with the current headers", async () => {
    await start();
    const { headers } = await ask(2);
    expect(headers.get("x-preview")).toBeNull();
    const text = readFileSync(headersFile, "utf8");
    writeFileSync(headersFile, text.replace(/^( +)Allow:/m, "$1X-Preview: yes\n$&"));
    await expect.poll(async () => (await ask(2)).headers.get("x-preview")).toBe("yes");
    expect(place.published("_headers")).toContain("X-Preview: yes");
  });

  it("follows a saved _types.json, and keeps the last valid pages and schema while it has a mistake", async () => {
    place.put("_types.json", types({ strapline: "text" }));
    await start();
    expect(siteSchema()).toContain('"strapline"');
    place.put("_types.json", types({ opening: "text" }));
    await expect.poll(opening).toBe("");
    expect(siteSchema()).toContain('"opening"');
    place.put("_types.json", types({ opening: "txt" }));
    await expect.poll(() => built.at(-1)?.published).toBeUndefined();
    expect([await opening(), siteSchema()]).toEqual(["", expect.stringContaining('"opening"')]);
    rmSync(place.file("_types.json"));
    await expect.poll(opening).toBeUndefined();
    expect(troubles).toEqual([]);
  });

  it("continues after the whole folder is removed and restored", async () => {
    await start();
    const away = join(place.folder, "away");
    renameSync(place.content, away);
    await expect.poll(() => troubles.length).toBeGreaterThan(0);
    expect((await pageOf(2)).title).toBe("About");
    cpSync(away, place.content, { recursive: true });
    place.put("about.json", general(2, "Back"));
    await untilTitle(2, "Back");
    // The new folder is watched, too.
    place.put("about.json", general(2, "Again"));
    await untilTitle(2, "Again");
  });

  it("builds again by itself after a failure, and reports the failure once", async () => {
    await start();
    const file = join(place.out, "_redirects");
    rmSync(file);
    write(file, "in-the-way", "x");
    place.put("about.json", general(2, "Late"));
    await expect.poll(() => troubles.length).toBeGreaterThan(0);
    rmSync(file, { recursive: true });
    await untilTitle(2, "Late");
    expect(troubles).toHaveLength(1);
  });

  it("lets a request wait for the first build", async () => {
    const port = await freePort(firstPort());
    const starting = start({ port });
    const request = (): Promise<Response> => fetch(`http://localhost:${port}/api/v2/pages/2/`).catch(request);
    expect((await request()).status).toBe(200);
    await starting;
  });

  it("serves no page of an earlier run before its own first valid build", async () => {
    await start();
    writeFileSync(place.file("about.json"), "{");
    await start();
    expect(await statusOf(10)).toBe(503);
    place.put("about.json", general(2, "About"));
    await expect.poll(() => statusOf(10)).toBe(200);
  });
});
