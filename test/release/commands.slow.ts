import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { freePort } from "../../build/hosting/port.ts";
import { commandLine, runHere, start, type Ended } from "../command.ts";
import { firstPort } from "../ports.ts";
import { scratch } from "../scratch.ts";
import { dated, general, type Workplace } from "../site/site.ts";
import { noticeServer } from "./notices.ts";
import { openBucket, type TestBucket } from "./s3.ts";
import { deploy, site } from "./site.ts";
import { refusal } from "../refusal.ts";

let bucket: TestBucket;
let place: Workplace;

beforeAll(async () => {
  bucket = await openBucket();
  place = site("commands");
  await deploy(place, bucket);
});
afterAll(() => bucket.close());
afterEach(() => {
  bucket.faults = {};
});

/** Runs a command on the bucket to its end. */
const run = (name: string, args: string[], environment: Record<string, string> = {}): Promise<Ended> =>
  runHere(name, ["--bucket", bucket.address, ...args], {
    cwd: PROGRAM_FOLDER,
    env: { ...bucket.environment, ...environment },
  });

describe("npx page-api releases", () => {
  it("reports a damaged pointer with exit status 1, and how to repair it", async () => {
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
});

/** Sends a request line as it is; returns the status. */
async function statusOf(port: number, line: string): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${line} HTTP/1.1\r\nHost: api.example.org\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += (chunk as Buffer).toString("latin1");
  return Number(text.split(" ")[1]);
}

describe("npx page-api serve:bucket", () => {
  it("accepts a request with an absolute URL, and reports when the store becomes unavailable and available", async () => {
    const port = await freePort(firstPort());
    const args = ["--bucket", bucket.address, "--listen", `127.0.0.1:${port}`];
    const { child, printed, ended } = start(process.execPath, commandLine("serve:bucket", ...args), {
      cwd: PROGRAM_FOLDER,
      env: { ...process.env, ...bucket.environment },
    });
    try {
      await expect.poll(() => printed.stdout).toContain("Serving s3://pages");
      expect(await statusOf(port, "GET http://api.example.org/api/v2/pages/1000/")).toBe(200);
      expect(await statusOf(port, "GET /api/v2/pages/1000/")).toBe(200);
      bucket.faults.before = () => "cut";
      expect(await statusOf(port, "GET /api/v2/pages/1001/")).toBe(503);
      await expect.poll(() => printed.stderr).toMatch(/^The bucket pages at .* cannot be reached/);
      bucket.faults = {};
      const isBack = async (): Promise<string> => {
        await statusOf(port, "GET /api/v2/pages/1001/");
        return printed.stderr;
      };
      await expect.poll(isBack).toMatch(/\nThe bucket can be read again\.\n$/);
    } finally {
      child.kill();
      await ended;
    }
  });

  it("exits if it cannot listen at its address", async () => {
    const ended = await run("serve:bucket", ["--listen", "203.0.113.1:80"]);
    expect(ended).toMatchObject(refusal());
    expect(ended.stderr).toMatch(/^Cannot listen at 203\.0\.113\.1:80: .*--listen\.\n$/);
  });

  it("exits at its start if the bucket does not exist", async () => {
    const ended = await run("serve:bucket", ["--bucket", "s3://nothing"]);
    expect(ended).toMatchObject(refusal());
    expect(ended.stderr).toMatch(/^The bucket nothing at .* does not exist\./);
  });
});

describe("npm run deploy", () => {
  it("publishes ahead, sends notices, and refuses a date in the future; releases and rollback list the releases", async () => {
    const soon = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString();
    const far = new Date(Date.now() + 60 * 24 * 3_600_000).toISOString();
    for (const [id, at] of [
      [2000, soon],
      [2001, far],
    ] as const) {
      place.put(`_many/dated-${id}.json`, dated(id, "Dated", { go_live_at: at }));
    }
    const folders = ["--content", place.content, "--out", place.out];
    const server = await noticeServer();
    const { url: hook, received: notices } = server;
    try {
      const future = await run("deploy", [...folders, "--at", "2999-01-01T00:00:00Z"]);
      expect(future).toMatchObject({ status: 2, stdout: "" });
      const past = ["--at", new Date(Date.now() - 1000).toISOString()];
      expect(await run("deploy", [...folders, ...past, "--ahead", "9"])).toMatchObject({ status: 2 });
      expect((await run("deploy", [...folders, ...past, "--dry-run"])).stdout).not.toContain("Timeline");
      bucket.requests.length = 0;
      const dry = await run("deploy", [...folders, "--dry-run", "--notify", hook]);
      expect(dry.stdout).toMatch(
        /to upload .*\. The release would be [\da-f]{64}\nTimeline:\n {2}from \S+Z {2}[\da-f]{64}\n$/,
      );
      expect(bucket.requests.filter(({ method }) => method === "PUT")).toEqual([]);
      expect(notices).toEqual([]);
      place.put("_many/page-1000.json", general(1000, "Notified"));
      const env = { NOTIFY_SECRET: "secret", GITHUB_ACTOR: "Ada" };
      const args = [...folders, "--notify", hook, "--reporter", "json"];
      const { status, stdout, stderr } = await run("deploy", args, env);
      expect(status).toBe(0);
      const { release, then } = JSON.parse(stdout) as { release: string; then: string[][] };
      expect(then.map(([from]) => from)).toEqual([soon]);
      expect(stderr).toContain(`the timeline ends before ${far}`);
      const [{ headers, body }] = notices as [(typeof notices)[0]];
      expect(JSON.parse(body)).toMatchObject({
        release,
        changed: [1000],
        removed: [],
        addresses: { 1000: expect.stringMatching(/^https?:.*\/page-1000\/?$/) as string },
      });
      expect(headers).toMatchObject({
        "x-signature-256": `sha256=${createHmac("sha256", "secret").update(body).digest("hex")}`,
        "content-type": "application/json",
      });
      // The second deploy changes nothing, so it sends no notice, unless one was not delivered.
      await run("deploy", [...folders, "--notify", hook], env);
      expect(notices).toHaveLength(1);
      const listed = (await run("releases", [])).stdout.split("\n");
      expect(listed[0]).toMatch(
        /^[\da-f]{64} {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}\d+ pages .*by Ada {2}\(from \S+Z\)$/,
      );
      expect(listed[1]).toMatch(/\(current\)$/);
      expect((await run("rollback", [])).stdout).toMatch(
        /The timeline is cleared: 1 release will not go live\./,
      );
    } finally {
      await server.close();
    }
  });
});
