import type { Header, HeaderRule } from "../headers.ts";
import type { Listen } from "../listen.ts";
import { IMAGE_KINDS } from "../../source/image-kinds.ts";
import { API_BLOCK, MEDIA_BLOCK } from "../paths.ts";

/** The only description of a host: for `npx page-api hosting`, the verification, the table and the tests. */
export interface Host {
  /** The name on the command line. */
  name: string;
  title: string;
  /** The required program, which is also the name of its Debian package; left out if npm installs it. */
  program?: string;
  /** Left out if the project's own files configure the host. */
  configuration?: Configuration;
  /** The command that starts it, in its own folder with its configuration. */
  launch: (options: HostOptions, folder: string) => Launch;
  /** The checks of `npx page-api verify` that it fails with any configuration, and the reasons. */
  limits: Readonly<Record<string, string>>;
}

export type ConfiguredHost = Host & { configuration: Configuration };

export interface Configuration {
  /** The usual name of its file. */
  file: string;
  print: (options: HostOptions) => string;
  /** Only the server, for a configuration with other servers. */
  printServerBlock?: (options: HostOptions) => string;
  /** The characters that it cannot contain in the name of a folder. */
  unquotable?: RegExp;
  /** Instructions to start the host, if the configuration cannot contain them. */
  instructions?: (options: HostOptions) => string;
}

export interface HostOptions {
  /** The absolute path of the folder to serve. */
  root: string;
  listen: Listen;
  /** The rules of a `_headers` without findings. */
  rules: HeaderRule[];
}

export interface Launch {
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** The host's own folder by default. */
  cwd?: string;
  /** The address at which it listens, from its output so far; undefined before that. */
  listensAt?: (printed: string) => string | undefined;
}

export const inShell = (line: string, env: Record<string, string> = {}): Launch => ({
  command: "/bin/sh",
  args: ["-c", `exec ${line}`],
  env,
});

export const apiHeaders = ({ rules }: HostOptions): Header[] =>
  rules.find(({ path }) => path === API_BLOCK)?.headers ?? [];

export const otherRules = ({ rules }: HostOptions): HeaderRule[] =>
  rules.filter(({ path }) => path !== API_BLOCK);

export const patternOf = ({ path }: HeaderRule): string =>
  path.endsWith("*") ? `^${asPattern(path.slice(0, -1))}` : `^${asPattern(path)}$`;

/** The headers of conditional requests. Responses are never stored, so no host may respond with 304. */
export const CONDITIONS = ["Match", "None-Match", "Modified-Since", "Unmodified-Since", "Range"].map(
  (name) => `If-${name}`,
);

/** The file of the browse UI, which the root of the host also serves. */
export const ROOT_FILE = "/index.html";

/** A path as a regular expression; the dot is the only special character in the path of a block. */
export const asPattern = (path: string): string => path.replaceAll(".", "\\.");

/** Whether a header lets caches store the response, so that an error must not have it. */
export const letsCache = ({ name, value }: Header): boolean =>
  name.toLowerCase() === "cache-control" && /\b(?:immutable|max-age=[1-9])/.test(value);

export const isContentType = ({ name }: Header): boolean => name.toLowerCase() === "content-type";

/** The content types of images by the endings of their names: not every host knows them all. */
export const IMAGE_TYPES: readonly (readonly [ending: string, type: string])[] = Object.entries(
  IMAGE_KINDS,
).map(([ending, { contentType }]) => [ending, contentType]);

export const isOfImages = ({ path }: HeaderRule): boolean => path === MEDIA_BLOCK;

/** A text in double quotes, in a syntax that nginx, Caddy, Apache and lighttpd share. */
export const quote = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

/**
 * The characters that no configuration can contain in the name of a folder: quotes and backslashes end or
 * change a text, $ and braces begin a variable, and some hosts read the others as patterns.
 */
export const UNQUOTABLE = /[\p{Cc}"\\$`{}*?[\]]/u;
