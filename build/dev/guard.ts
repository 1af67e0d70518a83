import type { IncomingMessage } from "node:http";
import type { HeaderRule } from "../hosting/headers.ts";
import { originForm, pathIn } from "../hosting/paths.ts";
import { type HostResponse, headersFor } from "../hosting/responder.ts";

/**
 * A request after its `Host` and `Origin` have been checked. Without the check, any website that an editor visits could
 * read unpublished pages: by requests to this machine, or under a host name that leads to this machine (DNS rebinding).
 */
type Guarded =
  | { refused?: undefined; target: string; origin: string | undefined }
  /** 421: the request is for another host name; 403: it is from another website. */
  | { refused: 421 | 403; target: string };

const NAMES = ["localhost", "127.0.0.1", "[::1]"];
const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const HOST = /^(https?):\/\/([^/?#]*)/i;

export function guard({ headersDistinct: headers, url = "" }: IncomingMessage, port: number): Guarded {
  const [, scheme, authority] = HOST.exec(url) ?? [];
  const target = originForm(url);
  const hosts = headers["host"] ?? [];
  const named = authority === undefined ? hosts : [...hosts, authority];
  if (
    hosts.length !== 1 ||
    scheme?.toLowerCase() === "https" ||
    !named.every((name) => isOwnHost(name, port))
  )
    return { refused: 421, target };
  const origins = headers["origin"] ?? [];
  const isForeign =
    origins.length > 1 ||
    !origins.every((origin) => LOOPBACK_ORIGIN.test(origin)) ||
    headers["sec-fetch-site"]?.includes("cross-site") === true;
  return isForeign ? { refused: 403, target } : { target, origin: origins[0] };
}

function isOwnHost(name: string, port: number): boolean {
  const own = name.toLowerCase();
  return NAMES.some((one) => own === `${one}:${port}` || (port === 80 && own === one));
}

const REFUSALS = {
  421: "This preview responds at http://localhost, http://127.0.0.1 and http://[::1] with its port, and under no other name.",
  403: "This preview refuses requests that come from other websites.",
};

export const refusal = (status: 421 | 403, target: string, rules: readonly HeaderRule[]): HostResponse =>
  forOrigin(
    {
      status,
      headers: { ...headersFor(pathIn(target), rules), "Content-Type": "application/json" },
      body: JSON.stringify({ message: REFUSALS[status] }),
    },
    undefined,
  );

/** Allows only `origin` to read the response: `_headers` would let every website read the preview. */
export function forOrigin(found: HostResponse, origin: string | undefined): HostResponse {
  const headers: Record<string, string> = {};
  let vary = "";
  for (const [name, value] of Object.entries(found.headers))
    if (/^vary$/i.test(name)) vary = `${value}, `;
    else if (!/^access-control-allow-origin$/i.test(name)) headers[name] = value;
  headers["Vary"] = `${vary}Origin`;
  if (origin !== undefined) headers["Access-Control-Allow-Origin"] = origin;
  return { ...found, headers };
}
