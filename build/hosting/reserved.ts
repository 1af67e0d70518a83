import { isLoopback } from "./http/proxy.ts";
import { SITE_URLS, type Site } from "../model/site.ts";

/** Names that are reserved for examples and tests (RFC 2606, RFC 6761). */
const RESERVED = /(?:^|\.)(?:example|example\.com|example\.net|example\.org|invalid|test|localhost)\.?$/;

export function isUnreachable(url: string): boolean {
  const { hostname } = new URL(url);
  return RESERVED.test(hostname) || isLoopback(hostname);
}

/** The reason why no host can serve a site at this `base_url`, if so: every host serves pages at its root. */
export function belowPath(baseUrl: string): string | undefined {
  const { origin, pathname } = new URL(baseUrl);
  if (pathname === "/") return undefined;
  return `base_url (${baseUrl}) has the path ${pathname}, but every host serves the pages at ${origin}/api/v2/pages/, so the addresses in the responses would lead to a 404. Give the API a hostname of its own, such as https://api.museum.org, and write it as base_url in _site.json.`;
}

export const unreachableUrls = (site: Site): (typeof SITE_URLS)[number][] =>
  SITE_URLS.filter((field) => isUnreachable(site[field]));
