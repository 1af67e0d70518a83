import { symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  compatibilityDate,
  configurationArguments,
  wranglerEnvironment,
  wranglerProgram,
} from "../hosting/cloudflare/wrangler.ts";
import { hosts, type HostName } from "../hosting/hosts/index.ts";
import type { Site } from "../hosting/hosts/parts.ts";
import { printListen } from "../hosting/listen.ts";
import { PROJECT } from "../project.ts";
import type { CheckName } from "../verify/verify.ts";

/** How to start a host: the command that its configuration names. */
export interface Launch {
  command: string;
  args: string[];
  cwd: string;
  env?: Record<string, string>;
  /** Where its configuration was written, where it has one. */
  configuration?: string;
}

/** A host that the contract is proven on. */
export interface Kind {
  name: string;
  /** The program that must be on the machine, and the Debian package that has it; neither where npm brings it. */
  program?: string;
  package?: string;
  /** The checks that the host fails, whatever its configuration, and why. */
  limits: Partial<Record<CheckName, string>>;
  /** Writes what the host needs into a folder of its own. */
  prepare: (folder: string, site: Site) => Launch;
}

/** Writes the printed configuration under its usual name. */
const configure = (host: HostName, file: string, folder: string, site: Site): string => {
  const path = join(folder, file);
  writeFileSync(path, hosts[host](site));
  return path;
};

const nginx: Kind = {
  name: "nginx",
  program: "nginx",
  package: "nginx",
  limits: {},
  prepare: (folder, site) => {
    const configuration = configure("nginx", "nginx.conf", folder, site);
    const args = ["-p", folder, "-c", configuration, "-e", "stderr", "-g", "daemon off;"];
    return { command: "nginx", args, cwd: folder, configuration };
  },
};

const caddy: Kind = {
  name: "Caddy",
  program: "caddy",
  package: "caddy",
  limits: {},
  prepare: (folder, site) => {
    const configuration = configure("caddy", "Caddyfile", folder, site);
    const args = ["run", "--config", configuration, "--adapter", "caddyfile"];
    const env = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
    return { command: "caddy", args, cwd: folder, env, configuration };
  },
};

const apache: Kind = {
  name: "Apache",
  program: "apache2",
  package: "apache2",
  limits: {},
  prepare: (folder, site) => {
    const configuration = configure("apache", "httpd.conf", folder, site);
    const args = ["-d", folder, "-f", configuration, "-D", "FOREGROUND"];
    return { command: "apache2", args, cwd: folder, configuration };
  },
};

const lighttpd: Kind = {
  name: "lighttpd",
  program: "lighttpd",
  package: "lighttpd",
  limits: {},
  prepare: (folder, site) => {
    const configuration = configure("lighttpd", "lighttpd.conf", folder, site);
    return { command: "lighttpd", args: ["-D", "-f", configuration], cwd: folder, configuration };
  },
};

const serve: Kind = {
  name: "serve",
  limits: {
    "method-not-allowed": "it answers every method like GET",
    "not-found-accept-json": "asked with Accept: application/json it answers a 404 of its own making",
  },
  prepare: (folder, site) => {
    const configuration = configure("serve", "serve.json", folder, site);
    const manifest = createRequire(import.meta.url).resolve("serve/package.json");
    const program = join(dirname(manifest), "build", "main.js");
    const listen = `tcp://${printListen(site.listen)}`;
    const args = [program, "--config", configuration, "--listen", listen, "--no-clipboard"];
    return { command: process.execPath, args, cwd: folder, env: { NO_UPDATE_CHECK: "1" }, configuration };
  },
};

const wrangler = (args: string[], { listen }: Site): Launch => ({
  command: process.execPath,
  // prettier-ignore
  args: [wranglerProgram(), ...args, "--ip", listen.address, "--port", String(listen.port), "--inspector-port", "0"],
  cwd: PROJECT,
  env: { ...wranglerEnvironment, CI: "1" },
});

const workers: Kind = {
  name: "Workers",
  limits: {},
  prepare: (_, site) =>
    wrangler(["dev", "--local", ...configurationArguments(true), "--assets", site.root], site),
};

const NO_OPTIONS = "assets alone answer OPTIONS with 405";

const assets: Kind = {
  name: "Workers, no Worker",
  limits: {
    options: NO_OPTIONS,
    "malformed-id":
      "an id with a character that is written in percent is redirected to that spelling, which is 404",
  },
  prepare: (_, site) =>
    wrangler(["dev", "--local", ...configurationArguments(false), "--assets", site.root], site),
};

const pages: Kind = {
  name: "Pages",
  limits: {
    options: NO_OPTIONS,
    "not-found-headers": "the Cache-Control of a 404 is no-store, whatever _headers says",
    "method-not-allowed": "the local emulator does not answer TRACE",
    "hostile-id": "the local emulator fails where a name is longer than a file's may be",
  },
  prepare: (folder, site) => {
    // The emulator of Pages takes the configuration of the project that wrangler lies in, and serves as a Worker
    // would; so it is made to believe that it lies elsewhere.
    symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
    const { args, ...launch } = wrangler(
      ["pages", "dev", site.root, "--compatibility-date", compatibilityDate()],
      site,
    );
    const program = join(folder, "node_modules", "wrangler", "bin", "wrangler.js");
    return {
      ...launch,
      args: ["--preserve-symlinks", "--preserve-symlinks-main", program, ...args.slice(1)],
      cwd: folder,
    };
  },
};

export const kinds: readonly Kind[] = [nginx, caddy, apache, lighttpd, serve, workers, assets, pages];
