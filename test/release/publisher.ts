import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { commandLine } from "../command.ts";
import type { Workplace } from "../site/site.ts";
import type { BucketRequest, TestBucket } from "./s3.ts";

/** The moment of a kill: before or after the PUT request with a number is carried out, or after some milliseconds. */
export type Moment = { put: number; when: "before" | "after" } | { milliseconds: number };

/** Publishes as `npm run deploy` does, to its end or until it is killed; returns whether it was killed. */
export async function publishUntil(
  { content, out }: Workplace,
  bucket: TestBucket,
  moment: Moment | undefined,
  carriedOut: (request: BucketRequest) => void = () => undefined,
): Promise<boolean> {
  const line = commandLine("deploy", "--content", content, "--out", out, "--bucket", bucket.address);
  const child = spawn(process.execPath, line, {
    cwd: PROGRAM_FOLDER,
    env: { ...process.env, ...bucket.environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (text: Buffer) => void (complaints += text.toString()));
  let puts = 0;
  const killAt = (when: "before" | "after"): "cut" | undefined => {
    if (moment === undefined || !("put" in moment) || moment.when !== when || puts++ < moment.put)
      return undefined;
    child.kill("SIGKILL");
    return "cut";
  };
  bucket.faults = {
    before: ({ method }) => (method === "PUT" ? killAt("before") : undefined),
    after: (put, { status }) => {
      if (put.method !== "PUT") return undefined;
      if (status === 200) carriedOut(put);
      return killAt("after");
    },
  };
  const timer =
    moment !== undefined && "milliseconds" in moment
      ? setTimeout(() => child.kill("SIGKILL"), moment.milliseconds)
      : undefined;
  const [status, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(timer);
  // The server still carries out requests that it received completely.
  await sleep(50);
  await bucket.settled();
  bucket.faults = {};
  if (signal === null && status !== 0) throw new Error(complaints);
  return signal !== null;
}
