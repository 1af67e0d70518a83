import { resolve } from "node:path";
import { siteIn } from "../build/change/files.ts";
import { nearest } from "../build/findings/finding.ts";
import { printable } from "../build/findings/printable.ts";
import type { ConfiguredHost } from "../build/hosting/config/host.ts";
import { configuredHosts } from "../build/hosting/config/index.ts";
import { readHeaders } from "../build/hosting/conformance.ts";
import { belowPath } from "../build/hosting/reserved.ts";
import { command, CommandError, complain, print, siteOptions } from "./command.ts";
import { listenIn } from "./ports.ts";
import { report } from "./reporting.ts";

const NAMES = configuredHosts.map(({ name }) => name);

await command(
  {
    name: "hosting",
    args: { HOST: `one of ${NAMES.join(", ")}` },
    summary:
      "Prints the complete configuration of a host that serves the build's output. Its first lines show how to start the host.",
    status: "0 printed, 1 _headers has errors, 2 it could not be printed.",
  },
  {
    "server-block": "print only the server, to be included in an existing configuration (nginx)",
    "root DIR": "serve this folder (default: public)",
    ...siteOptions,
    "content DIR":
      "refuse a base_url in _site.json of DIR that has a path, because hosts serve at their root",
    "listen ADDRESS:PORT": {
      text: "listen on this IP address and port; [::1]:8080 is IPv6, 0.0.0.0:80 is open to everyone",
      default: "127.0.0.1:8080",
      parse: listenIn,
    },
  },
  (values, [name = ""], { content, out, headersFile }) => {
    const host = hostOf(name);
    const { configuration } = host;
    const printed = values["server-block"] ? configuration.printServerBlock : configuration.print;
    if (printed === undefined)
      throw new CommandError(
        `--server-block: only a configuration of nginx can be included, not of ${host.name}.`,
      );
    const site = siteIn(content);
    const below = site && belowPath(site.base_url);
    if (below !== undefined) throw new CommandError(below);
    const root = rootOf(values.root ?? out, configuration.unquotable);
    const { rules, findings } = readHeaders(headersFile);
    if (findings.length > 0) return report("human", ".", { pages: 0, findings });
    const options = { root, listen: values.listen, rules };
    print(printed(options));
    complain(configuration.instructions?.(options) ?? "");
    return 0;
  },
);

function hostOf(name: string): ConfiguredHost {
  const host = configuredHosts.find((one) => one.name === name);
  if (host !== undefined) return host;
  const near = nearest(name, NAMES);
  throw new CommandError(
    `There is no configuration for ${name}${near === undefined ? "" : `; did you mean ${near}?`} (${NAMES.join(", ")})`,
  );
}

function rootOf(folder: string, unquotable: RegExp | undefined): string {
  const root = resolve(folder);
  const found = unquotable?.exec(root)?.[0];
  // The path is not escaped in a configuration, so it must be printable as it is; JSON can escape invisible characters.
  if (found === undefined && (unquotable === undefined || printable(root) === root)) return root;
  const character = found === undefined ? "an invisible character" : `the character ${JSON.stringify(found)}`;
  throw new CommandError(
    `--root ${printable(root)}: a configuration cannot contain ${character}; rename the folder.`,
  );
}
