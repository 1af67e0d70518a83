import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { commandLine, start } from "../command.ts";
import { listening } from "../listening.ts";
import { firstPort } from "../ports.ts";
import { general, SMALL_SITE } from "../site/site.ts";
import { placeOfEachTest } from "../each.ts";

const place = placeOfEachTest("commands", SMALL_SITE);
let child: ChildProcess | undefined;
afterEach(() => void child?.kill("SIGKILL"));

/** A running command: its output so far, and its end. */
const run = (script: string, ...args: string[]) => runAs({}, script, ...args);

/** The same as another user. */
function runAs(user: { uid?: number; gid?: number }, script: string, ...args: string[]) {
  const line = commandLine(script, "--content", place.content, ...args);
  const { child: started, printed, ended } = start(process.execPath, line, user);
  child = started;
  const shows = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(printed.stdout) ?? pattern.exec(printed.stderr);
      if (found !== null) return found;
      if (started.exitCode !== null)
        throw new Error(`ended without ${pattern.source}: ${printed.stdout}${printed.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { ended, shows, kill: (signal: NodeJS.Signals) => started.kill(signal) };
}

/** Waits until no server responds; the test's own timeout ends an endless wait. */
async function untilGone(address: string): Promise<void> {
  while (
    await fetch(address).then(
      () => true,
      () => false,
    )
  )
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Afterwards, no other test that runs meanwhile responds at this port, as it may at the default port. */
const ownPort = (): string[] => ["--port", String(firstPort())];

const ADDRESS = /http:\/\/localhost:\d+\/\S+/;

describe("npm start", () => {
  it("serves pages for their local address, at an address that it prints, until Ctrl-C", async () => {
    const published = readFileSync("public/.assetsignore", "utf8");
    const { shows, kill, ended } = run("start", ...ownPort());
    const [address] = await shows(ADDRESS);
    const response = await fetch(address);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ id: 1, meta: { detail_url: address } });
    kill("SIGINT");
    expect(await ended).toMatchObject({ status: 0 });
    await expect(fetch(address)).rejects.toThrow("fetch failed");
    expect(readFileSync("public/.assetsignore", "utf8")).toBe(published);
  });

  it("leaves no server running if it gets two signals, as from timeout, or is killed", async () => {
    const told = run("start", ...ownPort());
    const [first] = await told.shows(ADDRESS);
    told.kill("SIGTERM");
    told.kill("SIGINT");
    expect(await told.ended).toMatchObject({ status: 0 });
    await expect(fetch(first)).rejects.toThrow("fetch failed");

    const killed = run("start", ...ownPort());
    const [second] = await killed.shows(ADDRESS);
    killed.kill("SIGKILL");
    await killed.ended;
    await untilGone(second);
  });

  it("lists the errors of the sources, and exits with 1", async () => {
    writeFileSync(place.file("about.json"), "{");
    const { status, stdout, stderr } = await run("start").ended;
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("about.json:1:2");
  });
});

it.each(["start", "dev"])("npm run %s ends with 2 if another program has its port", async (name) => {
  const other = await listening((_, response) => response.end());
  const { port } = other.url;
  try {
    const { status, stderr } = await run(name, "--port", port).ended;
    expect(status).toBe(2);
    expect(stderr).toContain(`Port ${port} is taken by another program`);
  } finally {
    await other.close();
  }
});

it.skipIf(process.getuid?.() !== 0).each(["start", "dev", "preview:cloudflare"])(
  "npm run %s ends with 2 if it may not write its folder (needs root, to act as another user)",
  async (name) => {
    chmodSync(place.folder, 0o755);
    const { status, stderr } = await runAs({ uid: 65_534, gid: 65_534 }, name).ended;
    expect(status).toBe(2);
    expect(stderr).toMatch(/^\S+: permission denied \(EACCES\)\n$/);
  },
);

it.each(["start", "dev"])(
  "a second npm run %s leaves no folder if it is ended during its first build",
  async (name) => {
    for (let id = 1000; id < 2500; id++) place.put(`visit/p${id}.json`, general(id, "A page"));
    // A site of its own, because other tests may preview the project's site meanwhile.
    const site = ["--site", place.folder];
    const first = run("dev", ...site);
    await first.shows(ADDRESS);
    const port = String(firstPort());
    const second = run(name, ...site, "--port", port);
    const folder = join(place.folder, ".preview", port);
    await expect.poll(() => existsSync(folder), { interval: 5 }).toBe(true);
    second.kill("SIGTERM");
    expect(await second.ended).toMatchObject({ status: 0 });
    expect(existsSync(folder)).toBe(false);
    first.kill("SIGINT");
    await first.ended;
  },
);

describe("npm run dev", () => {
  it("prints the URL of a saved page and its findings, until Ctrl-C", async () => {
    // Takes the port, unless another program keeps it for five seconds: another test may soon release it.
    const other = createServer((socket) => socket.destroy());
    for (let tries = 0; tries < 100 && !other.listening; tries++) {
      other.listen(3000, "127.0.0.1");
      await once(other, "listening").catch(() => sleep(50));
    }
    const { shows, kill, ended } = run("dev");
    const [address] = await shows(ADDRESS);
    await shows(/Waiting for changes/);
    await shows(/Port 3000 is taken by .+; using \d+\./);
    other.close();
    expect((await fetch(address)).status).toBe(200);
    place.put("visit/cafe.json", general(11, "The café"));
    const [live] = await shows(/http:\S+\/pages\/11\/ {3}visit\/cafe\.json/);
    expect(await (await fetch(live.split(" ")[0] ?? "")).json()).toMatchObject({ title: "The café" });
    writeFileSync(place.file("about.json"), "{");
    await shows(/about\.json:1:2/);
    await shows(/Not built/);
    expect((await fetch(address)).status).toBe(200);
    kill("SIGINT");
    expect(await ended).toMatchObject({ status: 0 });
    await expect(fetch(address)).rejects.toThrow("fetch failed");
  });

  it.each([
    [["--port", "0"], "--port"],
    [["--port", "x"], "--port"],
    [["more"], "Unexpected argument “more”"],
  ])("ends with 2 when called with %j", async (args, message) => {
    const { status, stderr } = await run("dev", ...args).ended;
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
