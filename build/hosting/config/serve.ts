import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { printableJson } from "../../findings/printable.ts";
import type { Header } from "../headers.ts";
import { printListen } from "../listen.ts";
import { API, PAGE_ID } from "../paths.ts";
import { headerRemoved, listingLeftOn, rewriteDropped } from "./defects.ts";
import type { Host, HostOptions } from "./host.ts";
import { apiHeaders, isContentType } from "./parts.ts";

/**
 * `serve` takes the page of a 404 from the root that it serves, so its root is the folder of the pages: rewrites put
 * their addresses below that root, and everything else is unknown. Headers go by the path of the file that is sent.
 */
const print = (options: HostOptions): string => {
  const pages = API.slice(1);
  const configuration = {
    public: join(options.root, pages),
    rewrites: [
      { source: `${pages}:id(${PAGE_ID})/:file(index.json)?`, destination: "/:id/index.json" },
      { source: `${pages}:unknown(.+)`, destination: "/" },
    ],
    headers: [{ source: "**", headers: [...apiHeaders(options).map(keyed), noTag] }],
    cleanUrls: false,
    directoryListing: false,
  };
  return `${printableJson(configuration, 2)}\n`;
};

/** Replaces a header of `serve`'s own only where it is spelt the same. */
const keyed = (header: Header): { key: string; value: string } => ({
  key: isContentType(header) ? "Content-Type" : header.name,
  value: header.value,
});

/** With its own ETag `serve` answers 304 without the headers of the page; an empty one matches nothing. */
const noTag = { key: "ETag", value: " " };

const FILE = "serve.json";

const address = ({ listen }: HostOptions): string => `tcp://${printListen(listen)}`;

/** The file that the package's command runs. */
const program = (): string =>
  join(dirname(createRequire(import.meta.url).resolve("serve/package.json")), "build", "main.js");

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
    args: [program(), "--config", join(folder, FILE), "--listen", address(options), "--no-clipboard", "--no-request-logging"],
    env: { NO_UPDATE_CHECK: "1" },
  }),
  limits: {
    "method-not-allowed": "it answers every method like GET",
    "not-found-accept-json": "its 404 for Accept: application/json is a JSON of its own making",
  },
  defects: [
    headerRemoved(/\{\s*"key": "Cache-Control",\s*"value": "[^"]*"\s*\},/g),
    listingLeftOn('"directoryListing": false', '"directoryListing": true'),
    rewriteDropped('"source": "api/v2/pages/:id', '"source": "-/:id'),
  ],
};
