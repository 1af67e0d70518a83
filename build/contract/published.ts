import type { HeaderRule } from "../hosting/headers.ts";
import type { PageModel } from "../page/page.ts";
import { openapi } from "./openapi.ts";
import { OPENAPI, PAGE_SCHEMA } from "./paths.ts";
import { responseSchema, type Addresses, type Examples } from "./responses.ts";

/** The published files of the contract, by their paths in the output. */
export function contractFiles(
  model: PageModel,
  rules: readonly HeaderRule[],
  site: Addresses,
  examples: Examples,
  bulk: boolean,
): Map<string, Uint8Array> {
  const files = {
    [OPENAPI]: openapi({ model, rules, site, examples, bulk }),
    [PAGE_SCHEMA]: responseSchema(model, site, examples),
  };
  return new Map(
    Object.entries(files).map(([path, json]) => [path, Buffer.from(`${JSON.stringify(json, null, 2)}\n`)]),
  );
}
