import { openClient, type Client, type ClientOptions } from "./client.ts";
import { header, noReply, shown, type HttpRequest, type Reply } from "./reply.ts";

/** Maximum number of redirects per request. */
const MAX_REDIRECTS = 5;

/**
 * Sends requests to a host, and follows redirects within the host. After a redirect from http to https, all requests
 * use https.
 */
export class FollowingClient {
  private host: Client;
  private origin: URL;
  private readonly prefix: string;
  private readonly options: ClientOptions;
  private sent = 0;

  /** @param address the URL that paths are below. */
  constructor(address: URL, options: ClientOptions) {
    this.origin = new URL(address.origin);
    this.prefix = address.pathname.replace(/\/+$/, "");
    this.options = options;
    this.host = openClient(this.origin, options);
  }

  async send(request: HttpRequest): Promise<Reply> {
    let path = this.prefix + request.path;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      this.sent++;
      const reply = await this.host.send({ ...request, path });
      if (reply.kind === "no-reply") return reply;
      const location = header(reply, "Location");
      if (reply.status < 300 || reply.status > 399 || reply.status === 304 || location === undefined)
        return reply;
      const next = this.withinHost(location, path);
      if (next === undefined)
        return {
          ...noReply(request, "redirect", `it redirects to another host or scheme: ${shown(location)}`),
          elsewhere: addressBefore(request.path, location),
        };
      path = next;
    }
    return noReply(request, "redirect", "it redirects in a circle");
  }

  /** Number of requests sent, with those that followed redirects. */
  requests = (): number => this.sent;

  close(): void {
    this.host.close();
  }

  private withinHost(location: string, from: string): string | undefined {
    if (!URL.canParse(location, this.origin.origin + from)) return undefined;
    const to = new URL(location, this.origin.origin + from);
    const isUpgrade = to.protocol === "https:" && this.origin.protocol === "http:";
    if (to.hostname !== this.origin.hostname || (to.origin !== this.origin.origin && !isUpgrade))
      return undefined;
    if (isUpgrade) {
      this.host.close();
      this.origin = new URL(to.origin);
      this.host = openClient(this.origin, this.options);
    }
    return to.pathname + to.search;
  }
}

/** The URL that a path is below, by the target of its redirect. */
function addressBefore(path: string, location: string): string | undefined {
  const at = /^https?:/i.test(location) ? location.lastIndexOf(path) : -1;
  return at > 0 ? shown(location.slice(0, at)) : undefined;
}

/** An instruction for a host that only redirects. */
export const urlToGive = (elsewhere: string | undefined): string =>
  elsewhere === undefined
    ? "Give the URL of the API itself, in front of /api/v2/pages/."
    : `Give this URL instead: ${elsewhere}`;
