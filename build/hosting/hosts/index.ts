import { apache } from "./apache.ts";
import { caddy } from "./caddy.ts";
import { lighttpd } from "./lighttpd.ts";
import { nginx } from "./nginx.ts";
import { serve } from "./serve.ts";
import type { Site } from "./site.ts";

export const hosts = { nginx, caddy, apache, lighttpd, serve };
export type HostName = keyof typeof hosts;
export type { Site };
