import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { readHeaders } from "../../build/hosting/conformance.ts";
import { configuredHosts } from "../../build/hosting/config/index.ts";
import { reserveFreePort } from "../../build/hosting/port.ts";
import { whileRunning, writeConfiguration } from "../../build/hosting/run.ts";
import { verifyHost } from "../../build/verify/verify.ts";
import { run } from "../command.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { dated, general, write } from "../site/site.ts";
import { missing } from "../verify/hosts/installed.ts";

const PAGE = 900;
const LATER = 901;
const GO_LIVE_AT = "2026-02-01T00:00:00Z";

/** The program `serve` is for previews. */
const servers = configuredHosts.filter((host) => host.program !== undefined && missing(host) === undefined);

it.each(servers)("$title serves what is published to a folder, without a gap", async (host) => {
  const { port, release } = await reserveFreePort(18_480);
  const folder = mkdtempSync(join(tmpdir(), "folder-"));
  // A server that root starts runs as another user.
  chmodSync(folder, 0o755);
  const [content, out, to] = [join(folder, "content"), join(folder, "public"), join(folder, "api")];
  const base = `http://127.0.0.1:${port}`;
  const deploy = async (...args: string[]): Promise<void> => {
    const options = [`--content=${content}`, `--out=${out}`, `--to=${to}`, `--base-url=${base}`];
    expect(await run("deploy", [...options, ...args])).toMatchObject({ status: 0 });
  };
  const get = async (id: number): Promise<{ status: number; title: unknown }> => {
    const response = await fetch(`${base}/api/v2/pages/${id}/`);
    return { status: response.status, title: ((await response.json()) as { title?: unknown }).title };
  };
  // lighttpd stores the files that it finds for a second or two.
  const serves = async (id: number, expected: { status: number; title?: string }): Promise<void> => {
    await expect.poll(() => get(id)).toMatchObject(expected);
  };
  try {
    cpSync(FIXTURE_SITE, content, { recursive: true });
    write(content, `about/page-${PAGE}.json`, general(PAGE, "Before"));
    const later = dated(LATER, "Later", { go_live_at: GO_LIVE_AT });
    write(content, `about/page-${LATER}.json`, later);
    await deploy("--at", "2026-01-31T23:59:59Z");
    const root = join(to, "current");
    const options = { root, listen: { address: "127.0.0.1", port }, rules: readHeaders().rules };
    writeConfiguration(host, options, folder);
    await release();
    await whileRunning(host, { ...options, folder, ready: { url: base } }, async () => {
      expect(await get(PAGE)).toEqual({ status: 200, title: "Before" });
      expect((await get(LATER)).status).toBe(404);

      write(content, `about/page-${PAGE}.json`, general(PAGE, "After"));
      const seen = new Set<string>();
      const deployed = deploy();
      for (let isRunning = true; isRunning;) {
        seen.add(JSON.stringify(await get(PAGE)));
        isRunning = await Promise.race([deployed.then(() => false), setTimeout(1, true)]);
      }
      const expected = ["Before", "After"].map((title) => JSON.stringify({ status: 200, title }));
      expect(expected).toEqual(expect.arrayContaining([...seen]));
      await serves(PAGE, { status: 200, title: "After" });
      await serves(LATER, { status: 200, title: "Later" });

      const { checks } = await verifyHost(new URL(base), { out, content });
      expect(checks.length).toBeGreaterThan(20);
      expect(checks.filter(({ status }) => status === "failed")).toEqual([]);

      expect(await run("rollback", ["--to", to])).toMatchObject({ status: 0 });
      await serves(PAGE, { status: 200, title: "Before" });
      await serves(LATER, { status: 404 });
    });
  } finally {
    await release();
    rmSync(folder, { recursive: true, force: true });
  }
});
