import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseHeaders } from "./headers.ts";

/** The project's own `_headers`. */
export const HEADERS_FILE = fileURLToPath(new URL("../../_headers", import.meta.url));

export const readHeaders = () => parseHeaders(readFileSync(HEADERS_FILE, "utf8"), HEADERS_FILE);
