import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Developing } from "../../build/dev/develop.ts";
import { PROGRAM_HEADERS } from "../../build/base/folders.ts";
import type { Built } from "../../build/site/outcome.ts";
import { general, write } from "../site/site.ts";
import { reserveFreePort } from "../../build/hosting/port.ts";
import { firstPort } from "../ports.ts";
import { startPreview } from "./preview.ts";
import { placeOfEachTest } from "../each.ts";

const place = placeOfEachTest("dev");
let headersFile: string;
let running: Developing | undefined;
let built: Built[];
let troubles: unknown[];
beforeEach(() => {
  headersFile = join(place.folder, "_headers");
  cpSync(PROGRAM_HEADERS, headersFile);
  place.putAll();
  built = [];
  troubles = [];
  running = undefined;
});
afterEach(() => running?.close());

async function start(): Promise<void> {
  running = await startPreview(place, {
    headersFile,
    onBuilt: (result) => built.push(result),
    onTrouble: (trouble) => troubles.push(trouble),
  });
}

/** Repeats the request if a kept connection closes, because the previous test's server had the same port. */
const ask = (id: number): Promise<Response> => {
  const send = (): Promise<Response> => fetch(`${running?.baseUrl}/api/v2/pages/${id}/`);
  return send().catch(send);
};
const statusOf = async (id: number): Promise<number> => (await ask(id)).status;

async function pageOf(id: number) {
  const response = await ask(id);
  return (await response.json()) as { title: string; meta: { html_url: string; detail_url: string } };
}

/** Waits until a condition is true; the test's own timeout ends an endless wait. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const untilTitle = (id: number, title: string) => until(async () => (await pageOf(id)).title === title);

const opening = async (): Promise<unknown> => ((await pageOf(2)) as { opening?: unknown }).opening;
const types = (fields: object) => ({ types: { "standardpages.GeneralPage": { fields } } });

const writtenSince = (step: number): number =>
  built.slice(step).reduce((sum, { published }) => sum + (published?.written ?? 0), 0);

const siteSchema = (): string => readFileSync(place.file(".schema/page.json"), "utf8");

describe("while sources are edited", () => {
  it("serves the pages for their local address", async () => {
    await start();
    expect((await pageOf(2)).meta.detail_url).toBe(`${running?.baseUrl}/api/v2/pages/2/`);
    expect(built).toHaveLength(1);
  });

  it("serves a saved file, whether it is written in place or renamed into place", async () => {
    await start();
    place.put("about.json", general(2, "In place"));
    await untilTitle(2, "In place");
    writeFileSync(place.file("about.json~"), JSON.stringify(general(2, "Renamed")));
    renameSync(place.file("about.json~"), place.file("about.json"));
    await untilTitle(2, "Renamed");
    // The temporary file may cause an additional step, which writes no page.
    await until(() => writtenSince(1) >= 2);
    expect(writtenSince(1)).toBe(2);
  });

  it("responds with the current headers", async () => {
    await start();
    const { headers } = await ask(2);
    expect(headers.get("x-preview")).toBeNull();
    const text = readFileSync(headersFile, "utf8");
    writeFileSync(headersFile, text.replace(/^( +)Allow:/m, "$1X-Preview: yes\n$&"));
    await until(async () => (await ask(2)).headers.get("x-preview") === "yes");
    expect(place.published("_headers")).toContain("X-Preview: yes");
  });

  it("follows a saved _types.json, and keeps the last valid pages and schema while it has a mistake", async () => {
    place.put("_types.json", types({ strapline: "text" }));
    await start();
    expect(siteSchema()).toContain('"strapline"');
    place.put("_types.json", types({ opening: "text" }));
    await until(async () => (await opening()) === "");
    expect(siteSchema()).toContain('"opening"');
    place.put("_types.json", types({ opening: "txt" }));
    await until(() => built.at(-1)?.published === undefined);
    expect([await opening(), siteSchema()]).toEqual(["", expect.stringContaining('"opening"')]);
    rmSync(place.file("_types.json"));
    await until(async () => (await opening()) === undefined);
    expect(troubles).toEqual([]);
  });

  it("continues after the whole folder is removed and restored", async () => {
    await start();
    const away = join(place.folder, "away");
    renameSync(place.content, away);
    await until(() => troubles.length > 0);
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
    await until(() => troubles.length > 0);
    rmSync(file, { recursive: true });
    await untilTitle(2, "Late");
    expect(troubles).toHaveLength(1);
  });

  it("lets a request wait for the first build", async () => {
    const { port, release } = await reserveFreePort(firstPort());
    await release();
    const starting = startPreview(place, { port });
    const request = (): Promise<Response> => fetch(`http://localhost:${port}/api/v2/pages/2/`).catch(request);
    expect((await request()).status).toBe(200);
    running = await starting;
  });

  it("serves no page of an earlier run before its own first valid build", async () => {
    await start();
    await running?.close();
    writeFileSync(place.file("about.json"), "{");
    await start();
    expect(await statusOf(10)).toBe(503);
    place.put("about.json", general(2, "About"));
    await until(async () => (await statusOf(10)) === 200);
  });
});
