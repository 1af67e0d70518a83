import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { printable } from "../../findings/printable.ts";
import { ProxyError } from "./proxy.ts";

/** `path` is sent unchanged: it is not normalised. */
export interface HttpRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** All lines of each header, by its lowercase name. */
export type Headers = ReadonlyMap<string, readonly string[]>;

export interface HttpResponse {
  kind: "response";
  request: HttpRequest;
  /** The `Origin` of the request, if the response may be meant only for that origin. */
  origin?: string;
  status: number;
  headers: Headers;
  body: Buffer;
}

/** The reason why there is no response to check. */
export type Trouble = "timeout" | "closed" | "garbage" | "too-large" | "unreachable" | "tls" | "redirect";

export interface NoReply {
  kind: "no-reply";
  request: HttpRequest;
  trouble: Trouble;
  message: string;
  /** If it redirects to another host or scheme: the URL there that the paths are below, if they are. */
  elsewhere?: string | undefined;
}

export type Reply = HttpResponse | NoReply;

export const noReply = (request: HttpRequest, trouble: Trouble, message: string): NoReply => ({
  kind: "no-reply",
  request,
  trouble,
  message,
});

const NETWORK: Record<string, [Trouble, string]> = {
  ECONNREFUSED: ["unreachable", "nothing listens at this address (connection refused)"],
  ENOTFOUND: ["unreachable", "no such host name"],
  EAI_AGAIN: ["unreachable", "the host name could not be looked up"],
  EHOSTUNREACH: ["unreachable", "the host cannot be reached"],
  ENETUNREACH: ["unreachable", "the host cannot be reached"],
  EADDRNOTAVAIL: ["unreachable", "the host cannot be reached"],
  ETIMEDOUT: ["unreachable", "the connection was not accepted in time"],
  ECONNRESET: ["closed", "the connection was closed before the end of the response"],
  EPIPE: ["closed", "the connection was closed before the end of the response"],
  ECONNABORTED: ["closed", "the connection was closed before the end of the response"],
  ERR_STREAM_PREMATURE_CLOSE: ["closed", "the connection was closed before the end of the response"],
  EPROTO: ["tls", "it does not speak TLS (is it http:// rather than https://?)"],
  CERT_HAS_EXPIRED: ["tls", "its certificate has expired"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["tls", "its certificate is self-signed"],
  SELF_SIGNED_CERT_IN_CHAIN: ["tls", "its certificate is signed by an authority that is not trusted"],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["tls", "its certificate is signed by an authority that is not trusted"],
  UNABLE_TO_GET_ISSUER_CERT: ["tls", "its certificate is signed by an authority that is not trusted"],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["tls", "its certificate is signed by an authority that is not trusted"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["tls", "its certificate is for another host name"],
};

export function noReplyFrom(request: HttpRequest, cause: unknown): NoReply {
  if (cause instanceof ProxyError) return noReply(request, "unreachable", cause.message);
  const { code = "", message = String(cause) } = cause as { code?: string; message?: string };
  const known = NETWORK[code];
  if (known !== undefined) return noReply(request, ...known);
  if (code.startsWith("HPE_"))
    return noReply(request, "garbage", `the response is not HTTP (${code.slice(4)})`);
  if (code.startsWith("ERR_SSL") || code.startsWith("ERR_TLS") || code.startsWith("CERT_"))
    return noReply(request, "tls", `its certificate or TLS could not be accepted (${code})`);
  return noReply(request, "closed", code === "" ? message : `${message} (${code})`);
}

/** The only value of a header; undefined if the header is missing or repeated. */
export function header(response: HttpResponse, name: string): string | undefined {
  const values = response.headers.get(name.toLowerCase());
  return values?.length === 1 ? values[0] : undefined;
}

/** Maximum number of characters of a host's text in a message. */
const MAX_EXCERPT_LENGTH = 160;

/** A text from a host, printable and short enough for one line of a terminal. */
export function excerpt(text: string): string {
  const plain = printable(text);
  return plain.length <= MAX_EXCERPT_LENGTH ? plain : `${plain.slice(0, MAX_EXCERPT_LENGTH - 1)}…`;
}

/** The request as a line: `HEAD /api/v2/pages/7/ (Accept: text/html)`. */
export function requestLine({ method = "GET", path, headers = {} }: HttpRequest): string {
  const extra = Object.entries(headers).map(([name, value]) => `${name}: ${clip(value, 40)}`);
  return excerpt(`${method} ${clip(path, 80)}${extra.length > 0 ? ` (${extra.join("; ")})` : ""}`);
}

const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;

export function statusOf(response: HttpResponse): string {
  const location = header(response, "Location");
  return location === undefined ? String(response.status) : `${response.status} to ${excerpt(location)}`;
}

export const tokensOf = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.split(",")).map((token) => token.trim().toLowerCase());

export function beginning(text: string): string {
  if (text === "") return "an empty body";
  const start = excerpt(text.trimStart().slice(0, 100));
  return /^<(!doctype|html|\?xml|head|body)/i.test(start) ? `an HTML page: ${start}` : `the body ${start}`;
}

/** Maximum bytes of a decoded body: a small body may decode to a huge one. */
const DECODED_LIMIT = { maxOutputLength: 64 * 2 ** 20 };

const decoders: Record<string, (body: Buffer) => Buffer> = {
  identity: (body) => body,
  gzip: (body) => gunzipSync(body, DECODED_LIMIT),
  "x-gzip": (body) => gunzipSync(body, DECODED_LIMIT),
  deflate: (body) => inflateSync(body, DECODED_LIMIT),
  br: (body) => brotliDecompressSync(body, DECODED_LIMIT),
};

export const encodingsOf = (response: HttpResponse): string[] =>
  tokensOf(response.headers.get("content-encoding") ?? []).filter((token) => token !== "");

/** The body without its compression, or the reason why it cannot be decoded. */
export function decoded(response: HttpResponse): Buffer | string {
  let body = response.body;
  for (const encoding of encodingsOf(response).reverse()) {
    const decode = decoders[encoding];
    if (decode === undefined) return `Content-Encoding: ${excerpt(encoding)}`;
    try {
      body = decode(body);
    } catch {
      return `the body cannot be decoded as its Content-Encoding: ${encoding}`;
    }
  }
  return body;
}
