import type { IncomingMessage, ServerResponse } from "node:http";
import { listening, type Listening } from "../../listening.ts";
import { Description, type Operation } from "./description.ts";
import { ENDPOINTS, Refused } from "./endpoints.ts";
import { GitHubWorld } from "./world.ts";

/** A planted fault in the responses of one operation. */
export interface Fault {
  /** The operation's id in GitHub's description, such as `git/create-ref`. */
  operation: string;
  /** Number of faulty responses; by default 1. */
  times?: number;
  /** Number of usual responses before the fault. */
  skip?: number;
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Closes the connection without a response. */
  isLost?: boolean;
  /** Carries out the request before it fails. */
  isDone?: boolean;
  /** Closes the connections of all later requests too, until the stand-in is reset. */
  isLast?: boolean;
}

export interface Received {
  operation: string;
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** The headers with which GitHub allows pages of other websites to use its API. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, Link, Location, Retry-After, X-GitHub-OTP, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Used, X-RateLimit-Resource, X-RateLimit-Reset, X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Poll-Interval, X-GitHub-Media-Type, X-GitHub-SSO, X-GitHub-Request-Id, Deprecation, Sunset",
};
const PREFLIGHT = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, PATCH, PUT, DELETE",
  "access-control-allow-headers":
    "Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since, Accept-Encoding, X-GitHub-OTP, X-Requested-With, User-Agent, GraphQL-Features, X-GitHub-Api-Version, X-Fetch-Nonce",
  "access-control-max-age": "86400",
};

const descriptions = new Map<string, Description>();

const describe = (name: "api.github.com" | "ghes-3.19"): Description => {
  const description = descriptions.get(name) ?? new Description(name, Object.keys(ENDPOINTS));
  descriptions.set(name, description);
  return description;
};

/** A test server on loopback with GitHub's API over repositories in memory. */
export class StandIn {
  readonly world = new GitHubWorld();
  readonly received: Received[] = [];
  /** Requests and responses that GitHub's description does not allow. */
  readonly violations: string[] = [];
  readonly #faults: Fault[] = [];
  #isDown = false;
  #listening!: Listening;
  readonly #description: Description;
  readonly #prefix: string;

  private constructor(isEnterprise: boolean) {
    this.#description = describe(isEnterprise ? "ghes-3.19" : "api.github.com");
    this.#prefix = isEnterprise ? "/api/v3" : "";
  }

  static async start({ isEnterprise = false } = {}): Promise<StandIn> {
    const standIn = new StandIn(isEnterprise);
    standIn.#listening = await listening((request, response) => {
      standIn.#handle(request, response).catch((cause: unknown) => {
        standIn.violations.push(String(cause));
        response.destroy();
      });
    });
    // A busy machine may pause the test for longer than the default keep-alive time.
    standIn.#listening.server.keepAliveTimeout = 600_000;
    return standIn;
  }

  get origin(): string {
    return this.#listening.url.origin;
  }

  get api(): string {
    return this.origin + this.#prefix;
  }

  plant(fault: Fault): void {
    this.#faults.push({ ...fault });
  }

  reset(): void {
    this.received.length = 0;
    this.#faults.length = 0;
    this.#isDown = false;
  }

  get operations(): string[] {
    return this.received.map(({ operation }) => operation);
  }

  close(): Promise<void> {
    return this.#listening.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (method === "OPTIONS") {
      response.writeHead(204, PREFLIGHT).end();
      return;
    }
    if (this.#isDown) {
      request.socket.destroy();
      return;
    }
    const [path = "", search = ""] = url.split("?");
    const query = new URLSearchParams(search);
    const operation = path.startsWith(`${this.#prefix}/`)
      ? this.#description.find(method, path.slice(this.#prefix.length))
      : undefined;
    this.received.push({ operation: operation?.id ?? "", method, url, headers, body: text });
    if (operation === undefined) {
      this.violations.push(`${method} ${url} is not described`);
      response.writeHead(404, CORS).end();
      return;
    }
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    this.violations.push(...this.#description.checkRequest(operation, query, body));

    const fault = this.#take(operation.id);
    const usual =
      fault === undefined || fault.isDone === true
        ? this.#responseTo(operation, query, body, headers.authorization)
        : undefined;
    this.#isDown = fault?.isLast === true;
    if (fault?.isLost === true) {
      request.socket.destroy();
      return;
    }
    const status = fault?.status ?? usual?.status ?? 500;
    const sent = fault?.status === undefined ? usual?.body : fault.body;
    if (fault?.status === undefined || (typeof sent === "object" && status >= 400))
      this.violations.push(...this.#description.checkResponse(operation, status, sent));
    const isText = typeof sent === "string";
    response
      .writeHead(status, {
        ...CORS,
        ...(sent === undefined
          ? {}
          : { "content-type": isText ? "text/html; charset=utf-8" : "application/json; charset=utf-8" }),
        // Browsers may reuse the response for a minute, as on GitHub.
        ...(method === "GET" ? { "cache-control": "private, max-age=60, s-maxage=60" } : {}),
        ...usual?.headers,
        ...fault?.headers,
      })
      .end(isText ? sent : sent === undefined ? undefined : JSON.stringify(sent));
  }

  #take(operation: string): Fault | undefined {
    const fault = this.#faults.find((one) => one.operation === operation);
    if (fault === undefined) return undefined;
    if ((fault.skip ?? 0) > 0) {
      fault.skip = (fault.skip ?? 0) - 1;
      return undefined;
    }
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times === 0) this.#faults.splice(this.#faults.indexOf(fault), 1);
    return fault;
  }

  #responseTo(
    operation: Operation,
    query: URLSearchParams,
    body: unknown,
    authorization: string | undefined,
  ): { status: number; body: unknown; headers: Record<string, string> } {
    const token = authorization?.replace(/^Bearer /, "");
    const account = token === undefined ? undefined : this.world.accounts.get(token);
    const headers = account?.scopes === undefined ? {} : { "x-oauth-scopes": account.scopes.join(", ") };
    try {
      if (token !== undefined && account === undefined) throw new Refused(401, "Bad credentials");
      const endpoint = ENDPOINTS[operation.id];
      if (endpoint === undefined) throw new Error(`the stand-in has no ${operation.id}`);
      const { world } = this;
      const example = (status: number, name?: string) => this.#description.example(operation, status, name);
      const [status, sent] = endpoint({ world, account, path: operation.path, query, body, example });
      return { status, body: sent, headers };
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      return { status: cause.status, body: cause.body, headers };
    }
  }
}
