import { printable } from "../findings/printable.ts";
import { BucketReader } from "./reader.ts";
import { readR2, type R2Bucket } from "./r2.ts";

interface BucketEnvironment {
  BUCKET: R2Bucket;
  /** Empty, or with a slash at its end. */
  PREFIX?: string;
}

/** What Cloudflare tells of a request besides. Its own `Accept-Encoding` is not always the client's. */
interface CloudflareRequest {
  cf?: { clientAcceptEncoding?: string };
}

/** A Worker has 128 MiB for all that it does. */
// tuning: a directory that is not in memory is read again
const MEMORY = 2 ** 24;

/** One for as long as the Worker lives, as it holds in memory what requests have in common. */
let reader: BucketReader | undefined;

export default {
  async fetch(request: Request, { BUCKET, PREFIX = "" }: BucketEnvironment): Promise<Response> {
    reader ??= new BucketReader(readR2(BUCKET, PREFIX), {
      memory: MEMORY,
      isShared: false,
      now: Date.now,
      // `wrangler dev` and `wrangler tail` show it on a terminal.
      report: (line) => console.error(printable(line)),
    });
    const { method, url, headers } = request;
    const accepted = (request as Request & CloudflareRequest).cf?.clientAcceptEncoding;
    const {
      status,
      headers: own,
      body,
    } = await reader.answer({
      method,
      target: url,
      header: (name) =>
        name === "accept-encoding" && accepted !== undefined ? accepted : (headers.get(name) ?? undefined),
    });
    const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
    // What is gzip already is not packed once more.
    const init = { status, headers: own, encodeBody: "manual" };
    return new Response(hasBody ? (body ?? null) : null, init);
  },
};
