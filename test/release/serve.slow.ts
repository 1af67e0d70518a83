import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { reserveFreePort } from "../../build/hosting/port.ts";
import { commandLine } from "../command.ts";
import type { Workplace } from "../pipeline/site.ts";
import { openBucket, type TestBucket } from "./s3.ts";
import { deploy, site } from "./site.ts";
import { firstPort } from "../ports.ts";

let bucket: TestBucket;
let place: Workplace;

beforeAll(async () => {
  bucket = await openBucket();
  place = site("serve");
  await deploy(place, bucket);
});
afterAll(async () => {
  await bucket.close();
  place.remove();
});

/** Sends a request line as it is; returns the status. */
async function statusOf(port: number, line: string): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${line} HTTP/1.1\r\nHost: api.example.org\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += (chunk as Buffer).toString("latin1");
  return Number(text.split(" ")[1]);
}

it("serve:bucket accepts a request with an absolute URL, and reports when the store becomes unavailable and available", async () => {
  const { port, release } = await reserveFreePort(firstPort());
  await release();
  const args = ["--bucket", bucket.address, "--listen", `127.0.0.1:${port}`];
  const child = spawn(process.execPath, commandLine("serve:bucket", ...args), {
    cwd: PROGRAM_FOLDER,
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
