import { setTimeout as delay } from "node:timers/promises";
import {
  request as httpRequest,
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import { request as httpsRequest, Agent as HttpsAgent } from "node:https";
import { exchange } from "./exchange.ts";
import { silence, troubleOf, type Headers, type Question, type Reply } from "./reply.ts";

/** A running host, as verification asks it: exact headers, redirects not followed, paths and methods untouched. */
export interface Host {
  /** The address given, without a slash at its end. */
  base: string;
  /** Set on this machine: a preview answers the pages of this machine alone, so it is asked as one of them. */
  origin?: string;
  /** Over a connection that is kept: for plain questions only, as a wrong answer may spoil what comes after it. */
  ask: (question: Question) => Promise<Reply>;
  /** Over a connection of its own. */
  askAlone: (question: Question) => Promise<Reply>;
  /** Over a socket, read to its end: `body` is whatever bytes follow the answer's head, allowed or not. */
  askBare: (question: Question) => Promise<Reply>;
  requests: () => number;
  close: () => void;
}

export interface HostOptions {
  /** Milliseconds for a whole answer. */
  timeout: number;
  concurrency: number;
  /** No page is larger on any host than 25 MiB; an endless body must end somewhere. */
  bodyLimit?: number;
}

const USER_AGENT = "static-page-api-verify";
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
const HEADER_LIMIT = 64 * 1024;
/** After so many timeouts on end a host is not asked any more: it hangs, and every question would cost the whole wait. */
const PATIENCE = 8;

export function openHost(url: URL, options: HostOptions): Host {
  const { timeout, concurrency, bodyLimit = 32 * 2 ** 20 } = options;
  const secure = url.protocol === "https:";
  const request = secure ? httpsRequest : httpRequest;
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: concurrency });
  const prefix = url.pathname.replace(/\/+$/, "");
  const own = LOOPBACK.test(url.hostname) ? { origin: url.origin } : {};
  let requests = 0;
  let timeouts = 0;

  const counted =
    (ask: (question: Question) => Promise<Reply>) =>
    async (question: Question): Promise<Reply> => {
      if (timeouts >= PATIENCE) return silence(question, "timeout", "not asked: the host stopped answering");
      requests++;
      const reply = await ask({
        ...question,
        path: prefix + question.path,
        headers: {
          "User-Agent": USER_AGENT,
          Accept: "*/*",
          ...(own.origin === undefined ? {} : { Origin: own.origin }),
          ...question.headers,
        },
      });
      timeouts = reply.kind === "silence" && reply.trouble === "timeout" ? timeouts + 1 : 0;
      // The report speaks of paths below the address that was given.
      return reply.kind === "answer" ? { ...reply, question, ...own } : { ...reply, question };
    };

  const attempt = async (question: Question, asked: ClientRequest): Promise<Reply> => {
    const late = new TimedOut();
    let response: IncomingMessage | undefined;
    // A request that is destroyed once its response has begun would let the response seem to have ended.
    const deadline = setTimeout(() => (response ?? asked).destroy(late), timeout);
    try {
      const responds = responseTo(asked);
      asked.end(question.body);
      response = await responds;
      const body = await readBody(response, bodyLimit);
      if (body === undefined)
        return silence(question, "too-large", `a body of more than ${bodyLimit / 2 ** 20} MiB`);
      const status = response.statusCode ?? 0;
      return { kind: "answer", question, status, headers: headersOf(response.rawHeaders), body };
    } finally {
      clearTimeout(deadline);
    }
  };

  const overHttp = async (question: Question, kept: boolean): Promise<Reply> => {
    let asked: ClientRequest | undefined;
    try {
      asked = request(url, {
        agent: kept ? agent : false,
        method: question.method ?? "GET",
        path: question.path,
        headers: withLength(question),
        maxHeaderSize: HEADER_LIMIT,
      });
      return await attempt(question, asked);
    } catch (cause) {
      if (cause instanceof TimedOut)
        return silence(question, "timeout", `no whole answer within ${timeout / 1000} s`);
      // The server may close an idle connection just as it is used again: that is no fault of its answer.
      if (kept && asked?.reusedSocket === true && (cause as { code?: string }).code === "ECONNRESET")
        return overHttp(question, false);
      return troubleOf(question, cause);
    }
  };

  return {
    ...own,
    base: url.origin + prefix,
    ask: counted(patiently((question) => overHttp(question, true))),
    askAlone: counted(patiently((question) => overHttp(question, false))),
    askBare: counted(patiently((question) => exchange(url, question, timeout))),
    requests: () => requests,
    close: () => agent.destroy(),
  };
}

type Ask = (question: Question) => Promise<Reply>;

/** "Service unavailable" speaks of a moment, not of the contract: it is asked once more, and then believed. */
const patiently =
  (ask: Ask): Ask =>
  async (question) => {
    const reply = await ask(question);
    if (reply.kind !== "answer" || reply.status !== 503) return reply;
    await delay(MOMENT);
    return await ask(question);
  };

class TimedOut extends Error {}

/** Milliseconds. */
const MOMENT = 500;

function responseTo(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.on("response", resolve);
    asked.on("error", reject);
    asked.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new Error("the host answers 101: it wants to speak another protocol"));
    });
  });
}

const withLength = ({ headers, body }: Question): Record<string, string> =>
  body === undefined ? { ...headers } : { ...headers, "Content-Length": String(Buffer.byteLength(body)) };

/** The whole body, or nothing where it is larger than the limit. */
async function readBody(response: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > limit) return undefined;
  }
  return Buffer.concat(chunks);
}

/** Every line of the head as it was sent; Node's own `headers` would join some and drop others. */
function headersOf(raw: readonly string[]): Headers {
  const headers = new Map<string, string[]>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? "").toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), raw[i + 1] ?? ""]);
  }
  return headers;
}
