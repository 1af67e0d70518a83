import { readFileSync } from "node:fs";
import type { Finding } from "../findings/finding.ts";
import { HEADERS_FILE } from "../base/project.ts";
import { checkHeaders } from "./conformance.ts";
import { parseHeaders, type HeaderRule } from "./headers.ts";

/** The blocks of a `_headers` file, and all findings about it. */
export function headersIn(text: string, file: string): { rules: HeaderRule[]; findings: Finding[] } {
  const { rules, invalid } = parseHeaders(text, file);
  return { rules, findings: [...invalid, ...checkHeaders(rules, file)] };
}

export const readHeaders = (file = HEADERS_FILE) => headersIn(readFileSync(file, "utf8"), file);
