import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../build/base/failure.ts";
import { conforms, verifyHost, type CheckName, type HostReport } from "../../build/verify/verify.ts";
import { newFolder, writeContent, writeOutput, type Folder } from "./folder.ts";
import { runHost, type Defect, type Running } from "./good-host.ts";
import { IDS } from "./site.ts";

let folder: Folder;
let host: Running | undefined;

beforeEach(() => {
  folder = newFolder();
});

afterEach(async () => {
  await host?.close();
  host = undefined;
});

const run = async (defect?: Defect): Promise<URL> => {
  host = await runHost(defect);
  return host.url;
};

const statusOf = (report: HostReport, name: CheckName): string | undefined =>
  report.checks.find((check) => check.name === name)?.status;

const failed = (report: HostReport): string[] =>
  report.checks.filter(({ status }) => status === "failed").map(({ name }) => name);

const spoilTitle: Defect = (draft, { page }) => {
  if (page === 12 && draft.status === 200)
    draft.body = draft.body.toString().replace('"title":"Tide"}', '"title":"Ebb!"}');
};

describe("with a build's output", () => {
  it("compares every body with its file", async () => {
    const url = await run();
    writeOutput(folder, url.origin);
    const report = await verifyHost(url, { out: folder.path });
    expect(failed(report)).toEqual([]);
    expect(statusOf(report, "page-bytes")).toBe("passed");
    expect(report.pages).toBe(IDS.length);
  });

  it("shows where a body differs from its file", async () => {
    const url = await run(spoilTitle);
    writeOutput(folder, url.origin);
    const report = await verifyHost(url, { out: folder.path });
    expect(failed(report)).toEqual(["page-bytes"]);
    expect(report.checks.find(({ name }) => name === "page-bytes")?.got).toMatch(
      /^GET \/api\/v2\/pages\/12\/: differs from byte \d+ on: expected ….*"title":"Tide"}…, found ….*"title":"Ebb!"}…$/,
    );
  });

  it("finds an openapi.json that differs from the build's", async () => {
    const url = await run();
    writeOutput(folder, url.origin);
    folder.write("openapi.json", '{"openapi": "3.1.1"}');
    expect(failed(await verifyHost(url, { out: folder.path }))).toEqual(["contract-files"]);
  });

  it("finds a page of the build that the host does not have", async () => {
    const url = await run();
    writeOutput(folder, url.origin);
    folder.write("api/v2/pages/77/index.json", '{"id":77,"meta":{"type":"home.HomePage"}}');
    expect(failed(await verifyHost(url, { out: folder.path }))).toEqual(["page-status"]);
  });

  it("ignores all other files in the folder", async () => {
    const url = await run();
    writeOutput(folder, url.origin);
    folder.write("api/v2/pages/404.html", "{}");
    folder.write("api/v2/pages/007/index.json", "{}");
    folder.write("api/v2/pages/8/other.json", "{}");
    const report = await verifyHost(url, { out: folder.path, all: true });
    expect(report.pages).toBe(IDS.length);
    expect(failed(report)).toEqual([]);
  });

  it("refuses a folder without pages", async () => {
    const url = await run();
    await expect(verifyHost(url, { out: folder.path })).rejects.toThrow(Failure);
    folder.write("api/v2/pages/404.html", "{}");
    await expect(verifyHost(url, { out: folder.path })).rejects.toThrow("there are no pages in this folder");
  });
});

describe("with sources", () => {
  it("reads the ids from sources, and ignores other files", async () => {
    writeContent(folder);
    folder.write("_site.json", '{"id": 5}');
    folder.write("broken.json", '{"id": 6,');
    folder.write(".hidden/page.json", '{"id": 8}');
    folder.write("notes.md", "8");
    const report = await verifyHost(await run(), { content: folder.path });
    expect(failed(report)).toEqual([]);
    expect(report.pages).toBe(IDS.length);
  });

  it("finds a draft that is served", async () => {
    writeContent(folder);
    folder.write("_draft.json", '{"id": 13}');
    folder.write("_rewrite-of-a-page.json", '{"id": 12}');
    const url = await run((draft, { path }) => {
      if (path === "/api/v2/pages/13/") draft.status = 200;
    });
    expect(failed(await verifyHost(url, { content: folder.path }))).toEqual(["draft"]);
  });

  it("requests every page of a site, or three of each type", async () => {
    for (let id = 100; id < 150; id++)
      folder.write(`p${id}.json`, JSON.stringify({ id, meta: { type: "standardpages.GeneralPage" } }));
    const url = await run();
    const seen: [number, number][] = [];
    const all = await verifyHost(url, {
      content: folder.path,
      all: true,
      progress: (...at) => seen.push(at),
    });
    expect(all.checks.find(({ name }) => name === "page-status")).toMatchObject({ judged: 50, failed: 50 });
    expect(all.checks.find(({ name }) => name === "page-status")?.got).toMatch(/\nand 47 more of 50$/);
    expect(seen.at(-1)).toEqual([50, 50]);
    expect((await verifyHost(url, { content: folder.path })).pages).toBe(3);
  });

  it("never has more open requests than allowed", async () => {
    writeContent(folder);
    let open = 0;
    let most = 0;
    host = await runHost((_draft, _received, response) => {
      most = Math.max(most, ++open);
      response.on("finish", () => open--);
    });
    await verifyHost(host.url, { content: folder.path, all: true, concurrency: 2 });
    expect(most).toBeLessThanOrEqual(2);
  });
});

const post: Defect = (draft, { method }) => {
  if (method === "POST") draft.status = 200;
};

describe("an accepted check", () => {
  it("may fail", async () => {
    const url = await run(post);
    const without = await verifyHost(url, { ids: [2] });
    const report = await verifyHost(url, { ids: [2], accept: ["method-not-allowed"] });
    expect([conforms(without), conforms(report)]).toEqual([false, true]);
    expect(statusOf(report, "method-not-allowed")).toBe("accepted");
  });

  it("does not excuse another failure", async () => {
    const report = await verifyHost(await run(post), { ids: [2], accept: ["options"] });
    expect(conforms(report)).toBe(false);
  });

  it("is reported if it passes", async () => {
    const report = await verifyHost(await run(), { ids: [2], accept: ["method-not-allowed"] });
    expect(statusOf(report, "method-not-allowed")).toBe("unexpectedly-passed");
    expect(conforms(report)).toBe(true);
  });
});

describe("an address", () => {
  it.each([
    ["ftp://127.0.0.1/", "http:// or https://"],
    ["http://user:secret@127.0.0.1/", "user name or password"],
    ["http://127.0.0.1:1/site/api/v2/pages/2/", "in front of /api/v2/pages/: http://127.0.0.1:1/site"],
    ["http://127.0.0.1:1/?format=api", "without “?” or “#”"],
  ])("%s is not verified", async (address, words) => {
    await expect(verifyHost(new URL(address), { ids: [2] })).rejects.toThrow(words);
  });

  it("is shown without its password", async () => {
    await expect(verifyHost(new URL("http://user:secret@127.0.0.1/"), { ids: [2] })).rejects.not.toThrow(
      "secret",
    );
  });

  it("is refused without pages to request", async () => {
    await expect(verifyHost(new URL("http://127.0.0.1:1"), {})).rejects.toThrow("Give the pages to request");
  });
});
