import { API } from "../../base/api.ts";
import { METHOD_NOT_ALLOWED, NOT_FOUND, NOT_FOUND_FILE, PAGE_ID } from "../paths.ts";
import type { Header, HeaderRule } from "../headers.ts";
import { printListen } from "../listen.ts";
import {
  inShell,
  apiHeaders,
  asPattern,
  CONDITIONS,
  IMAGE_TYPES,
  isContentType,
  letsCache,
  otherRules,
  patternOf,
  quote,
  ROOT_FILE,
  UNQUOTABLE,
  type Host,
  type HostOptions,
} from "./host.ts";

const MODULES = [
  "mpm_event",
  "authz_core",
  "mime",
  "headers",
  "rewrite",
  "filter",
  "deflate",
  "substitute",
  "alias",
];

const START = `apache2 -d "$PWD" -f "$PWD/httpd.conf" -D FOREGROUND`;

const print = (
  options: HostOptions,
): string => `# Apache httpd serves the page API. Start it, in a folder where it may write, with:
#
#   ${START}
#
# All files that it writes are in the folder after -d, so that an ordinary user can run it.

${MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}

ServerName localhost
Listen ${printListen(options.listen)}
# Used only when root starts it.
User www-data
Group www-data
PidFile httpd.pid
DefaultRuntimeDir .
ErrorLog error.log
LogLevel warn
ServerTokens Prod
ServerSignature Off
TraceEnable off

# A long id is an unknown page like any other, not an error of its own kind.
LimitRequestLine 32768
AllowEncodedSlashes NoDecode

DocumentRoot ${quote(options.root)}
<Directory ${quote(options.root)}>
  Options None
  AllowOverride None
  Require all granted
</Directory>

TypesConfig /etc/mime.types
${IMAGE_TYPES.map(([ending, type]) => `AddType ${type} .${ending}`).join("\n")}
AddOutputFilterByType DEFLATE application/json text/javascript application/javascript text/css image/svg+xml

# Responses are never stored, so there is nothing to revalidate and no range to fetch later.
FileETag None
MaxRanges none
${["Last-Modified", "Accept-Ranges"].map((name) => `Header onsuccess unset ${name}`).join("\n")}
${[...CONDITIONS, "Range"].map((name) => `RequestHeader unset ${name}`).join("\n")}
${otherRules(options).map(otherLocation).join("")}
# The address as requested or as parsed: some responses are sent before it is parsed.
# Every 404 has the body of the pages' 404, and so its headers.
Define api "expr=%{THE_REQUEST} =~ m#^\\S+ ${API}# || %{REQUEST_URI} =~ m#^${API}# || %{REQUEST_STATUS} -eq 404"
${headerLines(apiHeaders(options), ' "${api}"')}
<Location "${API}">
${typeLines(apiHeaders(options))}
</Location>

ErrorDocument 404 ${quote(NOT_FOUND)}
# With a text, Apache would add an Allow of its own to the right one; so the text replaces the content of a file.
ErrorDocument 405 /${NOT_FOUND_FILE}
<Location "/${NOT_FOUND_FILE}">
  SetOutputFilter SUBSTITUTE
  Substitute "s#^.+$#${METHOD_NOT_ALLOWED.replaceAll('"', '\\"')}#"
</Location>

# A redirect without scheme and host is right behind a proxy for TLS too (Apache 2.4.58 or later).
RedirectMatch 301 ^(${API}${PAGE_ID})$ $1/
<IfDirective RedirectRelative>
  RedirectRelative On
</IfDirective>

RewriteEngine On
RewriteCond %{ENV:REDIRECT_STATUS} =405
RewriteRule ^/${asPattern(NOT_FOUND_FILE)}$ - [END]
# Apache itself responds to OPTIONS.
RewriteCond %{REQUEST_METHOD} =OPTIONS
RewriteRule ^${API} - [END]
RewriteCond %{REQUEST_METHOD} !^(GET|HEAD)$
RewriteRule ^${API} - [R=405,L]
RewriteRule ^${API}${PAGE_ID}$ - [END]
RewriteRule ^${API}(${PAGE_ID})/(index\\.json)?$ ${API}$1/index.json [PT,L]
RewriteRule ^${API} - [R=404,L]
RewriteRule ^/$ ${ROOT_FILE} [PT,L]
# _headers and _redirects are for other hosts, and dotfiles are never published. No file has a name of 256 bytes.
RewriteRule /[._]|[^/]{256} - [R=404,L]
`;

/** Apache keeps two sets of headers; a header in both is sent twice. */
const headerLines = (headers: Header[], condition: string): string =>
  headers
    .flatMap(({ name, value }) => [
      `Header onsuccess unset ${name}${condition}`,
      `Header always set ${name} ${quote(value.replaceAll("%", "%%"))}${condition}`,
    ])
    .join("\n");

const typeLines = (headers: Header[]): string =>
  headers
    .filter(isContentType)
    .map(({ value }) => `  ForceType ${quote(value)}`)
    .join("\n");

const otherLocation = (rule: HeaderRule): string => `
<LocationMatch "${patternOf(rule)}">
${typeLines(rule.headers)}
${headerLines(
  rule.headers.filter((header) => !letsCache(header)),
  "",
)}${rule.headers
  .filter(letsCache)
  .map((header) => `\n${headerLines([header], ' "expr=%{REQUEST_STATUS} -lt 400"')}`)
  .join("")}
</LocationMatch>
`;

/** Apache httpd 2.4, with Debian's paths of modules. */
export const apache: Host = {
  name: "apache",
  title: "Apache",
  program: "apache2",
  configuration: { file: "httpd.conf", print, unquotable: UNQUOTABLE },
  launch: () => inShell(START),
  limits: {},
};
