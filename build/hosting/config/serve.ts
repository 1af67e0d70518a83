import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { API } from "../../base/api.ts";
import { printableJson } from "../../findings/printable.ts";
import type { Header } from "../headers.ts";
import { printListen } from "../listen.ts";
import { MEDIA } from "../../source/image-kinds.ts";
import { PAGE_ID } from "../paths.ts";
import {
  apiHeaders,
  IMAGE_TYPES,
  isContentType,
  otherRules,
  ROOT_FILE,
  type Host,
  type HostOptions,
} from "./host.ts";

const FILE = "serve.json";

/**
 * A pattern for invalid ids: on the disk, `serve` fails for some. It must not match a page's file, because
 * rules also apply to rewritten paths. It has no asterisk, which is special in `serve`.
 */
const UNKNOWN = "[0-9]{0,}[^0-9/][^]{0,}|[0-9]{17,}[^]{0,}|0[^]{0,}";

/** Paths that no file can have: with a zero byte, with a long name, or too long. `serve` fails for them. */
const UNNAMEABLE = "[^]{0,}\u0000[^]{0,}|[^]{0,}[^/]{256}[^]{0,}|[^]{2000,}";

/** A folder, so that `serve` responds with 404. If this were no path, it would try the requested path. */
const NOWHERE = API.slice(0, -1);

/** `serve` reads the page of a 404 from its root. It chooses headers by the path after the rewrites. */
const print = (options: HostOptions): string => {
  const pages = API.slice(1);
  const api = [...apiHeaders(options).map(keyed), noTag];
  const configuration = {
    public: options.root,
    rewrites: [
      { source: `:unnameable(${UNNAMEABLE})`, destination: NOWHERE },
      { source: "/", destination: ROOT_FILE },
      { source: `${pages}:id(${PAGE_ID})/:file(index.json)?`, destination: `/${pages}:id/index.json` },
      { source: `${pages}:unknown(${UNKNOWN})`, destination: NOWHERE },
      // _headers and _redirects are for other hosts, and dotfiles are never published.
      { source: `:hidden([._].{0,})`, destination: NOWHERE },
    ],
    headers: [
      { source: `${pages}**`, headers: api },
      { source: "404.html", headers: api },
      ...otherRules(options)
        .filter(({ path }) => path !== "/")
        .map(({ path, headers }) => ({
          source: path.slice(1).replace(/\*$/, "**"),
          headers: [...headers.map(keyed), noTag],
        })),
      ...IMAGE_TYPES.map(([ending, value]) => ({
        source: `${MEDIA}/**/*.${ending}`,
        headers: [{ key: "Content-Type", value }],
      })),
    ],
    cleanUrls: false,
    directoryListing: false,
  };
  return `${printableJson(configuration, 2)}\n`;
};

/** The type has this spelling because `serve` replaces its own header only if the spelling is the same. */
const keyed = (header: Header): { key: string; value: string } => ({
  key: isContentType(header) ? "Content-Type" : header.name,
  value: header.value,
});

/** With its own ETag, `serve` would respond with 304 without headers. An empty ETag matches no request. */
const noTag = { key: "ETag", value: " " };

const address = ({ listen }: HostOptions): string => `tcp://${printListen(listen)}`;

const program = (): string =>
  join(dirname(createRequire(import.meta.url).resolve("serve/package.json")), "build", "main.js");

/** Ends `serve` with its input, which ends with its parent process, even if that is killed. */
const ENDS_WITH_INPUT = `data:text/javascript,${encodeURIComponent("process.stdin.on('end', () => process.exit()).resume();")}`;

export const serve: Host = {
  name: "serve",
  title: "serve",
  configuration: {
    file: FILE,
    print,
    instructions: (options) =>
      `Save it as ${FILE} and start it with:\n  npx serve --config "$PWD/${FILE}" --listen ${address(options)}\n`,
  },
  launch: (options, folder) => ({
    command: process.execPath,
    // prettier-ignore
    args: ["--import", ENDS_WITH_INPUT, program(), "--config", join(folder, FILE), "--listen", address(options), "--no-clipboard", "--no-request-logging"],
    env: { NO_UPDATE_CHECK: "1" },
    listensAt: (printed) => /Accepting connections at (\S+)/.exec(printed)?.[1],
  }),
  limits: {
    "method-not-allowed": "it responds to every method like GET",
    "not-found-accept-json": "its 404 for Accept: application/json is its own JSON",
    spellings:
      "it looks on the disk for a name with an extension before any rule applies, so %00 in such a name is a 500",
  },
};
