import { symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../files.ts";
import { dated, general, page, SITE, work, SMALL_SITE } from "../site/site.ts";
import { previewOfEachTest } from "./preview.ts";

interface State {
  isReady: boolean;
  isGood: boolean;
  at: string | null;
  drafts: { id: number; parent: number; title: string; file: string; live?: string; isExpired?: true }[];
  hidden: { file: string; id?: number }[];
  findings: {
    file: string;
    line: number;
    code: string;
    severity: string;
    message: string;
    page?: number;
    unbuilt?: number;
  }[];
}

interface Listed {
  total?: number;
  more?: string[];
  children?: { id: number }[];
  items?: { id: number }[];
  meta?: { total_count: number };
}

const { place, built, urlOf, ...preview } = previewOfEachTest("live-page", SMALL_SITE);
const start = (): Promise<void> =>
  preview.start({ onTrouble: (trouble) => expect.unreachable(String(trouble)) });

const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(urlOf(path), { headers });
const listed = async (path: string): Promise<Listed> => (await (await ask(path)).json()) as Listed;
const state = async (): Promise<State> => (await (await ask("/browse/live.json")).json()) as State;
const choose = async (at: string, origin = urlOf("")): Promise<number> => {
  const path = urlOf(`/browse/as-of?at=${encodeURIComponent(at)}`);
  return (await fetch(path, { method: "POST", headers: { Origin: origin } })).status;
};
async function builds(count: number): Promise<void> {
  await expect.poll(() => built.length).toBeGreaterThanOrEqual(count);
}

const datesOf = async (id: number): Promise<unknown> => (await ask(`/browse/dates/${id}.json`)).json();

describe("the preview's own files", () => {
  it("list a page that is not live yet like a draft, and publish it at its time", async () => {
    let before: { isDraft: boolean; status: number } | undefined;
    // On a busy machine, the first build can end after the page went live.
    for (let delay = 1500; before === undefined; delay *= 4) {
      built.length = 0;
      const soon = Date.now() + delay;
      const dates = { type: "standardpages.GeneralPage", go_live_at: new Date(soon).toISOString() };
      place.put("soon.json", { ...general(50, "Soon"), meta: dates });
      await start();
      const isDraft = (await state()).drafts.some(({ id }) => id === 50);
      const { status } = await ask("/api/v2/pages/50/");
      if (Date.now() < soon) before = { isDraft, status };
    }
    expect(before).toEqual({ isDraft: true, status: 404 });
    await builds(2);
    expect((await ask("/api/v2/pages/50/")).status).toBe(200);
    expect((await state()).drafts.map(({ id }) => id)).not.toContain(50);
  });

  it("give the dates of a page, and let only the preview's page choose an instant", async () => {
    const later = { type: "standardpages.GeneralPage", go_live_at: "2999-01-01T00:00:00Z" };
    place.put("later/index.json", { ...general(50, "Later"), meta: later });
    const ending = { type: "standardpages.GeneralPage", expire_at: "2999-05-01T00:00:00Z" };
    place.put("later/page.json", { ...general(51, "Below"), meta: ending });
    await start();
    expect(await choose("2999-01-01T00:00:00Z", "http://localhost:1")).toBe(403);
    expect(await choose("soon")).toBe(422);
    expect((await state()).at).toBe(null);
    expect(await choose("2999-01-01T00:00:00Z")).toBe(204);
    await builds(2);
    expect((await state()).at).toBe("2999-01-01T00:00:00Z");
    expect(await datesOf(51)).toEqual({ live: "from 1 January 2999, 00:00 UTC until 1 May 2999, 00:00 UTC" });
    for (const id of [2, 999]) expect(await datesOf(id)).toEqual({});
  });

  it("have the drafts as they would be published, and publish none", async () => {
    place.put("section/_index.json", general(40, "Section"));
    place.put("section/inner/index.json", general(41, "Inner"));
    place.put("section/inner/deep.json", general(42, "Deep"));
    place.put("_types.json", {
      types: { "standardpages.GeneralPage": { fields: { opening: "text" }, shown: { line: "opening" } } },
    });
    place.put("visit/_more/_kiosk.json", { ...general(43, "Kiosk"), opening: "Daily" });
    place.put("works/_b/_mire.json", work(44, "Mire", { allArtists: "A. N. Other" }));
    await start();
    const { drafts, isReady, isGood } = await state();
    expect([isReady, isGood]).toEqual([true, true]);
    expect(drafts.map(({ id, parent, file }) => [id, parent, file])).toEqual([
      [3, 1, "_news.json"],
      [40, 1, "section/_index.json"],
      [42, 41, "section/inner/deep.json"],
      [41, 40, "section/inner/index.json"],
      [43, 10, "visit/_more/_kiosk.json"],
      [44, 30, "works/_b/_mire.json"],
    ]);
    expect(drafts.at(-2)).toMatchObject({ artists: "Daily" });
    expect(drafts.at(-1)).toMatchObject({ acno: "N00044", artists: "A. N. Other", image: "", subjects: [] });
    const reply = await ask("/browse/drafts/42.json");
    expect(reply.headers.get("content-type")).toBe("application/json");
    expect(await reply.json()).toMatchObject({
      id: 42,
      meta: { html_url: "https://www.example.org/section/inner/deep/", parent: { id: 41, title: "Inner" } },
    });
    expect((await ask("/api/v2/pages/42/")).status).toBe(404);
    expect((await ask("/browse/drafts/10.json")).status).toBe(404);
  });

  it("list drafts among more than 1,000 subpages", async () => {
    place.put("_site.json", { ...SITE, index: true });
    place.put("large/index.json", general(60, "Large"));
    for (let k = 0; k < 1001; k++) place.put(`large/p${k}.json`, general(1000 + k, `P ${k}`));
    place.put("large/_first.json", dated(5000, "First", { order: -1 }));
    await start();
    const { children: [first] = [], total, more } = await listed("/index/pages/60.json?draft");
    expect([first?.id, total, more]).toEqual([5000, 1002, ["60-2.json"]]);
    const { children: [next] = [] } = await listed("/index/pages/60-2.json?draft");
    const { items: [item] = [], meta } = await listed("/api/v2/pages/?child_of=60&offset=1000&draft");
    expect([next?.id, item?.id, meta?.total_count]).toEqual([1999, 1999, 1002]);
  });

  it("list the drafts that cannot be shown, and those with the id of another page", async () => {
    place.put("_broken.json", { ...general(50, "Broken"), nonsense: 1 });
    place.put("_again.json", general(10, "Visit, once more"));
    await start();
    const { hidden, findings } = await state();
    expect(hidden).toEqual([{ file: "_again.json", id: 10 }, { file: "_broken.json" }]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        file: "_broken.json",
        code: "unknown-field",
        severity: "warning",
        unbuilt: 50,
      }),
    );
  });

  it("have the findings with their locations and pages, and the last valid pages and drafts", async () => {
    await start();
    expect((await state()).drafts).toMatchObject([{ id: 3, title: "A draft" }]);
    writeFileSync(place.file("visit/cafe.json"), '{\n  "id": 11\n  "title": 5 }');
    writeFileSync(place.file("visit/new.json"), '{\n  "id": 77\n  "title": 5 }');
    place.put("visit/copy.json", { ...general(11, "A copy"), nonsense: 1 });
    symlinkSync("cafe.json", place.file("visit/link.json"));
    place.put("_news.json", { ...general(3, "Changed"), nonsense: 1 });
    await builds(2);
    await expect.poll(async () => (await state()).findings.map(({ file }) => file)).toContain("_news.json");
    const { isReady, isGood, findings, drafts } = await state();
    expect([isReady, isGood]).toEqual([true, false]);
    expect(findings).toContainEqual(
      expect.objectContaining({ file: "visit/cafe.json", page: 11, severity: "error", code: "json-syntax" }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ file: "_news.json", page: 3, severity: "warning", line: 7 }),
    );
    const unbuilt = findings.flatMap((finding) => (finding.unbuilt === undefined ? [] : [finding.file]));
    expect([...new Set(unbuilt)]).toEqual(["visit/new.json"]);
    expect(drafts).toMatchObject([{ id: 3, title: "A draft" }]);
    expect(await (await ask("/browse/drafts/3.json")).json()).toMatchObject({ title: "A draft" });
  });

  it("list errors before the first valid build", async () => {
    place.put("index.json", page(1, "standardpages.GeneralPage", "Home"));
    await start();
    expect(await state()).toMatchObject({ isReady: false, isGood: false });
    expect((await state()).findings).toContainEqual(expect.objectContaining({ file: "index.json" }));
    const index = await ask("/");
    expect([index.status, await index.text()]).toEqual([200, expect.stringContaining("/browse/live.js")]);
    expect((await ask("/browse/live.js")).status).toBe(200);
    expect((await ask("/browse/site.json")).status).toBe(503);
    place.put("index.json", page(1, "home.HomePage", "Home"));
    await expect.poll(async () => (await state()).isReady).toBe(true);
    expect((await ask("/browse/site.json")).status).toBe(200);
  });

  it("are refused to other websites, and have the page's policy", async () => {
    await start();
    for (const path of ["/browse/live.json", "/browse/changes", "/browse/drafts/3.json", "/browse/live.js"]) {
      const { status } = await ask(path, { Origin: "https://evil.example" });
      expect([path, status]).toEqual([path, 403]);
      expect((await ask(path, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
      const own = await ask(path);
      expect(own.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(own.headers.get("access-control-allow-origin")).toBeNull();
      await own.body?.cancel();
    }
    expect((await fetch(urlOf("/browse/live.json"), { method: "POST" })).status).toBe(404);
  });

  it("add nothing to the built files", async () => {
    await start();
    await state();
    const files = filesBelow(place.out).filter((file) => /\.(?:html|js|json)$/.test(file));
    expect(files).toContain("index.html");
    const own = /live\.js|\/browse\/changes|\/browse\/drafts\/|A draft/;
    expect(files.filter((file) => own.test(file + place.published(file)))).toEqual([]);
  });
});
