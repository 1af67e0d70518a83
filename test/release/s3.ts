import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { bucketAt, openS3 } from "../../build/release/s3.ts";
import type { Pointer } from "../../build/release/format.ts";
import { listening } from "../listening.ts";
import { scratch } from "../scratch.ts";

/** A real S3 server, with conditional writes added in front of it, and faults that a test plants in between. */

interface S3rver {
  run: () => Promise<AddressInfo>;
  close: () => Promise<void>;
  store: { getMetadata: (bucket: string, key: string) => Promise<Record<string, string>> };
}

const S3rver = createRequire(import.meta.url)("s3rver") as new (options: object) => S3rver;

export interface BucketRequest {
  method: string;
  /** Without the bucket. */
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

export interface BucketResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** The effect on a request: this response, a cut connection, or no response. */
export type Fault = BucketResponse | "cut" | "hang" | undefined;

export interface Faults {
  before?: (request: BucketRequest) => Fault | Promise<Fault>;
  /** Called after the request was carried out; it can change the response or lose it. */
  after?: (request: BucketRequest, answered: BucketResponse) => Fault;
}

export type TestBucket = Awaited<ReturnType<typeof openBucket>>;

/** Patient, because the machine may be busy. */
export const S3_OPTIONS = { concurrency: 8, attempts: 6, patience: 30_000 };

const NAME = "pages";
/** @param more other parts of the error's XML. */
export const refused = (
  status: number,
  code = "",
  more = "",
  headers: BucketResponse["headers"] = {},
): BucketResponse => ({ status, headers, body: Buffer.from(`<Error><Code>${code}</Code>${more}</Error>`) });

export async function openBucket() {
  const directory = scratch("bucket");
  mkdirSync(directory, { recursive: true });
  const s3 = new S3rver({
    silent: true,
    port: 0,
    address: "127.0.0.1",
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: NAME }],
  });
  const { port: behind } = await s3.run();
  const locks = new Map<string, Promise<unknown>>();
  /** `requests`: all since the list was cleared. */
  const opened: { requests: BucketRequest[]; faults: Faults } = { requests: [], faults: {} };

  const metadata = (key: string): Promise<Record<string, string> | undefined> =>
    s3.store.getMetadata(NAME, key).catch((cause: NodeJS.ErrnoException) => {
      // Any other error would look like a missing object.
      if (cause.code === "ENOENT") return undefined;
      throw cause;
    });

  /** Writes each object completely or not at all, so that no read gets a half-written object. */
  async function carryOut(request: BucketRequest, url: string): Promise<BucketResponse> {
    const earlier = locks.get(request.key);
    const own = Promise.resolve(earlier).then(() => carryOutAlone(request, url));
    locks.set(
      request.key,
      own.catch(() => undefined),
    );
    return own;
  }

  async function carryOutAlone(request: BucketRequest, url: string): Promise<BucketResponse> {
    const { method, key, headers, body } = request;
    const passedOn = { ...headers };
    if (method === "PUT") {
      const hash = createHash("sha256").update(body).digest("hex");
      if (headers["x-amz-content-sha256"] !== hash) return refused(400, "XAmzContentSHA256Mismatch");
      const etag = (await metadata(key))?.["etag"];
      const mustBe = headers["if-match"];
      if (mustBe !== undefined && mustBe !== etag) return refused(412, "PreconditionFailed");
      if (headers["if-none-match"] === "*" && etag !== undefined) return refused(412, "PreconditionFailed");
    }
    const last = /^bytes=-(\d+)$/.exec(headers.range ?? "")?.[1];
    if (last !== undefined) {
      const size = Number((await metadata(key))?.["content-length"] ?? 0);
      if (size === 0 && (await metadata(key)) !== undefined) return refused(416, "InvalidRange");
      passedOn.range = `bytes=${Math.max(0, size - Number(last))}-${size - 1}`;
    }
    return new Promise((resolve, reject) => {
      const passed = send({ host: "127.0.0.1", port: behind, method, path: url, headers: passedOn });
      passed.once("error", reject);
      passed.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const {
            "transfer-encoding": _,
            connection: __,
            "content-length": length,
            ...rest
          } = response.headers;
          const own = method === "HEAD" ? { ...rest, "content-length": length } : rest;
          resolve({ status: response.statusCode ?? 0, headers: own, body: Buffer.concat(chunks) });
        });
      });
      passed.end(body);
    });
  }

  async function respond(received: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of received) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = received;
    const key = decodeURIComponent(url.split("?", 1)[0] ?? "").replace(/^\/\w+\/?/, "");
    const query = new URL(url, "http://s3").searchParams;
    const request: BucketRequest = { method, key, query, headers, body: Buffer.concat(chunks) };
    opened.requests.push(request);
    const fault = await opened.faults.before?.(request);
    const made = fault ?? (await carryOut(request, url));
    const after = typeof made === "string" ? made : opened.faults.after?.(request, made);
    const last = after ?? made;
    if (last === "hang") return;
    if (last === "cut") return void response.destroy();
    const length = method === "HEAD" ? {} : { "Content-Length": `${last.body.length}` };
    response.writeHead(last.status, { ...last.headers, ...length });
    response.end(method === "HEAD" ? undefined : last.body);
  }

  const { url: own, close } = await listening((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  const endpoint = own.origin;
  const address = `s3://${NAME}`;
  const environment = {
    AWS_ACCESS_KEY_ID: "S3RVER",
    AWS_SECRET_ACCESS_KEY: "S3RVER",
    AWS_ENDPOINT_URL: endpoint,
  };
  const bucket = bucketAt(address, undefined, environment);
  const store = openS3(bucket, S3_OPTIONS);
  return Object.assign(opened, {
    store,
    keys: (method: string) => opened.requests.filter((one) => one.method === method).map(({ key }) => key),
    pointer: async () => {
      const { bytes = [] } = (await store.get("current.json")) ?? {};
      return JSON.parse(Buffer.from(bytes).toString()) as Pointer;
    },
    endpoint,
    address,
    environment,
    bucket,
    /** Resolves when every request that arrived completely has been carried out. */
    settled: async () => void (await Promise.all(locks.values())),
    close: async () => {
      store.close();
      await close();
      await s3.close();
    },
  });
}
