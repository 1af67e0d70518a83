import { Failure } from "../../base/failure.ts";
import {
  isTemporary,
  openFollowingClient,
  requestWithRetry,
  urlToGive,
  type Retries,
} from "../../hosting/http/client.ts";
import { decoded, header, type Reply } from "../../hosting/http/reply.ts";
import { MAX_ZIP_BYTES } from "../../outputs/shards/format.ts";

/** The result of a request: the file's bytes, no file (404 or 410), or an unusable response. */
type Fetched =
  | { kind: "found"; bytes: Buffer }
  | { kind: "missing"; isJson: boolean }
  | { kind: "unusable"; reason: string };

/** Maximum attempts for one path. */
const MAX_ATTEMPTS = 5;
/** First pause between two attempts, in milliseconds; each later one is twice as long. */
const PAUSE_MS = 500;
/** Maximum milliseconds for a whole response: enough for 25 MiB over a slow line. */
const MAX_RESPONSE_MS = 600_000;
/** Maximum milliseconds without a received byte. */
const MAX_IDLE_MS = 30_000;

const HEADERS = {
  "User-Agent": "static-page-api-mirror",
  "Accept-Encoding": "gzip",
  "Cache-Control": "no-cache",
};

/** Requests files of an untrusted host, so it limits the size and the duration of each response. */
export function openMirrorHost(url: URL, concurrency: number, wait: Retries["wait"]) {
  const address = url.href.replace(/\/+$/, "");
  const client = openFollowingClient(url, {
    concurrency,
    timeout: MAX_RESPONSE_MS,
    idle: MAX_IDLE_MS,
    bodyLimit: MAX_ZIP_BYTES,
    secondTry: false,
    patience: Infinity,
  });
  let bytes = 0;

  /** @throws Failure if the host does not respond, or redirects to another host. */
  async function fetch(path: string): Promise<Fetched> {
    const reply = await requestWithRetry(
      { attempts: MAX_ATTEMPTS, firstPauseMs: PAUSE_MS, ...(wait && { wait }) },
      () => client.send({ path, headers: HEADERS }),
      shouldRetry,
    );
    if (reply.kind === "no-reply") {
      if (reply.trouble === "too-large") return { kind: "unusable", reason: reply.message };
      const next =
        reply.trouble === "redirect" ? urlToGive(reply.elsewhere) : "Run the same command again to continue.";
      throw new Failure(`${address}${path}: ${reply.message}. ${next}`);
    }
    bytes += reply.body.length;
    const isJson = header(reply, "Content-Type")?.startsWith("application/json") === true;
    if (reply.status === 404 || reply.status === 410) return { kind: "missing", isJson };
    if (reply.status !== 200) return { kind: "unusable", reason: `the host responds with ${reply.status}` };
    const body = decoded(reply);
    return typeof body === "string" ? { kind: "unusable", reason: body } : { kind: "found", bytes: body };
  }
  /** `bytes`: those of all received bodies, before they are decoded. */
  return { address, fetch, bytes: () => bytes, requests: client.requests, close: client.close };
}

export type MirrorHost = ReturnType<typeof openMirrorHost>;

/** A number is the milliseconds to wait before the next attempt. */
function shouldRetry(reply: Reply): boolean | number {
  if (reply.kind === "no-reply") return !["redirect", "too-large", "tls"].includes(reply.trouble);
  return isTemporary(reply);
}
