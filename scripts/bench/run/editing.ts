import { existsSync, readFileSync } from "node:fs";
import { HEADERS_FILE } from "../../../build/base/project.ts";

/** The project's `_headers` for a site whose editor sends requests to an API. */
export const headersFor = (origin: string): string =>
  readFileSync(HEADERS_FILE, "utf8").replaceAll("connect-src 'self'", `$& ${origin}`);

/** The browser in which forms are opened. */
export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export const hasBrowser = (): boolean => existsSync(CHROMIUM);
