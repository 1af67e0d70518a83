import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { Failure } from "../../base/failure.ts";

export class ProxyError extends Error {}

export const NEEDS_CREDENTIALS =
  "write a user name and a password into its URL, as http://NAME:PASSWORD@HOST:PORT";

/** Whether a host name is this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);

/**
 * The proxy for requests to a URL, as curl finds it: in `HTTP_PROXY`, `HTTPS_PROXY` or `ALL_PROXY`, unless
 * `NO_PROXY` contains the host. A name in lowercase has priority. Requests to this machine never use a proxy,
 * because the program's own servers are there.
 *
 * @throws Failure if the variable has no usable URL.
 */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv = process.env): URL | undefined {
  const read = (name: string): string =>
    environment[name]?.trim() || environment[name.toUpperCase()]?.trim() || "";
  const name = `${url.protocol.slice(0, -1)}_proxy`;
  const [variable, value] = read(name) === "" ? ["all_proxy", read("all_proxy")] : [name, read(name)];
  if (value === "" || isLoopback(url.hostname) || isExcepted(url, read("no_proxy"))) return undefined;
  const whole = value.includes("://") ? value : `http://${value}`;
  const proxy = URL.canParse(whole) ? new URL(whole) : undefined;
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol) && proxy.hostname !== "") return proxy;
  throw new Failure(
    `The environment variable ${variable.toUpperCase()} has no URL of an HTTP proxy. Write it as http://proxy.example.org:3128, or remove the variable.`,
  );
}

/** Whether a list as in `NO_PROXY` contains a host: by name, domain, address, network or with a port. */
function isExcepted(url: URL, list: string): boolean {
  const host = nameOf(url).toLowerCase();
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = "", port = ""] = isIP(entry)
        ? [entry, entry]
        : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
      if (port !== "" && Number(port) !== portOf(url)) return false;
      if (name === "*" || isInNetwork(host, name)) return true;
      const domain = name.replace(/^\*?\.|\.$|[[\]]/g, "");
      return domain !== "" && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
    });
}

function isInNetwork(host: string, network: string): boolean {
  const [address = "", length] = network.split("/");
  const [version, bits] = [isIP(address), Number(length)];
  if (length === undefined || version === 0 || isIP(host) !== version) return false;
  if (!/^\d+$/.test(length) || bits > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  const block = new BlockList();
  block.addSubnet(address, bits, family);
  return block.check(host, family);
}

const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");
const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === "https:" ? 443 : 80);

const credentialsOf = ({ username, password }: URL): Record<string, string> => {
  if (username === "" && password === "") return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "Proxy-Authorization": `Basic ${Buffer.from(text).toString("base64")}` };
};

/**
 * The differences of a request that a proxy passes on: the whole URL as its target, and the proxy's
 * credentials. An https request has none, because it passes through a tunnel.
 */
export function throughProxy(url: URL, path: string): { target: string; headers: Record<string, string> } {
  const proxy = url.protocol === "http:" ? proxyFor(url) : undefined;
  return proxy === undefined
    ? { target: path, headers: {} }
    : { target: url.origin + path, headers: credentialsOf(proxy) };
}

/**
 * A connection to the host of a URL, or to the proxy that passes the request on.
 *
 * @param timeout milliseconds in which a proxy must accept the connection.
 * @throws ProxyError
 */
export async function openSocket(url: URL, timeout: number): Promise<Socket> {
  const proxy = proxyFor(url);
  if (proxy === undefined) return dial(url);
  try {
    return await (url.protocol === "https:" ? openTunnel(url, proxy, timeout) : reach(proxy, timeout));
  } catch (cause) {
    const { name, code, message } = cause as NodeJS.ErrnoException;
    const words =
      name === "TimeoutError" || name === "AbortError" ? "no response in time" : (code ?? message);
    throw new ProxyError(`the proxy ${proxy.origin} cannot be used (${words})`, { cause });
  }
}

function dial(url: URL, socket?: Socket): Socket {
  const at = { host: nameOf(url), port: portOf(url) };
  if (url.protocol !== "https:") return connectPlain(at);
  // Certificates for IP addresses are requested without a name.
  const servername = isIP(at.host) === 0 ? at.host : "";
  return connectTls({ ...at, servername, ...(socket === undefined ? {} : { socket }) });
}

async function reach(proxy: URL, timeout: number): Promise<Socket> {
  const socket = dial(proxy);
  const connected = proxy.protocol === "https:" ? "secureConnect" : "connect";
  try {
    await once(socket, connected, { signal: AbortSignal.timeout(timeout) });
    return socket;
  } catch (cause) {
    socket.destroy();
    throw cause;
  }
}

async function openTunnel(url: URL, proxy: URL, timeout: number): Promise<Socket> {
  const authority = `${url.hostname}:${portOf(url)}`;
  const socket = await new Promise<Socket>((resolve, reject) => {
    const open = proxy.protocol === "https:" ? httpsRequest : httpRequest;
    const request = open({
      host: nameOf(proxy),
      port: portOf(proxy),
      agent: false,
      method: "CONNECT",
      path: authority,
      headers: { Host: authority, ...credentialsOf(proxy) },
      signal: AbortSignal.timeout(timeout),
    });
    const refuse = (status = 0): void => {
      request.destroy();
      reject(new Error(`it responds with ${status}${status === 407 ? `: ${NEEDS_CREDENTIALS}` : ""}`));
    };
    request.once("error", reject);
    request.once("response", ({ statusCode }) => refuse(statusCode));
    request.once("connect", ({ statusCode = 0 }, tunnel: Socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(tunnel);
      tunnel.destroy();
      refuse(statusCode);
    });
    request.end();
  });
  return dial(url, socket);
}
