import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS, refusals, uploadedFiles } from "../../build/hosting/cloudflare/limits.ts";
import worker from "../../build/hosting/cloudflare/worker.ts";
import { withoutWorker } from "../../build/hosting/cloudflare/wrangler.ts";
import { NOT_FOUND } from "../../build/hosting/paths.ts";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { scratch } from "../scratch.ts";

const files = (count: number, bytes = 1) =>
  Array.from({ length: count }, (_, i) => ({ path: `${i}`, bytes }));

describe("Cloudflare's limits", () => {
  it.each([
    ["files on the free plan", "free", (over: number) => files(20_000 + over)],
    ["files on the paid plan", "paid", (over: number) => files(100_000 + over)],
    ["the size of a file", "free", (over: number) => files(1, 25 * 2 ** 20 + over)],
  ] as const)("are inclusive for %s", (_, plan, of) => {
    expect(refusals(of(0), plan)).toEqual([]);
    expect(refusals(of(1), plan)).toHaveLength(1);
  });

  it("report everything at once, with a limited number of lines", () => {
    expect(refusals(files(20_001, 2 ** 26), "free")).toHaveLength(1 + 10 + 1);
  });
});

describe("a folder to publish", () => {
  const root = scratch("publication with a space");
  beforeAll(() => {
    for (const folder of ["api/v2/pages/7", ".building/pages", "api/.hidden"])
      mkdirSync(join(root, folder), { recursive: true });
    for (const file of "_headers _redirects .assetsignore .building/pages/x.json api/.hidden/y api/v2/pages/7/.z api/v2/pages/_headers".split(
      " ",
    ))
      writeFileSync(join(root, file), "");
    writeFileSync(join(root, "api/v2/pages/7/index.json"), "{}");
    writeFileSync(join(root, "api/v2/pages/404.html"), NOT_FOUND);
    truncateSync(join(root, "api/v2/pages/404.html"), LIMITS.fileBytes + 1);
  });

  it("is counted as it is published: without dotfiles and the two files of instructions", () => {
    const found = uploadedFiles(root);
    expect(found.map(({ path }) => path).sort()).toEqual([
      "api/v2/pages/404.html",
      "api/v2/pages/7/index.json",
      "api/v2/pages/_headers",
    ]);
    expect(refusals(found, "paid")[0]).toContain("api/v2/pages/404.html");
  });
});

describe("the configuration without the Worker", () => {
  it("is the project's own without the Worker's settings", () => {
    const text = readFileSync(join(PROGRAM_FOLDER, "wrangler.jsonc"), "utf8");
    const derived = JSON.parse(withoutWorker(text, "/project")) as Record<string, unknown>;
    expect(text).toContain('"main"');
    expect(text).toContain('"run_worker_first"');
    expect(derived).not.toHaveProperty("main");
    expect(derived["assets"]).toEqual({
      directory: "/project/public",
      html_handling: "none",
      not_found_handling: "404-page",
    });
    // The museum sets the name.
    const [, name] = /"name":\s*"([^"]*)"/.exec(text) ?? [];
    expect(derived).toMatchObject({ name, send_metrics: false });
  });
});

/* The servers of test/verify/hosts/cloudflare.hosts.ts test the Worker's other responses. */
it.each(["7", "7/?format=api", "7/index.json", "9007199254740991/"])(
  "the Worker passes on a request of %s, without conditions and ranges",
  async (path) => {
    const passedOn: Request[] = [];
    const ASSETS = {
      fetch(request: Request): Promise<Response> {
        passedOn.push(request);
        return Promise.resolve(new Response("page"));
      },
    };
    const url = `https://a.example/api/v2/pages/${path}`;
    const headers = { "If-None-Match": "*", Range: "bytes=0-1" };
    const response = await worker.fetch(new Request(url, { headers }), { ASSETS });
    expect([response.status, await response.text()]).toEqual([200, "page"]);
    expect(passedOn).toHaveLength(1);
    expect(passedOn[0]).toMatchObject({ url, redirect: "manual" });
    expect([...(passedOn[0]?.headers.keys() ?? [])]).toEqual([]);
  },
);
