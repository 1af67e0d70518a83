import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { tokensOf } from "./reply.ts";
import { shown, type HttpResponse } from "./reply.ts";

/** Maximum bytes of a decoded body: a small body may decode to a huge one. */
const MOST = { maxOutputLength: 64 * 2 ** 20 };

const decoders: Record<string, (body: Buffer) => Buffer> = {
  identity: (body) => body,
  gzip: (body) => gunzipSync(body, MOST),
  "x-gzip": (body) => gunzipSync(body, MOST),
  deflate: (body) => inflateSync(body, MOST),
  br: (body) => brotliDecompressSync(body, MOST),
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
