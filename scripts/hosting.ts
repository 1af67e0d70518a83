import { resolve } from "node:path";
import { nearest } from "../build/findings/finding.ts";
import { hosts, isHostName, type HostName } from "../build/hosting/hosts/index.ts";
import { UNQUOTABLE } from "../build/hosting/hosts/site.ts";
import { parseListen, printListen, type Listen } from "../build/hosting/listen.ts";
import { readHeaders } from "../build/hosting/read.ts";
import { command, CommandError } from "./command.ts";
import { report } from "./reporting.ts";

const NAMES = Object.keys(hosts).join("|");

await command(
  `npm run hosting -- ${NAMES} [--root DIR] [--listen ADDRESS:PORT]

Prints the whole configuration of a host that serves the build's output. How to start it stands at its top.

  --root DIR             the folder to serve (public)
  --listen ADDRESS:PORT  where to listen: 127.0.0.1:8080 where left out, [::1]:8080 in IPv6, 0.0.0.0:80 for everyone`,
  {
    root: { type: "string", default: "public" },
    listen: { type: "string", default: "127.0.0.1:8080" },
  },
  (values, positionals) => {
    const host = hostOf(positionals);
    const listen = listenOf(values.listen);
    const root = rootOf(values.root, host);
    const { rules, findings } = readHeaders();
    if (findings.length > 0) return report("human", ".", { pages: 0, findings });
    process.stdout.write(hosts[host]({ root, listen, rules }));
    if (host === "serve") process.stderr.write(howToServe(listen));
    return 0;
  },
);

function hostOf(positionals: string[]): HostName {
  const [name, ...more] = positionals;
  if (name === undefined) throw new CommandError(`Which host? One of ${NAMES}.`);
  if (more.length > 0) throw new CommandError(`One host at a time; ${more.join(" ")} is too much.`);
  if (isHostName(name)) return name;
  const near = nearest(name, Object.keys(hosts));
  throw new CommandError(
    `${name} is no host that is known${near === undefined ? "" : `; did you mean ${near}?`} (${NAMES})`,
  );
}

function listenOf(text: string): Listen {
  const listen = parseListen(text);
  if (listen) return listen;
  throw new CommandError(
    `--listen ${text}: write an IP address, a colon and a port from 1 to 65535, such as 127.0.0.1:8080 or [::1]:8080.`,
  );
}

function rootOf(folder: string, host: HostName): string {
  const root = resolve(folder);
  const found = host === "serve" ? undefined : UNQUOTABLE.exec(root)?.[0];
  if (found === undefined) return root;
  throw new CommandError(
    `--root ${JSON.stringify(root)}: a configuration cannot carry the character ${JSON.stringify(found)}; rename the folder.`,
  );
}

function howToServe(listen: Listen): string {
  return `Save it as serve.json and start it with:\n  npx serve --config "$PWD/serve.json" --listen tcp://${printListen(listen)}\n`;
}
