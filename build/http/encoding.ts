import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { tokensOf } from "./reply.ts";
import { shown, type HttpResponse } from "./reply.ts";

/** Maximum bytes of a decoded body: a small body may decode to a huge one. */
const DECODED_LIMIT = { maxOutputLength: 64 * 2 ** 20 };

const decoders: Record<string, (body: Buffer) => Buffer> = {
  identity: (body) => body,
  gzip: (body) => gunzipSync(body, DECODED_LIMIT),
  "x-gzip": (body) => gunzipSync(body, DECODED_LIMIT),
  deflate: (body) => inflateSync(body, DECODED_LIMIT),
  br: (body) => brotliDecompressSync(body, DECODED_LIMIT),
};

export const encodingsOf = (answer: HttpResponse): string[] =>
  tokensOf(answer.headers.get("content-encoding") ?? []).filter((token) => token !== "");

/** The body without its compression, or the reason why it cannot be decoded. */
export function decoded(answer: HttpResponse): Buffer | string {
  let body = answer.body;
  for (const encoding of encodingsOf(answer).reverse()) {
    const decode = decoders[encoding];
    if (decode === undefined) return `Content-Encoding: ${shown(encoding)}`;
    try {
      body = decode(body);
    } catch {
      return `the body cannot be decoded as its Content-Encoding: ${encoding}`;
    }
  }
  return body;
}
