import { apache } from "./apache.ts";
import { caddy } from "./caddy.ts";
import { assets, pages, workers } from "./cloudflare.ts";
import type { ConfiguredHost, Host } from "./host.ts";
import { lighttpd } from "./lighttpd.ts";
import { nginx } from "./nginx.ts";
import { serve } from "./serve.ts";

/** The hosts on which the API contract is verified, in the order of tables. */
export const hosts: readonly Host[] = [nginx, caddy, apache, lighttpd, serve, workers, assets, pages];

/** The hosts for which `npx page-api hosting` prints a configuration. */
export const configuredHosts: readonly ConfiguredHost[] = hosts.filter(
  (host): host is ConfiguredHost => host.configuration !== undefined,
);
