import type { HeaderRule } from "../headers.ts";
import type { Listen } from "../listen.ts";

/** The only description of a host: for `npx page-api hosting`, the verification, the table and the tests. */
export interface Host {
  /** The name on the command line. */
  name: string;
  title: string;
  /** The required program, which is also the name of its Debian package; left out if npm installs it. */
  program?: string;
  /** Left out if the project's own files configure the host. */
  configuration?: Configuration;
  /** The command that starts it, in its own folder with its configuration. */
  launch: (options: HostOptions, folder: string) => Launch;
  /** The checks of `npx page-api verify` that it fails with any configuration, and the reasons. */
  limits: Readonly<Record<string, string>>;
}

export type ConfiguredHost = Host & { configuration: Configuration };

export interface Configuration {
  /** The usual name of its file. */
  file: string;
  print: (options: HostOptions) => string;
  /** Only the server, for a configuration with other servers. */
  printServerBlock?: (options: HostOptions) => string;
  /** The characters that it cannot contain in the name of a folder. */
  unquotable?: RegExp;
  /** Instructions to start the host, if the configuration cannot contain them. */
  instructions?: (options: HostOptions) => string;
}

export interface HostOptions {
  /** The absolute path of the folder to serve. */
  root: string;
  listen: Listen;
  /** The rules of a `_headers` without findings. */
  rules: HeaderRule[];
}

export interface Launch {
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** The host's own folder by default. */
  cwd?: string;
  /** The address at which it listens, from its output so far; undefined before that. */
  listensAt?: (printed: string) => string | undefined;
}

export const inShell = (line: string, env: Record<string, string> = {}): Launch => ({
  command: "/bin/sh",
  args: ["-c", `exec ${line}`],
  env,
});
