import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../build/hosting/port.ts";
import { Failure } from "../../build/base/failure.ts";
import type { Host } from "../../build/hosting/config/host.ts";
import { whileRunning, writeConfiguration, type HostRunOptions } from "../../build/hosting/run.ts";
import { firstPort } from "../ports.ts";
import { scratch } from "../scratch.ts";

let folder: string;
let options: HostRunOptions;

beforeEach(async () => {
  folder = scratch("run");
  const port = await freePort(firstPort());
  const listen = { address: "127.0.0.1", port };
  options = { root: folder, listen, rules: [], folder, ready: { url: `http://127.0.0.1:${port}/` } };
});

/** A host whose program is a script for Node, which gets the port. */
const scripted = (script: string): Host => ({
  name: "scripted",
  title: "Scripted",
  launch: ({ listen }) => ({ command: process.execPath, args: ["-e", script, String(listen.port)] }),
  limits: {},
});

const serving =
  'require("http").createServer((_, r) => r.end("hello")).listen(process.argv[1], "127.0.0.1");';

const fail = (): Promise<never> => Promise.reject(new Error("no use"));

describe("a host that is run", () => {
  it("responds while it is in use, in its own folder, and then stops", async () => {
    const body = await whileRunning(scripted(serving), options, async () =>
      (await fetch(options.ready.url)).text(),
    );
    expect(body).toBe("hello");
    await expect(fetch(options.ready.url)).rejects.toThrow("fetch failed");
  });

  it("is stopped if its use fails", async () => {
    await expect(whileRunning(scripted(serving), options, fail)).rejects.toThrow("no use");
    await expect(fetch(options.ready.url)).rejects.toThrow("fetch failed");
  });

  it("stops with its child processes, even if it ignores the signal", async () => {
    const stubborn = `process.on("SIGTERM", () => {}); require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(serving)}, process.argv[1]])`;
    await whileRunning(scripted(stubborn), options, () => Promise.resolve());
    await expect(fetch(options.ready.url)).rejects.toThrow("fetch failed");
  });

  it("fails with its last output if it cannot start", async () => {
    const run = whileRunning(scripted('console.error("bad directive"); process.exit(3)'), options, () =>
      Promise.resolve(),
    );
    await expect(run).rejects.toThrow(Failure);
    await expect(run).rejects.toThrow(/Scripted ended unexpectedly[^]*bad directive/);
  });

  it("fails if its program is missing", async () => {
    const host = { ...scripted(""), launch: () => ({ command: "no-such-server", args: [] }) };
    await expect(whileRunning(host, options, () => Promise.resolve())).rejects.toThrow(
      /Scripted could not be started/,
    );
  });

  it("fails if another program responds", async () => {
    const ready = { ...options.ready, text: "good day" };
    await expect(
      whileRunning(scripted(serving), { ...options, ready }, () => Promise.resolve()),
    ).rejects.toThrow("another program");
  });

  it("fails if another program responds on its port", async () => {
    const other = createServer((_, response) => response.end("hello"));
    await once(other.listen(options.listen.port, "127.0.0.1"), "listening");
    const host = scripted('console.log("at http://127.0.0.1:1/"); setTimeout(() => {}, 60_000)');
    const launch: Host["launch"] = (at, below) => ({
      ...host.launch(at, below),
      listensAt: (printed) => /at (\S+)/.exec(printed)?.[1],
    });
    await expect(whileRunning({ ...host, launch }, options, fail)).rejects.toThrow(
      "taken by another program",
    );
    other.close();
  });

  it("reports that it ended by itself", async () => {
    const brief = serving.replace("r.end", '_.url === "/end" ? process.exit(4) : r.end');
    const failure = await whileRunning(scripted(brief), options, async (failed) => {
      await fetch(`${options.ready.url}end`).catch(() => undefined);
      return failed;
    });
    expect(failure.message).toMatch(/^Scripted ended unexpectedly, with 4/);
  });
});

describe("a host's folder", () => {
  it("has the configuration under its usual name, if there is one", () => {
    const host: Host = {
      ...scripted(""),
      configuration: { file: "host.conf", print: ({ listen }) => `${listen.port}` },
    };
    const path = writeConfiguration(host, options, folder);
    expect(path).toBe(join(folder, "host.conf"));
    expect(readFileSync(path ?? "", "utf8")).toBe(`${options.listen.port}`);
    expect(writeConfiguration(scripted(""), options, folder)).toBeUndefined();
  });
});
