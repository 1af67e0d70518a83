import { httpDate } from "../hosting/conformance.ts";
import { beginning, excerpt, header, statusOf, tokensOf, type HttpResponse } from "../hosting/http/reply.ts";
import { jsonIn } from "../source/json/object.ts";
import type { FaultOf } from "./probe.ts";

/**
 * Checks for every response. Each is pure, and returns an explanation of the fault, or undefined. The
 * expected values are those of the API contract, not of `_headers`, so that a mistake there is found.
 */

export const ALLOW = "GET, HEAD, OPTIONS";
export const MISSING = { message: "No Page matches the given query." };
export const NOT_ALLOWED = { detail: "Method not allowed." };

export const headerChecks = {
  allow: exactly("Allow", ALLOW),
  "cache-control": exactly("Cache-Control", "max-age=0, no-cache, no-store, must-revalidate, private"),
  "content-type": exactly("Content-Type", "application/json"),
  expires,
  vary,
  cors,
  nosniff: exactly("X-Content-Type-Options", "nosniff"),
} satisfies Record<string, FaultOf>;

export type HeaderName = keyof typeof headerChecks;

export const headerNames = Object.keys(headerChecks) as HeaderName[];

/** The headers of every response; Content-Type describes only a body. */
export const blockNames: readonly HeaderName[] = headerNames.filter((name) => name !== "content-type");

function exactly(name: string, value: string): FaultOf {
  return (response) => {
    const found = response.headers.get(name.toLowerCase()) ?? [];
    if (found.length === 1 && found[0] === value) return undefined;
    return `${name}${describe(found)}`;
  };
}

/**
 * Every website may read a response. A preview may allow only the origin of the request, and then names
 * `Origin` in `Vary`.
 */
function cors(response: HttpResponse): string | undefined {
  const { headers, origin } = response;
  const isForOrigin =
    origin !== undefined &&
    header(response, "Access-Control-Allow-Origin") === origin &&
    tokensOf(headers.get("vary") ?? []).includes("origin");
  return isForOrigin ? undefined : exactly("Access-Control-Allow-Origin", "*")(response);
}

const describe = (found: readonly string[]): string => {
  if (found.length === 0) return " is missing";
  const values = found.map((value) => excerpt(value)).join(" | ");
  return found.length === 1 ? `: ${values}` : ` ${found.length} times: ${values}`;
};

function expires(response: HttpResponse): string | undefined {
  const found = response.headers.get("expires") ?? [];
  const date = found.length === 1 ? httpDate(found[0] ?? "") : undefined;
  if (date === undefined)
    return `Expires${describe(found)}${found.length === 1 ? " (not an HTTP date)" : ""}`;
  // The host's own clock decides; if the host sends no Date, this machine's clock does.
  const now = httpDate(response.headers.get("date")?.[0] ?? "") ?? Date.now();
  return date > now ? `Expires${describe(found)} (in the future)` : undefined;
}

function vary(response: HttpResponse): string | undefined {
  const found = response.headers.get("vary") ?? [];
  return tokensOf(found).includes("accept") ? undefined : `Vary${describe(found)}`;
}

/** One fault of a response; `aspect` separates faults that are unrelated. */
export interface Fault {
  aspect: string;
  message: string;
}

export const headerFaults = (response: HttpResponse, names: readonly HeaderName[]): Fault[] =>
  names.flatMap((name) => {
    const message = headerChecks[name](response);
    return message === undefined ? [] : [{ aspect: name, message }];
  });

/** The faults of a response for an id that is not published. Without a 404, only the status is checked. */
export function missingFaults(response: HttpResponse): Fault[] {
  if (response.status !== 404) return [{ aspect: "status", message: statusOf(response) }];
  const body = response.request.method === "HEAD" ? undefined : jsonFault(response, MISSING);
  return [
    ...(body === undefined ? [] : [{ aspect: "body", message: body }]),
    ...headerFaults(response, headerNames),
  ];
}

/** The messages of faults that the plain response does not have: a defect is reported only once. */
export function messageOf(faults: readonly Fault[], plain: readonly Fault[] = []): string | undefined {
  const more = faults.filter(({ aspect }) => plain.every((known) => known.aspect !== aspect));
  return more.length === 0 ? undefined : more.map(({ message }) => message).join("; ");
}

/** Compares the parsed body of an error: clients parse it, so its white space does not matter. */
export function jsonFault(response: HttpResponse, expected: Record<string, string>): string | undefined {
  const text = response.body.toString("utf8");
  return JSON.stringify(jsonIn(text)) === JSON.stringify(expected) ? undefined : beginning(text);
}
