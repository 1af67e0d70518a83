import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "../command.ts";
import { general, workplace, write, writeSite, type Workplace } from "../pipeline/site.ts";

let place: Workplace;
let child: ChildProcess | undefined;
beforeEach(() => {
  place = workplace("commands");
  writeSite(place.content);
});
afterEach(() => void child?.kill("SIGKILL"));

/** A command as it runs: what it has printed so far, and its end. */
function run(script: string, ...args: string[]) {
  const printed = { out: "", error: "" };
  const started = spawn(process.execPath, commandLine(script, "--content", place.content, ...args), {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = started;
  started.stdout.setEncoding("utf8").on("data", (text: string) => (printed.out += text));
  started.stderr.setEncoding("utf8").on("data", (text: string) => (printed.error += text));
  const ended = once(started, "close").then(([status]) => status as number | null);
  const shows = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(printed.out) ?? pattern.exec(printed.error);
      if (found !== null) return found;
      if (started.exitCode !== null)
        throw new Error(`ended without ${pattern.source}: ${printed.out}${printed.error}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { printed, ended, shows, interrupt: () => started.kill("SIGINT") };
}

const ADDRESS = /http:\/\/localhost:\d+\/\S+/;

describe("npm start", () => {
  it("serves pages for their local address, at an address that it prints, until Ctrl-C", async () => {
    const published = readFileSync("public/.assetsignore", "utf8");
    const { shows, interrupt, ended } = run("start");
    const [address] = await shows(ADDRESS);
    const response = await fetch(address);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ id: 1, meta: { detail_url: address } });
    interrupt();
    expect(await ended).toBe(0);
    await expect(fetch(address)).rejects.toThrow("fetch failed");
    expect(readFileSync("public/.assetsignore", "utf8")).toBe(published);
  });

  it("shows what is wrong with the sources, and ends with 1", async () => {
    writeFileSync(join(place.content, "about.json"), "{");
    const { ended, printed } = run("start");
    expect(await ended).toBe(1);
    expect(printed.error).toContain("about.json:1:2");
    expect(printed.out).toBe("");
  });

  it("ends with 2 where there is nothing to build", async () => {
    place.remove();
    const { ended, printed } = run("start");
    expect(await ended).toBe(2);
    expect(printed.error).toContain("There is no content folder");
  });
});

describe("npm run dev", () => {
  it("tells where a saved page is, and what is wrong with it, until Ctrl-C", async () => {
    const { shows, interrupt, ended } = run("dev");
    const [address] = await shows(ADDRESS);
    await shows(/Waiting for changes/);
    expect((await fetch(address)).status).toBe(200);
    write(place.content, "visit/cafe.json", general(11, "The café"));
    const [live] = await shows(/http:\S+\/pages\/11\/ {3}visit\/cafe\.json/);
    expect(await (await fetch(live.split(" ")[0] ?? "")).json()).toMatchObject({ title: "The café" });
    writeFileSync(join(place.content, "about.json"), "{");
    await shows(/about\.json:1:2/);
    await shows(/Not built/);
    expect((await fetch(address)).status).toBe(200);
    interrupt();
    expect(await ended).toBe(0);
    await expect(fetch(address)).rejects.toThrow("fetch failed");
  });

  it.each([
    [["--port", "0"], "--port"],
    [["--port", "x"], "--port"],
    [["more"], "no place for the argument “more”"],
  ])("ends with 2 when called with %j", async (args, message) => {
    const { ended, printed } = run("dev", ...args);
    expect(await ended).toBe(2);
    expect(printed.error).toContain(message);
  });
});
