import type { Comparison } from "../comparison.ts";
import { human } from "./human.ts";
import { json } from "./json.ts";
import { markdown } from "./markdown.ts";

export interface ReportOptions {
  /** Where the change is deployed for a look: pages are linked there. */
  preview?: string | undefined;
}

export const reporters: Record<string, (comparison: Comparison, options: ReportOptions) => string> = {
  human,
  json,
  markdown,
};
