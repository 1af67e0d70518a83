import { API } from "../../base/api.ts";
import { METHOD_NOT_ALLOWED, PAGE_ID } from "../paths.ts";
import type { Header, HeaderRule } from "../headers.ts";
import {
  inShell,
  apiHeaders,
  CONDITIONS,
  IMAGE_TYPES,
  otherRules,
  patternOf,
  quote,
  UNQUOTABLE,
  type Host,
  type HostOptions,
} from "./host.ts";

const START = "lighttpd -D -f lighttpd.conf";

const print = (
  options: HostOptions,
): string => `# lighttpd serves the page API. Start it, in a folder where it may write, with:
#
#   ${START}

# The headers are set before the response is made.
server.modules = ("mod_setenv", "mod_redirect")

server.bind = ${quote(options.listen.address.includes(":") ? `[${options.listen.address}]` : options.listen.address)}
server.port = ${options.listen.port}
# Used only when root starts it.
server.username = "www-data"
server.groupname = "www-data"
server.tag = "lighttpd"
server.document-root = ${quote(options.root)}
index-file.names = ("index.json", "index.html")
mimetype.assign = (
  ".json" => "application/json",
  ".html" => "text/html; charset=utf-8",
  ".js" => "text/javascript; charset=utf-8",
  ".css" => "text/css; charset=utf-8",
  ".svg" => "image/svg+xml",
  ".txt" => "text/plain; charset=utf-8",
${IMAGE_TYPES.map(([ending, type]) => `  ".${ending}" => "${type}",`).join("\n")}
  "" => "application/octet-stream"
)

# A long id is an unknown page like any other, not an error of its own kind.
server.max-request-field-size = 32768

# Responses are never stored, so there is nothing to revalidate and no range to fetch later.
static-file.etags = "disable"
server.range-requests = "disable"

# A path behind a file does not exist; otherwise, it would lead to the file without its headers.
static-file.disable-pathinfo = "enable"

# lighttpd takes the text of an error from a file. This one is not published: it is written at the start.
include_shell "printf %s ${quote(`'${METHOD_NOT_ALLOWED}'`).slice(1, -1)} > error-405.html"

$HTTP["url"] =~ "^${API}" {
  setenv.set-request-header = (
${headerLines(CONDITIONS.map((name) => ({ name, value: "" })))}
  )
  setenv.set-response-header = (
${headerLines([...apiHeaders(options), { name: "Last-Modified", value: "" }])}
  )
  server.errorfile-prefix = server.document-root + "${API}"

  # A redirect with another status, and without its Location, is lighttpd's way to respond without a file.
  $HTTP["request-method"] == "OPTIONS" {
    ${withStatus(200)}
  }
  else $HTTP["request-method"] !~ "^(GET|HEAD)$" {
    server.errorfile-prefix = var.CWD + "/error-"
    ${withStatus(405)}
  }
  else $HTTP["url"] =~ "^${API}${PAGE_ID}$" {
    url.redirect = ("" => "\${url.path}/\${qsa}")
    url.redirect-code = 301
  }
  else $HTTP["url"] !~ "^${API}${PAGE_ID}/(index\\.json)?$" {
    ${withStatus(404)}
  }
}
# Folders and paths behind a file do not exist; otherwise, lighttpd responds with 301 or 403. _headers and _redirects are
# for other hosts, and dotfiles are never published.
else $HTTP["url"] =~ "/[^./]+/?$|\\.[^/]*/|/[._]" {
  ${withStatus(404, "  ")}
}
${otherRules(options).map(otherCondition).join("")}`;

const withStatus = (status: number, indent = "    "): string =>
  [
    'url.redirect = ("" => "/")',
    `url.redirect-code = ${status}`,
    'setenv.set-response-header += ("Location" => "")',
  ].join(`\n${indent}`);

const headerLines = (headers: Pick<Header, "name" | "value">[]): string =>
  headers.map(({ name, value }) => `    ${quote(name)} => ${quote(value)},`).join("\n");

const otherCondition = (rule: HeaderRule): string => `else $HTTP["url"] =~ "${patternOf(rule)}" {
  setenv.set-response-header = (
${headerLines(rule.headers)}
  )
}
`;

/** lighttpd 1.4.69 or later. */
export const lighttpd: Host = {
  name: "lighttpd",
  title: "lighttpd",
  program: "lighttpd",
  configuration: { file: "lighttpd.conf", print, unquotable: UNQUOTABLE },
  launch: () => inShell(START),
  limits: {
    "bulk-missing": "a 404 has the Cache-Control of the shards, as headers are set whatever the status is",
  },
};
