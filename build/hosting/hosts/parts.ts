import type { Header, HeaderRule } from "../headers.ts";
import { API_BLOCK } from "../paths.ts";
import type { HostOptions } from "./host.ts";

/** The headers of the pages. */
export const apiHeaders = ({ rules }: HostOptions): Header[] =>
  rules.find(({ path }) => path === API_BLOCK)?.headers ?? [];

/** The blocks of other addresses than the pages'. */
export const otherRules = ({ rules }: HostOptions): HeaderRule[] =>
  rules.filter(({ path }) => path !== API_BLOCK);

/** Of a block's path: what its addresses start with, or what its one address is. */
export const prefixOf = ({ path }: HeaderRule): { prefix: string } | { exact: string } =>
  path.endsWith("*") ? { prefix: path.slice(0, -1) } : { exact: path };

/** A path's characters as a regular expression; paths of blocks have no other special one than the dot. */
export const asPattern = (path: string): string => path.replaceAll(".", "\\.");

export const isContentType = ({ name }: Header): boolean => name.toLowerCase() === "content-type";

/** A text in double quotes, as nginx, Caddy, Apache and lighttpd all read it. */
export const quote = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

/**
 * What no configuration can carry in the name of a folder: quotes and backslashes end or change a text,
 * $ and braces begin a variable, and the others are patterns in some place.
 */
export const UNQUOTABLE = /[\p{Cc}"\\$`{}*?[\]]/u;

export const lines = (indent: string, of: string[]): string =>
  of.map((line) => `${indent}${line}`).join("\n");
