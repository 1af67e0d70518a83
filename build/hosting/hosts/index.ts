import { apache } from "./apache.ts";
import { caddy } from "./caddy.ts";
import { lighttpd } from "./lighttpd.ts";
import { nginx } from "./nginx.ts";
import { serve } from "./serve.ts";
import type { Site } from "./parts.ts";

/** The complete configuration of each host that the project knows, by the name of the command line. */
export const hosts = { nginx, caddy, apache, lighttpd, serve } as const satisfies Record<
  string,
  (site: Site) => string
>;

export type HostName = keyof typeof hosts;

export const isHostName = (name: string): name is HostName => Object.hasOwn(hosts, name);
