import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isUnreachable } from "../../build/hosting/reserved.ts";
import { runHere } from "../command.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { scratch } from "../scratch.ts";
import { refusal } from "../refusal.ts";

describe("npx page-api hosting", () => {
  const cwd = realpathSync(scratch("hosting"));
  const hosting = (...args: string[]) => runHere("hosting", args, { cwd });

  it("prints only the configuration", async () => {
    const { status, stdout, stderr } = await hosting(
      "nginx",
      "--root",
      "some where",
      "--listen",
      "[::1]:8081",
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(`root "${join(cwd, "some where")}";`);
    expect(stdout).toContain("listen [::1]:8081;");
  });

  it("prints only nginx's server block, which is part of the whole configuration", async () => {
    const block = await hosting("nginx", "--server-block");
    expect(block).toMatchObject({ status: 0, stderr: "" });
    const server = block.stdout.replace(/^(?:#.*)?\n/gm, "");
    expect(server).toMatch(/^server \{\n {2}listen 127\.0\.0\.1:8080;\n[^]*\n\}\n$/);
    const whole = (await hosting("nginx")).stdout;
    expect(whole.replace(/^\s+|^$\n/gm, "")).toContain(server.replace(/^\s+|^$\n/gm, ""));
    expect(block.stdout).not.toMatch(/^\s*(?:http|events|pid|user)\b/m);
  });

  it("prints JSON for serve, and shows on stderr how to start it", async () => {
    const { status, stdout, stderr } = await hosting("serve");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ public: join(cwd, "public") });
    expect(stderr).toContain("tcp://127.0.0.1:8080");
  });

  it.each([
    [],
    ["iis"],
    ["nginx", "caddy"],
    ["toString"],
    ["nginx", "--root", 'a"; include /etc/passwd; "'],
    ["caddy", "--root", "{$HOME}"],
    ["nginx", "--root", ""],
    ["nginx", "--listen", "80; include /etc/passwd"],
    ["nginx", "--port", "80"],
    ["caddy", "--server-block"],
  ])("refuses %j %j %j", async (...args) => {
    expect(await hosting(...args)).toMatchObject(refusal());
  });
});

it("npx page-api hosting refuses a base_url with a path, which no host serves", async () => {
  const content = scratch("below");
  const site = JSON.parse(readFileSync(join(FIXTURE_SITE, "_site.json"), "utf8")) as object;
  writeFileSync(join(content, "_site.json"), JSON.stringify({ ...site, base_url: "https://a.museum/cms" }));
  expect(await runHere("hosting", ["nginx", "--content", content])).toMatchObject(
    refusal("has the path /cms"),
  );
});

describe("npm run deploy", () => {
  it("refuses addresses that no client can reach, also in a dry run, before publishing", async () => {
    const out = join(scratch("deploy"), "public");
    const run = (...args: string[]) => runHere("deploy", ["--content", FIXTURE_SITE, "--out", out, ...args]);
    const dry = await run("--dry-run");
    expect(dry).toMatchObject(refusal("base_url (https://api.aldermouth.example.org)"));
    expect(dry.stderr).toContain(
      "Write the address of the API as base_url, the address of the website as site_url, the address of the images as media_url in _site.json; --base-url",
    );
    expect(await run("--dry-run", "--base-url", "http://127.0.0.1:3000")).toMatchObject(refusal());
    const below = await run("--dry-run", "--base-url", "https://aldermouth.museum/cms");
    expect(below).toMatchObject(refusal());
    expect(below.stderr).toMatch(
      /^base_url \(https:\/\/aldermouth\.museum\/cms\) has the path \/cms, .* hostname/,
    );
  });

  it.each([
    ["https://api.museum.example", true],
    ["https://example.com:8443/api", true],
    ["https://WWW.Example.Net.", true],
    ["http://localhost:3000", true],
    ["http://[::1]:3000", true],
    ["https://api.museum.test", true],
    ["https://api.example.museum", false],
    ["https://notexample.org", false],
    ["https://10.0.0.7", false],
  ])("%s cannot be reached by clients: %s", (url, expected) => expect(isUnreachable(url)).toBe(expected));
});
