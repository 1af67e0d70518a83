import { API } from "../../base/api.ts";
import { METHOD_NOT_ALLOWED, NOT_FOUND, PAGE_ID } from "../paths.ts";
import type { Header, HeaderRule } from "../headers.ts";
import { printListen } from "../listen.ts";
import {
  inShell,
  apiHeaders,
  IMAGE_TYPES,
  isContentType,
  isOfImages,
  otherRules,
  quote,
  ROOT_FILE,
  UNQUOTABLE,
  type Host,
  type HostOptions,
} from "./host.ts";

const BLOCK_FILE = "page-api.conf";

const START = `nginx -p "$PWD" -c "$PWD/nginx.conf" -e stderr -g "daemon off;"`;

const print = (
  options: HostOptions,
): string => `# nginx serves the page API. Start it, in a folder where it may write, with:
#
#   ${START}
#
# All files that it writes are in the folder after -p, so that an ordinary user can run it.

user www-data;  # used only when root starts it
worker_processes auto;
pid nginx.pid;

events {}

http {
  client_body_temp_path body-temp;
  proxy_temp_path proxy-temp;
  fastcgi_temp_path fastcgi-temp;
  uwsgi_temp_path uwsgi-temp;
  scgi_temp_path scgi-temp;
  access_log off;
  include /etc/nginx/mime.types;

${serverBlock(options).replace(/^(?=.)/gm, "  ")}}
`;

const printServerBlock = (
  options: HostOptions,
): string => `# A server of nginx for the page API, to be included in the http block of a configuration:
#
#   include ${BLOCK_FILE};
#
# That block must also include mime.types. If several servers listen at this address, give each its own server_name.

${serverBlock(options)}`;

/** One location serves the pages, because a second one would not inherit `add_header`. */
const serverBlock = (options: HostOptions): string => `server {
  listen ${printListen(options.listen)};
  server_name _;
  absolute_redirect off;
  server_tokens off;
  sendfile on;
  root ${quote(options.root)};

  gzip on;
  gzip_vary on;
  gzip_proxied any;
  gzip_min_length 1000;
  gzip_types application/json application/javascript text/javascript text/css image/svg+xml;

  # Responses are never stored, so there is nothing to revalidate and no range to fetch later.
  etag off;
  if_modified_since off;
  max_ranges 0;

  # A long id is an unknown page like any other, not an error of its own kind.
  large_client_header_buffers 4 32k;
  merge_slashes off;

  location ^~ ${API} {
${headerBlock(apiHeaders(options))}
    add_header Last-Modified "";
    client_max_body_size 0;

    if ($request_method = OPTIONS) { return 200 ""; }
    if ($request_method !~ "^(GET|HEAD)$") { return 405 '${METHOD_NOT_ALLOWED}'; }
    rewrite "^(${API}${PAGE_ID})$" $1/ permanent;
    set $page none;
    if ($uri ~ "^${API}(${PAGE_ID})/(index\\.json)?$") { set $page $1; }
    if (!-f $document_root${API}$page/index.json) { return 404 '${NOT_FOUND}'; }
    rewrite ^ ${API}$page/index.json break;
  }

  # A request that nginx refuses before it searches for a location, or while it sends the page, keeps its status.
  error_page 404 @not-found;
  location @not-found {
${headerBlock(apiHeaders(options))}
    return 404 '${NOT_FOUND}';
  }
  error_page 405 @method-not-allowed;
  location @method-not-allowed {
${headerBlock(apiHeaders(options))}
    return 405 '${METHOD_NOT_ALLOWED}';
  }
  error_page 400 403 412 414 500 /.error;
  location = /.error {
    internal;
${headerBlock(apiHeaders(options))}
    return 200 "";
  }
${otherRules(options).map(otherLocation).join("")}
  # _headers and _redirects are for other hosts, and dotfiles are never published. A path with two slashes together would lead
  # to a file without its headers.
  location ~ "/[/._]" { return 404; }
  location / { try_files $uri =404; }
}
`;

function headerBlock(headers: Header[]): string {
  const type = headers.find(isContentType);
  return [
    ...(type ? ["    types {}", `    default_type ${quote(type.value)};`] : []),
    ...headers
      .filter((one) => one !== type)
      .map(({ name, value }) => `    add_header ${quote(name)} ${quote(value)} always;`),
  ].join("\n");
}

const otherLocation = (rule: HeaderRule): string => `
  location ${rule.path.endsWith("*") ? `^~ ${rule.path.slice(0, -1)}` : `= ${rule.path}`} {
${isOfImages(rule) ? `    types { ${IMAGE_TYPES.map(([ending, type]) => `${type} ${ending};`).join(" ")} }\n` : ""}${headerBlock(rule.headers)}
    try_files ${rule.path === "/" ? ROOT_FILE : "$uri"} =404;
  }
`;

/** nginx 1.22 or later. */
export const nginx: Host = {
  name: "nginx",
  title: "nginx",
  program: "nginx",
  configuration: { file: "nginx.conf", print, printServerBlock, unquotable: UNQUOTABLE },
  launch: () => inShell(START),
  limits: {},
};
