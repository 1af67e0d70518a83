import type { HeaderRule } from "../headers.ts";
import type { Listen } from "../listen.ts";
import type { Defect } from "./defects.ts";

/** Everything that the project knows of a host: what `npm run hosting`, the proof, the table and the tests read. */
export interface Host {
  /** On the command line. */
  name: string;
  /** For people. */
  title: string;
  /** What must be on the machine, and the Debian package that has it; left out where npm brings it. */
  program?: { name: string; package: string };
  /** Left out where the project's own files configure the host. */
  configuration?: Configuration;
  /** How it is started, in a folder of its own that has its configuration. */
  launch: (options: HostOptions, folder: string) => Launch;
  /** The checks of `npm run verify` that it fails, whatever its configuration, and why. */
  limits: Readonly<Record<string, string>>;
  /** What an operator might break: `npm run test:hosts` shows that `verify` then fails. */
  defects: readonly Defect[];
}

export type ConfiguredHost = Host & { configuration: Configuration };

export interface Configuration {
  /** Its usual name. */
  file: string;
  print: (options: HostOptions) => string;
  /** Only the server, to be included in a configuration that has other servers too. */
  printServerBlock?: (options: HostOptions) => string;
  /** The characters of a folder's name that it cannot carry. */
  unquotable?: RegExp;
  /** How to start the host, where the configuration cannot say so itself. */
  instructions?: (options: HostOptions) => string;
}

export interface HostOptions {
  /** The absolute path of the folder to serve. */
  root: string;
  listen: Listen;
  /** Of a `_headers` without findings. */
  rules: HeaderRule[];
}

export interface Launch {
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** The host's own folder where left out. */
  cwd?: string;
  /** Of what it has printed the address where it listens; undefined before that. */
  listensAt?: (printed: string) => string | undefined;
}

/** A line as a person would type it, in the host's folder. */
export const inShell = (line: string, env: Record<string, string> = {}): Launch => ({
  command: "/bin/sh",
  args: ["-c", `exec ${line}`],
  env,
});
