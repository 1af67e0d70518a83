import { AwsClient } from "aws4fetch";
import { Failure } from "../base/failure.ts";
import { header, type HttpResponse, type Reply } from "../hosting/http/reply.ts";
import { pauseAfter, requestWithRetry, type Retries } from "../hosting/http/client.ts";
import { openTransfer } from "../hosting/http/transfer.ts";
import { Damaged, sha256 } from "../outputs/shards/format.ts";
import {
  Refused,
  Unavailable,
  type Condition,
  type FoundObject,
  type Range,
  type ObjectInfo,
  type ObjectStore,
} from "./format.ts";

export interface Bucket {
  endpoint: URL;
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

const ADDRESS = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/;

/** The bucket and the prefix of `s3://BUCKET[/PREFIX]`. @throws Failure */
function parseAddress(address: string): Pick<Bucket, "bucket" | "prefix"> {
  const [, bucket, prefix] = ADDRESS.exec(address) ?? [];
  const parts = prefix?.split("/") ?? [];
  if (bucket === undefined || parts.includes(".") || parts.includes(".."))
    throw new Failure(
      `--bucket: expected s3://BUCKET or s3://BUCKET/PREFIX, found ${withoutSecrets(address)}. A bucket's name has 3 to 63 lowercase letters, digits, “-” and “.”.`,
    );
  return { bucket, prefix: prefix === undefined ? "" : `${prefix}/` };
}

/** An address for a message: without its user and password. */
const withoutSecrets = (address: string): string => address.replace(/^([\w+.-]*:\/*)?.*@/s, "$1…@");

/** The characters of a credential or a region: it becomes part of a header. */
const CREDENTIAL = /^[\x21-\x7e]+$/;

/** @throws Failure if an address is wrong, or if the environment has no valid credentials. */
export function bucketAt(
  address: string,
  endpoint: string | undefined,
  environment: NodeJS.ProcessEnv,
): Bucket {
  const named = (name: string): string | undefined => environment[name] || undefined;
  const credential = (name: string): string | undefined => {
    const value = named(name);
    // The value is a secret, so the message does not contain it.
    if (value !== undefined && !CREDENTIAL.test(value))
      throw new Failure(
        `${name} contains a line break, a space or another character that no credential has. Set it again without that character.`,
      );
    return value;
  };
  const place = parseAddress(address);
  const region = credential("AWS_REGION") ?? credential("AWS_DEFAULT_REGION");
  const [option, host] =
    endpoint === undefined
      ? (["AWS_ENDPOINT_URL", named("AWS_ENDPOINT_URL")] as const)
      : (["--endpoint", endpoint] as const);
  const url = endpointOf(option, host ?? `https://s3.${region ?? "us-east-1"}.amazonaws.com`);
  const accessKeyId = credential("AWS_ACCESS_KEY_ID");
  const secretAccessKey = credential("AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Failure(
      "The bucket needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (docs/hosting.md).",
    );
  const sessionToken = credential("AWS_SESSION_TOKEN");
  return {
    ...place,
    endpoint: url,
    region: region ?? (url.hostname.endsWith(".r2.cloudflarestorage.com") ? "auto" : "us-east-1"),
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
  };
}

/** @throws Failure if it is not an address, or contains a user, password, query or fragment. */
function endpointOf(option: string, host: string): URL {
  const url = URL.canParse(host) ? new URL(host) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Failure(
      `${option}: expected an address that begins with http:// or https://, found ${withoutSecrets(host)}.`,
    );
  if (url.username !== "" || url.password !== "")
    throw new Failure(
      `${option}: expected an address without user and password, found ${withoutSecrets(host)}. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.`,
    );
  if (url.search !== "" || url.hash !== "")
    throw new Failure(`${option}: expected an address without “?” and “#”. Leave out the part after it.`);
  return url;
}

interface S3Options extends Pick<Retries, "attempts" | "wait"> {
  concurrency: number;
  /** Maximum milliseconds without progress of a transfer, and before another attempt. */
  patience: number;
}

export const PUBLISHING: Omit<S3Options, "concurrency"> = { attempts: 8, patience: 20_000 };
/** Shorter, because a client is waiting for the response. */
export const READING: Omit<S3Options, "concurrency"> = { attempts: 3, patience: 3000 };

export interface S3 extends ObjectStore {
  close: () => void;
}

interface S3Request {
  method: string;
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
}

const EMPTY = sha256("");
/** Maximum milliseconds before the second attempt; each later pause is twice as long. */
const FIRST_PAUSE_MS = 200;
/** Minimum bytes per millisecond of an upload. */
const MIN_BYTES_PER_MILLISECOND = 16;
/** Server errors that another attempt would not change. */
const FINAL = new Set([501, 505]);
/** A tag that no object has. */
const NO_ETAG = '"00000000000000000000000000000000"';
/** Errors that another attempt may avoid: damage in transit, or a concurrent upload. */
const PASSING = new Set(["XAmzContentSHA256Mismatch", "BadDigest", "ConditionalRequestConflict"]);

/** An object store with an S3 interface; addresses are path-style. */
export function openS3(bucket: Bucket, { concurrency, patience, ...retries }: S3Options): S3 {
  const { endpoint } = bucket;
  const { send: transfer, close } = openTransfer(endpoint, {
    concurrency,
    timeout: 3 * patience,
    idle: patience,
    slowest: MIN_BYTES_PER_MILLISECOND,
  });
  const signer = new AwsClient({ ...bucket, service: "s3" });

  async function attempt({ method, key, query = {}, headers = {}, body }: S3Request): Promise<Reply> {
    const url = new URL(endpoint);
    const below = key === undefined ? "" : `/${bucket.prefix}${key}`;
    url.pathname = `${endpoint.pathname.replace(/\/+$/, "")}/${bucket.bucket}${below}`;
    // A URL resolves `..`, so such a key would lead to another object, perhaps of another site.
    if (!url.pathname.endsWith(below))
      throw new Failure(`The object ${below} cannot be requested: this program never uses such a name.`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const hash = body === undefined ? EMPTY : sha256(body);
    const signed = await signer.sign(url.href, {
      method,
      headers: { ...headers, "X-Amz-Content-Sha256": hash },
    });
    const path = url.pathname + url.search;
    const sent = { method, path, headers: Object.fromEntries(signed.headers) };
    return transfer(body === undefined ? sent : { ...sent, body }, true);
  }

  async function send(request: S3Request): Promise<HttpResponse> {
    const reply = await requestWithRetry(
      { ...retries, firstPauseMs: FIRST_PAUSE_MS, isSpread: true },
      () => attempt(request),
      (given) => failureOf(given) !== undefined && (given.kind === "no-reply" || pauseAfter(given, patience)),
    );
    const failure = failureOf(reply);
    if (reply.kind === "response" && failure === undefined) return reply;
    throw new Unavailable(`The bucket ${bucket.bucket} at ${endpoint.origin} cannot be reached: ${failure}.`);
  }

  /** @throws Refused for a status that is not among the expected ones. */
  async function sendExpecting(request: S3Request, ...statuses: number[]): Promise<HttpResponse> {
    const response = await send(request);
    const isExpected = statuses.includes(response.status) && codeIn(response) !== "NoSuchBucket";
    // Some objects below `files/` are web pages.
    if (isExpected && (request.key?.startsWith("files/") === true || !isWebPage(response))) return response;
    throw new Refused(refusal(bucket, request, response));
  }

  async function putIf(key: string, body: Uint8Array, condition: Condition): Promise<boolean> {
    // Some stores respond with 404 if there is no object that could match.
    const statuses = condition === "absent" ? [200, 412] : [200, 412, 404];
    const headers = conditionHeader(condition);
    return (await sendExpecting({ method: "PUT", key, headers, body }, ...statuses)).status === 200;
  }

  return {
    close,
    async get(key, range) {
      const headers = range === undefined ? {} : { Range: rangeHeader(range) };
      const statuses = range === undefined ? [200, 404] : [200, 206, 404, 416];
      const response = await sendExpecting({ method: "GET", key, headers }, ...statuses);
      if (response.status === 404) return undefined;
      return found(key, range, response);
    },
    async head(key) {
      const response = await sendExpecting({ method: "HEAD", key }, 200, 404);
      if (response.status === 404) return undefined;
      const age = dateIn(response, "Date") - dateIn(response, "Last-Modified");
      return { key, size: Number(header(response, "Content-Length")), age };
    },
    async put(key, body) {
      await sendExpecting({ method: "PUT", key, body }, 200);
    },
    putIf,
    async keepsConditions(key, bytes) {
      for (const condition of ["absent", { etag: NO_ETAG }] as const)
        if (await putIf(key, bytes, condition)) return false;
      return true;
    },
    async *list(prefix) {
      let token: string | undefined;
      do {
        const query = {
          "list-type": "2",
          prefix: bucket.prefix + prefix,
          ...(token === undefined ? {} : { "continuation-token": token }),
        };
        const response = await sendExpecting({ method: "GET", query }, 200);
        const text = response.body.toString();
        for (const info of listed(text, bucket.prefix, dateIn(response, "Date"))) yield info;
        token = inTag(text, "NextContinuationToken");
      } while (token !== undefined);
    },
    async remove(key) {
      await sendExpecting({ method: "DELETE", key }, 200, 204, 404);
    },
  };
}

/** The requested bytes, even if the response has all bytes: servers and proxies may ignore ranges. */
function found(key: string, range: Range | undefined, response: HttpResponse): FoundObject {
  const { status, body } = response;
  const etag = header(response, "ETag") ?? "";
  if (range === undefined)
    return {
      bytes: body,
      start: 0,
      size: body.length,
      etag,
      put: dateIn(response, "Last-Modified") || undefined,
    };
  if (status === 416) throw new Damaged(key, "it is too short");
  if (status === 200) {
    const start = "last" in range ? Math.max(0, body.length - range.last) : range.start;
    const bytes = body.subarray(start, "last" in range ? body.length : start + range.length);
    return { bytes, start, size: body.length, etag };
  }
  const [, from = NaN, size = NaN] =
    /^bytes (\d+)-\d+\/(\d+)$/.exec(header(response, "Content-Range") ?? "")?.map(Number) ?? [];
  if (from !== ("last" in range ? size - body.length : range.start))
    throw new Damaged(key, "the store responds with other bytes than those requested");
  return { bytes: body, start: from, size, etag };
}

const dateIn = (response: HttpResponse, name: string): number => Date.parse(header(response, name) ?? "");

const rangeHeader = (range: Range): string =>
  "last" in range ? `bytes=-${range.last}` : `bytes=${range.start}-${range.start + range.length - 1}`;

const conditionHeader = (condition: Condition): Record<string, string> =>
  condition === "absent" ? { "If-None-Match": "*" } : { "If-Match": condition.etag };

function* listed(text: string, prefix: string, now: number): Generator<ObjectInfo> {
  for (const [, entry = ""] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
    const key = inTag(entry, "Key") ?? "";
    const age = now - Date.parse(inTag(entry, "LastModified") ?? "");
    if (key.startsWith(prefix))
      yield { key: key.slice(prefix.length), size: Number(inTag(entry, "Size")), age };
  }
}

/** The reason for another attempt; undefined if the response is final. */
function failureOf(reply: Reply): string | undefined {
  if (reply.kind === "no-reply") return reply.message;
  const { status } = reply;
  const code = codeIn(reply);
  if ((status < 500 || FINAL.has(status)) && status !== 429 && !PASSING.has(code)) return undefined;
  return `it responds with ${status}${code === "" ? "" : ` ${code}`}`;
}

const codeIn = ({ status, body }: HttpResponse): string =>
  status < 300 ? "" : (inTag(body.toString("utf8", 0, 2000), "Code") ?? "");

const isWebPage = (response: HttpResponse): boolean =>
  header(response, "Content-Type")?.startsWith("text/html") === true;

/** The text in an XML tag. Names and tokens contain no other entity than `&amp;`. */
const inTag = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll("&amp;", "&");

interface RefusedRequest {
  bucket: Bucket;
  request: S3Request;
  response: HttpResponse;
  code: string;
}

const KEY = "AWS_ACCESS_KEY_ID";
const SECRET = "AWS_SECRET_ACCESS_KEY";
const TOKEN = "AWS_SESSION_TOKEN";

const NEW_TOKEN = `refuses the token in ${TOKEN}: it has expired, or does not belong to ${KEY}. Get new credentials, and set all three variables.`;
const NEW_KEY = `refuses the credentials: it does not have the key in ${KEY}. Set the key of this store.`;

/** The rest of the message about each error code: the reason, and what to do. */
const REFUSALS: Record<string, string | ((refused: RefusedRequest) => string)> = {
  NoSuchBucket: "does not exist. Make it first (docs/hosting.md).",
  InvalidAccessKeyId: NEW_KEY,
  Unauthorized: NEW_KEY,
  SignatureDoesNotMatch: `refuses the credentials: ${SECRET} does not belong to ${KEY}. Set both again.`,
  ExpiredToken: NEW_TOKEN,
  InvalidToken: NEW_TOKEN,
  RequestTimeTooSkewed:
    "refuses the time of the request: this machine's clock is wrong by many minutes. Set the clock.",
  AccessDenied: denied,
  NotImplemented: ({ request: { headers = {} }, response: { status } }) =>
    "If-Match" in headers || "If-None-Match" in headers
      ? `has no conditional requests (If-Match, If-None-Match: ${status}), so two people who publish at the same time could overwrite each other's release. Use a store that supports them, or a version of it that does (docs/releases.md).`
      : `lacks a part of the S3 interface that this program needs (${status}). Use another store, or another version of it (docs/releases.md).`,
  AuthorizationHeaderMalformed: otherRegion,
  IllegalLocationConstraintException: otherRegion,
  InvalidRegionName: otherRegion,
  InvalidRegion: otherRegion,
  PermanentRedirect: otherRegion,
  TemporaryRedirect: otherRegion,
};

/** Without the right to list, stores also respond with 403 if there is no such object. */
function denied({ request: { method, key } }: RefusedRequest): string {
  if (key === undefined)
    return `does not let the key in ${KEY} list objects. Give it that right (on Amazon S3, s3:ListBucket).`;
  if (method === "PUT")
    return `does not let the key in ${KEY} write ${key}. Give it that right (on Amazon S3, s3:PutObject).`;
  if (method === "DELETE")
    return `does not let the key in ${KEY} remove ${key}. Give it that right (on Amazon S3, s3:DeleteObject).`;
  return `does not let the key in ${KEY} read ${key}, or has no such object and does not let the key list objects. Give it both rights (on Amazon S3, s3:GetObject and s3:ListBucket).`;
}

function otherRegion({ bucket: { region }, response, code }: RefusedRequest): string {
  const text = response.body.toString();
  const right = inTag(text, "Region") ?? header(response, "x-amz-bucket-region");
  const host = inTag(text, "Endpoint");
  if (right !== undefined && right !== region)
    return `is in the region ${right}, not ${region}. Set AWS_REGION=${right}, and in AWS_ENDPOINT_URL, if it is set, the address of that region.`;
  if (host !== undefined) return `is at another address, ${host}. Set it in AWS_ENDPOINT_URL.`;
  return `refuses the region ${region} (${code}). Set AWS_REGION to the region of the bucket.`;
}

function refusal(bucket: Bucket, request: S3Request, response: HttpResponse): string {
  const { status } = response;
  const code = codeIn(response);
  // The response to HEAD has no body, and so no code.
  const named = code === "" ? (CODES[status] ?? "") : code;
  const known = Object.hasOwn(REFUSALS, named) ? REFUSALS[named] : undefined;
  const rest = typeof known === "function" ? known({ bucket, request, response, code: named }) : known;
  const where = `The bucket ${bucket.bucket} at ${bucket.endpoint.origin}`;
  if (isWebPage(response))
    return `${bucket.endpoint.href} responds with a web page (${status}), so it is not the address of an S3 store. Set the store's own address in --endpoint or AWS_ENDPOINT_URL, not that of its web interface or of a website.`;
  return rest === undefined
    ? `${where} responds to ${request.method} ${request.key ?? "for its list"} with ${status}${code === "" ? "" : ` ${code}`}.`
    : `${where} ${rest}`;
}

const CODES: Record<number, string> = {
  301: "PermanentRedirect",
  307: "TemporaryRedirect",
  401: "Unauthorized",
  403: "AccessDenied",
  501: "NotImplemented",
};
