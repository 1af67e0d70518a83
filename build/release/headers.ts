import { prefixOf } from "../hosting/config/parts.ts";
import { parseHeaders } from "../hosting/headers.ts";

/** The blocks of `_headers`. */
export type HeaderRules = readonly {
  matches: (path: string) => boolean;
  headers: Readonly<Record<string, string>>;
}[];

/** The build has checked the text. */
export const rulesOf = (text: string): HeaderRules =>
  parseHeaders(text, "_headers").rules.map((rule) => {
    const at = prefixOf(rule);
    return {
      matches: (path) => ("exact" in at ? path === at.exact : path.startsWith(at.prefix)),
      headers: Object.fromEntries(rule.headers.map(({ name, value }) => [name, value])),
    };
  });

export const headersFor = (path: string, rules: HeaderRules): Record<string, string> => ({
  ...rules.find(({ matches }) => matches(path))?.headers,
});

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
  txt: "text/plain; charset=utf-8",
};

export const contentType = (path: string): string =>
  TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ""] ?? "application/octet-stream";
