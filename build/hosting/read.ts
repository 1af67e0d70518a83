import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../project.ts";
import { parseHeaders } from "./headers.ts";

/** The project's own `_headers`. */
export const HEADERS_FILE = join(PROJECT, "_headers");

export const readHeaders = () => parseHeaders(readFileSync(HEADERS_FILE, "utf8"), HEADERS_FILE);
