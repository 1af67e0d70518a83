import { printable } from "../findings/printable.ts";
import { openReader, type BucketReader } from "./reader.ts";
import { readR2, type R2Bucket } from "./r2.ts";

interface BucketEnvironment {
  BUCKET: R2Bucket;
  /** Empty, or with a slash at its end. */
  PREFIX?: string;
}

/** Cloudflare's additional data about a request. Its `Accept-Encoding` header is not always the client's. */
interface CloudflareRequest {
  cf?: { clientAcceptEncoding?: string };
}

/** Maximum bytes of cached directories, of the 128 MiB that a Worker has. */
const MAX_DIRECTORY_BYTES = 2 ** 24;

/** Maximum number of reads for a list: those of a Worker of the free plan, without the pointer, the release and two directories. */
const MAX_READS = 46;

/** One instance for the life of the Worker, because requests share its cache. */
let reader: BucketReader | undefined;

export default {
  async fetch(request: Request, { BUCKET, PREFIX = "" }: BucketEnvironment): Promise<Response> {
    reader ??= openReader(readR2(BUCKET, PREFIX), {
      memory: MAX_DIRECTORY_BYTES,
      isShared: false,
      maxReads: MAX_READS,
      now: Date.now,
      // `wrangler dev` and `wrangler tail` show it on a terminal.
      report: (line) => console.error(printable(line)),
    });
    const { method, url, headers } = request;
    const accepted = (request as Request & CloudflareRequest).cf?.clientAcceptEncoding;
    const header = (name: string): string | undefined =>
      name === "accept-encoding" && accepted !== undefined ? accepted : (headers.get(name) ?? undefined);
    const { body, ...found } = await reader.respond({ method, target: url, header });
    const hasBody = method !== "HEAD" && found.status !== 204 && found.status !== 304;
    // Otherwise Cloudflare would compress a gzip body again.
    return new Response(hasBody ? (body ?? null) : null, { ...found, encodeBody: "manual" } as ResponseInit);
  },
};
