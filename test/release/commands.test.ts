import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { holdFreePort } from "../../build/hosting/port.ts";
import { PROJECT } from "../../build/base/project.ts";
import { commandLine, type Ended } from "../command.ts";
import { scratch } from "../scratch.ts";
import type { Workplace } from "../pipeline/site.ts";
import { openBucket, type TestBucket } from "./s3.ts";
import { deploy, open, site } from "./site.ts";

let bucket: TestBucket;
let place: Workplace;

beforeAll(async () => {
  bucket = await openBucket();
  place = site("commands");
  await deploy(place, bucket);
});
afterAll(async () => {
  await bucket.close();
  place.remove();
});
afterEach(() => {
  bucket.faults = {};
});

/** Runs a command on the bucket to its end. */
const run = (name: string, args: string[], environment: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...bucket.environment, ...environment };
    const line = commandLine(name, "--bucket", bucket.address, ...args);
    const options = { cwd: PROJECT, env, timeout: 60_000 };
    const child = execFile(process.execPath, line, options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });

describe("npm run releases", () => {
  it("names a damaged pointer with exit status 1, and says how to repair it", async () => {
    bucket.faults.after = ({ key }, answered) =>
      key === "current.json" ? { ...answered, body: Buffer.from("{}") } : undefined;
    for (const args of [["--check"], [], ["--prune", "1"], ["--download", join(scratch("out"), "out")]]) {
      const { status, stderr } = await run("releases", args);
      expect(stderr).toMatch(/^current\.json: it has an unexpected value/);
      expect(stderr).toContain("npm run deploy -- --bucket … --full");
      expect(stderr).not.toMatch(/^ +at /m);
      expect(status).toBe(1);
    }
  });

  it("prints no credential that cannot be sent, and asks for nothing with it", async () => {
    bucket.asked.length = 0;
    const { status, stdout, stderr } = await run("releases", [], {
      AWS_SECRET_ACCESS_KEY: "hunter2\n",
      AWS_SESSION_TOKEN: "swordfish\n",
    });
    expect(stderr).toMatch(/^AWS_SECRET_ACCESS_KEY contains a line break/);
    expect(stdout + stderr).not.toMatch(/hunter2|swordfish/);
    expect(status).toBe(2);
    expect(bucket.asked).toEqual([]);
  });
});

/** Sends a request line as it is; gives the status. */
async function statusOf(port: number, line: string): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${line} HTTP/1.1\r\nHost: api.example.org\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += (chunk as Buffer).toString("latin1");
  return Number(text.split(" ")[1]);
}

describe("npm run serve:bucket", () => {
  it("refuses at its start a bucket that does not exist", async () => {
    const { status, stdout, stderr } = await run("serve:bucket", ["--bucket", "s3://nothing"]);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^The bucket nothing at .* does not exist\./);
    expect(status).toBe(2);
  });

  it("serves a request with the whole address, and says when the store is away and when it is back", async () => {
    const { port, release } = await holdFreePort(18_400);
    await release();
    const args = ["--bucket", bucket.address, "--listen", `127.0.0.1:${port}`];
    const child = spawn(process.execPath, commandLine("serve:bucket", ...args), {
      cwd: PROJECT,
      env: { ...process.env, ...bucket.environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [printed, complaints] = ["", ""];
    child.stdout.on("data", (text: Buffer) => void (printed += text.toString()));
    child.stderr.on("data", (text: Buffer) => void (complaints += text.toString()));
    try {
      await expect.poll(() => printed, { timeout: 20_000 }).toContain("Serving s3://pages");
      expect(await statusOf(port, "GET http://api.example.org/api/v2/pages/1000/")).toBe(200);
      expect(await statusOf(port, "GET /api/v2/pages/1000/")).toBe(200);
      bucket.faults.before = () => "cut";
      expect(await statusOf(port, "GET /api/v2/pages/1001/")).toBe(503);
      await expect.poll(() => complaints).toMatch(/^The bucket pages at .* cannot be reached/);
      bucket.faults = {};
      const isBack = async (): Promise<string> => {
        await statusOf(port, "GET /api/v2/pages/1001/");
        return complaints;
      };
      await expect.poll(isBack, { timeout: 10_000 }).toMatch(/\nThe bucket can be read again\.\n$/);
    } finally {
      child.kill();
      await once(child, "close");
    }
  });
});

describe("npm run deploy", () => {
  it("repairs a damaged pointer and says so, and the next check finds nothing", async () => {
    const store = open(bucket);
    await store.put("current.json", Buffer.from("\0"));
    store.close();
    const { content, out } = place;
    const { status, stderr } = await run("deploy", ["--content", content, "--out", out]);
    expect(stderr).toContain("current.json: it is not JSON. It was replaced.");
    expect(status).toBe(0);
    expect(await run("releases", ["--check"])).toMatchObject({ status: 0, stderr: "" });
  });
});
