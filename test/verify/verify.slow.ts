import { describe, expect, it } from "vitest";
import { Failure } from "../../build/base/failure.ts";
import { human, markdown, conforms, verifyHost, type HostReport } from "../../build/verify/verify.ts";
import { placeOfEachTest } from "../each.ts";
import { scratch } from "../scratch.ts";
import { general, workplace, write } from "../site/site.ts";
import { builtFor, hosted, IDS, SOURCES, type Defect } from "./good-host.ts";

const place = placeOfEachTest("verify", SOURCES);

const failed = (report: HostReport): string[] =>
  report.checks.filter(({ status }) => status === "failed").map(({ name }) => name);

const spoilTitle: Defect = (draft, { page }) => {
  if (page === 12 && draft.status === 200)
    draft.body = draft.body.toString().replace('"title":"Tide"}', '"title":"Ebb!"}');
};

describe("with a build's output", () => {
  it("shows where a body differs from its file", async () => {
    const url = await hosted(spoilTitle);
    const { out } = await builtFor(url);
    const report = await verifyHost(url, { out });
    expect(failed(report)).toEqual(["page-bytes"]);
    expect(report.checks.find(({ name }) => name === "page-bytes")?.got).toMatch(
      /^GET \/api\/v2\/pages\/12\/: differs from byte \d+ on: expected ….*"title":"Tide"}…, found ….*"title":"Ebb!"}…$/,
    );
  });

  it("finds an openapi.json that differs from the build's", async () => {
    const url = await hosted();
    const { out } = await builtFor(url);
    write(out, "openapi.json", '{"openapi": "3.1.1"}');
    expect(failed(await verifyHost(url, { out }))).toEqual(["contract-files"]);
  });

  it("ignores all other files in the folder", async () => {
    const url = await hosted();
    const { out } = await builtFor(url);
    write(out, "api/v2/pages/404.html", "{}");
    write(out, "api/v2/pages/007/index.json", "{}");
    write(out, "api/v2/pages/8/other.json", "{}");
    const report = await verifyHost(url, { out, all: true });
    expect(report.pages).toBe(IDS.length);
    expect(failed(report)).toEqual([]);
  });

  it("refuses a folder without pages", async () => {
    const url = await hosted();
    const out = scratch("without-pages");
    await expect(verifyHost(url, { out })).rejects.toThrow(Failure);
    write(out, "api/v2/pages/404.html", "{}");
    await expect(verifyHost(url, { out })).rejects.toThrow("there are no pages in this folder");
  });
});

describe("with sources", () => {
  it("reads the ids from sources, and ignores other files", async () => {
    place.put("_site.json", '{"id": 5}');
    place.put("broken.json", '{"id": 6,');
    place.put(".hidden/page.json", '{"id": 8}');
    place.put("notes.md", "8");
    const report = await verifyHost(await hosted(), { content: place.content });
    expect(failed(report)).toEqual([]);
    expect(report.pages).toBe(IDS.length);
  });

  it("finds a draft that is served", async () => {
    place.put("_draft.json", '{"id": 13}');
    place.put("_rewrite-of-a-page.json", '{"id": 12}');
    const url = await hosted((draft, { path }) => {
      if (path === "/api/v2/pages/13/") draft.status = 200;
    });
    expect(failed(await verifyHost(url, { content: place.content }))).toEqual(["draft"]);
  });

  it("requests every page of a site, or three of each type", async () => {
    const { content, put } = workplace("many");
    for (let id = 100; id < 150; id++) put(`p${id}.json`, general(id, "Page"));
    const url = await hosted();
    const seen: [number, number][] = [];
    const all = await verifyHost(url, {
      content,
      all: true,
      progress: (...of) => seen.push(of),
    });
    expect(all.checks.find(({ name }) => name === "page-status")).toMatchObject({ judged: 50, failed: 50 });
    expect(all.checks.find(({ name }) => name === "page-status")?.got).toMatch(/\nand 47 more of 50$/);
    expect(seen.at(-1)).toEqual([50, 50]);
    expect((await verifyHost(url, { content })).pages).toBe(3);
  });

  it("never has more open requests than allowed", async () => {
    let open = 0;
    let most = 0;
    const url = await hosted((_draft, _received, response) => {
      most = Math.max(most, ++open);
      response.on("finish", () => open--);
    });
    await verifyHost(url, { content: place.content, all: true, concurrency: 2 });
    expect(most).toBeLessThanOrEqual(2);
  });
});

it("an accepted check does not excuse another failure", async () => {
  const url = await hosted((draft, { method }) => {
    if (method === "POST") draft.status = 200;
  });
  expect(conforms(await verifyHost(url, { ids: [2], accept: ["options"] }))).toBe(false);
});

const evil: Defect = (draft, { path }) => {
  if (path === "/_headers") Object.assign(draft, { status: 200, body: "| <b>`*_x_*`</b> |\n\u001b[31m" });
};

describe("a report", () => {
  it("fits into the width of a terminal, and shows a host's bytes as text, not as markup or commands", async () => {
    const report = await verifyHost(await hosted(evil), { ids: [2] });
    const lines = human(report, 100).split("\n");
    expect(lines.slice(0, -1).filter((line) => line.length > 100)).toEqual([]);
    expect(human(report)).not.toContain("\u001b");
    const row = markdown(report)
      .split("\n")
      .find((line) => line.startsWith("| `leaks`"));
    expect(row).toContain("\\| &lt;b>\\`\\*\\_x\\_\\*\\`&lt;/b> \\|");
    expect(row?.split(/(?<!\\)\|/).length).toBe(5);
  });
});
