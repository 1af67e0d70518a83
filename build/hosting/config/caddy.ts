import { API } from "../../base/api.ts";
import { API_BLOCK, METHOD_NOT_ALLOWED, NOT_FOUND, PAGE_ID } from "../paths.ts";
import type { Header, HeaderRule } from "../headers.ts";
import {
  inShell,
  apiHeaders,
  IMAGE_TYPES,
  isOfImages,
  otherRules,
  quote,
  ROOT_FILE,
  UNQUOTABLE,
  type Host,
  type HostOptions,
} from "./host.ts";

const START = "caddy run --config Caddyfile --adapter caddyfile";

/** `route` preserves the order of its lines. */
const print = (options: HostOptions): string => `# Caddy serves the page API. Start it with:
#
#   ${START}

{
	admin off
	auto_https off
}

http://:${options.listen.port} {
	bind ${options.listen.address}
	root * ${quote(options.root)}
	encode gzip

	handle ${API_BLOCK} {
		header {
${headerLines(apiHeaders(options))}
		}
		# Responses are never stored, so there is nothing to revalidate and no range to fetch later.
		header {
			-Etag
			-Last-Modified
			-Accept-Ranges
		}
		request_header -If-*
		request_header -Range

		route {
			@options method OPTIONS
			respond @options 200
			@other not method GET HEAD
			respond @other \`${METHOD_NOT_ALLOWED}\` 405

			# Caddy's own redirect to the slash would lose the query.
			map {query} {question} {
				"" ""
				default "?{query}"
			}
			@bare path_regexp bare ^(${API}${PAGE_ID})$
			redir @bare {re.bare.1}/{question} permanent

			@page path_regexp page ^${API}(${PAGE_ID})/(index\\.json)?$
			rewrite @page ${API}{re.page.1}/index.json
			@unpublished not {
				path_regexp ^${API}${PAGE_ID}/index\\.json$
				file
			}
			respond @unpublished \`${NOT_FOUND}\` 404
			file_server {
				disable_canonical_uris
			}
		}
	}
${otherRules(options).map(otherHandle).join("")}
	handle {
		# _headers and _redirects are for other hosts, and dotfiles are never published.
		@unpublished path_regexp /[._]
		error @unpublished 404
		file_server
	}

	handle_errors {
		header {
${headerLines(apiHeaders(options))}
		}
		# Caddy fails when it looks on the disk for a path that no file can have.
		@missing expression \`{err.status_code} == 404 || {path}.matches("\\\\x00|[^/]{256}") || size({path}) > 2000\`
		respond @missing \`${NOT_FOUND}\` 404
		respond "" {err.status_code}
	}
}
`;

const headerLines = (headers: Header[]): string =>
  headers.map(({ name, value }) => `\t\t\t${name} ${quote(value)}`).join("\n");

const imageTypes = IMAGE_TYPES.map(
  ([ending, type]) => `
		@${ending} path *.${ending}
		header @${ending} Content-Type ${type}`,
).join("");

const otherHandle = (rule: HeaderRule): string => `
	handle ${rule.path} {
		header {
${headerLines(rule.headers)}
		}${isOfImages(rule) ? imageTypes : ""}${
      rule.path === "/"
        ? `
		rewrite * ${ROOT_FILE}`
        : ""
    }
		file_server
	}
`;

/** Caddy 2.6 or later. */
export const caddy: Host = {
  name: "caddy",
  title: "Caddy",
  program: "caddy",
  configuration: { file: "Caddyfile", print, unquotable: UNQUOTABLE },
  launch: (_, folder) => inShell(START, { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }),
  limits: {},
};
