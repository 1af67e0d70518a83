import { SITE_URLS, type Site } from "../page/site.ts";

/** Names that are reserved for examples and tests (RFC 2606, RFC 6761). */
const RESERVED = /(?:^|\.)(?:example|example\.com|example\.net|example\.org|invalid|test|localhost)\.?$/;
const LOOPBACK = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** Whether a URL leads to this machine only. */
export const isLoopback = (url: string): boolean => {
  const { hostname } = new URL(url);
  return LOOPBACK.test(hostname) || /(?:^|\.)localhost\.?$/.test(hostname);
};

/** Whether no client can reach a URL, because its host is reserved or is this machine. */
export const isUnreachable = (url: string): boolean =>
  RESERVED.test(new URL(url).hostname.toLowerCase()) || isLoopback(url);

/** The URLs of a site that no client can reach. */
export const unreachableUrls = (site: Site): (typeof SITE_URLS)[number][] =>
  SITE_URLS.filter((field) => isUnreachable(site[field]));
